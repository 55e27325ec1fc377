"""Dates of laws: as much of a date as is known."""

from __future__ import annotations

import re
from datetime import date

_DATE = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?")


def first_day(said: str) -> date | None:
    """The first day that ``2017-09-25``, ``1912-11`` or ``1997`` may mean; None if it is no date."""
    found = _DATE.fullmatch(said)
    if found is None:
        return None
    year, month, day = (int(part or 1) for part in found.groups())
    try:
        return date(year, month, day)
    except ValueError:
        return None
