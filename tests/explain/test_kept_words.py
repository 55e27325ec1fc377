"""Words in the cache: the same as read from the file, and never out of date."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from support.ruling import ROOT

from facts.errors import RulesError
from kb.explain import say
from kb.explain.say import WORDS, Words, load_words
from kb.language.edition import load_edition
from kb.language.vocabulary import Vocabulary


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache directory of this test alone."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "revoke-kb"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Words that may be changed."""
    shutil.copy(ROOT / WORDS, tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return load_edition(ROOT, "duplicate-2017").vocabulary


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The folders whose words were read from the file."""
    found: list[Path] = []

    def noted(file: Path, vocabulary: Vocabulary) -> Words:
        found.append(file.parent)
        return really(file, vocabulary)

    really = say._read
    monkeypatch.setattr(say, "_read", noted)
    return found


def test_what_is_kept_is_what_was_read(root: Path, vocabulary: Vocabulary, read: list[Path]) -> None:
    first, again = (load_words(root, vocabulary) for _ in range(2))
    assert read == [root]
    assert again == first
    assert list(again.phrases) == list(first.phrases)
    assert again.phrase("no-revoke", "de") == first.phrase("no-revoke", "de")


def test_a_change_of_the_words_is_seen_at_once(root: Path, vocabulary: Vocabulary, read: list[Path]) -> None:
    load_words(root, vocabulary)
    text = (root / WORDS).read_text("utf-8")
    said = load_words(root, vocabulary).phrases["tricks"]["en"]
    (root / WORDS).write_text(text.replace(f'en: "{said}"', 'en: "a single trick"'), "utf-8")
    assert load_words(root, vocabulary).phrases["tricks"]["en"] == "a single trick"
    assert len(read) == 2


def test_a_change_of_the_vocabulary_is_seen_at_once(root: Path, vocabulary: Vocabulary, read: list[Path]) -> None:
    load_words(root, vocabulary)
    assert load_words(root, replace(vocabulary, languages=("de", "en"))).languages == ("de", "en")
    with pytest.raises(RulesError, match="made-up"):
        load_words(root, replace(vocabulary, words={**vocabulary.words, "made-up": ("one",)}))
    assert len(read) == 3


def test_faults_are_told_every_time(root: Path, vocabulary: Vocabulary, cache: Path) -> None:
    (root / WORDS).write_text("names: {}\n")
    for _ in range(2):
        with pytest.raises(RulesError, match="names of seat"):
            load_words(root, vocabulary)
    assert not cache.exists()


@pytest.mark.thorough
def test_words_and_editions_do_not_get_in_each_others_way(cache: Path, read: list[Path]) -> None:
    for _ in range(2):
        edition = load_edition(ROOT, "duplicate-2017")
        assert load_words(ROOT, edition.vocabulary).languages == edition.vocabulary.languages
    assert read == [ROOT]
    assert sorted(file.name.partition("-")[0] for file in cache.iterdir()) == ["edition", "words"]
