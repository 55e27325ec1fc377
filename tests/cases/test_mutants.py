"""The changes that are made to a rule."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.drafts import shipped
from support.ruling import law

from kb.cases.mutation import known_survivors, mutants_of
from kb.language.folders import MUTANTS, rules_root

EDITION = law().edition


def names(rule: str) -> list[str]:
    """What is changed in a rule, its id left out."""
    found = next(one for one in EDITION.rules if one.id == rule)
    return [mutant.name.removeprefix(rule).strip() for mutant in mutants_of(found, EDITION.vocabulary)]


def test_every_part_of_a_rule_is_changed_once_in_each_way() -> None:
    assert set(names("64B5.1")) >= {
        ": dropped",
        "when round-ended: dropped",
        "when round-ended at: dropped",
        "when round-ended at: < $b -> >= $b",
        "then too-late: dropped",
    }
    assert set(names("62C3.1")) >= {
        "when revoke: dropped",
        "unless put-right: dropped",
        "unless went-on side: dropped",
    }
    assert set(names("going-on.1")) >= {
        "when took-part trick: $t + 1 -> $t + 2",
        "when took-part how: [led, played, led-out-of-turn] -> [led, led-out-of-turn]",
    }
    assert set(names("64B6.1")) >= {
        "when stood trick: 12 -> 13",
        "when stood trick: 12 -> 11",
    }
    assert "then penalty-card degree: major -> minor" in names("62B1.1")
    assert "when won hand: not $p.hand -> $p.hand" in names("64A2.1")
    assert "when total automatic trick: < $t -> <= $t" in names("cap.2")


def test_what_changes_nothing_at_any_table_is_left_alone() -> None:
    assert "when round-ended at: < $b -> <= $b" not in names("64B5.1"), "no two happenings share a moment"
    assert "unless picked-up: dropped" in names("on-the-table.1")
    assert "unless picked-up hand: dropped" not in names("on-the-table.1"), "the card picked up is in one hand"
    assert "when liable trick: dropped" not in names("64C1.2"), "a play is to one trick"
    assert "then exempt trick: 12 -> 13" not in names("64B6.1"), "nobody wrote it"
    assert "when liable play: dropped" in names("64C1.2")


def test_each_mutant_has_a_name_of_its_own_and_a_place_in_the_rule() -> None:
    mutants = [mutant for rule in EDITION.rules for mutant in mutants_of(rule, EDITION.vocabulary)]
    assert len({mutant.name for mutant in mutants}) == len(mutants) > 1000
    assert all(mutant.place.file == mutant.rule.place.file for mutant in mutants)
    assert all(mutant.changed != mutant.rule for mutant in mutants)


def test_the_place_is_where_the_file_would_be_changed() -> None:
    rule = next(one for one in EDITION.rules if one.id == "64B6.1")
    for mutant in mutants_of(rule, EDITION.vocabulary):
        if literal := re.search(r": (\d+) -> \d+$", mutant.name):
            line = Path(mutant.place.file).read_text(encoding="utf-8").splitlines()[mutant.place.line - 1]
            assert line[mutant.place.column - 1 :].startswith(literal[1])


@pytest.mark.parametrize(
    "folder", [file.parent for file in sorted(rules_root().glob(f"*/{MUTANTS}"))], ids=lambda one: one.name
)
def test_what_is_explained_is_a_change_of_a_rule(folder: Path) -> None:
    """A rule put in before another gives that one a new number, and what is explained of it is found no more."""
    edition = shipped(folder.name)
    changes = {mutant.name for rule in edition.rules for mutant in mutants_of(rule, edition.vocabulary)}
    assert not known_survivors(folder).keys() - changes
