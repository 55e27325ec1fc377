"""Every case beside the rules holds, and every evaluator concludes the same on it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from support.drafts import each_alone
from support.ruling import ROOT, laws
from support.tables import shipped_table

from kb.cases.cases import Case, Expectation, Trial, read_cases, unmet_expectations
from kb.engine import EngineName
from kb.engine.proof import proof_faults
from kb.engine.sets import Sets
from kb.ruling.ruling import Ruling
from kb.ruling.verdict import verdict

ENGINES: tuple[EngineName, ...] = ("quick", "durable")
FILES = sorted(file for folder in ROOT.glob("*/cases") for file in folder.glob("*.yaml"))


@cache
def cases_in(folder: Path) -> tuple[Case, ...]:
    return tuple(read_cases(folder, shipped_table()))


def expectations(file: Path) -> Iterator[tuple[Case, Expectation]]:
    for case in cases_in(file.parent):
        if Path(case.place.file) == file:
            yield from ((case, expected) for expected in case.expect)


files = pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.parent.name}/{file.stem}")


@files
def test_cases(file: Path) -> None:
    asked = list(expectations(file))
    assert asked
    for case, expected in asked:
        found = Trial(laws()).hear(case, expected).ruling
        assert list(unmet_expectations(expected, verdict(found))) == [], f"{case.id} under {expected.edition}"


def test_an_expectation_that_is_not_met_is_told_with_what_was_ruled() -> None:
    """Entries of a ruling name laws, which know where they stand in the rules and are written without it."""
    case = next(
        one for one in cases_in(ROOT / "duplicate-2017" / "cases") if one.id == "trick-won-by-a-card-that-goes-back"
    )
    ruled = verdict(Trial(laws()).hear(case, case.expect[0]).ruling)
    nothing = replace(case.expect[0], open=(), rectifications=(), only=("open", "rectifications"))
    told = [*unmet_expectations(nothing, ruled)]
    assert any(one.startswith("open: ") and "law: [64A2, 64B1]" in one for one in told)
    assert any(one.startswith("rectifications: ") and "law: [62A]" in one for one in told)


@pytest.mark.thorough
@files
def test_every_evaluator_agrees_on_cases(file: Path) -> None:
    for case, expected in expectations(file):
        ruling, other = (Trial(laws(engine)).hear(case, expected).ruling for engine in ENGINES)
        assert ruling.proof == other.proof, case.id
        assert_every_evaluator_agrees(ruling, case.id)


def assert_every_evaluator_agrees(ruling: Ruling, name: str) -> None:
    """On one of the situations that the case leaves possible; the only one, if all is known."""
    edition = ruling.edition
    alone, other = (laws(engine).of(edition.id, edition.elections).engine.run(ruling.example) for engine in ENGINES)
    assert alone == other, name
    assert not [*proof_faults(alone)], name
    assert in_sets(ruling) == {fact for fact, _, _ in alone.firings}, name


@cache
def sets_of(edition: str, elections: tuple[str, ...]) -> Sets:
    code = laws().of(edition, elections).edition
    return Sets(code.vocabulary, code.rules)


def in_sets(ruling: Ruling) -> set[object]:
    """What the evaluator on sets concludes, of this one situation."""
    situations = each_alone([ruling.example])
    run = sets_of(ruling.edition.id, ruling.edition.elections).run(situations.facts, situations.everything)
    return {fact for held in run.fired.values() for fact in held}
