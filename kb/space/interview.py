"""The director's questions: what may be asked when, and what an incident each complete set of answers makes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from facts.cards import CLOCKWISE, OTHER_SIDE, SIDE, Seat
from facts.errors import Fault, InputError, Place
from facts.incident import Finding, Incident
from kb.language.model import Texts

UNKNOWN: Final = "unknown"
"""The id of the answer «I don't know»."""
INCIDENT_KEYS: Final = ("contract", "declarer", "dealer", "vulnerable", "tricks", "equity-tricks")
"""The keys of the incident itself that an answer may fill in."""

Answers: TypeAlias = Mapping[str, str]
"""Question -> the answer given; questions not asked are missing."""
Needs: TypeAlias = tuple[Mapping[str, frozenset[str]], ...]
"""Any one of these suffices: each question named has been answered by one of its answers. Empty: nothing is needed."""
Part: TypeAlias = Literal["first", "second", "third", "incident"]
REVOKES: Final[tuple[Part, ...]] = ("first", "second", "third")
"""What the revokes of one incident are called, in their order."""
Relation: TypeAlias = Literal["hand", "partner", "left", "right", "side", "other-side"]
NEEDED: Final = ("hand", "trick")
"""The keys without which there is no finding."""
_PLACES: Final[Mapping[str, int]] = {"left": 1, "partner": 2, "right": 3}


@dataclass(frozen=True, slots=True)
class Relative:
    """A seat or side named from the hand of a revoke."""

    relation: Relation
    of: Part

    def seen_from(self, hand: Seat) -> str:
        """The seat or side itself."""
        if self.relation == "hand":
            return hand
        if self.relation in _PLACES:
            return CLOCKWISE[hand][_PLACES[self.relation]]
        return SIDE[hand] if self.relation == "side" else OTHER_SIDE[SIDE[hand]]


@dataclass(frozen=True, slots=True)
class Filling:
    """One key of the incident file that an answer fills in."""

    part: Part
    key: str
    """A field of Finding, or of Incident for the part ``incident``."""
    value: Any
    """Of the field's type, with a Relative in place of any seat or side."""
    place: Place


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer to a question."""

    id: str
    says: Texts
    when: Needs
    fills: tuple[Filling, ...]
    place: Place


@dataclass(frozen=True, slots=True)
class Question:
    """One question; its first answer is the ordinary one."""

    id: str
    asks: Texts
    about: Texts
    """The beginning of a statement that an answer completes."""
    help: Texts
    """Empty where nothing needs explaining."""
    when: Needs
    answers: Mapping[str, Answer]
    """With UNKNOWN among them where not to know makes a situation of its own."""
    place: Place

    def choices(self, given: Answers) -> Iterator[Answer]:
        """The answers that make sense after those given; none when the question itself does not."""
        if met(self.when, given):
            yield from (answer for answer in self.answers.values() if met(answer.when, given))


@dataclass(frozen=True)
class Interview:
    """Every question, each after those that it depends on."""

    questions: Mapping[str, Question]
    unknown: Texts
    """«I don't know»: an answer to every question."""
    place: Place

    def incident(self, given: Answers) -> Incident:
        """What the answers state; InputError when they leave out whose card it was, or say something twice."""
        chosen = [self.questions[question].answers[answer] for question, answer in given.items()]
        return assembled([filling for answer in chosen for filling in answer.fills], self.place)


def met(needs: Needs, given: Answers) -> bool:
    """Whether the answers given are such as are needed."""
    if not needs:
        return True
    return any(all(given.get(question) in answers for question, answers in need.items()) for need in needs)


def assembled(fillings: Iterable[Filling], place: Place) -> Incident:
    """The incident with these keys filled in."""
    parts: dict[Part, dict[str, Filling]] = {part: {} for part in (*REVOKES, "incident")}
    for filling in fillings:
        if filling.key in parts[filling.part]:
            raise InputError([twice(filling)])
        parts[filling.part][filling.key] = filling
    revokes = [part for part in REVOKES if parts[part] or part == REVOKES[0]]
    hands: dict[Part, Seat] = {}
    for part in revokes:
        for key in NEEDED:
            if key not in parts[part]:
                raise InputError([missing(part, key, place)])
        hands[part] = seen_from(parts[part]["hand"].value, hands.__getitem__)
    found = tuple(Finding(**_values(parts[part], hands)) for part in revokes)
    return Incident(place=place, revokes=found, **_values(parts["incident"], hands))


def _values(filled: Mapping[str, Filling], hands: Mapping[Part, Seat]) -> dict[str, Any]:
    return {key: seen_from(filling.value, hands.__getitem__) for key, filling in filled.items()}


def seen_from(value: Any, hand: Callable[[Part], Seat]) -> Any:
    """A value with the seats and sides that are named from the hand of a revoke put in."""
    if isinstance(value, Relative):
        return value.seen_from(hand(value.of))
    return tuple(seen_from(one, hand) for one in value) if isinstance(value, tuple) else value


def twice(filling: Filling) -> Fault:
    """The fault of a key that is filled in twice on some way."""
    key = filling.key.replace("_", "-")
    return Fault(filling.place, f"{key} has been filled in by an earlier answer", "fill it in once on every way")


def missing(part: Part, key: str, place: Place) -> Fault:
    """The fault of a revoke of which too little is said on some way."""
    what = f"after some answers the {part} revoke has no {key}"
    return Fault(place, what, f"fill in {part}: {{{key}: …}} by every answer to some question")
