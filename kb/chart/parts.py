"""The decision chart of an edition for one revoke, made of the rulings on every situation.

A chart has two parts: a revoke that is not established, and one that is. Each has figures, one for each thing that the
ruling says or leaves unsaid; a figure is a decision diagram of its own, so that a director follows each one down to its
end and puts the ends together. What is not known has no place on it, and of other revokes it only says that there may
be some.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from facts.cards import CLOCKWISE, SIDE, Seat
from facts.errors import RulesError
from facts.fact import Fact, Value
from kb.language.known import (
    DIRECTOR,
    ESTABLISHED,
    MUST_CORRECT,
    OPTIONS,
    POINTS,
    RECTIFICATIONS,
    REMARKS,
    STATUS,
    TRANSFER,
)
from kb.language.model import Edition
from kb.language.vocabulary import Field, Vocabulary
from kb.ruling.ruling import Ruling

PartName: TypeAlias = Literal["not-established", "established"]
PARTS: Final[tuple[PartName, ...]] = ("not-established", "established")
RELATIONS: Final = ("revoker", "next", "partner", "last")
"""The hands in the order of play, from the one that revoked."""
SIDES: Final = ("his-side", "other-side")
SHOWN: Final = (RECTIFICATIONS, TRANSFER, POINTS, OPTIONS, REMARKS, DIRECTOR)
"""The parts of a ruling that a chart has figures for, besides the status."""
FEW: Final = 3
"""Fewer answers than these are always named."""

Said: TypeAlias = tuple[str, tuple[Value, ...]]
"""A kind of fact and its fields, hands and sides named from the one that revoked, times and tricks left out (None)."""
Told: TypeAlias = frozenset[Said]


def demand_both(edition: Edition, to_correct: object, established: object) -> None:
    """RulesError where there are no situations for one of the two parts."""
    if not (to_correct and established):
        lacking = ESTABLISHED if to_correct else MUST_CORRECT
        what = f"no answer of the interview makes a revoke {lacking}, so a chart has nothing to tell"
        raise RulesError.of(edition.place, what, f"let rules conclude a {STATUS} that is {lacking}")


@dataclass(frozen=True, slots=True)
class FigureBox:
    """A question of a figure, or an end of it."""

    number: int
    """Within the part, from 1 on; the ends have none: 0."""
    question: str
    """Empty for an end."""
    laws: tuple[str, ...]
    """What makes the question matter; of an end, what it rests on."""
    ways: tuple[tuple[tuple[str, ...], FigureBox], ...]
    """Answers, and where they lead; the same box may stand in several places."""
    told: Told
    """What an end says; nothing: the figure's matter does not arise."""

    @property
    def rest(self) -> tuple[str, ...]:
        """Answers so many that they are better called the rest: the last way's, if it has most of all answers."""
        answers = self.ways[-1][0]
        return answers if len(answers) >= FEW and 2 * len(answers) > sum(len(some) for some, _ in self.ways) else ()


@dataclass(frozen=True, slots=True)
class Figure:
    """One matter of the ruling."""

    matters: tuple[str, ...]
    """The kinds of fact, or words of judgement, that it is about; the first gives it its name."""
    root: FigureBox

    def boxes(self) -> Iterator[FigureBox]:
        """Every question, each once, in the order of their numbers."""
        seen: dict[int, FigureBox] = {}
        waiting = [self.root]
        while waiting:
            box = waiting.pop()
            if box.question and box.number not in seen:
                seen[box.number] = box
                waiting += [below for _, below in box.ways]
        return iter([seen[number] for number in sorted(seen)])


@dataclass(frozen=True, slots=True)
class FigureCase:
    """What the figure that comes first may end in, and what else is ruled then."""

    told: Told
    """Nothing where the part has but one case."""
    figures: tuple[Figure, ...]
    notes: tuple[str, ...]
    """The laws of what is left to the director's judgement and takes too much room to be drawn."""


@dataclass(frozen=True, slots=True)
class ChartPart:
    """One part: a page, or several where one would be too small to read."""

    name: PartName
    first: Figure | None
    """The way to tell the parts and cases apart; in the first part only."""
    cases: tuple[FigureCase, ...]


def matter(vocabulary: Vocabulary, fact: Fact) -> str:
    """What a fact of a ruling is about: its kind, the kind it is shown as, or the judgement it asks for."""
    kind = vocabulary.kind_of(fact)
    shown = kind.shows.get("kind")
    if isinstance(shown, str) and shown.startswith("$"):
        return str(fact[kind.index[shown[1:]]])
    return kind.name if shown is None else str(shown)


def said(vocabulary: Vocabulary, ruling: Ruling, fact: Fact) -> Said:
    """A fact as seen from the hand that revoked first."""
    kind = vocabulary.kind_of(fact)
    hand = next(iter(ruling.opening.completions.values[0, "hand"]))
    return kind.name, tuple(_seen(hand, field, value) for field, value in zip(kind.fields, fact[1:], strict=True))


def _seen(hand: Seat, field: Field, value: Value) -> Value:
    if value is None or field.is_time or field.type == "card":
        return None
    if field.type == "seat":
        return RELATIONS[CLOCKWISE[hand].index(value)]
    if field.type == "side":
        return SIDES[value != SIDE[hand]]
    return value
