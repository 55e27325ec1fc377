"""Whether what is claimed of a law holds in every situation, and where it does not."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Final, Literal, TypeAlias

from kb.cases.cases import Case, evidence_of
from kb.engine.sets import Bits, Held, Run, Sets
from kb.language.edition import load_edition
from kb.language.known import EVIDENCE
from kb.language.model import Edition
from kb.language.rule import Condition
from kb.prove.properties import (
    APPLIES,
    EXCEPTED,
    REFUTED,
    Expected,
    Property,
    Weighed,
    load_properties,
)
from kb.ruling.law import Law
from kb.ruling.rule import rounds
from kb.ruling.ruling import Ruling
from kb.space.bits import union
from kb.space.burden import PARTIES, Burden, beside, burden_of, heavier, read_burden
from kb.space.interview import Needs
from kb.space.layout import Sayable
from kb.space.outcome import EditionRun, Entry, different
from kb.space.read_interview import load_interview
from kb.space.universe import Pairs, Universe, observed, pairs, shifted

Standing: TypeAlias = Literal["holds", "expected", "refuted", "needless", "empty"]
"""``expected``: it fails only where its exceptions say so; ``needless``: an exception of which there is no example;
``empty``: there is nothing of which it could be true or false."""


@dataclass(frozen=True)
class Witness:
    """An example."""

    universe: Universe | None = None
    situations: tuple[int, ...] = ()
    """Of the universe: one, or both of a pair."""
    clause: str | None = None


@dataclass(frozen=True)
class Excepted:
    """Where an exception holds."""

    expected: Expected
    times: int
    witness: Witness | None
    """None: nowhere."""
    cases: tuple[Case, ...] | None = None
    """Those in which it holds; None: they were not asked."""

    @property
    def needless(self) -> bool:
        """Whether there is no example of it, as far as was asked."""
        unasked = self.cases is None and self.expected.only_cases
        return not (self.times or self.cases or unasked)


@dataclass(frozen=True)
class Verdict:
    """What came of one property."""

    of: Property
    tried: int
    """So many situations, pairs of them, or clauses, it speaks of."""
    refuted: int
    """In so many of them it does not hold, and ought to."""
    witness: Witness | None
    excepted: tuple[Excepted, ...] = ()
    cases: tuple[Case, ...] = ()
    """Those in which it does not hold, and ought to."""

    @property
    def standing(self) -> Standing:
        if self.refuted or self.cases:
            return "refuted"
        if not self.tried:
            return "empty"
        if any(one.needless for one in self.excepted):
            return "needless"
        return "expected" if self.excepted else "holds"

    @property
    def fails(self) -> bool:
        """Whether something has to be mended: the law, or what is claimed of it."""
        return self.standing in ("refuted", "needless", "empty")


def judged(one: Property, universe: Universe, tried: Pairs, refuted: Pairs, excepted: Mapping[int, Bits]) -> Verdict:
    """The verdict on a claim about pairs of situations, by how far apart they are; 0 apart: about each situation.

    ``excepted``: number of an exception -> where it holds."""
    left, seen = {distance: bits for distance, bits in refuted.items() if bits}, list[Excepted]()
    for expected in one.expected:
        where = excepted.get(expected.number, 0)
        taken = {d: bits & (where | shifted(where, d)) for d, bits in left.items()}
        left = {d: bits & ~taken[d] for d, bits in left.items()}
        seen.append(Excepted(expected, _size(taken), _witness(universe, taken)))
    return Verdict(one, _size(tried), _size(left), _witness(universe, left), tuple(seen))


def _size(found: Pairs) -> int:
    return sum(bits.bit_count() for bits in found.values())


def _witness(universe: Universe, found: Pairs) -> Witness | None:
    """The situation, or the first of a pair, that is least unusual; and then the second."""
    held = {distance: bits for distance, bits in found.items() if bits}
    if not held:
        return None
    number = universe.plainest(union(held.values()))
    if held.keys() == {0}:
        return Witness(universe, (number,))
    others = union(1 << number + distance for distance, bits in held.items() if bits >> number & 1)
    return Witness(universe, (number, universe.plainest(others)))


@dataclass(frozen=True)
class Weight:
    """What is compared of rulings, in every situation."""

    burden: Burden
    ruling: Mapping[Entry, Bits]
    """Everything that the rulings say."""

    @staticmethod
    def of(run: EditionRun, burden: Burden) -> Weight:
        """That of an edition's rulings."""
        return Weight(burden, {**run.ruling, **run.judgement})

    def only(self, demanded: Weighed, parties: Collection[str]) -> Weight:
        """As much of it as is compared."""
        parts = () if demanded.ruling else demanded.parts or self.burden.parts
        levels = {key: of for key, of in self.burden.levels.items() if key[0] in parties and key[1] in parts}
        return Weight(replace(self.burden, levels=levels), self.ruling if demanded.ruling else {})

    def apart(self, distance: int, where: Bits) -> tuple[Weight, Weight]:
        """That of the first and that of the second of pairs so far apart, in the place of the first."""

        def moved(bits: Bits) -> Bits:
            return shifted(bits, distance) & where

        second = {entry: moved(bits) for entry, bits in self.ruling.items()}
        first = {entry: bits & where for entry, bits in self.ruling.items()}
        return Weight(self.burden, first), Weight(self.burden.in_each(moved), second)


