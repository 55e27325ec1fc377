"""The words hold what the program looks up, all of it and nothing else; what is missing is a fault with its place."""

from __future__ import annotations

import re
import shutil
from collections.abc import Collection
from pathlib import Path
from typing import Final, get_args

import pytest
from support.house import HERE
from support.lookups import certain, kinds, used
from support.ruling import ROOT

from facts.cards import RANKS, SEATS, SUITS, Denomination, Side
from facts.contract import Doubled, Vulnerable
from facts.equity import WhyNotComputed
from facts.errors import Fault, Place, RulesError
from facts.play import Oddity
from kb.explain.words import WORDS, Words, load_words
from kb.language.edition import load_edition
from kb.language.folders import edition_ids
from kb.language.model import Encoding
from kb.language.vocabulary import BASE_TYPES, Vocabulary
from kb.voices import Voice

DECLARED: Final[dict[str, Collection[str]]] = {
    "seat": SEATS,
    "side": get_args(Side),
    "suit": SUITS,
    "one-card": SUITS,
    "symbol": get_args(Denomination),
    "strain": get_args(Denomination),
    "strain-of-one": get_args(Denomination),
    "doubled": get_args(Doubled)[1:],
    "rank": [rank for rank in RANKS if not rank.isdigit()],
    "encoding": get_args(Encoding),
    "vulnerable": get_args(Vulnerable),
    "oddity": {*Oddity} - {Oddity.BID_NOT_HIGHER, Oddity.CALL_OUT_OF_TURN},
    "slip-kind": {*Oddity} - {Oddity.LEAD_FROM_WRONG_HAND},
    "not-computed": tuple(WhyNotComputed),
    "month": [str(number) for number in range(1, 13)],
    "in-words": [str(number) for number in range(13)],
    "voice": tuple(Voice),
}
"""Names whose values the program declares."""
MEND: Final = "{en: …, de: …}"


@pytest.fixture(scope="module")
def vocabularies() -> list[Vocabulary]:
    """Of every shipped edition."""
    return [load_edition(ROOT, name).vocabulary for name in edition_ids(ROOT)]


@pytest.fixture(scope="module")
def vocabulary(vocabularies: list[Vocabulary]) -> Vocabulary:
    return vocabularies[edition_ids(ROOT).index("duplicate-2017")]


