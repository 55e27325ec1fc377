"""Words in the cache: the same as read from the file, never out of date, and never trusted when touched."""

from __future__ import annotations

import hashlib
import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from support.ruling import ROOT

from facts.errors import RulesError
from kb.explain import words
from kb.explain.words import WORDS, Words, load_words, stored_words
from kb.language.edition import load_edition
from kb.language.model import Vocabulary
from kb.language.stored import stored_edition


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

    def load(root: Path, vocabulary: Vocabulary) -> Words:
        found.append(root)
        return load_words(root, vocabulary)

    monkeypatch.setattr(words, "load_words", load)
    return found


def stored_file(cache: Path) -> Path:
    (file,) = cache.iterdir()
    return file


def test_what_is_stored_is_what_was_read(root: Path, vocabulary: Vocabulary, read: list[Path]) -> None:
    first, again = (stored_words(root, vocabulary) for _ in range(2))
    assert read == [root]
    assert again == first == load_words(root, vocabulary)
    assert list(again.phrases) == list(first.phrases)
    assert again.phrase("one-trick", "de") == first.phrase("one-trick", "de")


def test_a_change_of_the_words_is_seen_at_once(root: Path, vocabulary: Vocabulary, read: list[Path]) -> None:
    stored_words(root, vocabulary)
    text = (root / WORDS).read_text("utf-8")
    said = stored_words(root, vocabulary).phrases["one-trick"]["en"]
    (root / WORDS).write_text(text.replace(f'en: "{said}"', 'en: "a single trick"'), "utf-8")
    assert stored_words(root, vocabulary).phrases["one-trick"]["en"] == "a single trick"
    assert len(read) == 2


def test_a_change_of_the_vocabulary_is_seen_at_once(root: Path, vocabulary: Vocabulary, read: list[Path]) -> None:
    stored_words(root, vocabulary)
    assert stored_words(root, replace(vocabulary, languages=("en",))).languages == ("en",)
    with pytest.raises(RulesError, match="made-up"):
        stored_words(root, replace(vocabulary, words={**vocabulary.words, "made-up": ("one",)}))
    assert len(read) == 3


def test_faults_are_told_every_time(root: Path, vocabulary: Vocabulary, cache: Path) -> None:
    (root / WORDS).write_text("names: {}\n")
    for _ in range(2):
        with pytest.raises(RulesError, match="names of seat"):
            stored_words(root, vocabulary)
    assert not cache.exists()


@pytest.mark.parametrize("body", [b"", b"[1]", b"[[],[]]", b'[["x"],[]]', b"{", b"\xff", b"[[],[[0,[9],[9],[9]]]]"])
def test_what_makes_no_sense_is_read_anew(
    root: Path, vocabulary: Vocabulary, cache: Path, read: list[Path], body: bytes
) -> None:
    wanted = stored_words(root, vocabulary)
    stored_file(cache).write_bytes(hashlib.sha256(body).hexdigest().encode() + b"\n" + body)
    assert stored_words(root, vocabulary) == wanted
    assert len(read) == 2


def test_what_was_touched_is_read_anew(root: Path, vocabulary: Vocabulary, cache: Path, read: list[Path]) -> None:
    wanted = stored_words(root, vocabulary)
    file = stored_file(cache)
    file.write_text(file.read_text().replace(wanted.phrases["one-trick"]["en"], "nothing at all"))
    assert stored_words(root, vocabulary) == wanted
    assert len(read) == 2


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="nothing is stored here")
def test_what_others_own_or_could_write_is_not_trusted(
    root: Path, vocabulary: Vocabulary, cache: Path, read: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    stored_words(root, vocabulary)
    assert stored_file(cache).stat().st_mode & 0o777 == 0o600
    stored_file(cache).chmod(0o622)
    stored_words(root, vocabulary)
    cache.chmod(0o777)
    stored_words(root, vocabulary)
    cache.chmod(0o700)
    mine = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: mine + 1)
    stored_words(root, vocabulary)
    assert len(read) == 4


def test_words_and_editions_do_not_get_in_each_others_way(cache: Path, read: list[Path]) -> None:
    for _ in range(2):
        edition = stored_edition(ROOT, "duplicate-2017")
        assert stored_words(ROOT, edition.vocabulary).languages == edition.vocabulary.languages
    assert read == [ROOT]
    assert len([*cache.iterdir()]) == 2