def otherwise(demanded: Weighed, a: Weight, b: Weight) -> Bits:
    """Where the second ruling is not as demanded beside the first."""
    more = heavier(a.burden, b.burden) if demanded.demand != "never-less" else 0
    less = heavier(b.burden, a.burden) if demanded.demand != "never-more" else 0
    return more | less | different(a.ruling, b.ruling)


_WORD: Final = re.compile(r"\w+")


class Deciding:
    """Whether clauses of an edition decide anything; the rules without each are made ready once."""

    def __init__(self, edition: Edition, sets: Sets) -> None:
        self.edition, self.sets = edition, sets
        self._without: dict[str, Sets] = {}

    def decides(self, run: EditionRun, ref: str) -> bool:
        """Whether a clause makes a difference in some situation of a run."""
        fires = run.clauses.get(ref, 0)
        return bool(fires and fires & different(run.ruled, run.amended(self.without(ref)).ruled))

    def without(self, ref: str) -> Sets:
        """The rules without those of a clause."""
        if ref not in self._without:
            rules = [rule for rule in self.edition.rules if rule.clause != ref]
            self._without[ref] = Sets(self.edition.vocabulary, rules, self.sets)
        return self._without[ref]

    def idle_in(self, cases: Sequence[Case], refs: Collection[str]) -> list[str]:
        """The clauses among some that decide nothing in any case; those are looked at first in which a ruling is
        expected to name one of them."""
        law, left, others = Law(self.edition, engine="quick"), [*refs], list[Case]()

        def after(case: Case) -> list[str]:
            shown = EditionRun(self.edition, ruled_anyway(law, case).situations, self.sets)
            return [ref for ref in left if not self.decides(shown, ref)]

        for case in cases:
            named = {*_WORD.findall(case.why), *(word for one in case.expect for word in _words(vars(one)))}
            if named.isdisjoint(left):
                others.append(case)
            else:
                left = after(case)
        for case in others:
            left = after(case) if left else left
        return left


def ruled_anyway(law: Law, case: Case) -> Ruling:
    """The ruling on a case with its evidence, even if the rules contradict each other."""
    ruling = next(rounds(law, replace(case.incident, edition=law.edition.id)))
    if case.evidence and EVIDENCE in law.program.kinds:
        return replace(ruling, proof=law.engine.run(ruling.proof.ground | {*evidence_of(case, ruling)}))
    return ruling


def _words(*parts: object) -> Iterator[str]:
    for part in parts:
        if isinstance(part, str):
            yield part
        elif isinstance(part, dict):
            yield from _words(*part.values())
        elif isinstance(part, list | tuple):
            yield from _words(*part)


InCases: TypeAlias = Mapping[tuple[str, int | None], Sequence[Case]]
"""Name of a property, and number of an exception -> the cases in which that holds; None: in which the property does not
hold, and ought to."""


