"""Whether the cases notice a changed law."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from support.faced_hands import CASE, HIDDEN, write_draft
from support.ruling import ROOT, law
from typer.testing import CliRunner

from facts.errors import EngineError, InputError
from kb.cli.test import app
from kb.explain.as_json import verdict
from kb.ruling.law import Law
from kb.ruling.rule import refuse_contradictions
from kb.study.cases import differences
from kb.study.known_mutants import known_survivors
from kb.study.mutants import Mutant, mutants_of
from kb.study.mutation import Bench, Downstream, Score, Tried, bench_of, mutate, refused

SHIPPED = "duplicate-2017"


@cache
def bench() -> Bench:
    return bench_of(ROOT, SHIPPED)


def all_mutants() -> list[tuple[int, Mutant]]:
    """Every mutant of the shipped edition with the number of its rule."""
    edition = bench().edition
    return [
        (n, mutant) for n, one in enumerate(bench().program.rules) for mutant in mutants_of(one, edition.vocabulary)
    ]


def noticed_by_the_whole_law(mutant: Mutant) -> bool:
    """The slow way: the changed edition as a whole rules on every case."""
    edition = bench().edition
    clause = edition.clauses[mutant.rule.clause]
    rules = tuple(mutant.changed if one is mutant.rule else one for one in clause.rules)
    changed = replace(clause, rules=tuple(one for one in rules if one is not None))
    code = Law(replace(edition, clauses={**edition.clauses, clause.ref: changed}), "python")
    for exhibit in bench().exhibits:
        try:
            heard = exhibit.hearing.ruling
            ruling = replace(heard, edition=code.edition, proof=code.engine.run(heard.proof.ground))
            refuse_contradictions(ruling)
        except (InputError, EngineError):
            return True
        if any(differences(exhibit.hearing.expected, verdict(ruling))):
            return True
    return False


SAMPLE = [pair for pair in all_mutants()[7::101] if not refused(pair[1], bench().edition)]


@pytest.mark.parametrize(("number", "mutant"), SAMPLE, ids=[mutant.name for _, mutant in SAMPLE])
def test_only_what_changes_is_ruled_on_again_and_nothing_is_lost(number: int, mutant: Mutant) -> None:
    quick = bench().noticed_by(mutant, Downstream(bench().program, number))
    assert (quick is not None) == noticed_by_the_whole_law(mutant)


def test_known_survivors_survive() -> None:
    known = known_survivors(ROOT / SHIPPED)
    by_name = {mutant.name: (number, mutant) for number, mutant in all_mutants()}
    assert known.keys() <= by_name.keys()
    for number, mutant in map(by_name.__getitem__, known):
        assert bench().noticed_by(mutant, Downstream(bench().program, number)) is None, mutant.name
    assert all(len(why) > 20 for why, _ in known.values())


def test_a_law_that_feeds_itself_is_run_to_the_end() -> None:
    """A prohibition that goes on from trick to trick."""
    number = next(n for n, one in enumerate(bench().program.rules) if one.id == "50D2a.3")
    assert Downstream(bench().program, number).feeds_itself
    whole = next(mutant for _, mutant in all_mutants() if mutant.name == "50D2a.3: dropped")
    assert bench().noticed_by(whole, Downstream(bench().program, number)) is not None


def test_what_the_loader_refuses_is_no_mutant() -> None:
    by_name = {mutant.name: mutant for _, mutant in all_mutants()}
    assert refused(by_name["64B5.1 when liable: dropped"], bench().edition)
    assert refused(by_name["62B1.1 when role is: defender -> declarer"], bench().edition) is False


def tried(folder: Path, workers: int = 1) -> dict[str, Tried]:
    return {one.name: one for rule_ in mutate(ROOT, folder, workers=workers) for one in rule_}


def test_only_the_rules_of_the_draft_are_changed(tmp_path: Path) -> None:
    found = tried(write_draft(tmp_path / "d", CASE, HIDDEN))
    assert {name.split()[0].rstrip(":") for name in found} == {"64B3.1"}
    assert found["64B3.1: dropped"].noticed_by == "open-card"
    assert found["64B3.1 when required-faced: dropped"].noticed_by == "hidden-card"
    place = found["64B3.1 when required-faced hand: dropped"].place
    assert (Path(place.file).name, place.line) == ("law-64.yaml", 9)


def test_a_case_that_is_missing_shows(tmp_path: Path) -> None:
    assert tried(write_draft(tmp_path / "d", CASE))["64B3.1 when required-faced: dropped"].noticed_by is None


def test_several_processes_find_the_same(tmp_path: Path) -> None:
    folder = write_draft(tmp_path / "d", CASE, HIDDEN)
    assert tried(folder, workers=2) == tried(folder)


def test_a_case_that_does_not_hold_stops_it(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="let revoke test pass first"):
        tried(write_draft(tmp_path / "d", CASE.replace("NS: 0", "NS: 1")))


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, [*arguments, "--mutate"])
    return result.exit_code, result.output


def test_the_command_tells_survivors_and_where(tmp_path: Path) -> None:
    folder = write_draft(tmp_path / "d", CASE, HIDDEN)
    code, output = run(str(folder))
    survivors = [line.split(": ", 1)[1] for line in output.splitlines() if line.startswith(str(folder))]
    assert code == 1
    assert "64B3.1 when required-faced hand: dropped" in survivors
    assert f"{folder}/law-64.yaml:9:" in output
    listed = "".join(f'\n    - "{name}"' for name in survivors)
    (folder / "mutants.yaml").write_text(f"- why: made for a test\n  mutants:{listed}\n", encoding="utf-8")
    assert "0 are not explained" in run(str(folder))[1]
    (folder / "mutants.yaml").write_text('- why: nothing\n  mutants: ["64B3.1: dropped", "64B9.9: dropped"]\n')
    code, output = run(str(folder))
    assert code == 1
    assert "mutants.yaml:2:13: 64B3.1: dropped: case open-card notices it; take it from the list" in output
    assert "64B9.9: dropped: there is no such mutant" in output


def test_a_score_needs_both_numbers_and_reasons() -> None:
    place = law().edition.place
    dead, alive = Tried("a", place, "case"), Tried("b", place, None)
    assert Score((dead,) * 19 + (alive,), {"b": ("why", place)}).enough
    assert not Score((dead,) * 19 + (alive,), {}).enough
    assert not Score((dead,) * 18 + (alive,), {"b": ("why", place)}).enough
    assert not Score((dead,) * 20, {"a": ("why", place)}).enough
