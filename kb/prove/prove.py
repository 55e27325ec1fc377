"""Every property of an edition asked of all situations at once, and those that need cards of the cases as well."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TypeAlias

from kb.cases.cases import Case
from kb.engine.sets import Bits, Held, Run
from kb.language.edition import load_edition
from kb.language.model import Condition, Edition
from kb.prove.deciding import Deciding, ruled_anyway
from kb.prove.property import APPLIES, EXCEPTED, REFUTED, Property
from kb.prove.read_properties import load_properties
from kb.prove.verdict import Excepted, Verdict, Witness, judged, paired
from kb.prove.weighing import Weight, otherwise
from kb.ruling.law import Law
from kb.space.bits import union
from kb.space.burden import PARTIES, Burden, beside, burden_of, read_burden
from kb.space.interview import Needs
from kb.space.layout import Sayable
from kb.space.outcome import EditionRun
from kb.space.read_interview import load_interview
from kb.space.universe import Universe, observed, pairs, shifted

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
        """The cases of the edition."""
        return self._cases()

    def verdicts(self, names: Collection[str] = (), of_cases: bool = False) -> Iterator[Verdict]:
        """The verdict on each property, or on those of these names; ``of_cases``: every case is asked as well."""
        wanted = [one for one in self.claimed.properties.values() if not names or one.id in names]
        found = self._in_cases([one for one in wanted if one.of_cases]) if of_cases else None
        for one in wanted:
            verdict = self.verdict(one)
            yield verdict if found is None or not one.of_cases else _with_cases(verdict, found)

    def verdict(self, one: Property) -> Verdict:
        """The verdict on one property."""
        if one.pairing is not None:
            return self._of_pairs(one)
        if one.against is not None:
            return self._between(one, one.against)
        if one.sort == "decides":
            return self._deciding(one)
        return self._everywhere(one)

    def _everywhere(self, one: Property) -> Verdict:
        among = asked(self.universe, one.among)
        applies = among & self._concluded(APPLIES, one.id) if one.applies else among
        refuted = among & self._concluded(REFUTED, one.id)
        tried = applies if refuted or self._speaks(one) else 0
        return judged(one, self.universe, tried, refuted, self._excepted(one))

    def _speaks(self, one: Property) -> bool:
        """Whether every kind of fact that its rules want is there somewhere."""
        wanted = {item.kind for rule in one.rules for item in rule.when if isinstance(item, Condition)}
        return all(self.beside.facts.get(kind) for kind in wanted)

    def _of_pairs(self, one: Property) -> Verdict:
        assert one.pairing is not None
        assert one.weighed is not None
        among, found = asked(self.universe, one.among), dict[int, Bits]()
        for question, steps in one.pairing.steps:
            for distance, where in pairs(self.universe, question, steps, one.pairing.alike).items():
                if both := where & among & shifted(among, distance):
                    found[distance] = found.get(distance, 0) | both
        weight = Weight.of(self.run, self.burden).only(one.weighed, PARTIES[:1])
        demanded = one.weighed

        def refuted(distance: int, where: Bits) -> Bits:
            return otherwise(demanded, *weight.apart(distance, where)) & where

        return paired(one, self.universe, found, refuted, self._excepted(one))

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
        return judged(one, universe, among, refuted, self._excepted(one, universe, facts))

    def _in_cases(self, wanted: Collection[Property]) -> InCases:
        law, found = self._law_of_cases, dict[tuple[str, int | None], list[Case]]()
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

    @property
    def _law_of_cases(self) -> Law:
        """The law, with all that is read by it or by what is claimed of it."""
        law = Law(self.edition, engine="quick")
        law.shown |= {item.kind for rule in self.beside.rules for item in rule.conditions()}
        law.sayable = Sayable(self.edition.table, self.edition.vocabulary, law.shown)
        return law

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


def _with_cases(verdict: Verdict, found: InCases) -> Verdict:
    name = verdict.of.id
    excepted = (replace(one, cases=tuple(found.get((name, one.expected.number), ()))) for one in verdict.excepted)
    return replace(verdict, cases=tuple(found.get((name, None), ())), excepted=tuple(excepted))


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