@pytest.fixture(scope="module")
def words(vocabulary: Vocabulary) -> Words:
    return load_words(ROOT, vocabulary)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Words that may be changed."""
    return Path(shutil.copy(ROOT / WORDS, tmp_path))


def without(file: Path, *lines: str) -> None:
    """Takes out each line that begins so, and what belongs under it."""
    for line in lines:
        start = re.escape(line)
        indent = " " * (len(line) - len(line.lstrip()))
        new, found = re.subn(rf"^{start}:.*\n(?:{indent} +.*\n|\n)*", "", file.read_text("utf-8"), flags=re.MULTILINE)
        assert found == 1, line
        file.write_text(new, "utf-8")


def faults(file: Path, vocabulary: Vocabulary) -> list[Fault]:
    with pytest.raises(RulesError) as caught:
        load_words(file.parent, vocabulary)
    return list(caught.value.faults)


def at(file: Path, line: str) -> Place:
    """Where a name stands, by its line."""
    lines = file.read_text("utf-8").split("\n")
    (number,) = (number for number, one in enumerate(lines, 1) if one.startswith(f"{line}:"))
    return Place(str(file), number, len(line) - len(line.lstrip()) + 1, len(line.lstrip()))


@pytest.mark.thorough
def test_the_program_looks_up_no_other_phrase(words: Words) -> None:
    assert certain() - set(words.phrases) == set(), "add them to rules/words.yaml"


@pytest.mark.thorough
def test_the_program_looks_up_every_phrase(words: Words) -> None:
    unused = [key for key in words.phrases if not used(key)]
    assert unused == [], "take them out of rules/words.yaml"


@pytest.mark.thorough
def test_names_are_of_types_that_the_program_says(words: Words, vocabularies: list[Vocabulary]) -> None:
    of_vocabularies = {kind: {*values} for one in vocabularies for kind, values in one.words.items()}
    assert kinds() - set(words.names) - set(of_vocabularies) <= set(BASE_TYPES)
    assert set(words.names) <= kinds() | set(of_vocabularies) | set(DECLARED)


@pytest.mark.thorough
def test_names_of_fields_are_for_fields_there_are(words: Words, vocabularies: list[Vocabulary]) -> None:
    fields = {field.name for one in vocabularies for kind in one.kinds.values() for field in kind.fields}
    assert set(words.names["field"]) <= fields
    assert set(words.names["any"]) <= fields | {"seat", "side", "suit", "card", "integer"}


@pytest.mark.parametrize("kind", DECLARED)
def test_names_are_for_the_values_there_are(kind: str, words: Words) -> None:
    assert sorted(words.names[kind]) == sorted(DECLARED[kind])


def test_a_phrase_that_is_missing_is_a_fault(file: Path, vocabulary: Vocabulary) -> None:
    without(file, "  receipt", "  desk-skip")
    assert faults(file, vocabulary) == [
        Fault(at(file, "phrases"), f"the phrase {key} is missing", f"add {key}: {MEND}")
        for key in ("desk-skip", "receipt")
    ]


def test_a_name_that_is_missing_is_a_fault(file: Path, vocabulary: Vocabulary) -> None:
    without(file, "    lead-from-wrong-hand", "    replay")
    assert faults(file, vocabulary) == [
        Fault(at(file, f"  {kind}"), f"among the names of {kind}, {value} is missing", f"add {value}: {MEND}")
        for kind, value in (("measure", "replay"), ("oddity", "lead-from-wrong-hand"))
    ]


def test_whatever_is_missing_is_told_at_once(file: Path, vocabulary: Vocabulary, words: Words) -> None:
    file.write_text("names: {}\n")
    missing = {f"the phrase {key} is missing" for key in words.phrases}
    missing |= {f"among the names of {kind}, {one} is missing" for kind in words.names for one in words.names[kind]}
    missing |= {
        f"among the names of {kind}, {one} is missing" for kind, some in vocabulary.words.items() for one in some
    }
    missing -= {
        f"among the names of {kind}, {one} is missing" for kind, some in vocabulary.names.items() for one in some
    }
    assert {fault.what for fault in faults(file, vocabulary)} == missing


def test_a_phrase_without_a_language_is_not_called_missing(file: Path, vocabulary: Vocabulary) -> None:
    file.write_text(re.sub("(  receipt: .*), de: .*}", r"\1}", file.read_text("utf-8")), "utf-8")
    assert [fault.what for fault in faults(file, vocabulary)] == ["the text in de is missing"]


def test_what_cannot_stand_there_is_a_fault(file: Path, vocabulary: Vocabulary) -> None:
    file.write_text(
        re.sub("  receipt: .*", "  receipt: {en: 5, de: x}", file.read_text("utf-8")) + "phrase: {}\n", "utf-8"
    )
    assert [fault.what for fault in faults(file, vocabulary)] == [
        "5 is not text",
        "'phrase' is no key here",
    ]


EVIL = {
    "{receipt.__class__.__mro__}": "a brace or a bracket belongs to no",
    "{receipt:>999999999999}": "a brace or a bracket belongs to no",
    "{receipt!r}": "a brace or a bracket belongs to no",
    "{bogus}": "nothing fills {bogus}",
    "{0}": "a brace or a bracket belongs to no",
}


@pytest.mark.parametrize("said", EVIL)
def test_words_are_filled_and_never_reckoned_out(said: str, tmp_path: Path) -> None:
    words = (ROOT / "words.yaml").read_text("utf-8")
    (line,) = re.findall(r"^  receipt: .*$", words, re.MULTILINE)
    (tmp_path / "words.yaml").write_text(words.replace(line, f'  receipt: {{en: "{said}", de: "{said}"}}'), "utf-8")
    with pytest.raises(RulesError, match=re.escape(EVIL[said])):
        load_words(tmp_path, load_edition(ROOT, "duplicate-2017").vocabulary)


def test_nothing_else_fills_words() -> None:
    """``str.format`` would let words look into the program."""
    files = [file for package in ("facts", "kb") for file in (HERE / package).rglob("*.py")]
    found = [file.name for file in files if re.search(r"\.format(_map)?\(", file.read_text("utf-8"))]
    assert found == []
