"""Where a clause comes from: whether its text was seen, what was decided about it, and who says what of it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from support.checking import check

from kb.language.edition import load_edition
from kb.language.model import Minute

TINY = Path(__file__).parent / "tiny"
SAID = "        source: recalled\n        notes: {says: {en: A doubt, de: Ein Zweifel}}\n"


def with_provenance(folder: Path, said: str) -> Path:
    root = Path(shutil.copytree(TINY, folder / "rules"))
    file = root / "code" / "law-2.yaml"
    assert SAID in file.read_text()
    file.write_text(file.read_text().replace(SAID, said))
    return root


def test_a_clause_says_where_it_comes_from(tmp_path: Path) -> None:
    root = with_provenance(
        tmp_path,
        """
        minutes: {date: "2001-11", by: A committee, says: {en: So it is, de: So ist es}}
        notes:
          - says: {en: A doubt, de: Ein Zweifel}
          - {by: An editor, date: "2020-02-01", says: {en: No doubt, de: Kein Zweifel}}
""",
    )
    assert check(root) == []
    clause = load_edition(root, "code").clauses["2B"]
    assert not clause.recalled
    assert clause.minutes == (Minute({"en": "So it is", "de": "So ist es"}, "A committee", "2001-11"),)
    assert [(one.signed, one.says["de"]) for one in clause.notes] == [
        ("", "Ein Zweifel"),
        ("An editor, 2020-02-01", "Kein Zweifel"),
    ]


@pytest.mark.parametrize(
    ("said", "fault"),
    [
        ("minutes: {by: A committee, says: {en: So, de: So}}", "date is missing; add date: with its value"),
        ('minutes: {date: "2001-31", by: A, says: {en: So, de: So}}', "2001-31 is no date: there is no month 31"),
        ('minutes: [{date: "2001", by: A, says: {en: So}}]', "the text in de is missing"),
        ("notes: {says: {en: So, de: So}, author: A}", "'author' is no key here"),
        ("note: {en: So, de: So}", "'note' is no key here; did you mean notes?"),
        ("source: heard", "'heard' cannot stand here"),
        ("source: {read: seen}", "a mapping cannot stand here"),
    ],
)
def test_faults(said: str, fault: str, tmp_path: Path) -> None:
    found = check(with_provenance(tmp_path, f"        {said}\n"))
    assert found and fault in str(found[0])
    assert found[0].place.line in (19, 20)


def test_a_text_of_a_minute_names_no_clause_that_there_is_not(tmp_path: Path) -> None:
    said = '        minutes: {date: "2001", by: A, says: {en: See Law 2Z, de: Siehe § 2Z}}\n'
    faults = check(with_provenance(tmp_path, said))
    assert {(fault.what, fault.place.line) for fault in faults if fault.what.startswith("code")} == {
        ("code has no clause 2Z", 19)
    }
