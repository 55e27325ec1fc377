"""The errors of the project, the faults they tell, and what may have been meant by a name that is not known.

RevokeKbError
├── MisreadError    a value is not of the sort that is wanted; where it stands is not known as yet
├── InputError      a file could not be used: every fault in it, each with its place
│   ├── RulesError  the same for rule files
└── EngineError     an engine could not run, or did not agree with its program
    └── BoundsError what it was given comes to more than any board does
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Self

NAMES_LISTED: Final = 20
"""So many names are listed; of more, only the first."""
LONGEST: Final = 80
"""Letters of a name that are told."""


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Where something stands in a file; line and column count from 1."""

    file: str
    line: int
    column: int = 1
    width: int = 1

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True, order=True)
class Fault:
    """One thing wrong in a file: where, what, and how to mend it."""

    place: Place
    what: str
    mend: str
    others: tuple[tuple[Place, str], ...] = ()
    """Further places that belong to the fault, each with a word on why."""
    check: str = field(default="", compare=False)
    """The id of the check that found it, as docs/checks.md lists them; none for what could not be read."""
    because: Mapping[str, str] = field(default_factory=dict, compare=False)
    """Why it cannot be, by itself, in each language that has it."""

    def __str__(self) -> str:
        return f"{self.place}: {self.what}; {self.mend}"


class Faults(list[Fault]):
    """Faults, gathered while reading goes on."""

    def __init__(self, languages: tuple[str, ...] = ()) -> None:
        super().__init__()
        self.languages = languages
        """Those in which every text must be given; none: in any."""
        self.kinds: Mapping[str, Collection[str]] | None = None
        """The kinds of fact that rules may name, with their fields; None: any."""
        self.beside = 0
        """How many of the faults leave everything around them readable."""

    @property
    def severe(self) -> int:
        """How many do not."""
        return len(self) - self.beside

    def add(self, place: Place, problem: str, mend: str, *others: tuple[Place, str]) -> None:
        """Note a fault: where, what, how to mend it, and further places that belong to it."""
        self.append(Fault(place, problem, mend, others))

    def demand(self, noun: str, name: str, place: Place, known: Collection[str]) -> None:
        """Note a fault where a name is given that is not known."""
        if name and name not in known:
            self.add(place, f"there is no {noun} {brief(name)}", did_you_mean(name, known))

    def aside(self, place: Place, problem: str, mend: str) -> None:
        """Note a fault that leaves everything around it readable, as that of a name alone."""
        self.beside += 1
        self.add(place, problem, mend)


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The nearest name that is known, capital or small; or else what there is, if there is anything."""
    names = [*known]
    if near := nearest_name(name, names):
        return f"did you mean {near}?"
    if not names:
        return "none is known"
    more = ", …" if len(names) > NAMES_LISTED else ""
    return f"write one of {', '.join(names[:NAMES_LISTED])}{more}"


def nearest_name(name: str, known: Iterable[str]) -> str | None:
    """The nearest name that is known, capital or small, if one is near."""
    from difflib import get_close_matches  # noqa: PLC0415 - of no use as long as all names are right

    names = {word.lower(): word for word in known}
    near = get_close_matches(name.lower()[:40], names, n=1, cutoff=0.6)
    return names[near[0]] if near else None


def brief(name: str) -> str:
    """A name that somebody gave, cut short where it is no name but a page."""
    return name if len(name) <= LONGEST else f"{name[:LONGEST]}…"


class RevokeKbError(Exception):
    """Base of all errors of the project."""


class MisreadError(RevokeKbError, ValueError):
    """A text or a value is not of the sort that is wanted: each thing wrong, and how to mend it."""

    def __init__(self, problem: str, mend: str, *more: tuple[str, str]) -> None:
        super().__init__(problem, mend, *more)
        self.wrong = ((problem, mend), *more)

    def __str__(self) -> str:
        return " / ".join(f"{problem}; {mend}" for problem, mend in self.wrong)

    def at(self, place: Place) -> Iterator[Fault]:
        """The faults of what stands at a place."""
        return (Fault(place, problem, mend) for problem, mend in self.wrong)


class InputError(RevokeKbError):
    """A file could not be used."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        """Every fault found, in the order of the file; never empty."""
        super().__init__("\n".join(map(str, self.faults)))

    @classmethod
    def of(cls, place: Place | Path | str, problem: str, mend: str) -> Self:
        """One thing wrong at a place, or with a file or an input as a whole."""
        return cls([Fault(place if isinstance(place, Place) else Place(str(place), 1), problem, mend)])

    def __reduce__(self) -> tuple[type[InputError], tuple[tuple[Fault, ...]]]:
        return type(self), (self.faults,)


class RulesError(InputError):
    """Rule files could not be used."""


class EngineError(RevokeKbError):
    """An engine could not run, or did not agree with its program."""


class BoundsError(EngineError):
    """A run was given up: more facts, firings or combinations of facts than there may be, of which rule; and a mend."""

    def __str__(self) -> str:
        return "; ".join(self.args)
