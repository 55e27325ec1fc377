"""Whether the cases notice a changed law."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from support.faced_hands import CASE, HIDDEN, write_draft
from support.ruling import ROOT, law, laws
from typer.testing import CliRunner

from facts.errors import EngineError, InputError
from kb.audit.auditor import workers
from kb.cases.cases import Trial, hearings
from kb.cases.mutation import Bench, Mutant, Score, TriedMutant, known_survivors, loader_refuses, mutants_of, mutate
from kb.cli.main import app
from kb.language.model import Edition
from kb.ruling.laws import Law, Laws

SHIPPED = "duplicate-2017"
VAGUE = HIDDEN.replace('transfer: {NS: 1, EW: 0}\n    not-cited: ["64B3"]', "open: []")
"""The hidden card, of which little is expected."""


@cache
def bench(edition: str = SHIPPED) -> Bench:
    """Its cases; no situations."""
    return Bench(law(edition), [one for one in hearings(laws("quick"), edition) if not one.ruling.edition.elections])


def mutants(edition: str = SHIPPED) -> dict[str, tuple[int, Mutant]]:
    """Every mutant by its name, with the number of its rule."""
    code = law(edition).edition
    found = [(number, mutant) for number, one in enumerate(code.rules) for mutant in mutants_of(one, code.vocabulary)]
    return {mutant.name: (number, mutant) for number, mutant in found}


def some(edition: str, step: int) -> list[tuple[int, Mutant]]:
    """Every so manieth that the loader would not refuse."""
    return [pair for pair in [*mutants(edition).values()][7::step] if not loader_refuses(pair[1], law(edition).edition)]


def changed_law(edition: Edition, mutant: Mutant) -> Law:
    """The changed edition as a whole."""
    clause = edition.clauses[mutant.rule.clause]
    rules = tuple(mutant.changed if one is mutant.rule else one for one in clause.rules)
    changed = replace(clause, rules=tuple(one for one in rules if one is not None))
    return Law(replace(edition, clauses={**edition.clauses, clause.ref: changed}), engine="quick")


class Always(Laws):
    """One law, whatever is asked for."""

    def __init__(self, law: Law) -> None:
        super().__init__(ROOT)
        self._only = law

    def of(self, *_: object) -> Law:
        return self._only


def noticed_by_the_whole_law(of: Bench, mutant: Mutant) -> bool:
    """The slow way: every case is tried under it."""
    code = changed_law(of.edition, mutant)
    trial = Trial(Always(code))
    heard = {
        id(one): one for one in (*(one.hearing for one in of.exhibits), *(hearing for hearing, _ in of.open))
    }.values()
    try:
        return any(one.differences for one in trial.run(replace(h.case, expect=(h.expected,)) for h in heard))
    except EngineError:
        return True


@pytest.mark.thorough
@pytest.mark.parametrize("edition", ["auction-1912", pytest.param(SHIPPED, marks=pytest.mark.thorough)])
def test_only_what_changes_is_ruled_on_again_and_nothing_is_lost(edition: str) -> None:
    of = bench(edition)
    for _, mutant in some(edition, 101):
        quick = of.tried(mutant)
        assert (quick.noticed_by is not None) == noticed_by_the_whole_law(of, mutant), mutant.name


@pytest.mark.thorough
def test_known_survivors_survive() -> None:
    known, named = known_survivors(ROOT / SHIPPED), mutants()
    assert known.keys() <= named.keys()
    assert all(len(why) > 20 for why, _ in known.values())
    for _, mutant in map(named.__getitem__, known):
        assert bench().tried(mutant).noticed_by is None, mutant.name


@pytest.mark.thorough
def test_a_law_that_feeds_itself_is_run_to_the_end() -> None:
    """A prohibition that goes on from trick to trick."""
    _, whole = mutants()["50D2a.3: dropped"]
    assert bench().tried(whole).noticed_by is not None


def test_what_the_loader_refuses_is_no_mutant() -> None:
    assert loader_refuses(mutants()["64B5.1 when discovered: dropped"][1], law().edition)
    assert loader_refuses(mutants()["62B1.1 when role is: defender -> declarer"][1], law().edition) is False


def tried(folder: Path, number: int = 1) -> dict[str, TriedMutant]:
    with workers(number) as on:
        return {one.name: one for rule_ in mutate(ROOT, folder, on) for one in rule_}


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The draft with both cases."""
    return write_draft(tmp_path_factory.mktemp("guarded") / "d", CASE, HIDDEN)


@pytest.fixture(scope="module")
def found(guarded: Path) -> dict[str, TriedMutant]:
    """Its mutants."""
    return tried(guarded)


@pytest.mark.thorough
def test_only_the_rules_of_the_draft_are_changed(found: dict[str, TriedMutant]) -> None:
    assert {name.split()[0].rstrip(":") for name in found} == {"64B3.1"}
    assert found["64B3.1: dropped"].noticed_by == "open-card"
    assert found["64B3.1 when required-faced: dropped"].noticed_by == "hidden-card"
    place = found["64B3.1 when required-faced hand: dropped"].place
    assert (Path(place.file).name, place.line) == ("law-64.yaml", 9)


@pytest.mark.thorough
def test_several_processes_find_the_same(guarded: Path, found: dict[str, TriedMutant]) -> None:
    assert tried(guarded, 2) == found


def test_a_case_that_does_not_hold_stops_it(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="let revoke test pass first"):
        tried(write_draft(tmp_path / "d", CASE.replace("NS: 0", "NS: 1")))


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["test", *arguments, "--mutate"])
    return result.exit_code, result.output


@pytest.mark.thorough
def test_the_command_tells_survivors_and_where(tmp_path: Path) -> None:
    folder = write_draft(tmp_path / "d", CASE, VAGUE)
    code, output = run(str(folder))
    survivors = [line.split(": ", 1)[1] for line in output.splitlines() if "law-64.yaml:" in line]
    assert code == 1
    assert "64B3.1 when required-faced hand: dropped" in survivors
    assert f"{folder}/law-64.yaml:9:" in output
    assert "it changes the ruling on case hidden-card, which does not say so" in output
    (folder / "cases" / "1.yaml").unlink()
    listed = "".join(f'\n    - "{name}"' for name in [*survivors, "64B3.1: dropped", "64B9.9: dropped"])
    (folder / "mutants.yaml").write_text(f"- why: made for a test\n  mutants:{listed}\n", encoding="utf-8")
    code, output = run(str(folder))
    assert code == 1
    assert "0 are not explained" in output
    assert "mutants.yaml:8:7: 64B3.1: dropped: case open-card notices it; take it from the list" in output
    assert "64B9.9: dropped: there is no such mutant" in output


def test_a_score_needs_both_numbers_and_reasons() -> None:
    place = law().edition.place
    dead, alive = TriedMutant("a", place, "case"), TriedMutant("b", place, None)
    assert Score((dead,) * 19 + (alive,), {"b": ("why", place)}).enough
    assert not Score((dead,) * 19 + (alive,), {}).enough
    assert not Score((dead,) * 18 + (alive,), {"b": ("why", place)}).enough
    assert not Score((dead,) * 20, {"a": ("why", place)}).enough


def test_a_score_tells_who_is_not_noticed() -> None:
    place = law().edition.place
    tries = [TriedMutant("a", place, "case"), TriedMutant("b", place, None), TriedMutant("c", place, None, "case")]
    score = Score(tuple(tries), {})
    assert (score.killed, score.unexplained) == (1, tuple(tries[1:]))
