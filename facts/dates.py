"""Days, and dates of which only the year or the month may be known."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Annotated, Final, TypeAlias

from facts.errors import MisreadError
from facts.form import ReadBy, in_the_form, plain_text, text

DATE_PATTERN: Final = r"^\d{4}(-\d{2}(-\d{2})?)?$"
DAY_PATTERN: Final = r"^\d{4}-\d{2}-\d{2}$"
_DATE: Final = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?")
_WHOLE: Final = "write such as 2009-05-01, or leave it out"
_MEND: Final = 'write such as "2017-09-25", or "2017-09" or "2017" where no more is known'


@dataclass(frozen=True, slots=True)
class Span:
    """The days that a date may mean: one, or all those of a month or a year."""

    first: date
    last: date

    def begun(self, day: date) -> bool | None:
        """Whether what begins then has begun on a day; None where that is not known."""
        return True if day >= self.last else None if day >= self.first else False

    def over(self, day: date) -> bool | None:
        """Whether what ends then, that day included, is over on a day; None where that is not known."""
        return True if day > self.last else None if day > self.first else False


def span(text: str, mend: str = _MEND) -> Span:
    """The days that ``2017-09-25``, ``1912-11`` or ``1997`` may mean; MisreadError if it is no date."""
    match = _DATE.fullmatch(text)
    if match is None:
        raise MisreadError(f"{text!r:.40} is no date", mend)
    year, month, day = (int(part or 1) for part in match.groups())
    try:
        first = date(year, month, day)
    except ValueError:
        lacks = "year 0" if not year else f"day {day} in that month" if 1 <= month <= 12 else f"month {month}"
        raise MisreadError(f"{text} is no date: there is no {lacks}", mend) from None
    if match[3]:
        return Span(first, first)
    if not match[2]:
        return Span(first, first.replace(month=12, day=31))
    return Span(first, (first.replace(day=28) + timedelta(4)).replace(day=1) - timedelta(1))


def day(text: str) -> date:
    """The day that a text states; MisreadError if it is none, or leaves open which of several."""
    days = span(text, _WHOLE)
    if days.first != days.last:
        raise MisreadError(f"{text} is not a whole date", _WHOLE)
    return days.first


NOT_YET_IN_FORCE: Final = "not yet"
"""When a draft comes into force."""


def _date(value: object, mend: str = _MEND) -> str:
    date_text = text(value) if isinstance(value, int) else plain_text(value)
    span(date_text, mend)
    return date_text


def _date_or_not_yet(value: object) -> str:
    return NOT_YET_IN_FORCE if value == NOT_YET_IN_FORCE else _date(value, f'{_MEND}, or "{NOT_YET_IN_FORCE}"')


DateText: TypeAlias = Annotated[str, ReadBy(_date, in_the_form(DATE_PATTERN), lambda _: "")]
"""As much of a date as is known."""
InForce: TypeAlias = Annotated[
    str, ReadBy(_date_or_not_yet, {"anyOf": [in_the_form(DATE_PATTERN), {"enum": [NOT_YET_IN_FORCE]}]}, lambda _: "")
]
