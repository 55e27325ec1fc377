"""What is said of a revoke, and what may be so of all that is not: the values of every finding."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import takewhile
from typing import Any, Final

from facts.cards import DECK, SEATS, SIDE, SUITS
from facts.incident import SAME_TRICK, Event, Incident
from facts.observe import ALL, TOLD, shown_by_record, went_on
from facts.readers.incident_file import words_of
from facts.table import NOTHING, REVOKE, UNKNOWN, FindingKind, FindingValues, Table, Type, ValueSaid, numbers, spelled
from facts.templates import NamedValues, evaluated, in_order
from kb.space.seating import Seating, trick_of

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


class Chooser:
    """Looks at one revoke of an incident: what is said of it, and what each finding may be."""

    def __init__(
        self,
        incident: Incident,
        number: int,
        table: Table,
        seating: Seating,
        reads: frozenset[str],
        free: frozenset[str],
    ) -> None:
        """``reads``: the kinds of fact that matter; ``free``: findings that are usually presumed, and are not here."""
        self.incident, self.number, self.table, self.seating = incident, number, table, seating
        self.reads, self.free = reads, free
        self.finding = incident.revokes[number]
        self.hands = seating.hands[number]
        """Whose card it may have been."""
        self.trick = trick_of(incident, number)
        """The trick, or the one that stands for it."""
        self.record: Mapping[str, Any] = {}
        """What the record, or the trick as it lay, shows."""
        if len(self.hands) == 1 and table.of == REVOKE:
            self.record = shown_by_record(self.trick, self.hands[0], incident)
        lay, contract = self.finding.cards, incident.contract
        changed = any(event.takes_back for event in incident.events)
        if lay is not None and contract is not None and not changed and (winner := lay.winner(contract.trump)):
            self.record = {"won-by": winner, **self.record}
        self._known: dict[str, Choice] = {}
        self.chosen = {name: self._choice(name) for name in table.findings}
        """What each finding may be where nothing else is looked at."""

    def _choice(self, name: str) -> Choice:
        if name not in self._known:
            self._known[name] = self._choose(self.table.findings[name])
        return self._known[name]

    def _choose(self, kind: FindingKind) -> Choice:
        if kind.id in self.finding.known:
            stated = self.finding.known[kind.id]
            able = dict.fromkeys(value for place in self.places() for value in meant(kind, stated, place, self.table))
            return Choice(kind, tuple(able), "stated")
        if (recorded := self._told(kind)) is not None:
            return Choice(kind, recorded, "told")
        if kind.id not in self.free and kind.id not in self.finding.said and (granted := self._granted(kind)):
            return granted
        values = domain(kind, self.places(), self.table)
        return Choice(kind, self.alike(values) if kind.type.name == "suit" else values, "unknown")

    def _told(self, kind: FindingKind) -> tuple[Any, ...] | None:
        """The value that the record or an event tells, or that it has none; None if nothing does."""
        shown = self.finding.shown
        if kind.once and self.said_by_another(kind):
            return NOT_SAID
        stated_unknown = self.finding.said.get(kind.id) == UNKNOWN
        if kind.id in self.record and not stated_unknown and not (kind.record == "may-stop" and self.lacks(kind)):
            return (TOLD if shown else self.record[kind.id],)
        if self.told_by_event(kind) or (shown and kind.id != NOTICED and not self.lacks(kind)):
            return (TOLD,)
        matters = kind.presumption.yields or not self.reads.isdisjoint(kind.kinds)
        nothing = not shown and (kind.not_stated == NOTHING or self.besides(kind) or self.told_of_the_trick(kind))
        return NOT_SAID if nothing or not matters else None

    def _granted(self, kind: FindingKind) -> Choice | None:
        """What follows from other statements or is presumed; None if nothing is taken for granted."""
        shown = self.finding.shown
        for follows in () if shown else kind.follows:
            if any(map(self.stated, follows.stated)) and all(self.surely(*when, {}) for when in follows.when.items()):
                return Choice(kind, (follows.is_,), "follows")
        unless = {} if self.goes_on else kind.presumption.unless
        if kind.presumed is not None and not (unless and all(self.surely(*when, {}) for when in unless.items())):
            if shown and kind.id == NOTICED:
                return Choice(kind, (self.soonest,), "presumed")
            if not shown or kind.record == "may-hide":
                return Choice(kind, (kind.presumed,), "presumed")
        return None

    def surely(self, name: str, wanted: tuple[Any, ...], assumed: NamedValues) -> bool:
        """Whether a finding, or the trick, certainly is one of these, where others have ``assumed`` values."""
        if name in assumed:
            may_be: tuple[Any, ...] = (assumed[name],)
        else:
            may_be = (self.trick,) if name == "trick" else self._choice(name).values
        places = [*self.places()]
        return all(
            any(fits(possible, value, place, self.table) for value in wanted) for possible in may_be for place in places
        )

    def met(self, name: str, assumed: NamedValues) -> bool:
        """Whether a finding certainly can have a value, where others have ``assumed`` values."""
        ways = self.table.findings[name].when
        return any(all(self.surely(finding, wanted, assumed) for finding, wanted in when.items()) for when in ways)

    def parent(self, name: str) -> str | None:
        """The finding that is not known and on which it depends whether this one has a value."""
        if self.chosen[name].how != "unknown":
            return None
        depends_on = [finding for when in self.table.findings[name].when for finding in when if finding != "trick"]
        open_ = [finding for finding in depends_on if len(self.chosen[finding].values) > 1]
        return open_[0] if open_ and not self.met(name, {}) else None

    def told_by_event(self, kind: FindingKind) -> bool:
        """Whether an event tells it of this revoke."""
        return any(self._may_concern(event) for event in self.incident.events if event.name in kind.told_by)

    def _may_concern(self, event: Event) -> bool:
        """Whether an event names no other revoke, hand or trick, and changes no other card, than those of this one."""
        if event.takes_back is not None:
            changes = [
                swap for swap in self.incident.timeline.changes if swap.trick == self.trick and swap.hand in self.hands
            ]
            return event.takes_back in [(change.withdrawn, change.played) for change in changes]
        to = event.said.get("to")
        hand, trick = (event.said.get("of"), event.said.get("trick")) if to is None else (to.hand, to.trick)
        return hand in (None, *self.hands) and trick in (None, self.trick)

    @property
    def attention(self) -> tuple[str, ...]:
        """The events that draw attention to it."""
        return self.table.findings[NOTICED].told_by if NOTICED in self.table.findings else ()

    @property
    def stops(self) -> bool:
        """Whether the play is over though the record stops before his side's next card, and nothing says how it ended,
        neither attention in the play nor a claim."""
        claims = {name for kind in self.table.findings.values() if kind.record == "may-stop" for name in kind.told_by}
        claimed = {event.name for event, _ in self._since(self.incident.events)} & claims
        return self.ceases and not claimed

    @property
    def ceases(self) -> bool:
        """Whether the play is over though the record stops before his side's next card, without attention at a place
        told in the play, not before that trick, of which anything came or which was in the middle of the next."""
        play, attention = self.incident.play, self.attention
        during = [*takewhile(lambda event: not event.ends_play, self.incident.events)]
        here = {event.name for event, trick in self._since(during) if trick is not None} & {*attention}
        between = play is not None and len(play.tricks) == self.trick
        if between and len(during) < len(self.incident.events) and {event.name for event in during} <= {*attention}:
            here = set()
        ceases = self.incident.over and play is not None and not went_on(self.trick, self.hands[0], self.incident)
        return ceases and not here

    @property
    def goes_on(self) -> bool:
        """Whether the record ends in the play with that trick, at a moment when nobody had gone on to the next."""
        play = self.incident.play
        return self.finding.shown and not self.incident.over and play is not None and len(play.tricks) == self.trick

    def _since(self, events: Iterable[Event]) -> Iterator[tuple[Event, int | None]]:
        """Those not before that trick, each with the trick of its place, where that is told."""
        trick: int | None = None
        for event in events:
            trick = event.after[0] if event.after else trick
            if trick is None or trick >= self.trick:
                yield event, trick

    @property
    def soonest(self) -> str:
        """When it was noticed, where the record ends with it and nobody says so: not yet, or after all that ended the
        play."""
        if not self.ceases:
            return "not-yet"
        ended = max((event.ends_play for event in self.incident.events), default=0)
        words = self.table.findings[NOTICED].type.words
        return next((word for word in words if self.table.of_a_board.get(word, 0) > ended), "not-yet")

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
        if play is None or self.finding.by_calls:
            return self.finding.by_calls  # which tell no meaning
        cards = [card for trick in play.tricks for card in trick.cards]
        if len(cards) == len(DECK) and None not in cards:
            return False
        settles = {name for name, kind in self.table.events.items() if kind.settled_by is not None}
        ended = any(event.name in settles for event in self.incident.events)
        later = (self.incident.over and not ended and len(play.tricks) < ALL - 1) or play.before > 0
        others = [seat for seat in SEATS if SIDE[seat] != SIDE[self.hands[0]]]
        return later or None in cards or deal is None or any(deal[seat] is None for seat in others)

    def besides(self, kind: FindingKind) -> bool:
        """Whether a finding says nothing: without another revoke of the hand, or where what it stands for is stated."""
        together = {number: self.seating.together(self.number, number) for number in self.seating.numbers}
        if kind.beside == "none-of-theirs":
            return any(all(SIDE[own_hand] != SIDE[hand] for own_hand, hand in pairs) for pairs in together.values())
        others = [number for number, pairs in together.items() if any(own_hand == hand for own_hand, hand in pairs)]
        earlier = [number for number in others if trick_of(self.incident, number) < self.trick]
        if kind.instead_of in self.table.names:
            others = [self.number]
        if kind.instead_of and any(kind.instead_of in self.incident.revokes[number].known for number in others):
            return True
        return kind.beside is not None and not (earlier if kind.beside == "earlier" else len(others) > 1)

    def said_by_another(self, kind: FindingKind) -> bool:
        """Whether another of the same matter says it, or is asked before this one."""
        alike = [number for number in self.seating.numbers if self.incident.revokes[number].of == self.finding.of]
        says = [number for number in alike if kind.id in self.incident.revokes[number].known]
        return self.number != (says or alike)[0]

    def told_of_the_trick(self, kind: FindingKind) -> bool:
        """Whether it is of the trick and no hand, and an earlier revoke is on that trick too, which is to tell it."""
        names = {name for template in kind.states for name in template.names}
        own = self.finding
        earlier = [one for one in self.incident.revokes[: self.number] if one.of == own.of]
        same = own.player == SAME_TRICK or own.trick in [revoke.trick for revoke in earlier if revoke.trick]
        return same and bool(earlier) and bool(names) and not kind.by_value and names <= _OF_TRICK

    def alike(self, suits: tuple[Any, ...]) -> tuple[Any, ...]:
        """Of suits none of which is named, as many as can be told apart: trumps, and one more by each revoke."""
        with_suit = [revoke.known for revoke in self.incident.revokes if {"suit", "card"} & revoke.known.keys()]
        if with_suit or self.incident.play is not None or self.incident.deal is not None or self.incident.events:
            return suits
        plain = [suit for suit in suits if suit != self.incident.trump]
        return (*(suit for suit in suits if suit not in plain), *plain[: self.number + 1])

    def places(self) -> Iterator[dict[str, Any]]:
        """Each hand, trick and declarer that there may be."""
        for hand in self.hands:
            for declarer in self.seating.declarers:
                yield {"hand": hand, "trick": self.trick, "declarer": declarer}

    def stated(self, part: str | FindingValues) -> bool:
        """Whether this is stated, of the revoke or of the board."""
        if not isinstance(part, str):
            statements = self.finding.known
            return all(key in statements and (not values or statements[key] in values) for key, values in part.items())
        events, attention = self.incident.events, self.attention
        match part:
            case "later-revoke":
                holds = any(self._later(number) for number in self.seating.numbers)
            case "record-stops":
                holds = self.finding.shown and self.stops
            case "noticed-after-play":  # as events say
                earlier = [*takewhile(lambda event: event.name not in attention, events)]
                holds = len(earlier) < len(events) and any(event.ends_play for event in earlier)
            case "noticed-on-that-trick":
                here = [event for event, trick in self._since(events) if trick == self.trick]
                holds = any(event.name in attention and self._may_concern(event) for event in here)
            case "play-over":
                holds = any(event.ends_play for event in events)
            case _:
                holds = (self.finding.known.get(part), getattr(self.incident, part.replace("-", "_"), None)) != (
                    None,
                    None,
                )
        return holds

    def _later(self, number: int) -> bool:
        """Whether a revoke came after this player's side had gone on, whoever they were."""
        same_side = all(SIDE[own_hand] == SIDE[hand] for own_hand, hand in self.seating.together(self.number, number))
        over = self.incident.revokes[number].trick_was_over
        return trick_of(self.incident, number) > self.trick + (not (same_side or over))


