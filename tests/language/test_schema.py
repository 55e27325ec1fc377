"""The JSON Schema accepts every file that is right and refuses what an editor should mark."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.json_schema import accepts

from facts.yaml_reader import read_yaml
from kb.language.edition import load_edition
from kb.language.folders import LAID_OVER, MUTANTS, TABLE, rules_root
from kb.schemas import all_schemas

TINY = Path(__file__).parent / "tiny"
CODE = load_edition(TINY, "code")
SCHEMAS: dict[str, Any] = {**all_schemas(CODE.vocabulary, CODE.table)}


def allowed(sort: str, text: str, of: dict[str, Any] = SCHEMAS) -> bool:
    return accepts(of[sort], read_yaml(text, "f").plain())


def sort_of(file: Path) -> str:
    if file.stem in ("edition", "vocabulary"):
        return file.stem
    return "election" if file.parent.name == "elections" else "law"


OF_THE_LAW = sorted(file for file in TINY.rglob("*.yaml") if file.name != TABLE)


@pytest.mark.parametrize("file", OF_THE_LAW, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_right_files_are_accepted(file: Path) -> None:
    assert allowed(sort_of(file), file.read_text())


def test_the_real_rules_are_accepted() -> None:
    root = rules_root()
    edition = load_edition(root, "duplicate-2017")
    real: dict[str, Any] = {**all_schemas(edition.vocabulary, edition.table)}
    files = [
        root / "vocabulary.yaml",
        *(file for file in root.glob("*/*.yaml") if file.name not in (MUTANTS, *LAID_OVER)),
    ]
    assert [file for file in files if not allowed(sort_of(file), file.read_text(), real)] == []


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("ordered: {trick", "orderd: {trick"),
        ("ordered: {trick: $t", "ordered: {trik: $t"),
        ("ordered: {trick: $t", "ordered: {trick: five"),
        ("- ordered: {trick: $t, hand: $h}", "- {ordered: {trick: $t, hand: $h}, won: {trick: $t}}"),
        ("bound: {trick: $t, hand: $h}", "bound: {hand: $h}"),
        ("hand: $h}\n        then", "hand: NS}\n        then"),
        ("encoded-as: rules", "encoded-as: rule"),
        (", de: Eins", ""),
    ],
)
def test_what_is_wrong_is_refused(right: str, wrong: str) -> None:
    text = (TINY / "code" / "law-1.yaml").read_text()
    assert right in text
    assert not allowed("law", text.replace(right, wrong))


def test_an_editor_finds_kinds_fields_and_words() -> None:
    definitions = SCHEMAS["law"]["$defs"]
    assert definitions["condition"]["properties"].keys() >= {"played", "won", "count", "total"}
    assert definitions["value-role"]["anyOf"][0]["enum"] == ["declarer", "defender"]
    assert definitions["fact-bound"]["required"] == ["trick", "hand"]
    assert len(json.dumps([SCHEMAS[sort] for sort in ("law", "edition", "election", "vocabulary")])) < 60_000
