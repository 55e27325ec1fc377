"""The numbers of clauses, as a book counts them."""

from __future__ import annotations

import re
from itertools import takewhile


def book_order(ref: str) -> tuple[tuple[int, str], ...]:
    """Sort key by which 7C2 stands before 7C10 and after 7C."""
    return tuple((int(number or 0), letters) for number, letters in re.findall(r"(\d+)|(\D+)", ref))


def belongs_to(ref: str, law: str) -> bool:
    """Whether 7A1 is a clause of Law 7; a clause of Law 70 is not."""
    return ref.startswith(law) and not ref[len(law) :][:1].isdigit()


def law_of(ref: str) -> str:
    """The law that a clause of this number is of, unless a book says otherwise: 7 for 7A1."""
    return "".join(takewhile(str.isdigit, ref)) or ref
