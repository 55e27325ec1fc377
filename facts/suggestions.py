"""Names that are not known: how they are told, and what may have been meant."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

MOST: Final = 20
"""So many names are listed; of more, only the first."""
LONGEST: Final = 80
"""Letters of a name that are told."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The nearest name that is known, capital or small; or else what there is, if there is anything."""
    names = [*known]
    if near := nearest(name, names):
        return f"did you mean {near}?"
    if not names:
        return "none is known"
    more = ", …" if len(names) > MOST else ""
    return f"write one of {', '.join(names[:MOST])}{more}"


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The nearest name that is known, capital or small, if one is near."""
    from difflib import get_close_matches  # noqa: PLC0415 - of no use as long as all names are right

    names = {one.lower(): one for one in known}
    near = get_close_matches(name.lower()[:40], names, n=1, cutoff=0.6)
    return names[near[0]] if near else None


def brief(name: str) -> str:
    """A name that somebody gave, cut short where it is no name but a page."""
    return name if len(name) <= LONGEST else f"{name[:LONGEST]}…"