class Proving:
    """One edition, ready to be asked."""

    def __init__(self, root: Path, edition: Edition, cases: Callable[[], Sequence[Case]] = tuple) -> None:
        """RulesError when what is claimed cannot be read; ``cases``: for what no finding states."""
        self.root, self.edition, self._cases = root, edition, cases
        self.universe = Universe(load_interview(root, edition))
        self.claimed = load_properties(root, edition, self.universe.interview)

    @cached_property
    def run(self) -> EditionRun:
        """The edition in every situation."""
        return EditionRun(self.edition, observed(self.universe))

    @cached_property
    def beside(self) -> Run:
        """The same with what is claimed of it."""
        return beside(self.claimed.measures, self.run, self.claimed.all_rules)

    @cached_property
    def burden(self) -> Burden:
        """What its rulings weigh."""
        return read_burden(self.claimed.measures, self.beside)

    @cached_property
    def cases(self) -> Sequence[Case]:
        return self._cases()

    def verdicts(self, names: Collection[str] = (), of_cases: bool = False) -> Iterator[Verdict]:
        """The verdict on each property, or on those of these names; ``of_cases``: every case is asked as well."""
        wanted = [one for one in self.claimed.properties.values() if not names or one.id in names]
        found = self._in_cases([one for one in wanted if one.of_cases]) if of_cases else None
        for one in wanted:
            verdict = self.verdict(one)
            if found is not None and one.of_cases:
                excepted = (
                    replace(each, cases=tuple(found.get((one.id, each.expected.number), ())))
                    for each in verdict.excepted
                )
                verdict = replace(verdict, cases=tuple(found.get((one.id, None), ())), excepted=tuple(excepted))
            yield verdict

    def verdict(self, one: Property) -> Verdict:
        if one.pairing is not None:
            return self._of_pairs(one)
        if one.against is not None:
            return self._between(one, one.against)
        if one.sort == "decides":
            return self._deciding(one)
        among = asked(self.universe, one.among)
        applies = among & self._concluded(APPLIES, one.id) if one.applies else among
        refuted = among & self._concluded(REFUTED, one.id)
        wanted = {item.kind for rule in one.rules for item in rule.when if isinstance(item, Condition)}
        speaks = refuted or all(self.beside.facts.get(kind) for kind in wanted)
        tried = applies if speaks else 0
        return judged(one, self.universe, {0: tried}, {0: refuted & tried}, self._excepted(one))

    def _of_pairs(self, one: Property) -> Verdict:
        assert one.pairing is not None and one.weighed is not None
        among, found, demanded = asked(self.universe, one.among), dict[int, Bits](), one.weighed
        for question, steps in one.pairing:
            for distance, where in pairs(self.universe, question, steps).items():
                if both := where & among & shifted(among, distance):
                    found[distance] = found.get(distance, 0) | both
        weight = Weight.of(self.run, self.burden).only(demanded, PARTIES[:1])
        refuted = {d: otherwise(demanded, *weight.apart(d, where)) & where for d, where in found.items()}
        return judged(one, self.universe, found, refuted, self._excepted(one))

    def _between(self, one: Property, against: str) -> Verdict:
        assert one.weighed is not None
        other = load_edition(self.root, against)
        universe = Universe(load_interview(self.root, self.edition, other))
        situations = observed(universe)
        runs = [EditionRun(edition, situations) for edition in (other, self.edition)]
        weights = (Weight.of(run, burden_of(self.claimed.measures, run)).only(one.weighed, PARTIES) for run in runs)
        among = asked(universe, one.among)
        refuted = among & otherwise(one.weighed, *weights)
        facts = beside(self.claimed.measures, runs[1], self.claimed.all_rules)
        return judged(one, universe, {0: among}, {0: refuted}, self._excepted(one, universe, facts))

    def _in_cases(self, wanted: Collection[Property]) -> InCases:
        """Every case asked by the law, with all that is read by it or by what is claimed of it."""
        law, found = Law(self.edition, engine="quick"), dict[tuple[str, int | None], list[Case]]()
        law.shown |= {item.kind for rule in self.beside.rules for item in rule.conditions()}
        law.sayable = Sayable(self.edition.table, self.edition.vocabulary, law.shown)
        for case in self.cases:
            run = EditionRun(self.edition, ruled_anyway(law, case).situations, self.run.sets)
            facts = beside(self.claimed.measures, run, self.claimed.all_rules)
            for one in wanted:
                left = self._concluded(REFUTED, one.id, facts)
                for expected in one.expected:
                    held: Held = facts.facts.get(EXCEPTED, {})
                    meant = -1 if case.id in expected.cases else held.get((EXCEPTED, one.id, expected.number), 0)
                    if left & meant:
                        found.setdefault((one.id, expected.number), []).append(case)
                    left &= ~meant
                if left:
                    found.setdefault((one.id, None), []).append(case)
        return found

    def _deciding(self, one: Property) -> Verdict:
        encoded = [ref for ref, clause in self.edition.clauses.items() if clause.law and clause.rules]
        deciding = Deciding(self.edition, self.run.sets)
        idle = [ref for ref in encoded if not deciding.decides(self.run, ref)]
        seen = []
        for expected in one.expected:
            taken = [ref for ref in expected.clauses if ref in idle]
            seen.append(Excepted(expected, len(taken), Witness(clause=taken[0]) if taken else None))
            idle = [ref for ref in idle if ref not in taken]
        idle = deciding.idle_in(self.cases, idle)
        return Verdict(one, len(encoded), len(idle), Witness(clause=idle[0]) if idle else None, tuple(seen))

    def _concluded(self, kind: str, name: str, run: Run | None = None) -> Bits:
        held: Held = (run or self.beside).facts.get(kind, {})
        return held.get((kind, name), 0)

    def _excepted(self, one: Property, universe: Universe | None = None, run: Run | None = None) -> dict[int, Bits]:
        """Number of an exception -> the situations in which it holds."""
        held: Held = (run or self.beside).facts.get(EXCEPTED, {})
        return {
            expected.number: asked(universe or self.universe, expected.among)
            & (held.get((EXCEPTED, one.id, expected.number), 0) if expected.rules else -1)
            for expected in one.expected
            if not expected.only_cases
        }


def asked(universe: Universe, among: Needs) -> Bits:
    """The situations that answer so; all of them where nothing is needed."""
    if not among:
        return universe.everything
    given = {question.id: answers for question, answers in zip(universe.questions, universe.given, strict=True)}
    found = 0
    for need in among:
        where = universe.everything
        for question, answers in need.items():
            where &= union(given[question][answer] for answer in answers)
        found |= where
    return found
