"""What is told can be read aloud: whole sentences, plurals that agree, none of a program's terms, nothing twice."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from support.cases import rulings, sample
from support.ruling import law
from support.told import VOICES, found, lines, pages

from kb.explain.page import Page
from kb.voices import Voice

pytestmark = pytest.mark.thorough

FAULTS = {
    "a word twice": re.compile(r"\b(?!sie\b|die\b|der\b|das\b|that\b|had\b)(\w+) \1\b", re.IGNORECASE),
    "two spaces": re.compile(r"  | [,.;:?]|\.\.(?!\.)"),
    "a wrong plural": re.compile(r"\b1 (tricks|revokes|later revokes|Stiche\b|weitere Revokes|points|Punkte)"),
    "a place not filled": re.compile(r"[{}\[\]]"),
    "a program's name": re.compile(r"\b(?!double-|Double-)[a-z]+-[a-z]+(-[a-z]+)*\.\d|\brevoke-\d|\b(none|not)-\w+\b"),
    "quotes in quotes": re.compile(r"[«»]|„[^“]*„|“[^”„]*“[^”„]*”"),
    "no card": re.compile(r"'s the card|'s a card|eine Karte von|\bthe card became|West's a\b"),
}
ENDS = re.compile(r"[.!?] [a-zäöü]\w*")
LEFT_SMALL = re.compile(r"\b(Nr|vs|bzw|z|B)\.")


def faults(page: Page, ids: frozenset[str]) -> Iterator[str]:
    """What is wrong in what is told."""
    told = [line for line in lines(page) if line]
    for line in told:
        yield from (f"{what}: {line}" for what, wrong in FAULTS.items() if wrong.search(line))
        if line[:1].islower() or ENDS.search(line):
            yield f"a small letter at the beginning: {line}"
        yield from (f"a rule's name: {line}" for word in re.findall(r"[\w-]+(?:\.\d+)?", line) if word in ids)
    for part in page.parts:
        for number, told_line in enumerate(part.lines):
            if told_line in part.lines[:number]:
                yield f"twice: {told_line.text}"


def names() -> frozenset[str]:
    """Names that only the rules know: of kinds with a hyphen, and of findings."""
    kinds = {name for name in law().edition.vocabulary.kinds if "-" in name}
    values = {value for listed in law().edition.vocabulary.words.values() for value in listed if "-" in value}
    return frozenset(kinds | values | {name for name in law().edition.table.findings if "-" in name})


@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize("voice", [one for one in VOICES if one != Voice.EDITOR])
def test_findings_with_something_not_known(lang: str, voice: Voice | None) -> None:
    wrong = {fault: name for name, page in pages(lang, voice, found()) for fault in faults(page, names())}
    assert not wrong


@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize("voice", [None, Voice.TABLE])
def test_some_cases(lang: str, voice: Voice | None) -> None:
    wrong = {fault: name for name, page in pages(lang, voice, tuple(sample(60))) for fault in faults(page, names())}
    assert not wrong


@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize("voice", [one for one in VOICES if one != Voice.EDITOR])
def test_every_case(lang: str, voice: Voice | None) -> None:
    """One in three unless REVOKE_ALL is set."""
    some = tuple(sample(len(rulings()) // 3))
    wrong = {fault: name for name, page in pages(lang, voice, some) for fault in faults(page, names())}
    assert not wrong
