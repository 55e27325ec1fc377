"""What is said of a revoke, and what may be so of all that is not: the values of every finding."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any, Final, TypeAlias

from facts.cards import CLOCKWISE, SEATS, SIDE, SUITS, Seat
from facts.events import Event
from facts.incident import SAME_TRICK, Finding, Incident
from facts.observe.findings import TOLD, shown
from facts.observe.statements import Given, evaluated
from facts.observe.timeline import Timeline
from facts.readers.said import words_of
from facts.table import NOTHING, UNKNOWN, FindingKind, Names, Table, Type, ValueSaid, numbers, written
from kb.space.places import trick_of
from kb.space.seating import Seating

Said: TypeAlias = Mapping[str, Any]
NOTICED: Final = "noticed"
"""The finding of which a record without attention says: not yet; or after the play, if it stops with the revoke."""
_OF_TRICK: Final = frozenset({"trick", "value", "value-side"})
NOT_SAID: Final = (None,)
"""The values of a finding of which nothing is said, and which states nothing."""


@dataclass(frozen=True)
class Choice:
    """A finding of one revoke and what it may be."""

    kind: FindingKind
    values: tuple[Any, ...]
    how: str
    """``stated``, ``presumed``, ``unknown``, or ``told`` by the record, an event or other statements."""


def choice(kind: FindingKind, chooser: Chooser) -> Choice:
    """The values that a finding may have where nothing else is looked at."""
    said = chooser.finding.said
    if kind.id in said:
        return Choice(kind, chooser.meant(kind, said[kind.id]), "stated")
    if (told := _told(kind, chooser)) is not None:
        return Choice(kind, told, "told")
    if chooser.finding.shown and kind.id == NOTICED:
        return Choice(kind, ("after-play" if chooser.stops else "not-yet",), "presumed")
    usual = kind.not_stated != UNKNOWN and not chooser.finding.shown
    if usual and kind.id not in chooser.free and not chooser.ever(kind.unless):
        return Choice(kind, (kind.presumed,), "presumed")
    values = domain(kind.type, kind, chooser.places(), chooser.table)
    return Choice(kind, chooser.alike(values) if kind.type.name == "suit" else values, "unknown")


def _told(kind: FindingKind, chooser: Chooser) -> tuple[Any, ...] | None:
    """The value that something else than a statement of it tells, or that it has none; None if nothing does."""
    shown = chooser.finding.shown
    if kind.id in chooser.record:
        return (TOLD if shown else chooser.record[kind.id],)
    lacks = {"may-lack": chooser.lacks, "may-stop": chooser.stops}.get(kind.record, kind.id == NOTICED)
    if chooser.told_by_event(kind) or (shown and not lacks):
        return (TOLD,)
    if not chooser.matters(kind):
        return NOT_SAID
    if shown:
        return None
    if kind.not_stated == NOTHING or chooser.besides(kind) or chooser.told_of_the_trick(kind):
        return NOT_SAID
    follows = (one for one in kind.follows if chooser.any_stated(one.stated))
    return next(((one.value,) for one in follows if all(chooser.surely(*when) for when in one.when.items())), None)


@dataclass
class Chooser:
    """Looks at one revoke of an incident."""

    incident: Incident
    number: int
    table: Table
    seating: Seating
    reads: frozenset[str] | None = None
    """The kinds of fact that matter; None: all of them."""
    free: frozenset[str] = frozenset()
    """Findings that are usually presumed, and are not here."""
    record: Mapping[str, Any] = field(default_factory=dict)
    """What the record shows."""

    def __post_init__(self) -> None:
        """Looks at the record."""
        if len(self.hands) == 1:
            self.record = shown(self.trick, self.hands[0], Timeline.of(self.incident))

    @property
    def hands(self) -> tuple[Seat, ...]:
        """Whose card it may have been."""
        return self.seating.hands[self.number]

    @property
    def trick(self) -> int:
        """The trick, or the one that stands for it."""
        return trick_of(self.incident, self.number)

    @property
    def finding(self) -> Finding:
        """The finding."""
        return self.incident.revokes[self.number]

    def told_by_event(self, kind: FindingKind) -> bool:
        """Whether an event tells it of this revoke."""
        events = [event for event in self.incident.events if event.name in kind.told_by]
        named = [event.said.get("to") for event in events]
        return any(to is None or (to.trick == self.trick and to.hand in self.hands) for to in named)

    @property
    def stops(self) -> bool:
        """Whether the play is over though the record stops with the trick of the revoke, and nothing says how it ended:
        no claim, and no attention at a place told in the play, not before that trick, of which anything came."""
        play, told = self.incident.play, {name for kind in self.table.findings.values() for name in kind.told_by}
        attention = self.table.findings[NOTICED].told_by
        during = [*takewhile(lambda event: not event.ends_play, self.incident.events)]
        here = {event.name for event, trick in self._since(during) if trick is not None} & {*attention}
        if len(during) < len(self.incident.events) and {event.name for event in during} <= {*attention}:
            here = set()
        claimed = {event.name for event, _ in self._since(self.incident.events)} & told.difference(attention)
        stops = self.incident.over and play is not None and len(play.tricks) == self.trick
        return stops and not here and not claimed

    def _since(self, events: Iterable[Event]) -> Iterator[tuple[Event, int | None]]:
        """Those not before that trick, each with the trick of its place, where that is told."""
        trick: int | None = None
        for event in events:
            trick = event.after[0] if event.after else trick
            if trick is None or trick >= self.trick:
                yield event, trick

    @property
    def late(self) -> bool:
        """Whether events say that the play was over before anybody drew attention."""
        attention = self.table.findings[NOTICED].told_by
        before = [*takewhile(lambda event: event.name not in attention, self.incident.events)]
        return len(before) < len(self.incident.events) and any(event.ends_play for event in before)

    @property
    def lacks(self) -> bool:
        """Whether something that the record does not show may have happened since the revoke."""
        return self.incident.rest is None

    def besides(self, kind: FindingKind) -> bool:
        """Whether a finding says nothing: without another revoke of the hand, or where what it stands for is stated."""
        together = {number: self.seating.together(self.number, number) for number in self.seating.numbers}
        others = [number for number, pairs in together.items() if any(own == hand for own, hand in pairs)]
        earlier = [number for number in others if trick_of(self.incident, number) < self.trick]
        if kind.instead_of and any(kind.instead_of in self.incident.revokes[number].said for number in others):
            return True
        return kind.beside is not None and not (earlier if kind.beside == "earlier" else len(others) > 1)

    def told_of_the_trick(self, kind: FindingKind) -> bool:
        """Whether it is of the trick and no hand, and an earlier revoke is on that trick too, which is to tell it."""
        named = {name for one in kind.states for name in one.names}
        earlier, own = self.incident.revokes[: self.number], self.finding
        same = own.player == SAME_TRICK or own.trick in [one.trick for one in earlier if one.trick]
        return same and bool(earlier) and bool(named) and not kind.by_value and named <= _OF_TRICK

    def alike(self, suits: tuple[Any, ...]) -> tuple[Any, ...]:
        """Of suits none of which is named, as many as can be told apart: trumps, and one more by each revoke."""
        named = [one.said for one in self.incident.revokes if {"suit", "card"} & one.said.keys()]
        if named or self.incident.play is not None or self.incident.deal is not None or self.incident.events:
            return suits
        plain = [suit for suit in suits if suit != self.incident.trump]
        return (*(suit for suit in suits if suit not in plain), *plain[: self.number + 1])

    def matters(self, kind: FindingKind) -> bool:
        """Whether anybody looks at what the finding states, or at its value to tell what can be."""
        return self.reads is None or kind.yields or not self.reads.isdisjoint(kind.kinds)

    def places(self) -> Iterator[dict[str, Any]]:
        """Each hand, trick and declarer that there may be."""
        for hand in self.hands:
            for declarer in self.seating.declarers:
                yield {"hand": hand, "trick": self.trick, "declarer": declarer}

    def meant(self, kind: FindingKind, said: Any) -> tuple[Any, ...]:
        """The values that a statement leaves."""
        return tuple({value: None for given in self.places() for value in meant(kind, said, given, self.table)})

    def says(self, name: str) -> bool:
        """Whether a finding is stated, or told by an event."""
        return self.any_stated((name,)) or self.told_by_event(self.table.findings[name])

    def any_stated(self, parts: tuple[str | Names, ...]) -> bool:
        """Whether any of these is stated."""
        return any(self._stated(part) for part in parts)

    def _stated(self, part: str | Names) -> bool:
        if not isinstance(part, str):
            said = self.finding.said
            return all(key in said and (not values or said[key] in values) for key, values in part.items())
        of_board = {
            "later-revoke": lambda: any(self._later(number) for number in self.seating.numbers),
            "record-stops": lambda: self.finding.shown and self.stops,
            "noticed-after-play": lambda: self.late,
            "play-over": lambda: any(event.ends_play for event in self.incident.events),
        }
        if part in of_board:
            return of_board[part]()
        return (self.finding.said.get(part), getattr(self.incident, part.replace("-", "_"), None)) != (None, None)

    def _later(self, number: int) -> bool:
        """Whether a revoke came after this player's side had gone on, whoever they were."""
        same_side = all(SIDE[own] == SIDE[hand] for own, hand in self.seating.together(self.number, number))
        return trick_of(self.incident, number) > self.trick + (not same_side)

    def surely(self, name: str, values: tuple[Any, ...]) -> bool:
        """Whether a finding, or the trick, certainly is one of these."""
        return all(any(fits(one, value, {}, self.table) for value in values) for one in self._may_be(name))

    def ever(self, when: Names) -> bool:
        """Whether some of these conditions on the trick are met wherever it may be; none is for no condition."""
        return bool(when) and all(self.surely(*one) for one in when.items())

    def _may_be(self, name: str) -> tuple[Any, ...]:
        return (self.trick,) if name == "trick" else choice(self.table.findings[name], self).values


