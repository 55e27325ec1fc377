"""Which safety net finds a mistake, planted where rules become something that runs.

The conformance files find every one of them, on each evaluator that has it. The pass over proofs finds every one of
them on cases of duplicate-2017. That the engines differ is seen only of the mistakes that one of them has to itself:
those of the planner they share, and agree.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest
from support.agree import EVALUATORS
from support.conformance import NAMES, Conformance, conformance
from support.planted import GENERATOR, NATIVE, PLANNER, SETS
from support.ruling import ROOT, law, laws

from facts.fact import Fact
from kb.cases.cases import read_cases
from kb.engine import EngineName, engine_for
from kb.engine.program import Program
from kb.engine.proof import Proof
from kb.engine.verify import verify
from kb.ruling.rule import rule

EVERY = 12
"""One in so many of the cases."""
PLACES = {"planner": PLANNER, "generator": GENERATOR, "native": NATIVE, "sets": SETS}
HAVE_IT = {"planner": ("python", "durable"), "generator": ("python",), "native": ("durable",), "sets": ("sets",)}
"""The evaluators that have the mistakes of each place."""
MISTAKES = [(place, mistake) for place, mistakes in PLACES.items() for mistake in mistakes]
ENGINES: tuple[EngineName, ...] = ("python", "durable")


@cache
def files() -> tuple[Conformance, ...]:
    return tuple(case for case in map(conformance, NAMES) if not case.fault)


def conforms(evaluator: str) -> bool:
    conclude = EVALUATORS[evaluator]
    return all(conclude(Program(case.vocabulary, case.rules), case.facts) == case.concludes for case in files())


@cache
def observed() -> tuple[tuple[Fact, ...], ...]:
    """The facts of some cases of duplicate-2017, each in one of the situations that it leaves possible."""
    cases = read_cases(ROOT / "duplicate-2017" / "cases")
    incidents = [case.under(case.expect[0]) for case in cases[::EVERY]]
    return tuple(tuple(rule(laws().for_incident(one), one).example) for one in incidents)


@pytest.fixture(autouse=True, scope="module")
def observed_rightly() -> None:
    """Before any mistake is planted, also in the law that later tests share."""
    law()
    observed()


def proofs(engine: EngineName) -> Iterator[Proof]:
    """By an engine made anew, so that it has the mistake."""
    return map(engine_for(engine, Program(law().edition.vocabulary, law().edition.rules)).run, observed())


def whole(engine: EngineName) -> bool:
    return not any(any(verify(proof)) for proof in proofs(engine))


@pytest.mark.thorough
@pytest.mark.parametrize("evaluator", EVALUATORS)
def test_where_there_is_no_mistake_none_is_found(evaluator):
    assert conforms(evaluator)
    assert evaluator not in ENGINES or whole(evaluator)


@pytest.mark.parametrize(("place", "mistake"), MISTAKES)
def test_conformance_finds_it(place, mistake, monkeypatch):
    PLACES[place][mistake](monkeypatch)
    assert not any(map(conforms, HAVE_IT[place]))


@pytest.mark.thorough
@pytest.mark.parametrize(("place", "mistake"), [one for one in MISTAKES if one[0] != "sets"])
def test_the_pass_over_proofs_finds_it(place, mistake, monkeypatch):
    PLACES[place][mistake](monkeypatch)
    assert not any(map(whole, HAVE_IT[place]))


@pytest.mark.thorough
@pytest.mark.parametrize("mistake", PLANNER)
def test_the_engines_agree_on_what_the_planner_has_wrong(mistake, monkeypatch):
    PLANNER[mistake](monkeypatch)
    assert all(map(Proof.__eq__, *map(proofs, ENGINES)))


@pytest.mark.thorough
@pytest.mark.parametrize(("place", "mistake"), [one for one in MISTAKES if one[0] in ("generator", "native")])
def test_the_engines_differ_on_what_only_one_has_wrong(place, mistake, monkeypatch):
    PLACES[place][mistake](monkeypatch)
    assert not all(map(Proof.__eq__, *map(proofs, ENGINES)))
