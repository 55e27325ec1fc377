"""Each voice, in each language, over every case."""

from __future__ import annotations

import re
from functools import cache

import pytest
from support.cases import rulings, sample
from support.ruling import ROOT, law
from typer.testing import CliRunner

from kb.cli.main import app
from kb.explain.announcement import MOST_WORDS, Announcement
from kb.explain.as_text import page_of
from kb.explain.page import as_markdown, as_text
from kb.explain.words import Speaker, load_words
from kb.voices import Voice, told

SPOKEN = (None, Voice.TABLE, Voice.APPEAL)
EIGHT = 8
RECORD = ROOT.parent / "examples" / "full-record.yaml"


@cache
def voice_of(edition: str, lang: str) -> Speaker:
    vocabulary = law(edition).edition.vocabulary
    return Speaker(load_words(ROOT, vocabulary), vocabulary, lang)


@cache
def raw_words(edition: str) -> frozenset[str]:
    """Ids of rules, kinds and words of lists that no language uses: those with a hyphen or a full stop in them."""
    code = law(edition).edition
    words = (word for words in code.vocabulary.words.values() for word in words)
    names = {*code.vocabulary.kinds, *words, *(rule.id for rule in code.rules)}
    return frozenset(name for name in names if "-" in name or "." in name)


def unspoken(text: str, edition: str) -> list[str]:
    """What no sentence may hold."""
    raw = raw_words(edition).intersection(re.findall(r"[\w-]+(?:\.\d+)?", text))
    return [*re.findall(r"\{[^}]*\}|…|\bNone\b(?! –)|\$\w|\?\?", text), *raw]


@pytest.mark.thorough
@pytest.mark.parametrize("lang", ["en", "de"])
def test_every_sentence_is_whole(lang: str) -> None:
    for name, ruling in rulings():
        speaker = voice_of(ruling.edition.id, lang)
        for spoken in SPOKEN:
            text = as_text(told(ruling, speaker, spoken), speaker)
            assert not unspoken(text, ruling.edition.id), (name, spoken, text)


@pytest.mark.thorough
@pytest.mark.parametrize("lang", ["en", "de"])
def test_at_the_table_sixty_words_are_enough_and_none_is_said_twice(lang: str) -> None:
    for name, ruling in rulings():
        speaker = voice_of(ruling.edition.id, lang)
        lines = [line.text for line in told(ruling, speaker, Voice.TABLE).lead]
        assert lines, name
        assert len(lines) == len(set(lines)), (name, lines)
        assert len(lines) == 1 or len(" ".join(lines).split()) <= MOST_WORDS, (name, lines)


@pytest.mark.thorough
@pytest.mark.parametrize("lang", ["en", "de"])
def test_a_ruling_is_named_in_eight_words(lang: str) -> None:
    for name, ruling in rulings():
        speaker = voice_of(ruling.edition.id, lang)
        head = Announcement(ruling, speaker.of(ruling)).head
        assert head and not head.endswith("."), (name, head)
        assert not unspoken(head, ruling.edition.id), (name, head)
        either = head.startswith(("Either ", "Entweder "))  # no shorter way says that it may be either
        if ruling.edition.id == "duplicate-2017" and len(ruling.revokes) == 1 and not either:
            assert len(head.split()) <= EIGHT, (name, head)


@pytest.mark.thorough
def test_a_player_who_must_put_a_card_right_is_spoken_to() -> None:
    for name, ruling in rulings():
        speaker = voice_of(ruling.edition.id, "en").of(ruling)
        said = " ".join(line.text for line in told(ruling, speaker, Voice.TABLE).lead)
        for fact in ruling.proof.facts("must-correct"):
            seat = str(speaker.vocabulary.field(fact, "seat"))
            assert speaker.value(seat, "seat").lower() in said.lower() or ruling.role(seat) == "dummy", (name, said)


@pytest.mark.thorough
def test_every_law_of_the_ruling_is_in_the_appeal() -> None:
    for name, ruling in rulings():
        speaker = voice_of(ruling.edition.id, "en")
        parts = {part.title: part for part in told(ruling, speaker, Voice.APPEAL).parts}
        law_part = parts.get(speaker.phrase("appeal-law"))
        listed = [] if law_part is None else [line.text for line in law_part.lines]
        assert [text.split(":")[0].removeprefix("Law ") for text in listed] == list(ruling.cited), name


