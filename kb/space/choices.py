"""What is said of a revoke, and what may be so of all that is not: the values of every finding."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any, Final, TypeAlias

from facts.cards import CLOCKWISE, DECK, SEATS, SIDE, SUITS, Seat
from facts.incident import SAME_TRICK, Event, Finding, Incident
from facts.observe.observe import ALL, TOLD, shown
from facts.observe.statements import Given, evaluated
from facts.observe.timeline import Timeline
from facts.readers.said import words_of
from facts.table import NOTHING, PRESUMED, FindingKind, Names, Table, Type, ValueSaid, numbers, written
from kb.space.seating import Seating, trick_of

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
    """``stated``, ``unknown``, ``told`` by the record or an event, or taken for granted: ``presumed``, or ``follows``
    from other statements as play usually goes."""

    @property
    def granted(self) -> bool:
        """Whether it is taken for granted."""
        return self.how in ("presumed", "follows")


def choice(kind: FindingKind, chooser: Chooser) -> Choice:
    """The values that a finding may have where nothing else is looked at."""
    finding = chooser.finding
    if kind.id in finding.known:
        return Choice(kind, chooser.meant(kind, finding.known[kind.id]), "stated")
    if (told := _told(kind, chooser)) is not None:
        return Choice(kind, told, "told")
    if kind.id not in chooser.free and kind.id not in finding.said:
        follows = () if finding.shown else (one for one in kind.follows if chooser.any_stated(one.stated))
        for one in follows:
            if all(chooser.surely(*when) for when in one.when.items()):
                return Choice(kind, (one.value,), "follows")
        if (presumed := _presumed(kind, chooser)) is not None:
            return Choice(kind, (presumed,), "presumed")
    values = domain(kind.type, kind, chooser.places(), chooser.table)
    return Choice(kind, chooser.alike(values) if kind.type.name == "suit" else values, "unknown")


def _told(kind: FindingKind, chooser: Chooser) -> tuple[Any, ...] | None:
    """The value that the record or an event tells, or that it has none; None if nothing does."""
    shown = chooser.finding.shown
    if kind.id in chooser.record:
        return (TOLD if shown else chooser.record[kind.id],)
    if chooser.told_by_event(kind) or (shown and kind.id != NOTICED and not chooser.lacks(kind)):
        return (TOLD,)
    if not chooser.matters(kind):
        return NOT_SAID
    if not shown and (kind.not_stated == NOTHING or chooser.besides(kind) or chooser.told_of_the_trick(kind)):
        return NOT_SAID
    return None


def _presumed(kind: FindingKind, chooser: Chooser) -> Any:
    """What is presumed where it is not stated; None if nothing is."""
    if kind.not_stated != PRESUMED or chooser.ever(kind.unless):
        return None
    if chooser.finding.shown and kind.id == NOTICED:
        return "after-play" if chooser.stops else "not-yet"
    return None if chooser.finding.shown and kind.record != "may-hide" else kind.presumed


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
        """Looks at the record, and at the trick as it lay."""
        if len(self.hands) == 1:
            self.record = shown(self.trick, self.hands[0], Timeline.of(self.incident))
        lay, contract = self.finding.cards, self.incident.contract
        changed = any(event.takes_back for event in self.incident.events)
        if lay is not None and contract is not None and not changed and (winner := lay.winner(contract.trump)):
            self.record = {"won-by": winner, **self.record}

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

    def lacks(self, kind: FindingKind) -> bool:
        """Whether the record may lack something: what came after its end, or how the play ended, or what is hidden."""
        match kind.record:
            case "may-lack":
                return self.incident.rest is None
            case "may-stop":
                return self.stops
            case "may-hide":
                return self.hides
        return False

    @property
    def hides(self) -> bool:
        """Whether a failure to follow suit may not be seen: by a card, a hand or whole tricks that are not recorded."""
        play, deal = self.incident.play, self.incident.deal
        if play is None:
            return False
        cards = [card for trick in play.tricks for card in trick.cards]
        if len(cards) == len(DECK) and None not in cards:
            return False
        settles = {name for name, kind in self.table.events.items() if kind.settled_by is not None}
        ended = any(event.name in settles for event in self.incident.events)
        later = self.incident.over and not ended and len(play.tricks) < ALL - 1
        others = [seat for seat in SEATS if SIDE[seat] != SIDE[self.hands[0]]]
        return later or None in cards or deal is None or any(deal[seat] is None for seat in others)

    def besides(self, kind: FindingKind) -> bool:
        """Whether a finding says nothing: without another revoke of the hand, or where what it stands for is stated."""
        together = {number: self.seating.together(self.number, number) for number in self.seating.numbers}
        others = [number for number, pairs in together.items() if any(own == hand for own, hand in pairs)]
        earlier = [number for number in others if trick_of(self.incident, number) < self.trick]
        if kind.instead_of and any(kind.instead_of in self.incident.revokes[number].known for number in others):
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
        named = [one.known for one in self.incident.revokes if {"suit", "card"} & one.known.keys()]
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

    def any_stated(self, parts: tuple[str | Names, ...]) -> bool:
        """Whether any of these is stated."""
        return any(self._stated(part) for part in parts)

    def _stated(self, part: str | Names) -> bool:
        if not isinstance(part, str):
            said = self.finding.known
            return all(key in said and (not values or said[key] in values) for key, values in part.items())
        of_board = {
            "later-revoke": lambda: any(self._later(number) for number in self.seating.numbers),
            "record-stops": lambda: self.finding.shown and self.stops,
            "noticed-after-play": lambda: self.late,
            "play-over": lambda: any(event.ends_play for event in self.incident.events),
        }
        if part in of_board:
            return of_board[part]()
        return (self.finding.known.get(part), getattr(self.incident, part.replace("-", "_"), None)) != (None, None)

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


class Children:
    """The findings that have a value only where another one has some."""

    def __init__(self, table: Table, chosen: Mapping[str, Choice], trick: int) -> None:
        self.table, self.chosen, self.trick = table, chosen, trick
        self.parent: dict[str, str | None] = {name: self._parent(name) for name in chosen}

    def _parent(self, name: str) -> str | None:
        """The finding that is not known and on which it depends whether this one has a value."""
        if self.chosen[name].how != "unknown":
            return None
        open_ = [of for when in self.chosen[name].kind.when for of in when if of != "trick" and self._open(of)]
        return open_[0] if open_ and not self._met(name, {}) else None

    def _open(self, name: str) -> bool:
        return len(self.chosen[name].values) > 1

    def of(self, parent: str) -> list[str]:
        """The findings below one."""
        return [name for name, of in self.parent.items() if of == parent]

    def asked(self, name: str) -> bool:
        """Whether the finding can have a value at all."""
        one = self.chosen[name]
        return one.how not in ("unknown", "presumed") or not one.kind.when or self._met(name, {})

    def values(self, name: str, parent: str, value: Any) -> tuple[Any, ...]:
        """The values of a finding, where its parent has a value."""
        return self.chosen[name].values if self._met(name, {parent: value}) else NOT_SAID

    def _met(self, name: str, given: Mapping[str, Any]) -> bool:
        return any(
            all(self._is(of, wanted, given) for of, wanted in when.items()) for when in self.chosen[name].kind.when
        )

    def _is(self, name: str, wanted: tuple[Any, ...], given: Mapping[str, Any]) -> bool:
        may_be = (given[name],) if name in given else (self.trick,) if name == "trick" else self.chosen[name].values
        return all(any(fits(one, value, {}, self.table) for value in wanted) for one in may_be)
