"""Coverage: clause by clause of an edition, which cases reach it, and which come close and do not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from facts.fact import Value
from kb.cases.cases import Hearing
from kb.engine.plain import Facts, fits, ways
from kb.engine.proof import Proof
from kb.language.model import Clause, Condition, Edition, Rule
from kb.language.strata import bound, reads
from kb.language.vocabulary import Vocabulary
from kb.space.outcome import EditionRun
from kb.space.universe import Universe, observed


@dataclass(frozen=True, slots=True)
class Near:
    """A case that a clause nearly reaches, and rightly does not."""

    case: str
    why: str
    """``not-cited``: the case says so itself; otherwise the rule, and the one test it failed or exception that held."""


@dataclass(frozen=True, slots=True)
class Reach:
    """How far the cases of an edition reach one clause."""

    clause: Clause
    own: bool
    """Whether the edition gives the clause itself, rather than taking it over from the one it amends."""
    cited_by: tuple[str, ...]
    """Ids of the cases whose ruling cites it."""
    pointed_to_by: tuple[str, ...]
    """Ids of the cases whose ruling only names it, as left to the director or open, or in which it only kept others
    from applying."""
    near: tuple[Near, ...]
    situations: int = 0
    """In how many situations of the interview it has a part in what is concluded."""

    @property
    def orphan(self) -> bool:
        """Whether the clause has rules that no case ever needs."""
        return self.own and bool(self.clause.rules and self.clause.law) and not (self.cited_by or self.pointed_to_by)


def coverage(edition: Edition, heard: Sequence[Hearing], universe: Universe | None = None) -> tuple[Reach, ...]:
    """The reach of every clause, in the order of the book; definitions, which are never cited, are left out.

    ``universe``: the situations to be counted, if there are any."""
    fires = {} if universe is None else EditionRun(edition, observed(universe)).clauses
    read = {item.kind for rule in edition.rules for item in rule.wanted}
    stopping = {item.kind for rule in edition.rules for item in rule.unless} - read  # which nothing can cite
    pointed: list[set[str]] = []
    for ruling in (hearing.ruling for hearing in heard):
        named = {law for section in ruling.parts for item in ruling.entries(section) for law in item.law}
        pointed.append(named | {step.rule.clause for step in ruling.proof.steps if step.fact[0] in stopping})
    found: list[Reach] = []
    for clause in (one for one in edition.clauses.values() if one.law):
        cited: dict[str, None] = {}
        only_named: dict[str, None] = {}
        near: list[Near] = []
        for hearing, names in zip(heard, pointed, strict=True):
            case = hearing.case.id
            if clause.ref in hearing.ruling.cited:
                cited[case] = None
            elif clause.ref in names:
                only_named[case] = None
            elif clause.ref in hearing.expected.not_cited:
                near.append(Near(case, "not-cited"))
            else:
                whys = (why for rule in clause.rules for why in _nearly(rule, hearing.ruling.proof))
                near += [Near(case, why) for why in islice(whys, 1)]
        own = Path(clause.place.file).parent == Path(edition.place.file).parent
        situations = fires.get(clause.ref, 0).bit_count()
        found.append(Reach(clause, own, tuple(cited), tuple(only_named), tuple(near), situations))
    return tuple(found)


def _nearly(rule: Rule, proof: Proof) -> Iterator[str]:
    """What alone kept a rule from firing: one exception that held, or one test of one condition."""
    facts = {read.kind: proof.facts(read.kind) for read in reads(rule)}
    if all(facts[item.kind] for item in rule.wanted):
        vocabulary = proof.program.vocabulary
        for way in ways(vocabulary, replace(rule, unless=()), facts):
            held = [item for item in rule.unless if _holds(vocabulary, item, facts, way.values)]
            if len(held) == 1:
                yield f"{rule.id}, but for unless {held[0].kind}"
        yield from _but_for_a_test(rule, vocabulary, facts)


def _but_for_a_test(rule: Rule, vocabulary: Vocabulary, facts: Facts) -> Iterator[str]:
    for item in reversed(rule.wanted):
        rest = _without(rule, item)
        for way in () if rest is None else ways(vocabulary, rest, facts):
            failed = _one_test_failed(item, vocabulary, facts, way.values)
            if failed and not any(_holds(vocabulary, other, facts, way.values) for other in rule.unless):
                yield f"{rule.id}, but for {item.kind} {failed}"


def _without(rule: Rule, item: Condition) -> Rule | None:
    """A rule without one condition and its exceptions; None if a number is then compared with nothing."""
    rest = tuple(other for other in rule.when if other is not item)
    without = replace(rule, when=rest, unless=())
    asked = {name for one in without.tallies for name in one.number.term.variables}
    return without if asked <= bound(without).keys() else None


def _holds(vocabulary: Vocabulary, item: Condition, facts: Facts, values: Mapping[str, Value]) -> bool:
    return any(fits(vocabulary, item, fact, values) for fact in facts[item.kind])


def _one_test_failed(
    condition: Condition, vocabulary: Vocabulary, facts: Facts, values: Mapping[str, Value]
) -> str | None:
    """The test that a fact of the kind failed while it passed all others."""
    for fact in facts[condition.kind]:
        tests = (replace(condition, tests=(test,)) for test in condition.tests)
        failed = [one.tests[0] for one in tests if not fits(vocabulary, one, fact, values)]
        if len(failed) == 1:
            return str(failed[0])
    return None
