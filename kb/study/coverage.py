"""Coverage: clause by clause of an edition, which cases reach it, and which come close and do not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from kb.language.model import Clause, Condition, Edition, Rule
from kb.ruling.matching import Bindings, Matcher, passes
from kb.space.edition_run import EditionRun
from kb.space.observed import observed
from kb.space.universe import Universe
from kb.study.hearing import Hearing
from kb.study.mutants import written_test


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
    matchers = [Matcher(hearing.ruling.proof) for hearing in heard]
    pointed = [_pointed_to(hearing) | _only_stopping(hearing, edition) for hearing in heard]
    return tuple(
        replace(_reach(clause, edition, heard, pointed, matchers), situations=fires.get(clause.ref, 0).bit_count())
        for clause in edition.clauses.values()
        if clause.law
    )


def _reach(
    clause: Clause,
    edition: Edition,
    heard: Sequence[Hearing],
    named: Sequence[set[str]],
    matchers: Sequence[Matcher],
) -> Reach:
    cited: list[str] = []
    pointed: list[str] = []
    near: list[Near] = []
    for hearing, names, matcher in zip(heard, named, matchers, strict=True):
        case = hearing.case.id
        if clause.ref in hearing.ruling.cited:
            cited.append(case)
        elif clause.ref in names:
            pointed.append(case)
        elif clause.ref in hearing.expected.not_cited:
            near.append(Near(case, "not-cited"))
        else:
            near += [Near(case, why) for why in _first(_nearly(rule, matcher) for rule in clause.rules)]
    own = Path(clause.place.file).parent == Path(edition.place.file).parent
    return Reach(clause, own, _each(cited), _each(pointed), tuple(near))


def _each(cases: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(cases))


def _pointed_to(hearing: Hearing) -> set[str]:
    ruling = hearing.ruling
    return {law for section in ruling.sections.kinds for item in ruling.items(section) for law in item.law}


def _only_stopping(hearing: Hearing, edition: Edition) -> set[str]:
    """The clauses that concluded something which is only ever read under ``unless``: nothing can cite them."""
    read = {item.kind for rule in edition.rules for item in rule.when if isinstance(item, Condition)}
    stopping = {item.kind for rule in edition.rules for item in rule.unless} - read
    return {step.rule.clause for step in hearing.ruling.proof.steps if step.fact[0] in stopping}


def _first(found: Iterable[Iterator[str]]) -> list[str]:
    return [why for whys in found for why in whys][:1]


def _nearly(rule: Rule, matcher: Matcher) -> Iterator[str]:
    """What alone kept a rule from firing: one exception that held, or one test of one condition; one answer at most."""
    if any(isinstance(item, Condition) and not matcher.proof.facts(item.kind) for item in rule.when):
        return
    for solution in matcher.solutions(rule.when, {}):
        held = [item for item in rule.unless if matcher.holds(item, solution.bindings)]
        if len(held) == 1:
            yield f"{rule.id}, but for unless {held[0].kind}"
            return
    for item in reversed(rule.when):
        if isinstance(item, Condition):
            rest = [other for other in rule.when if other is not item]
            for solution in matcher.solutions(rest, {}):
                failed = _one_test_failed(item, matcher, solution.bindings)
                if failed and not any(matcher.holds(other, solution.bindings) for other in rule.unless):
                    yield f"{rule.id}, but for {item.kind} {failed}"
                    return


def _one_test_failed(condition: Condition, matcher: Matcher, bindings: Bindings) -> str | None:
    """The test that a fact of the kind failed while it passed all others."""
    index = matcher.kinds[condition.kind].index
    for fact in matcher.proof.facts(condition.kind):
        failed = [test for test in condition.tests if passes(test, fact[index[test.field]], bindings) is False]
        if len(failed) == 1:
            return written_test(failed[0])
    return None