def meant(kind: FindingKind, said: Any, given: Given, table: Table) -> tuple[Any, ...]:
    """The values that a statement leaves, seen from a hand at a trick."""
    if isinstance(said, str) and said in kind.answers and said not in words_of(kind.type):
        return values_of(kind.answers[said], given, table)
    if kind.type.name == "number" and said is not None:
        return tuple(numbers(said))
    return (_sorted(said, given["hand"]) if isinstance(said, tuple) else said,)


def values_of(answer: ValueSaid, given: Given, table: Table) -> tuple[Any, ...]:
    """The values of an answer, seen from a hand at a trick."""
    found: list[Any] = []
    for value in answer.values:
        found += _numbers(value, given, table) if isinstance(value, Type) else [_seen(value, given, table)]
    return tuple(value for value in found if value is not None)


def domain(type_: Type, kind: FindingKind, places: Iterator[Given], table: Table) -> tuple[Any, ...]:
    """Every value that a finding may have."""
    plain: dict[str, tuple[Any, ...]] = {
        "seat": SEATS,
        "side": ("NS", "EW"),
        "suit": SUITS,
        "yes-no": (False, True),
        "words": type_.words,
    }
    if not type_.many and type_.name in plain:
        return plain[type_.name]
    found: dict[Any, None] = {}
    for given in places:
        several = [meant(kind, name, given, table) for name in kind.answers] if type_.many else []
        found |= dict.fromkeys(one for some in several for one in some)
        found |= {} if type_.many else dict.fromkeys(_numbers(type_, given, table))
    return tuple(found)


def fits(value: Any, wanted: Any, given: Given, table: Table) -> bool:
    """Whether a value is the one that a condition names."""
    wanted = evaluated(wanted, given, table) if given else wanted
    return value == wanted or (isinstance(value, bool) and written(value) == wanted)


def _numbers(type_: Type, given: Given, table: Table) -> tuple[int, ...]:
    return tuple(range(evaluated(type_.least, given, table), evaluated(type_.most, given, table) + 1))


def _seen(value: Any, given: Given, table: Table) -> Any:
    if isinstance(value, tuple):
        return tuple(evaluated(one, given, table) for one in value)
    return evaluated(value, given, table)


def _sorted(hands: tuple[Any, ...], hand: Seat) -> tuple[Any, ...]:
    return tuple(seat for seat in CLOCKWISE[hand] if seat in hands)
