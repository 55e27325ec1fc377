"""What a ruling hinges on where not everything is known, and what it takes for granted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from facts.cards import Side
from facts.fact import Fact, Value, order_key
from facts.table import numbers
from kb.engine.sets import Bits
from kb.language.known import ADJUSTED, AUTOMATIC, HAND, PLAY, POINTS, RESULT, REVOKES, STATUS, TRANSFER, TRICK
from kb.ruling.certain import Certainty
from kb.space.bits import parts, union
from kb.space.choices import domain
from kb.space.completions import Completions
from kb.space.layout import BOARD, Key, facts_by
from kb.space.outcome import Entry
from kb.space.questions import Group, Questions, SplittingQuestion, conditions
from kb.space.seating import LATER

REST: Final = (BOARD, "rest")
FIRST: Final = frozenset({STATUS, AUTOMATIC, TRANSFER, ADJUSTED, RESULT, POINTS})
"""Parts of a ruling by which the question is chosen; the others are told with a condition."""


@dataclass(frozen=True)
class Open:
    """A finding that is not known and would change the ruling."""

    key: Key
    laws: tuple[str, ...]


@dataclass(frozen=True)
class Perhaps:
    """A conclusion that does not hold in every situation, and what it depends on."""

    fact: Fact
    laws: tuple[str, ...]
    key: Key | None
    """None: on several things."""
    values: Group = ()


class Opening:
    """The situations that an incident leaves possible under a law, some of them."""

    def __init__(self, completions: Completions, certain: Certainty, questions: Questions | None = None) -> None:
        self.completions, self.certain = completions, certain
        self.run, self.among = certain.run, certain.among
        self.questions = questions or Questions(completions)

    def narrowed(self, among: Bits) -> Opening:
        """The same after an answer."""
        return Opening(self.completions, replace(self.certain, among=among), self.questions)

    @property
    def known(self) -> bool:
        """Whether everything is known, or nothing of what is not could be otherwise."""
        return self.among.bit_count() == 1

    @cached_property
    def _entries(self) -> Mapping[Entry, Bits]:
        """What stands in some of these rulings and not in all, and in which."""
        entries = {**self.run.ruling, **self.run.judgement}
        cut = ((entry, bits & self.among) for entry, bits in entries.items())
        return {entry: bits for entry, bits in cut if bits and bits != self.among}

    @cached_property
    def classes(self) -> Sequence[Bits]:
        """The outcomes that are still possible, by what matters most; one if that is certain."""
        first = {entry: bits for entry, bits in self._entries.items() if entry[0] in FIRST}
        return [bits for _, bits in parts(self.among, first)]

    @property
    def is_open(self) -> bool:
        """Whether what matters most is not certain."""
        return len(self.classes) > 1

    @cached_property
    def asking(self) -> SplittingQuestion | None:
        """The question on which it hinges; None where what matters most is certain."""
        return self.questions.hinge(self.classes, self.among) if self.is_open else None

    @cached_property
    def statuses(self) -> frozenset[str]:
        """What may become of the revokes."""
        held = ((entry, bits & self.among) for entry, bits in self.run.ruling.items() if entry[0] == STATUS)
        return frozenset(str(entry[-1]) for entry, bits in held if bits)

    @cached_property
    def ahead(self) -> bool:
        """Whether it hinges on tricks that are still to be played: of those after the revoke any number was said."""
        number, name = (BOARD, "") if self.asking is None else self.asking.key
        incident, table = self.completions.incident, self.completions.table
        if name != LATER or incident.over:
            return False
        kind, places = table.findings[name], (given for given, _ in self.completions.places(number))
        said = numbers(incident.revokes[number].said.get(name))
        return len(said) > 1 and {*domain(kind, places, table)} <= {*said}

    @cached_property
    def open(self) -> tuple[Open, ...]:
        """The unknown findings that would change what a director acts on, each with the clauses that it matters for."""
        if not self._entries:
            return ()
        classes = [bits for _, bits in parts(self.among, self._entries)]
        keys = [*self.questions.unknown(self.among)]
        strict = [key for key in keys if self.questions.matters(key, classes, self.among)]
        found: list[Open] = []
        for key in strict or [key for key in keys if self.questions.tells(key, classes, self.among)]:
            laws = self._laws(key)
            found += [Open(one, laws) for one in (self._after_record() if key == REST else (key,))]
        return tuple(found)

    def _after_record(self) -> list[Key]:
        """The later tricks of each revoke whose automatic tricks depend on the tricks that no record shows; of the
        first that costs any, if none does."""
        kind = next(kind for kind in self.run.edition.vocabulary.kinds.values() if kind.section == REVOKES)
        plays: dict[tuple[Value, ...], set[Value]] = {}
        for fact in self.run.ruled:
            if fact[0] == kind.name:  # a correction may be a revoke as well, by the same hand at the same trick
                plays.setdefault((fact[kind.index[TRICK]], fact[kind.index[HAND]]), set()).add(fact[kind.index[PLAY]])
        revokes = enumerate(self.completions.incident.revokes)
        of = [(number, plays.get((found.trick, found.hand), set())) for number, found in revokes]
        due = {entry[1] for entry, bits in self.run.ruling.items() if entry[0] == AUTOMATIC and bits & self.among}
        unsure = {
            entry[1]
            for entry, bits in self._entries.items()
            if entry[0] == AUTOMATIC and self.questions.tells(REST, [bits], self.among)
        }
        some = [number for number, played in of if played & unsure]
        return [(number, LATER) for number in some or [number for number, played in of if played & due][:1]]

    def _laws(self, key: Key) -> tuple[str, ...]:
        """The clauses with a rule that applies for some values of a finding and not for others, all else equal."""
        rules, clauses = self.run.run.rules, self.run.edition.clauses
        found = set()
        for number, held in self.run.run.fired.items():
            ref, bits = rules[number].clause, union(held.values()) & self.among
            split = clauses[ref].law and ref not in found and bits not in (0, self.among)
            if split and self.questions.tells(key, [bits], self.among):
                found.add(ref)
        return tuple(ref for ref in clauses if ref in found)

    @cached_property
    def range(self) -> Mapping[Side, tuple[int, int]]:
        """The fewest and the most tricks that each side may gain."""
        kind = next((kind for kind in self.run.edition.vocabulary.kinds.values() if kind.section == TRANSFER), None)
        found: dict[Side, tuple[int, int]] = {}
        for side in ("NS", "EW"):
            numbers: dict[int, Bits] = {}
            for fact, bits in (self.run.run.facts.get(kind.name, {}) if kind else {}).items():
                if kind and fact[kind.index["to"]] == side and bits & self.among:
                    tricks = int(fact[kind.index["tricks"]] or 0)
                    numbers[tricks] = numbers.get(tricks, 0) | bits & self.among
            some = union(numbers.values())
            all_of = [*numbers, *([0] if some != self.among else [])]
            found[side] = (min(all_of), max(all_of))
        return found

    def fewest(self, play: Value) -> int:
        """The automatic tricks that a revoke certainly costs before the cap."""
        numbers = [
            (entry[2], bits & self.among) for entry, bits in self.run.ruling.items() if entry[:2] == (AUTOMATIC, play)
        ]
        due = {int(n): bits for n, bits in numbers if bits}  # type: ignore[call-overload]
        return min(due, default=0) if union(due.values()) == self.among else 0

    @cached_property
    def perhaps(self) -> tuple[Perhaps, ...]:
        """What is not certain though what matters most is: each with the one thing on which it depends."""
        if self.is_open:
            return ()
        keys = [*self.questions.unknown(self.among)]
        found = []
        for fact in sorted(self.run.ruled, key=self._rank):
            here = self.run.ruled[fact] & self.among
            entry = self.run.reader.entry(fact)
            if here and here != self.among and entry is not None and entry[0] not in FIRST:
                on = conditions(here, self.among, self.completions.values, keys)
                found.append(Perhaps(fact, self._clauses_of(fact), *(on or (None, ()))))
        return tuple(found)

    @cached_property
    def _first_rule(self) -> Mapping[Fact, int]:
        """The first of the rules that conclude each fact."""
        fired = self.run.run.fired
        return {fact: number for number in sorted(fired, reverse=True) for fact in fired[number]}

    def _rank(self, fact: Fact) -> tuple[int, object]:
        """The place of a conclusion in an order that no engine decides: by rules, then by values."""
        return self._first_rule[fact], order_key(fact)

    def _clauses_of(self, fact: Fact) -> tuple[str, ...]:
        rules = self.run.run.rules
        refs = {rules[number].clause for number, held in self.run.run.fired.items() if held.get(fact, 0) & self.among}
        return tuple(ref for ref, clause in self.run.edition.clauses.items() if ref in refs and clause.law)

    @cached_property
    def doubtful(self) -> tuple[Fact, ...]:
        """The revokes stated that are not certain to be any."""
        stated = {(found.trick, found.hand) for found in self.completions.incident.revokes}
        kinds = {kind.name: kind for kind in self.run.edition.vocabulary.kinds.values() if kind.section == REVOKES}
        return tuple(
            fact
            for fact, bits in self.run.ruled.items()
            if (kind := kinds.get(str(fact[0]))) is not None
            and 0 != bits & self.among != self.among
            and (fact[kind.index[TRICK]], fact[kind.index[HAND]]) in stated
        )

    @cached_property
    def taken(self) -> frozenset[Fact]:
        """The facts that are stated by nothing but what is presumed."""
        ways = self.completions
        keys = [key for key, one in ways.choices.items() if one.granted]
        return facts_by(ways.incident, ways.table, ways.values, ways.whole, keys)
