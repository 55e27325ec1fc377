"""Editions run on all situations at once conclude in each what the quick engine concludes in it alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import cast

import pytest
from support.drafts import each_alone, facts_alone, run_of, sample, shipped, told, universe

from kb.compare.compare import with_clauses
from kb.engine.sets import Sets
from kb.language.model import Edition
from kb.ruling.laws import Law
from kb.space.outcomes import EditionRun
from kb.space.universe import Universe, observed

EDITIONS = ("duplicate-2017", "duplicate-2007", "duplicate-1997", "auction-1912", "duplicate-2007+dbv-2007")


def assert_concluded(of: Universe, run: EditionRun, numbers: list[int]) -> None:
    """What is true, facts given among it, what was concluded by which rule, and the clauses that had a part in it."""
    engine, rules = Law(run.edition, engine="quick").engine, run.edition.rules
    true = told((one for held in run.run.facts.values() for one in held.items()), numbers)
    fired = told((((fact, rule), bits) for rule, held in run.run.fired.items() for fact, bits in held.items()), numbers)
    concluded, clauses = told(run.concluded.items(), numbers), told(run.clauses.items(), numbers)
    for number in numbers:
        proof = engine.run(facts_alone(of, number))
        assert fired[number] == {(fact, rule) for fact, rule, _ in proof.firings}, of.answers(number)
        assert concluded[number] == {fact for fact, _ in fired[number]}
        assert true[number] == concluded[number] | proof.ground
        assert clauses[number] == {rules[rule].clause for _, rule in fired[number]}


@pytest.mark.thorough
@pytest.mark.parametrize("code", EDITIONS)
def test_every_fact_and_every_firing(code: str) -> None:
    assert_concluded(universe(), run_of(code), sample(universe(), 150))


@pytest.mark.thorough
@pytest.mark.parametrize(
    "code", [EDITIONS[0], *(pytest.param(one, marks=pytest.mark.thorough) for one in EDITIONS[1:])]
)
def test_in_the_wider_universe_too(code: str) -> None:
    for _, part in [*universe(wider=True).parts()][::3]:
        assert_concluded(part, EditionRun(shipped(code), observed(part)), sample(part, 25))


def test_on_other_situations() -> None:
    """Some of them alone come to the same as among all."""
    numbers, run = sample(universe(), 60), run_of("duplicate-2017")
    each = each_alone([facts_alone(universe(), number) for number in numbers])
    alone = EditionRun(run.edition, each, run.sets)
    among_all = told(run.ruled.items(), numbers)
    assert list(told(alone.ruled.items(), range(len(numbers))).values()) == [among_all[number] for number in numbers]


def amendments(edition: Edition, other: Edition) -> Iterator[Edition]:
    """With clauses of the other in the place of its own, and with fewer clauses."""
    for refs in ({"64B3"}, {"63A3", "64B2", "64B7"}, {"62A", "62C3", "correction"}):
        yield with_clauses(edition, other, refs)
    for left_out in (*[*run_of(edition.id).clauses][::9], "end-of-play", "misplaced-card"):
        yield replace(edition, clauses={ref: one for ref, one in edition.clauses.items() if ref != left_out})


@pytest.mark.thorough
def test_an_amended_edition_takes_over_what_stays_the_same() -> None:
    """It comes to what it would if it were run from the beginning, rules in a circle included."""
    run = run_of("duplicate-2017")
    assert any(step.circle for step in cast(Sets, run.sets).steps)
    for edition in amendments(run.edition, shipped("duplicate-2007")):
        amended = EditionRun(run.edition, run.situations, Sets(edition.vocabulary, edition.rules, run.sets), run.run)
        fresh = EditionRun(edition, run.situations)
        assert amended.run.facts == fresh.run.facts
        assert amended.run.fired == fresh.run.fired != run.run.fired
        taken_over = {id(held) for held in run.run.fired.values()}
        assert any(id(held) in taken_over for held in amended.run.fired.values())
