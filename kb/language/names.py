"""Names: the one that was meant, and the order in which a book counts."""

from __future__ import annotations

import re
from collections.abc import Iterable


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """How to mend an unknown name: the nearest valid one, or else all of them when they are few."""
    import difflib  # noqa: PLC0415 - of no use as long as all names are right

    names = list(known)
    if near := difflib.get_close_matches(name, names, n=1, cutoff=0.6):
        return f"did you mean {near[0]}?"
    if not names:
        return "none is known"
    more = ", …" if len(names) > 12 else ""
    return f"write one of {', '.join(names[:12])}{more}"


def book_order(ref: str) -> tuple[tuple[int, str], ...]:
    """Sort key by which 7C2 stands before 7C10 and after 7C."""
    return tuple((int(number or 0), letters) for number, letters in re.findall(r"(\d+)|(\D+)", ref))


def belongs_to(ref: str, law: str) -> bool:
    """Whether 7A1 is a clause of Law 7; a clause of Law 70 is not."""
    return ref.startswith(law) and not ref[len(law) :][:1].isdigit()