def meant(kind: FindingKind, value: Any, place: NamedValues, table: Table) -> tuple[Any, ...]:
    """The values that a statement leaves, seen from a hand at a trick."""
    if isinstance(value, str) and value in kind.answers and value not in words_of(kind.type):
        return values_of(kind.answers[value], place, table)
    if kind.type.name == "number" and value is not None:
        return tuple(numbers(value))
    return (in_order(value, place["hand"]) if isinstance(value, tuple) else value,)


def values_of(answer: ValueSaid, place: NamedValues, table: Table) -> tuple[Any, ...]:
    """The values of an answer, seen from a hand at a trick."""
    values: list[Any] = []
    for value in answer.values:
        if isinstance(value, Type):
            values += _numbers(value, place, table)
        elif isinstance(value, tuple):
            values.append(tuple(evaluated(element, place, table) for element in value))
        else:
            values.append(evaluated(value, place, table))
    return tuple(value for value in values if value is not None)


def domain(kind: FindingKind, places: Iterable[NamedValues], table: Table) -> tuple[Any, ...]:
    """Every value that a finding may have at some of these places."""
    type_ = kind.type
    plain: dict[str, tuple[Any, ...]] = {
        "seat": SEATS,
        "side": ("NS", "EW"),
        "suit": SUITS,
        "yes-no": (False, True),
        "words": type_.words,
    }
    if not type_.many and type_.name in plain:
        return plain[type_.name]
    values: dict[Any, None] = {}
    for place in places:
        several = [meant(kind, name, place, table) for name in kind.answers] if type_.many else []
        values |= dict.fromkeys(value for meaning in several for value in meaning)
        values |= {} if type_.many else dict.fromkeys(_numbers(type_, place, table))
    return tuple(values)


def fits(value: Any, wanted: Any, place: NamedValues, table: Table) -> bool:
    """Whether a value is the one that a condition names."""
    wanted = evaluated(wanted, place, table) if place else wanted
    return value == wanted or (isinstance(value, bool) and spelled(value) == wanted)


def _numbers(type_: Type, place: NamedValues, table: Table) -> tuple[int, ...]:
    return tuple(range(evaluated(type_.least, place, table), evaluated(type_.most, place, table) + 1))
