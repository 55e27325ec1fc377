"""The proof as a tree that opens."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from kb.explain.html.pieces import Pieces
from kb.ruling.reasons import Branch
from kb.ruling.report import Report
from kb.ruling.ruling import Ruling


def proof(ruling: Ruling, pieces: Pieces) -> Iterator[str]:
    """A tree for each conclusion that cites, down to what was observed; what was shown before is only named."""
    yield f"{pieces.opening('proof', 'html-proof', 'proof')}<ul>"
    for one in Report(ruling).trees:
        yield from _item(one, pieces)
    yield "</ul></section>"


def _item(one: Branch, pieces: Pieces) -> Iterator[str]:
    label = _label(one, pieces)
    if not one.under:
        yield f"<li>{label}{' …' if one.again else ''}</li>"
        return
    yield f"<li><details><summary>{label}</summary><ul>"
    for child in one.under:
        yield from _item(child, pieces)
    for lacking in () if one.firing is None else one.firing.lacking:
        yield f'<li class="absent">{escape(pieces.speaker.lacking(lacking))}</li>'
    yield "</ul></details></li>"


def _label(one: Branch, pieces: Pieces) -> str:
    if one.counted is not None:
        return pieces.phrase("counted", n=one.counted)
    if one.firing is None:
        return f"{escape(pieces.speaker.fact(one.fact))} <small>({pieces.phrase('observed')})</small>"
    said = escape(pieces.speaker.reason(one.firing.reason))
    return said if one.firing.law is None else f"{said} <cite>[{pieces.laws([one.firing.law])}]</cite>"
