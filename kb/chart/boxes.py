"""The one-page chart: its boxes, questions and what follows, and the way of a situation through them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from kb.space.outcome import Entry

BoxName: TypeAlias = Literal[
    "revoke", "unknown-to-law", "established", "late", "free", "core",
    "corrected", "cards", "all-the-same", "always",
]  # fmt: skip
Column: TypeAlias = Literal["whole", "left", "right"]
Effect: TypeAlias = frozenset[Entry]
"""What a revoke costs: automatic tricks, points and choices."""
OfTwo: TypeAlias = Literal["", "second", "both"]
"""Which of two established revokes costs nothing; empty where a way is of one revoke."""
Given: TypeAlias = tuple[str, tuple[str, ...]]
"""A question, and any one of these answers to it."""


@dataclass(frozen=True, slots=True)
class ChartWay:
    """Answers that lead out of a box."""

    given: tuple[Given, ...]
    """All of these."""
    laws: tuple[str, ...]
    to: int
    """A box; 0: the end of the chart."""
    effect: Effect | None = None
    """What the revoke costs, at an end; None where it costs nothing and is none by this law."""
    of_two: OfTwo = ""

    def holds(self, answers: Mapping[str, str]) -> bool:
        """Whether a situation goes this way."""
        return all(answers.get(question) in among for question, among in self.given)


@dataclass(frozen=True, slots=True)
class ChartBox:
    """One box; its number counts from 1."""

    number: int
    name: BoxName
    column: Column
    ways: tuple[ChartWay, ...] = ()
    laws: tuple[str, ...] = ()
    """The clauses told in a box without ways."""
    to: int = 0
    """The box that follows, where no way leads elsewhere; 0 where the column ends."""
    then: int = 0
    """The box for every established revoke whose cost is known here; 0 where there is none."""

    @property
    def asks(self) -> bool:
        """Whether it is a question."""
        return bool(self.ways) or self.name == "revoke"


@dataclass(frozen=True, slots=True)
class OrdinaryChart:
    """The boxes in the order of their numbers."""

    boxes: tuple[ChartBox, ...]

    def __iter__(self) -> Iterator[ChartBox]:
        return iter(self.boxes)

    def named(self, name: BoxName) -> ChartBox | None:
        """The first box of a name."""
        return next((box for box in self.boxes if box.name == name), None)

    def end(self, answers: Mapping[str, str]) -> ChartWay | ChartBox:
        """Where a situation ends: the way out of its last question, or the box of what is to be corrected."""
        at, corrected = 1, self.named("corrected")
        assert corrected is not None
        while at:
            box = self.boxes[at - 1]
            way = next((way for way in box.ways if not way.of_two and way.holds(answers)), None)
            if way is not None and not way.to:
                return way
            at = box.to if way is None else way.to
        return corrected
