"""``revoke translate``: what is missing is added, what is done is kept and counted, and nothing that was written is lost."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from polib import POEntry
from test_drafting import revoke

from kb.drafting.translating import Translatable, bring_up, new_file
from kb.language.texts import read_po

LAW = """\
law: "64"
clauses:
  "64A1":
    says: {en: "One trick.", de: "Ein Stich."}
    encoded-as: director
    note: {en: "We say so.", de: "So ist es."}
"""


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    """Rules of a few words."""
    root = tmp_path / "rules"
    edition(root / "code", "clauses: []")
    (root / "vocabulary.yaml").write_text("languages: [en, de]\nkinds: {}\n", "utf-8")
    (root / "words.yaml").write_text("phrases: {reasons: {en: Reasons, de: Gründe}, sign: {en: ♠, de: ♠}}\n", "utf-8")
    return root


@pytest.fixture
def draft(rules: Path) -> Path:
    folder = rules.parent / "mine"
    edition(folder, "amends: code")
    (folder / "law-64.yaml").write_text(LAW, "utf-8")
    return folder


def edition(folder: Path, more: str) -> None:
    folder.mkdir(parents=True)
    title = f'{{en: "The {folder.name}", de: "Das {folder.name}"}}'
    text = f'edition: {folder.name}\ntitle: {title}\nauthority: a test\nin-force: "not yet"\n{more}\n'
    (folder / "edition.yaml").write_text(text, "utf-8")


def in_french(draft: Path, english: str, french: str) -> None:
    file = draft / "translations" / "fr.po"
    text, times = re.subn(
        rf'(msgid "{re.escape(english)}"\nmsgstr ).*',
        lambda found: f"{found[1]}{french}",
        file.read_text("utf-8"),
    )
    assert times == 1
    file.write_text(text, "utf-8")


def test_what_is_missing_is_added_what_is_done_is_kept_what_has_changed_is_told(rules: Path, draft: Path) -> None:
    asked = ("translate", "fr", draft, "--rules", rules)
    file = draft / "translations" / "fr.po"
    told = revoke(*asked)
    assert told.startswith("fr: 0 of 3 texts of mine itself, which stand first\nfr: 0 % – 0 of 5 texts\n")
    assert file.read_text("utf-8").index("mine/law-64.yaml") < file.read_text("utf-8").index("code/edition.yaml")
    asked_for = '#. 64A1 says\n#. Ein Stich.\n#: mine/law-64.yaml\nmsgid "One trick."\nmsgstr ""\n'
    assert asked_for in file.read_text("utf-8")

    in_french(draft, "One trick.", '"Une levée."')
    in_french(draft, "The mine", '"Le mien"')
    remark = "# or un pli?\n#. 64A1 says\n"
    file.write_text(file.read_text("utf-8").replace("#. 64A1 says\n", remark), "utf-8")
    mine = file.read_text("utf-8")
    assert "fr: 40 % – 2 of 5 texts\n" in revoke(*asked)
    assert file.read_text("utf-8") == mine, "remarks and all"

    (draft / "law-64.yaml").write_text(
        LAW.replace("One trick", "Two tricks").replace("Ein Stich", "Zwei Stiche"), "utf-8"
    )
    told = revoke(*asked)
    assert "1 that nothing says any more" in told and "fr: 20 % – 1 of 5 texts\n" in told
    now = file.read_text("utf-8")
    assert 'msgid "Two tricks."\nmsgstr ""\n' in now and '#~ msgstr "Une levée."\n' in now and "# or un pli?\n" in now

    (draft / "law-64.yaml").write_text(LAW, "utf-8")
    assert "fr: 40 % – 2 of 5 texts\n" in revoke(*asked)

    (draft / "law-64.yaml").unlink()
    assert "1 that nothing says any more" in revoke(*asked)
    assert '#~ msgid "One trick."\n#~ msgstr "Une levée."\n' in file.read_text("utf-8")
    (draft / "law-64.yaml").write_text(LAW, "utf-8")
    assert "fr: 40 % – 2 of 5 texts\n" in revoke(*asked)
    assert "#~" not in file.read_text("utf-8")


def test_a_fault_is_told_and_the_file_left_as_it_is(rules: Path, draft: Path) -> None:
    asked = ("translate", "fr", draft, "--rules", rules)
    revoke(*asked)
    in_french(draft, "One trick.", '"Une {levée}."')
    file = draft / "translations" / "fr.po"
    before = file.read_text("utf-8")
    told = revoke(*asked, code=2)
    assert f"{file}:" in told
    assert file.read_text("utf-8") == before


@pytest.mark.parametrize(
    ("language", "what"), [("de", "every text is given in de"), ("../x", "is the name of no language")]
)
def test_what_is_no_further_language_is_refused(draft: Path, language: str, what: str) -> None:
    assert what in revoke("translate", language, draft, code=2)
    assert not (draft / "translations").exists()


def test_what_lies_below_need_not_be_translated_again(rules: Path, draft: Path) -> None:
    below = rules / "translations" / "fr.po"
    assert "fr: 0 % – 0 of 2 texts\n" in revoke("translate", "fr", "--rules", rules)
    in_french(rules, "Reasons", "Motifs")
    assert "fr: 50 % – 1 of 2 texts\n" in revoke("translate", "fr", "code", "--rules", rules)
    assert "fr: 20 % – 1 of 5 texts\n" in revoke("translate", "fr", draft, "--rules", rules)
    text = (draft / "translations" / "fr.po").read_text("utf-8")
    assert 'msgid "Reasons"' not in text
    assert 'msgid "One trick."' in text
    assert 'msgid "The code"' in text
    assert "mine" not in below.read_text("utf-8")


SAID = st.tuples(st.sampled_from(["a", "b: c", "«{x}»", '"d"', "# e"]), st.sampled_from(["A", "B"]))
TEXTS = st.lists(
    st.builds(Translatable, st.sampled_from(["f.yaml", "g.yaml"]), st.sampled_from(["1", "2"]), SAID),
    unique_by=lambda one: one.said,
)


@pytest.mark.thorough
@given(st.lists(TEXTS, min_size=2, max_size=4), st.lists(st.sampled_from(["", "x", "'y'", "z #"]), min_size=5))
def test_nothing_that_somebody_wrote_is_lost(changes: list[list[Translatable]], written: list[str]) -> None:
    """However the texts change, and change again."""
    file = new_file("fr")
    bring_up(file, changes[0], [one.said for one in changes[0]])
    for entry, text in zip(file, written, strict=False):
        entry.msgstr = text
    before = Counter(entry.msgstr for entry in file if entry.msgstr)
    for texts in changes[1:]:
        bring_up(file, texts, [one.said for one in texts])
        assert len([entry for entry in file if not entry.obsolete]) == len(texts)
        again = read_po(str(file), "fr.po")
        assert [*map(_told, again)] == [*map(_told, file)]
        file = again
    assert Counter(entry.msgstr for entry in file if entry.msgstr) == before


def _told(entry: POEntry) -> tuple[object, ...]:
    said = entry.msgid, entry.msgctxt or "", entry.msgstr, bool(entry.obsolete)
    return said if entry.obsolete else (*said, entry.comment, entry.fuzzy)
