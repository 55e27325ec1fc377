"""An address as a QR code, so that another phone takes it over by its camera."""

from __future__ import annotations

import io
from typing import Final

import segno
from markupsafe import Markup

MOST: Final = 600
"""Letters of an address; a code of more is too fine for a phone's camera."""
QUIET: Final = 4
"""Modules left white around it, as the standard wants."""


def qr_code(address: str) -> Markup | None:
    """The code as SVG, black on white whatever the page's colours; None for an address that is too long."""
    if len(address) > MOST:
        return None
    code, drawn = segno.make(address, error="m", micro=False, boost_error=False), io.BytesIO()
    code.save(drawn, kind="svg", border=QUIET, dark="#000", light="#fff", xmldecl=False, svgns=False, omitsize=True,
              svgclass="qr", lineclass=None, nl=False)  # fmt: skip
    return Markup(drawn.getvalue().decode())
