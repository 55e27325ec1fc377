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
from facts.form import Texts
from facts.incident import Finding, Incident
from facts.table import REVOKE, spelled
from facts.templates import NamedValues
from kb.engine.sets import Bits, within
from kb.space.bits import Repeated, union
from kb.space.choices import NOT_SAID, Choice, Chooser, domain, fits, meant
from kb.space.layout import BOARD, FindingKey, Layout, Sayable, Situations, ValueBits
from kb.space.seating import Seating, rests_of


@dataclass(frozen=True)
class SeenFromHand:
    """A value that depends on the hand, such as the hands that play after it."""

    values: tuple[tuple[Seat, Any], ...]


@dataclass(frozen=True)
class Digit:
    """Something that is not known, with what depends on it."""

    keys: tuple[FindingKey, ...]
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


MOST_COMPLETIONS: Final = 2_000_000
"""Ways that are laid out before what cannot be is taken off."""


@dataclass(frozen=True)
class Excluded:
    """Ways that cannot be, and why, in each language that has it."""

    because: Texts
    where: Bits
    looks_at: frozenset[FindingKey] = frozenset()
    """The findings on which it depends."""


class Completions(Layout):
    """What may be so, given what is said."""

    def __init__(self, incident: Incident, sayable: Sayable, free: frozenset[FindingKey] = frozenset()) -> None:
        """``free``: findings of which nothing is to be presumed."""
        self.incident, self.sayable, self.table, self.free = incident, sayable, sayable.table, free
        first = sayable.table.about(incident.revokes[0].of) if incident.revokes else sayable.table
        self.seating = Seating(incident, first.parts or sayable.table.parts)
        self.digits: list[Digit] = []
        self.choosers: list[Chooser] = []
        self.choices: dict[FindingKey, Choice] = {}
        self.size = 1
        for column in filter(None, self.seating.columns() if incident.revokes else ()):
            self._add_digit(column, dict.fromkeys(zip(*column.values(), strict=True)))
        if rests := rests_of(incident):
            self._add_digit([(BOARD, "rest")], [(rest,) for rest in rests])
        for number in range(len(incident.revokes)):
            self._choose_of(number)
            self._demand_few(self.size)
        super().__init__(incident, sayable.table, self._values(), (1 << self.size) - 1)

    def _add_digit(self, keys: Iterable[FindingKey], settings: Iterable[tuple[Any, ...]]) -> None:
        self.digits.append(digit := Digit(tuple(keys), tuple(settings), self.size))
        self.size *= len(digit.settings)

    def _demand_few(self, ways: int) -> None:
        if ways > MOST_COMPLETIONS:
            problem = f"there are more than {MOST_COMPLETIONS:,} ways of filling in what is not said of these revokes"
            raise InputError.of(self.incident.place, problem, "say more of them, such as who won each trick")

    def _choose_of(self, number: int) -> None:
        free = frozenset(name for revoke, name in self.free if revoke == number)
        chooser = Chooser(self.incident, number, self.about(number), self.seating, self.sayable.reads, free)
        self.choosers.append(chooser)
        self.choices |= {(number, name): choice for name, choice in chooser.chosen.items()}
        self._add_digit([(number, "trick")], [(chooser.trick,)])
        parents = {name: chooser.parent(name) for name in chooser.chosen}
        for name, choice in chooser.chosen.items():
            if parents[name] is None:
                asked = choice.how not in ("unknown", "presumed") or not choice.kind.when or chooser.met(name, {})
                values = self._seen(choice, chooser) if asked else NOT_SAID
                self._add(chooser, name, values, _below(name, parents))

    def _seen(self, choice: Choice, chooser: Chooser) -> tuple[Any, ...]:
        """The values of what is not known, by the names of the answers where they are others for every hand."""
        if choice.how != "unknown" or not choice.kind.type.many or len(chooser.hands) == 1:
            return choice.values
        places = {place["hand"]: place for place in chooser.places()}
        answers = [
            [(hand, meant(choice.kind, name, places[hand], chooser.table)) for hand in places]
            for name in choice.kind.answers
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
            rows: list[tuple[Any, ...]] = [(value,)] if value in kept else []
            for child, above in below.items():
                more = list[tuple[Any, ...]]()
                for one in rows:
                    given = {each: its for each, its in zip((name, *below), one, strict=False) if each in above}
                    met = chooser.met(child, given)
                    more += [(*one, its) for its in (self._seen(chooser.chosen[child], chooser) if met else NOT_SAID)]
                    self._demand_few(len(more))
                rows = more
            settings += rows
        self._add_digit([(chooser.number, finding) for finding in (name, *below)], settings)

    def _values(self) -> ValueBits:
        """Where each value stands."""
        values: dict[FindingKey, dict[Any, Bits]] = {}
        for digit in self.digits:
            for index, setting in enumerate(digit.settings):
                bits = digit.ways(index, self.size)
                for key, value in zip(digit.keys, setting, strict=True):
                    by_value = values.setdefault(key, {})
                    seen = value.values if isinstance(value, SeenFromHand) else [(None, value)]
                    for hand, seen_value in seen:
                        where = bits if hand is None else bits & values[key[0], "hand"][hand]
                        by_value[seen_value] = by_value.get(seen_value, 0) | where
        return values

    @cached_property
    def open(self) -> Mapping[FindingKey, tuple[Bits, range]]:
        """Each thing that is not known, with the ways in which its digit has its first setting, and how far off those
        with the others are."""
        by_key: dict[FindingKey, tuple[Bits, range]] = {}
        for digit in (digit for digit in self.digits if len(digit.settings) > 1):
            offsets = range(0, len(digit.settings) * digit.stride, digit.stride)
            by_key |= dict.fromkeys(digit.keys, (digit.ways(0, self.size), offsets))
        return by_key

    def folded(self, key: FindingKey, bits: Bits) -> Bits:
        """The ways with the digit of a thing moved to its first setting."""
        first, offsets = self.open[key]
        return union(bits >> offset & first for offset in offsets)

    def varied(self, repeated: Repeated, settings: Sequence[Mapping[FindingKey, Any]]) -> Completions:
        """Some of these ways again and again, one block after another, each with other values of some findings."""
        varied = copy(self)
        for name in ("facts", "possible", "excluded", "situations"):
            vars(varied).pop(name, None)
        values = {}
        for key, by_value in self.values.items():
            otherwise = {number: setting[key] for number, setting in enumerate(settings) if key in setting}
            values[key] = {
                value: bits
                for value in dict.fromkeys((*by_value, *otherwise.values()))
                if (bits := repeated(by_value.get(value, 0), {block: new == value for block, new in otherwise.items()}))
            }
        varied.whole, varied.values = repeated(self.whole), values
        return varied

    @cached_property
    def possible(self) -> Bits:
        """The ways that agree with what is said and can be."""
        return self.whole & ~union(excluded.where for excluded in self.excluded)

    @cached_property
    def situations(self) -> Situations:
        """The possible ways with their facts."""
        return Situations(self.possible, within(self.facts, self.possible, self.whole))

    @cached_property
    def excluded(self) -> list[Excluded]:
        """The ways that cannot be."""
        excluded: list[Excluded] = []
        for declarer, first in self.seating.heads:  # a hand can be no part of the play that is stated of it
            head = self.values.get((BOARD, "declarer"), {}).get(declarer, self.whole)
            head &= self.values[0, "hand"].get(first, 0)
            for number in self.seating.numbers:
                allowed = self.seating.of(number, declarer, first)
                for hand, where in self.values[number, "hand"].items():
                    if hand not in allowed and head & where:
                        part = self.incident.revokes[number].player
                        why = {"en": f"{hand} is not {part} when {declarer} is declarer"}
                        excluded.append(Excluded(why, head & where))
        bare = self.incident.play is None and not self.incident.events  # else a change of cards may be told
        revokes = [number for number in self.seating.numbers if self.about(number).of == REVOKE]
        for one, other in combinations(revokes, 2) if bare else ():
            for place, where in self.places(one):
                same = union(there for seen, there in self.places(other) if seen == place)
                why = {"en": f"{place['hand']} plays only one card to trick {place['trick']}"}
                excluded.append(Excluded(why, where & same))
        excluded += self._disagreeing()
        for number, chooser in enumerate(self.choosers):
            for rule in (one for one in chooser.table.impossible if one.facts is None):
                if not rule.stated or any(map(chooser.stated, rule.stated)):
                    names = frozenset((number, name) for name in rule.when)
                    excluded.append(Excluded(rule.because, self.where(number, rule.when), names))
        numbers = range(len(self.choosers))
        bans = self.sayable.forbidden(self)
        return [*excluded, *(Excluded(why, where, frozenset(product(numbers, names))) for why, where, names in bans)]

    def _disagreeing(self) -> Iterator[Excluded]:
        """Where a statement seen from the hand, or a range, is not met, or denies what an event tells."""
        for (number, name), choice in self.choices.items():
            stated = choice.how == "stated"
            by_event = stated and self.choosers[number].told_by_event(choice.kind)
            if by_event and not any(map(choice.kind.templates, choice.values)):
                statement = self.incident.revokes[number].said[name]
                why = {"en": f"{name}: {_shown(statement)}, though events tell of it"}
                yield Excluded(why, self.whole, frozenset([(number, name)]))
            if len(choice.values) > 1 or stated:
                statement = self.incident.revokes[number].said.get(name) if stated else None
                for place, where in self.places(number):
                    allowed = self._allowed(choice, statement, place)
                    by_value = self.values[number, name].items()
                    wrong = union(bits for value, bits in by_value if value is not None and value not in allowed)
                    what = f"{_shown(statement)} cannot be said of {place['hand']} at trick {place['trick']}"
                    why = {"en": f"{name}: {what}"}
                    yield Excluded(why, where & wrong, frozenset([(number, name)]))

    def _allowed(self, choice: Choice, stated: Any, place: NamedValues) -> set[Any]:
        """The values that a finding may have there, after what is stated of it."""
        allowed = None if stated is None else set(meant(choice.kind, stated, place, self.table))
        listed = choice.kind.type.many and choice.kind.answers
        if allowed is not None and choice.kind.type.name != "number" and not listed:
            return allowed
        can_be = set(domain(choice.kind, [place], self.table))
        return can_be if allowed is None else allowed & can_be

    def where(self, number: int, when: Mapping[str, tuple[Any, ...]]) -> Bits:
        """The ways in which findings of a revoke, or its trick, have some of these values."""
        situations = self.whole
        for name, wanted in when.items():
            kind, here = self.about(number).findings.get(name), 0
            for place, where in self.places(number):
                values: list[Any] = []  # values, by themselves or by the name of an answer
                for want in wanted:
                    values += meant(kind, want, place, self.table) if kind and isinstance(want, str) else (want,)
                pairs = self.values.get((number, name), {}).items()
                here |= where & union(
                    bits for value, bits in pairs if any(fits(value, allowed, place, self.table) for allowed in values)
                )
            situations &= here
        return situations


def _below(name: str, parents: Mapping[str, str | None], above: tuple[str, ...] = ()) -> dict[str, tuple[str, ...]]:
    """What has a value only where it has some, and what hangs on that in turn: each with what is above it."""
    found = dict[str, tuple[str, ...]]()
    for child in (child for child, of in parents.items() if of == name):
        found |= {child: (*above, name), **_below(child, parents, (*above, name))}
    return found


def _shown(word: Any) -> str:
    return ", ".join(map(str, word)) if isinstance(word, tuple) else "what follows" if word is None else spelled(word)


def completions(incident: Incident, sayable: Sayable) -> Completions:
    """Those of an incident; presumptions that yield are let go where something stated contradicts them.

    InputError, at the statements that cannot stand together, when there is none.
    """
    base = Completions(incident, sayable)
    if base.possible:
        return base
    if (free := let_go(base)) is not None:
        return Completions(incident, sayable, free)
    faults, reasons = list[Fault](), list[Texts]()  # those reasons that together leave no way, the fewest
    remaining = base.whole
    while remaining:
        most = max(base.excluded, key=lambda excluded: (excluded.where & remaining).bit_count())
        reasons.append(most.because)
        remaining &= ~most.where
    languages = set.intersection(*({*each} for each in reasons))
    because = {lang: "; ".join(each[lang] for each in reasons) for lang in languages}
    for name, fewer in without_one(incident):
        if _possible(fewer, base):
            place, (key, _, last) = incident.places.get(name, incident.place), name.partition(".")
            subject = incident.events[int(last) - 1].name if key == "events" else name.rpartition(".")[2]
            problem = f"{subject} cannot stand beside the rest: {because['en']}"
            faults.append(Fault(place, problem, "mend it, or what it contradicts", because=because))
    what = f"this cannot be: {because['en']}"
    raise InputError(sorted(faults) or [Fault(incident.place, what, "mend one of the statements", because=because)])


def let_go(base: Completions) -> frozenset[FindingKey] | None:
    """The presumptions that must not be made: all those that alone would help, or else pairs; None if none helps.

    InputError when without one of them there would be too many ways.
    """
    for many in (1, 2):
        if helps := [*_helping(base, many)]:
            return frozenset().union(*helps)
    return None


def _helping(base: Completions, many: int) -> Iterator[frozenset[FindingKey]]:
    """Presumptions, so many at a time, without which there is a way."""
    loose = [key for key, choice in base.choices.items() if choice.how == "presumed" and choice.kind.presumption.yields]
    for free in map(frozenset, combinations(loose, many)):
        if not _without_way(base, free) and Completions(base.incident, base.sayable, free).possible:
            yield free


def _without_way(base: Completions, findings: frozenset[FindingKey]) -> bool:
    """Whether there is no way whatever is said of some findings, and of all that depend on these."""
    more = findings
    while more:
        findings |= more
        more = (
            frozenset(
                (number, kind.id)
                for number, name in findings
                for kind in base.about(number).findings.values()
                if name in kind.depends_on
            )
            - findings
        )
    remaining = base.whole
    for excluded in base.excluded:
        if excluded.looks_at.isdisjoint(findings):
            remaining &= ~excluded.where
            if not remaining:
                return True
    return False


def _possible(incident: Incident, base: Completions) -> bool:
    try:
        fewer = Completions(incident, base.sayable)
        return bool(fewer.possible) or any(True for many in (1, 2) for _ in _helping(fewer, many))
    except InputError:  # more ways than are laid out: some of them will do
        return True


def with_revoke(incident: Incident, number: int, revoke: Finding) -> Incident:
    """The incident with another finding in place of one."""
    return replace(incident, revokes=(*incident.revokes[:number], revoke, *incident.revokes[number + 1 :]))


def without_one(incident: Incident) -> Iterator[tuple[str, Incident]]:
    """The incident without one of its statements, and its name."""
    for number, revoke in enumerate(incident.revokes):
        for name in revoke.said:
            fewer = replace(revoke, said={key: value for key, value in revoke.said.items() if key != name})
            yield f"revokes.{number + 1}.{name}", with_revoke(incident, number, fewer)
        if revoke.trick is not None:
            yield f"revokes.{number + 1}.trick", with_revoke(incident, number, replace(revoke, trick=None))
    for number in range(len(incident.events)):
        events = (*incident.events[:number], *incident.events[number + 1 :])
        yield f"events.{number + 1}", replace(incident, events=events)
    if incident.tricks is not None:
        yield "tricks", replace(incident, tricks=None)
    if incident.contract is not None:
        yield "contract", replace(incident, contract=None)
