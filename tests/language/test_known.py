"""What Python relies on in the vocabulary is missed where it stands, and by the name it should have."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from facts.errors import Faults, RulesError
from facts.yaml_reader import read_yaml
from kb.language.checks.of_vocabulary import relied_on
from kb.language.edition import load_edition
from kb.language.folders import rules_root
from kb.language.model import Edition
from kb.language.relied_on import FINDINGS
from kb.language.vocabulary import read_vocabulary

SHIPPED = (rules_root() / "vocabulary.yaml").read_text("utf-8")


def line_of(text: str) -> int:
    return SHIPPED[: SHIPPED.index(text)].count("\n") + 1


def found(text: str) -> list[str]:
    vocabulary = read_vocabulary(read_yaml(text, "vocabulary.yaml"), Faults())
    return [str(fault) for fault in relied_on(Edition("law", {}, "", "", vocabulary, {}, {}))]


def test_the_shipped_vocabulary_has_all_of_it() -> None:
    assert found(SHIPPED) == []


FIRST = line_of("  hand:\n    fields")
NAMED = [
    (
        "  won:\n",
        "  winner:\n",
        f"{FIRST}:3: there is no kind won, which is observed; "
        "add won with fields: {trick: trick, hand: seat, side: side}",
    ),
    (
        "fields: {hand: seat, is: role}",
        "fields: {is: role, hand: seat}",
        f"{line_of('  role:' + chr(10))}:3: role is not as Python knows it; "
        "give it the fields {hand: seat, is: role}, in this order",
    ),
    (
        "section: transfer",
        "section: remarks",
        f"{FIRST}:3: no kind is of the part transfer of a ruling; give one ruling: {{section: transfer}}",
    ),
    (
        "  revoke:\n",
        "  renege:\n",
        f"{FIRST}:3: no kind revoke is of the part revokes of a ruling; give revoke ruling: {{section: revokes}}",
    ),
    (
        "[established, must-correct",
        "[stands, must-correct",
        f"{line_of('  status-word:')}:3: status-word lacks established, which Python knows by name; "
        "add established to status-word",
    ),
]


@pytest.mark.parametrize(("there", "instead", "fault"), NAMED)
def test_what_is_missing_or_otherwise_is_a_fault(there: str, instead: str, fault: str) -> None:
    assert SHIPPED.count(there) == 1
    assert found(SHIPPED.replace(there, instead)) == [f"vocabulary.yaml:{fault}"]


def test_a_vocabulary_that_knows_no_revokes_is_free() -> None:
    without = SHIPPED.replace("  revoke:\n", "  renege:\n").replace("section: revokes", "section: reneges")
    assert found(without) == []


@pytest.mark.thorough
def test_a_draft_cannot_break_it_unseen(tmp_path: Path) -> None:
    (tmp_path / "edition.yaml").write_text(
        'edition: draft\ntitle: {en: D, de: E}\nauthority: Me\nin-force: "2030"\namends: duplicate-2017\n'
    )
    (tmp_path / "vocabulary.yaml").write_text(
        "kinds:\n"
        "  transfer:\n"
        "    fields: {from: side, tricks: integer}\n"
        "    says: {en: x, de: x}\n"
        "    ruling: {section: transfer}\n"
    )
    with pytest.raises(RulesError) as refused:
        load_edition(rules_root(), tmp_path)
    assert [str(fault) for fault in refused.value.faults if "Python" in fault.what] == [
        f"{tmp_path}/vocabulary.yaml:2:3: transfer is not as Python knows it; "
        "give it the field to: side, as every kind of the part transfer"
    ]


@pytest.mark.parametrize("name", FINDINGS)
def test_a_finding_that_is_called_otherwise_is_missed(name: str, tmp_path: Path) -> None:
    root = tmp_path / "rules"
    shutil.copytree(rules_root(), root, ignore=shutil.ignore_patterns("cases"))
    for file in root.rglob("*.yaml"):
        said = file.read_text(encoding="utf-8")
        file.write_text(re.sub(rf"(?<![\w-]){name}(?![\w-])", f"renamed-{name}", said), encoding="utf-8")
    with pytest.raises(RulesError) as caught:
        load_edition(root, "duplicate-2017")
    missed = [
        fault
        for fault in caught.value.faults
        if fault.what == f"there is no finding {name}, which Python knows by name"
    ]
    assert [Path(fault.place.file).name for fault in missed] == ["table.yaml"]
