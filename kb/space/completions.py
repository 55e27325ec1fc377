"""The completions of an incident: every way of filling in what is not said that agrees with what is.

They are laid out as one number: a digit for each thing that is not known, whose values repeat in a pattern, so that a
million of them are made by a few shifts. What cannot be together is taken off; what is left is the universe on which
the rules are run once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, product
from typing import Any, Final

from facts.cards import Seat
from facts.errors import Fault, InputError
from facts.incident import Finding, Incident
from facts.observe import Given
from facts.table import REVOKE, written
from kb.engine.sets import Bits, within
from kb.space.bits import Repeated, union
from kb.space.choices import NOT_SAID, Choice, Chooser, domain, fits, meant
from kb.space.layout import BOARD, Key, Layout, Sayable, Situations, Values
from kb.space.seating import Seating, rests_of


@dataclass(frozen=True)
class SeenFromHand:
    """A value that depends on the hand, such as the hands that play after it."""

    values: tuple[tuple[Seat, Any], ...]


@dataclass(frozen=True)
class Digit:
    """Something that is not known, with what depends on it."""

    keys: tuple[Key, ...]
    """The first is what is not known; the others have a value only for some of its values."""
    settings: tuple[tuple[Any, ...], ...]
    """The values of the keys together."""
    stride: int
    """How far from a way to the one with the next setting."""

    def ways(self, setting: int, size: int) -> Bits:
        """Those of so many ways in which it has a setting: a run of ones that comes again."""
        bits, period = ((1 << self.stride) - 1) << setting * self.stride, self.stride * len(self.settings)
        while period < size:
            bits |= bits << period
            period *= 2
        return bits & ((1 << size) - 1)


MOST: Final = 2_000_000
"""Ways that are laid out before what cannot be is taken off."""


@dataclass(frozen=True)
class Excluded:
    """Ways that cannot be."""

    because: str
    where: Bits
    looks_at: frozenset[Key] = frozenset()
    """The findings on which it depends."""


class Completions(Layout):
    """What may be so, given what is said."""

    def __init__(self, incident: Incident, sayable: Sayable, free: frozenset[Key] = frozenset()) -> None:
        """``free``: findings of which nothing is to be presumed."""
        self.incident, self.sayable, self.table, self.free = incident, sayable, sayable.table, free
        self.seating = Seating(incident, sayable.table.parts)
        self.digits: list[Digit] = []
        self.choosers: list[Chooser] = []
        self.choices: dict[Key, Choice] = {}
        self.size = 1
        for column in filter(None, self.seating.columns() if incident.revokes else ()):
            self._add_digit(column, dict.fromkeys(zip(*column.values(), strict=True)))
        if rests := rests_of(incident):
            self._add_digit([(BOARD, "rest")], [(one,) for one in rests])
        for number in range(len(incident.revokes)):
            self._choose_of(number)
            self._demand_few(self.size)
        super().__init__(incident, sayable.table, self._values(), (1 << self.size) - 1)

    def _add_digit(self, keys: Iterable[Key], settings: Iterable[tuple[Any, ...]]) -> None:
        self.digits.append(digit := Digit(tuple(keys), tuple(settings), self.size))
        self.size *= len(digit.settings)

    def _demand_few(self, ways: int) -> None:
        if ways > MOST:
            what = f"there are more than {MOST:,} ways of filling in what is not said of these revokes"
            raise InputError.of(self.incident.place, what, "say more of them, such as who won each trick")

    def _choose_of(self, number: int) -> None:
        free = frozenset(name for of, name in self.free if of == number)
        chooser = Chooser(self.incident, number, self.about(number), self.seating, self.sayable.reads, free)
        self.choosers.append(chooser)
        self.choices |= {(number, name): one for name, one in chooser.chosen.items()}
        self._add_digit([(number, "trick")], [(chooser.trick,)])
        parents = {name: chooser.parent(name) for name in chooser.chosen}
        for name, one in chooser.chosen.items():
            if parents[name] is None:
                asked = one.how not in ("unknown", "presumed") or not one.kind.when or chooser.met(name, {})
                values = self._seen(one, chooser) if asked else NOT_SAID
                self._add(chooser, name, values, _below(name, parents))

    def _seen(self, one: Choice, chooser: Chooser) -> tuple[Any, ...]:
        """The values of what is not known, by the names of the answers where they are others for every hand."""
        if one.how != "unknown" or not one.kind.type.many or len(chooser.hands) == 1:
            return one.values
        places = {given["hand"]: given for given in chooser.places()}
        answers = [
            [(hand, meant(one.kind, name, places[hand], chooser.table)) for hand in places] for name in one.kind.answers
        ]
        return tuple(SeenFromHand(tuple((hand, value[0]) for hand, value in each)) for each in answers)

    def _kept(self, number: int, name: str, values: tuple[Any, ...]) -> Collection[Any]:
        """Those of the values of a finding that are looked at."""
        return values

    def _add(self, chooser: Chooser, name: str, values: tuple[Any, ...], below: Mapping[str, Collection[str]]) -> None:
        """A digit for a finding, and those ``below``, each with those above it, that have a value only where these have
        some."""
        kept = self._kept(chooser.number, name, values) if len(values) > 1 else values
        settings: list[tuple[Any, ...]] = []
        for value in values:
            some: list[tuple[Any, ...]] = [(value,)] if value in kept else []
            for child, above in below.items():
                more = list[tuple[Any, ...]]()
                for one in some:
                    given = {each: its for each, its in zip((name, *below), one, strict=False) if each in above}
                    met = chooser.met(child, given)
                    more += [(*one, its) for its in (self._seen(chooser.chosen[child], chooser) if met else NOT_SAID)]
                    self._demand_few(len(more))
                some = more
            settings += some
        self._add_digit([(chooser.number, one) for one in (name, *below)], settings)

    def _values(self) -> Values:
        """Where each value stands."""
        found: dict[Key, dict[Any, Bits]] = {}
        for digit in self.digits:
            for at, setting in enumerate(digit.settings):
                bits = digit.ways(at, self.size)
                for key, value in zip(digit.keys, setting, strict=True):
                    held = found.setdefault(key, {})
                    seen = value.values if isinstance(value, SeenFromHand) else [(None, value)]
                    for hand, one in seen:
                        where = bits if hand is None else bits & found[key[0], "hand"][hand]
                        held[one] = held.get(one, 0) | where
        return found

    @cached_property
    def open(self) -> Mapping[Key, tuple[Bits, range]]:
        """Each thing that is not known, with the ways in which its digit has its first setting, and how far off those
        with the others are."""
        found: dict[Key, tuple[Bits, range]] = {}
        for digit in (one for one in self.digits if len(one.settings) > 1):
            offsets = range(0, len(digit.settings) * digit.stride, digit.stride)
            found |= dict.fromkeys(digit.keys, (digit.ways(0, self.size), offsets))
        return found

    def folded(self, key: Key, bits: Bits) -> Bits:
        """The ways with the digit of a thing moved to its first setting."""
        first, offsets = self.open[key]
        return union(bits >> offset & first for offset in offsets)

    def varied(self, repeated: Repeated, settings: Sequence[Mapping[Key, Any]]) -> Completions:
        """Some of these ways again and again, one block after another, each with other values of some findings."""
        other = copy(self)
        for name in ("facts", "possible", "excluded", "situations"):
            vars(other).pop(name, None)
        values = {}
        for key, held in self.values.items():
            otherwise = {number: setting[key] for number, setting in enumerate(settings) if key in setting}
            values[key] = {
                value: bits
                for value in dict.fromkeys((*held, *otherwise.values()))
                if (bits := repeated(held.get(value, 0), {at: one == value for at, one in otherwise.items()}))
            }
        other.whole, other.values = repeated(self.whole), values
        return other

    @cached_property
    def possible(self) -> Bits:
        """The ways that agree with what is said and can be."""
        return self.whole & ~union(one.where for one in self.excluded)

    @cached_property
    def situations(self) -> Situations:
        """The possible ways with their facts."""
        return Situations(self.possible, within(self.facts, self.possible, self.whole))

    @cached_property
    def excluded(self) -> list[Excluded]:
        """The ways that cannot be."""
        found: list[Excluded] = []
        for declarer, first in self.seating.heads:  # a hand can be no part of the play that is stated of it
            head = self.values.get((BOARD, "declarer"), {}).get(declarer, self.whole)
            head &= self.values[0, "hand"].get(first, 0)
            for number in self.seating.numbers:
                allowed = self.seating.of(number, declarer, first)
                for hand, where in self.values[number, "hand"].items():
                    if hand not in allowed and head & where:
                        part = self.incident.revokes[number].player
                        found.append(Excluded(f"{hand} is not {part} when {declarer} is declarer", head & where))
        bare = self.incident.play is None and not self.incident.events  # else a change of cards may be told
        revokes = [number for number in self.seating.numbers if self.about(number).of == REVOKE]
        for one, other in combinations(revokes, 2) if bare else ():
            for given, where in self.places(one):
                same = union(there for seen, there in self.places(other) if seen == given)
                why = f"{given['hand']} plays only one card to trick {given['trick']}"
                found.append(Excluded(why, where & same))
        found += self._disagreeing()
        for number, chooser in enumerate(self.choosers):
            for rule in (one for one in chooser.table.impossible if one.facts is None):
                if not rule.stated or any(map(chooser.stated, rule.stated)):
                    names = frozenset((number, name) for name in rule.when)
                    found.append(Excluded(rule.because["en"], self.where(number, rule.when), names))
        numbers = range(len(self.choosers))
        by_facts = self.sayable.forbidden(self)
        return [*found, *(Excluded(why, where, frozenset(product(numbers, names))) for why, where, names in by_facts)]

    def _disagreeing(self) -> Iterator[Excluded]:
        """Where a statement seen from the hand, or a range, is not met, or denies what an event tells."""
        for (number, name), one in self.choices.items():
            stated = one.how == "stated"
            told = stated and self.choosers[number].told_by_event(one.kind)
            if told and not any(map(one.kind.templates, one.values)):
                said = self.incident.revokes[number].said[name]
                yield Excluded(
                    f"{name}: {_shown(said)}, though events tell of it", self.whole, frozenset([(number, name)])
                )
            if len(one.values) > 1 or stated:
                said = self.incident.revokes[number].said.get(name) if stated else None
                for given, where in self.places(number):
                    allowed = self._allowed(one, said, given)
                    held = self.values[number, name].items()
                    wrong = union(bits for value, bits in held if value is not None and value not in allowed)
                    why = f"{name}: {_shown(said)} cannot be said of {given['hand']} at trick {given['trick']}"
                    yield Excluded(why, where & wrong, frozenset([(number, name)]))

    def _allowed(self, one: Choice, said: Any, given: Given) -> set[Any]:
        """The values that a finding may have there, after what is stated of it."""
        allowed = None if said is None else set(meant(one.kind, said, given, self.table))
        if allowed is not None and one.kind.type.name != "number" and not one.kind.type.many:
            return allowed
        can_be = set(domain(one.kind, [given], self.table))
        return can_be if allowed is None else allowed & can_be

    def where(self, number: int, when: Mapping[str, tuple[Any, ...]]) -> Bits:
        """The ways in which findings of a revoke, or its trick, have some of these values."""
        found = self.whole
        for name, wanted in when.items():
            kind, here = self.about(number).findings.get(name), 0
            for given, where in self.places(number):
                named: list[Any] = []  # values, by themselves or by the name of an answer
                for some in wanted:
                    named += meant(kind, some, given, self.table) if kind and isinstance(some, str) else (some,)
                held = self.values.get((number, name), {})
                here |= where & union(
                    bits for value, bits in held.items() if any(fits(value, one, given, self.table) for one in named)
                )
            found &= here
        return found


def _below(name: str, parents: Mapping[str, str | None], above: tuple[str, ...] = ()) -> dict[str, tuple[str, ...]]:
    """What has a value only where it has some, and what hangs on that in turn: each with what is above it."""
    found = dict[str, tuple[str, ...]]()
    for child in (child for child, of in parents.items() if of == name):
        found |= {child: (*above, name), **_below(child, parents, (*above, name))}
    return found


def _shown(said: Any) -> str:
    return ", ".join(map(str, said)) if isinstance(said, tuple) else "what follows" if said is None else written(said)


def completions(incident: Incident, sayable: Sayable) -> Completions:
    """Those of an incident; presumptions that yield are let go where something stated contradicts them.

    InputError, at the statements that cannot stand together, when there is none.
    """
    found = Completions(incident, sayable)
    if found.possible:
        return found
    if (free := let_go(found)) is not None:
        return Completions(incident, sayable, free)
    faults, reasons = list[Fault](), list[str]()  # those reasons that together leave no way, the fewest
    left = found.whole
    while left:
        most = max(found.excluded, key=lambda one: (one.where & left).bit_count())
        reasons.append(most.because)
        left &= ~most.where
    because = "; ".join(reasons)
    for name, fewer in without_one(incident):
        if _possible(fewer, found):
            place, (of, _, last) = incident.places.get(name, incident.place), name.partition(".")
            told = incident.events[int(last) - 1].name if of == "events" else name.rpartition(".")[2]
            what = f"{told} cannot stand beside the rest: {because}"
            faults.append(Fault(place, what, "mend it, or what it contradicts"))
    raise InputError(
        sorted(faults) or [Fault(incident.place, f"this cannot be: {because}", "mend one of the statements")]
    )


def let_go(found: Completions) -> frozenset[Key] | None:
    """The presumptions that must not be made: all those that alone would help, or else pairs; None if none helps.

    InputError when without one of them there would be too many ways.
    """
    for many in (1, 2):
        if helps := [*_helping(found, many)]:
            return frozenset().union(*helps)
    return None


def _helping(found: Completions, many: int) -> Iterator[frozenset[Key]]:
    """Presumptions, so many at a time, without which there is a way."""
    yielding = [key for key, one in found.choices.items() if one.how == "presumed" and one.kind.presumption.yields]
    for free in map(frozenset, combinations(yielding, many)):
        if not _without_way(found, free) and Completions(found.incident, found.sayable, free).possible:
            yield free


def _without_way(found: Completions, findings: frozenset[Key]) -> bool:
    """Whether there is no way whatever is said of some findings, and of all that depend on these."""
    more = findings
    while more:
        findings |= more
        more = (
            frozenset(
                (number, kind.id)
                for number, name in findings
                for kind in found.about(number).findings.values()
                if name in kind.depends_on
            )
            - findings
        )
    left = found.whole
    for one in found.excluded:
        if one.looks_at.isdisjoint(findings):
            left &= ~one.where
            if not left:
                return True
    return False


def _possible(incident: Incident, found: Completions) -> bool:
    try:
        fewer = Completions(incident, found.sayable)
        return bool(fewer.possible) or any(True for many in (1, 2) for _ in _helping(fewer, many))
    except InputError:  # more ways than are laid out: some of them will do
        return True


def with_revoke(incident: Incident, number: int, found: Finding) -> Incident:
    """The incident with another finding in place of one."""
    return replace(incident, revokes=(*incident.revokes[:number], found, *incident.revokes[number + 1 :]))


def without_one(incident: Incident) -> Iterator[tuple[str, Incident]]:
    """The incident without one of its statements, and its name."""
    for number, one in enumerate(incident.revokes):
        for name in one.said:
            fewer = replace(one, said={key: value for key, value in one.said.items() if key != name})
            yield f"revokes.{number + 1}.{name}", with_revoke(incident, number, fewer)
        if one.trick is not None:
            yield f"revokes.{number + 1}.trick", with_revoke(incident, number, replace(one, trick=None))
    for number in range(len(incident.events)):
        events = (*incident.events[:number], *incident.events[number + 1 :])
        yield f"events.{number + 1}", replace(incident, events=events)
    if incident.tricks is not None:
        yield "tricks", replace(incident, tricks=None)
    if incident.contract is not None:
        yield "contract", replace(incident, contract=None)
