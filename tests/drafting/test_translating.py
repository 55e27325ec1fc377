"""``revoke translate``: what is missing is added, what is done is kept and counted, and nothing that was written is lost."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_drafting import revoke

from kb.drafting.translating import TranslatedEntry, Translating, as_text, brought_up, read_translating
from kb.language.translatable import Translatable

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
    file = draft / "translations" / "fr.yaml"
    text, times = re.subn(
        rf'(      en: "{re.escape(english)}"\n      de: .*\n(?:      was: .*\n)?      fr: ).*',
        lambda found: f"{found[1]}{french}",
        file.read_text("utf-8"),
    )
    assert times == 1
    file.write_text(text, "utf-8")


def test_what_is_missing_is_added_what_is_done_is_kept_what_has_changed_is_told(rules: Path, draft: Path) -> None:
    asked = ("translate", "fr", draft, "--rules", rules)
    file = draft / "translations" / "fr.yaml"
    told = revoke(*asked)
    assert told.startswith("fr: 0 % – 0 of 5 texts\n")
    assert '    - at: "64A1 says"\n      en: "One trick."\n      de: "Ein Stich."\n      fr: ""\n' in file.read_text(
        "utf-8"
    )

    in_french(draft, "One trick.", "'Une levée.' # or un pli?\n    # What follows is doubtful.")
    in_french(draft, "The mine", "Le mien")
    mine = file.read_text("utf-8")
    assert "fr: 40 % – 2 of 5 texts\n" in revoke(*asked)
    assert file.read_text("utf-8") == mine, "in its own hand, remarks and all"

    (draft / "law-64.yaml").write_text(
        LAW.replace("One trick", "Two tricks").replace("Ein Stich", "Zwei Stiche"), "utf-8"
    )
    told = revoke(*asked)
    now = file.read_text("utf-8")
    assert '      en: "Two tricks."\n      de: "Zwei Stiche."\n      was: "One trick."\n      fr: "Une levée."\n' in now
    line = now[: now.rindex('- at: "64A1 says"')].count("\n") + 1
    assert (
        f"1 whose English has been changed: mend the translation, and take was: away\n  {file}:{line}: 64A1 says"
        in told
    )
    assert "fr: 20 % – 1 of 5 texts\n" in told

    (draft / "law-64.yaml").write_text(LAW, "utf-8")
    assert "fr: 40 % – 2 of 5 texts\n" in revoke(*asked)
    assert "was:" not in file.read_text("utf-8").partition("texts:")[2]

    (draft / "law-64.yaml").unlink()
    assert "1 that nothing says any more" in revoke(*asked)
    assert 'no-longer:\n  - at: "64A1 says"\n    en: "One trick."' in file.read_text("utf-8")
    (draft / "law-64.yaml").write_text(LAW, "utf-8")
    assert "fr: 40 % – 2 of 5 texts\n" in revoke(*asked)
    assert "no-longer" not in file.read_text("utf-8")


def test_a_fault_is_told_and_the_file_left_as_it_is(rules: Path, draft: Path) -> None:
    asked = ("translate", "fr", draft, "--rules", rules)
    revoke(*asked)
    in_french(draft, "One trick.", '"Une {levée}."')
    file = draft / "translations" / "fr.yaml"
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
    below = rules / "translations" / "fr.yaml"
    assert "fr: 0 % – 0 of 2 texts\n" in revoke("translate", "fr", "--rules", rules)
    in_french(rules, "Reasons", "Motifs")
    assert "fr: 50 % – 1 of 2 texts\n" in revoke("translate", "fr", "code", "--rules", rules)
    assert "fr: 20 % – 1 of 5 texts\n" in revoke("translate", "fr", draft, "--rules", rules)
    text = (draft / "translations" / "fr.yaml").read_text("utf-8")
    assert 'en: "Reasons"' not in text
    assert 'en: "One trick."' in text
    assert 'en: "The code"' in text
    assert "mine" not in below.read_text("utf-8")


SAID = st.tuples(st.sampled_from(["a", "b: c", "«{x}»", '"d"', "# e"]), st.sampled_from(["A", "B"]))
FILES = st.sampled_from(["f.yaml", "g.yaml"])
ENTRIES = st.builds(TranslatedEntry, FILES, st.sampled_from(["1", "2"]), SAID, st.sampled_from(["", "x", "'y'", "z #"]))
TEXTS = st.lists(st.builds(Translatable, FILES, st.sampled_from(["1", "2"]), SAID), unique_by=lambda one: one.said)


@pytest.mark.thorough
@given(st.lists(ENTRIES, unique_by=lambda one: one.said), TEXTS, TEXTS)
def test_nothing_that_somebody_wrote_is_lost(
    entries: list[TranslatedEntry], known: list[Translatable], later: list[Translatable]
) -> None:
    """However the texts change, and change again."""
    file = Translating("fr", ("en", "de"), tuple(entries))
    for texts in (known, later):
        file = brought_up(file, texts, [one.said for one in texts])
        assert {one.said for one in texts} == {entry.said for entry in file.texts}
        again = read_translating(as_text(file), "fr.yaml", "fr", ("en", "de"))
        assert sorted(map(_told, again.texts)) == sorted(map(_told, file.texts))
        assert [*map(_told, again.no_longer)] == [*map(_told, file.no_longer)]
        file = replace(again)
    kept = Counter(entry.text for entry in (*file.texts, *file.no_longer) if entry.text)
    assert kept == Counter(entry.text for entry in entries if entry.text)


def _told(entry: TranslatedEntry) -> tuple[object, ...]:
    return (entry.at, entry.said, entry.text, entry.was or "")
