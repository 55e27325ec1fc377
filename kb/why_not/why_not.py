"""Why a clause applies, or why it does not: the situations nearest to this one in which it would, found exactly.

Every finding about a revoke is let free, and the rules on which the clause depends are run once on all situations that
there then are. What is told was found in the set in which the clause applies, and nothing in that set is nearer. Where
no finding can bring it about, it is told of each rule which conditions hold and which do not.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final, TypeAlias

from facts.errors import InputError
from kb.engine.proof import Proof
from kb.engine.sets import Bits, Sets
from kb.language.model import Clause
from kb.ruling.certain import Reason, reason_of
from kb.ruling.ruling import Ruling
from kb.space.around import Around, Elsewhere, NearestWay, blank, in_other_parts, nearest, on_other_tricks, ways
from kb.space.bits import first
from kb.space.completions import Completions
from kb.space.layout import Sayable
from kb.space.outcome import EditionRun
from kb.why_not.conditions import Unmet, unmet
from kb.why_not.depending import Depending

Found: TypeAlias = tuple[int, tuple[NearestWay, ...]]
"""How many things would have to be otherwise, and in which ways; none if nothing helps."""
TOLD: Final = 2
"""Ways that are told; the others are counted."""
TOGETHER: Final = (1, 2)
"""How many findings are otherwise together where there are too many situations for all of them."""
RESULT: Final = "table"
"""The kind of fact that tells the result."""


@dataclass(frozen=True, slots=True)
class WhyNot:
    """Why a clause applies or does not."""

    clause: Clause
    applies: bool
    steps: tuple[Reason, ...] = ()
    """If it applies, the steps of its rules."""
    least: int = 0
    """If there are ways: how many things would have to be otherwise; 0 where it depends on what is not known."""
    ways: tuple[NearestWay, ...] = ()
    """The nearest ways in which it would apply, at most TOLD."""
    more: int = 0
    """Ways as near as these, not told."""
    unmet: tuple[Unmet, ...] = ()
    """If there is no way: why each rule did not fire, those that lack least first."""


def why_not(ruling: Ruling, ref: str) -> WhyNot:
    """The answer for a clause; KeyError if the edition has none of that number."""
    clause = ruling.edition.clauses[ref]
    if steps := _steps(ruling, clause):
        return WhyNot(clause, True, steps)
    least, found = _ways(ruling, clause)
    missed = () if found else sorted((unmet(rule, ruling.proof) for rule in clause.rules), key=lambda one: one.lacking)
    return WhyNot(clause, False, (), least, found[:TOLD], len(found[TOLD:]), tuple(missed))


def _steps(ruling: Ruling, clause: Clause) -> tuple[Reason, ...]:
    """The steps of a clause that certainly applies, maybe not always by the same ones."""
    steps = _of_clause(ruling.proof, clause)
    if steps or ruling.opening.among & ~ruling.opening.run.clauses.get(clause.ref, 0):
        return steps
    one = ruling.opening.certain.alone(first(ruling.opening.among))
    return _of_clause(one, clause)


def _of_clause(proof: Proof, clause: Clause) -> tuple[Reason, ...]:
    return tuple(reason_of(proof, step) for step in proof.steps if step.rule.clause == clause.ref)


def _ways(ruling: Ruling, clause: Clause) -> Found:
    if not clause.rules:
        return 0, ()
    base, on = ruling.opening.completions, Depending.of(ruling.edition, clause)
    if not on.can_apply(ruling.opening.run.situations.facts):
        return 0, ()
    sayable, sets = on.sayable(base), Sets(ruling.edition.vocabulary, on.rules, ruling.opening.certain.law.sets)
    for attempt in _attempts(base, RESULT in on.kinds):
        whole = list(_laid(base, attempt, sayable, [None], on.beside))
        found = _nearest(ruling, clause, whole, sets)
        if len(whole) < len(attempt):  # too many situations: exact as far as it goes, and nothing further off is told
            some = (_laid(base, attempt, sayable, combinations(on.findings, many), on.beside) for many in TOGETHER)
            return next((near for few in some if (near := _nearest(ruling, clause, few, sets))[1]), (0, ()))
        if found[1]:
            return found
    return 0, ()


def _attempts(base: Completions, needs_result: bool) -> Iterator[list[Elsewhere]]:
    """What is tried, each only where nothing before it helps: the result is kept if it can be, and who revoked."""
    own = [blank(base, number) for number, _ in enumerate(base.incident.revokes)]
    yield _with_other_tricks(own)
    known = base.incident.tricks is not None and base.incident.play is None and not needs_result
    free = [Elsewhere(replace(one.incident, tricks=None), one.number, ("tricks",)) for one in own] if known else []
    yield _with_other_tricks(free)
    played = [replace(one, moved=()) for one in free]  # by another side, so with another result
    yield _with_other_tricks([other for one in played or own for other in in_other_parts(one, base.table.parts)])


def _with_other_tricks(some: Iterable[Elsewhere]) -> list[Elsewhere]:
    return [each for one in some for each in (one, *on_other_tricks(one))]


def _laid(
    base: Completions,
    attempt: Iterable[Elsewhere],
    sayable: Sayable,
    otherwise: Iterable[Collection[str] | None],
    beside: Collection[str],
) -> Iterator[Around]:
    """The situations around, where they are not too many: with few numbers of what only hangs together with the rest,
    or of everything, if that helps."""
    several = list(otherwise)
    for one in attempt:
        for names in several:
            for few in ((), beside, sayable.table.findings):
                with suppress(InputError):
                    yield Around(base, one, sayable, names, few)
                    break


def _nearest(ruling: Ruling, clause: Clause, arounds: Iterable[Around], sets: Sets) -> Found:
    """The nearest situations in which a clause applies, and the ways to them."""
    near_by: dict[int, list[tuple[Around, Bits, Bits]]] = {}
    for around in arounds:
        run = EditionRun(ruling.edition, around.situations, sets)
        found = run.clauses.get(clause.ref, 0)
        number, near = nearest(found, around.same.values())
        if near:
            near_by.setdefault(number + len(around.moved), []).append((around, found, near))
    least = min(near_by, default=0)
    found_ways = _each(way for some in near_by.get(least, ()) for way in ways(*some))
    return least, tuple(sorted(found_ways, key=_presumed))


def _each(found: Iterable[NearestWay]) -> Iterator[NearestWay]:
    """The ways, each once: what hinges only on what is not known may be found around every revoke."""
    told: list[object] = []
    for way in found:
        if (what := (way.changes, way.given, way.around.moved)) not in told:
            told.append(what)
            yield way


def _presumed(way: NearestWay) -> int:
    """How many things would be otherwise that nobody has stated: ways with few of them come first."""
    return sum(way.around.base.choices[key].how == "presumed" for key in way.changes)


def near_misses(ruling: Ruling) -> Mapping[str, NearestWay]:
    """The clauses that surely do not apply, and would if one thing found out were otherwise; a way for each."""
    law, base = ruling.opening.certain.law, ruling.opening.completions
    found: dict[str, NearestWay] = {}
    for number, name in sorted(base.choices, key=lambda key: base.choices[key].how == "presumed"):
        for around in _laid(base, [blank(base, number)], law.sayable, [[name]], ()):
            run = EditionRun(law.edition, around.situations, law.sets)
            for ref, bits in run.clauses.items() if around.same else ():
                changed, near = nearest(bits, around.same.values())
                if changed == 1 and ref not in found:
                    found[ref] = next(ways(around, bits, near))
    return found