@pytest.mark.thorough
def test_findings_are_observed_facts_in_the_order_of_play() -> None:
    ruling = next(one for _, one in rulings() if one.incident.play is not None and one.revokes)
    found = ruling.findings
    assert found
    assert all(fact in ruling.proof.ground for fact in found)


def test_each_voice_is_called_something() -> None:
    called = voice_of("duplicate-2017", "en").words.names["voice"]
    assert list(called) == list(Voice), "give it a name in rules/words.yaml, under names: voice:"


@pytest.mark.thorough
@pytest.mark.parametrize("lang", ["en", "de"])
def test_teaching_is_whole_too(lang: str) -> None:
    for name, ruling in sample(4, seed=3):
        speaker = voice_of(ruling.edition.id, lang)
        taught = as_text(told(ruling, speaker, Voice.TEACHING), speaker)
        assert not unspoken(taught, ruling.edition.id), (name, taught)


@pytest.mark.thorough
def test_the_editor_sees_every_step_with_its_rule_and_place() -> None:
    for _, ruling in sample(20):
        speaker = voice_of(ruling.edition.id, "en")
        edited = as_text(told(ruling, speaker, Voice.EDITOR), speaker)
        for step in ruling.citations.support():
            assert f"{step.rule.id}  {step.rule.place}" in edited


@pytest.mark.thorough
def test_the_usual_text_keeps_its_order() -> None:
    speaker = voice_of("duplicate-2017", "en")
    order = [speaker.phrase(key) for key in ("now", "reasons", "director", "open", "presumed")]
    for _, ruling in rulings():
        titles = [part.title for part in page_of(ruling, speaker).parts if part.title in order]
        assert titles == sorted(titles, key=order.index)


@pytest.mark.thorough
def test_german_uses_the_words_of_the_german_laws() -> None:
    texts = []
    for _, ruling in rulings():
        speaker = voice_of(ruling.edition.id, "de")
        texts.append(as_text(told(ruling, speaker), speaker))
    everything = "\n".join(texts)
    for term in ("Revoke", "vollendet", "Hauptstrafkarte", "Alleinspieler", "Gegenspieler", "Stich"):
        assert term in everything
    for english in (" trick", "established", "penalty card", "declarer", "defender", " suit "):
        assert english not in everything, english


@pytest.mark.thorough
def test_markdown_says_what_the_text_says() -> None:
    for _, ruling in sample(20):
        speaker = voice_of(ruling.edition.id, "en")
        one = told(ruling, speaker, Voice.APPEAL)
        marked = re.sub(r"\\(.)", r"\1", as_markdown(one, speaker))
        for part in one.parts:
            assert f"### {part.title}\n" in marked
            for line in part.lines:
                assert line.text in marked


@pytest.mark.thorough
@pytest.mark.parametrize("lang", ["en", "de"])
def test_what_had_to_be_missing_is_said_in_whole_sentences(lang: str) -> None:
    for name, ruling in sample(40, seed=5):
        speaker = voice_of(ruling.edition.id, lang)
        for step in ruling.citations.support():
            for words in map(speaker.lacking, ruling.lacking(step)):
                assert not unspoken(words, ruling.edition.id), (name, step.rule.id, words)


@pytest.mark.parametrize("lang", ["en", "de"])
def test_a_teaching_page_asks_before_it_answers(lang: str) -> None:
    """Whatever gives the answer away is folded, and no revoke is marked."""
    asked, told = (
        CliRunner().invoke(app, ["rule", str(RECORD), "--voice", voice, "--format", "html", "--lang", lang]).output
        for voice in ("teaching", "appeal")
    )
    body = asked.partition("<body")[2]
    open_ = re.sub(r"(?s)<details>.*</details>", "", re.sub(r"(?s)<summary>.*?</summary>", "", body))
    for given_away in ("64A2", 'class="clause"'):
        assert given_away in body and given_away not in open_
    assert not re.search(r'class="[^"]*\bwrong\b', body) and re.search(r'class="[^"]*\bwrong\b', told)
