"""What is handed on is read back by parsers that know nothing of how it is written."""

from __future__ import annotations

import csv
import html
import re
from dataclasses import replace
from functools import cache
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.explain.words import Speaker, load_words
from kb.quiz.exercises import session
from kb.quiz.telling import QuizForm, Task, _text, anki, as_tasks, gift, quiz_file
from kb.ruling.laws import Law


@cache
def a_set(lang: str) -> tuple[list[Task], Speaker]:
    law = Law("duplicate-2017", engine="quick")
    speaker = Speaker(load_words(law.root, law.edition.vocabulary), law.edition.vocabulary, lang)
    return as_tasks(session(law, Random(4), 4, "middle"), speaker), speaker


def written(form: QuizForm, lang: str = "en") -> str:
    return quiz_file(form, *a_set(lang), "Laws", "revoke quiz laws")


SIGNS = "\\~=#{}:"


def gift_read(text: str) -> list[tuple[str, list[tuple[bool, str, str]]]]:
    """Question, and the choices with their feedback; a sign behind a backslash is put aside first, as Moodle does."""
    for nth, sign in enumerate(SIGNS):
        text = text.replace(f"\\{sign}", chr(0xE000 + nth))
    found = []
    for block in re.split(r"\n\s*\n", re.sub(r"(?m)^//.*$", "", text).strip()):
        matched = re.fullmatch(r"::([^:]*)::([^{]*)\{([^}]*)\}", block, re.S)
        assert matched is not None
        parts = re.findall(r"([=~])([^=~#]*)(?:#([^=~#]*))?", matched[3].split("####")[0])
        found.append((_bare(matched[2]), [(mark == "=", _bare(said), _bare(why)) for mark, said, why in parts]))
    return found


def _bare(text: str) -> str:
    for nth, sign in enumerate(SIGNS):
        text = text.replace(chr(0xE000 + nth), sign)
    return html.unescape(text).strip()


@pytest.mark.thorough
@pytest.mark.parametrize("lang", ["en", "de"])
def test_gift_is_read_back(lang: str) -> None:
    read, (told, _) = gift_read(written("gift", lang)), a_set(lang)
    assert len(read) == len(told)
    for (question, choices), one in zip(read, told, strict=True):
        assert question.startswith(f"[html]{one.story}")
        (right,) = [choice for choice in choices if choice[0]]
        assert right[1] == one.outcome and not right[2]
        assert len(choices) == len({said for _, said, _ in choices}) == 3, "fewer would not be a multiple choice"
        assert all(why for is_right, _, why in choices if not is_right)


@pytest.mark.parametrize("lang", ["en", "de"])
def test_gift_gives_the_reasons(lang: str) -> None:
    text = written("gift", lang)
    for one in a_set(lang)[0]:
        assert f"####{_text(one.why)}\n" in text


def test_what_tempts_stands_before_what_else_it_might_come_to() -> None:
    told, speaker = a_set("en")
    one = replace(told[0], rivals=(("tempting", "this is why"), ("less so", "and this")))
    ((_, listed),) = gift_read(gift([one], speaker, "Laws", "revoke quiz laws"))
    assert {said: why for right, said, why in listed if not right} == {"tempting": "this is why", "less so": "and this"}


@given(st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1))
def test_whatever_is_said_comes_through_gift(text: str) -> None:
    ((_, ((right, said, feedback),)),) = gift_read(f"::a::b {{\n={_text(text)}#{_text(text)}\n}}")
    assert right and said == feedback == text


@pytest.mark.thorough
@pytest.mark.parametrize("lang", ["en", "de"])
def test_anki_is_read_back(lang: str) -> None:
    lines = written("anki", lang).splitlines()
    head = dict(line[1:].split(":", 1) for line in lines if line.startswith("#"))
    assert head.keys() == {"separator", "html", "deck"}, "columns would name fields of a note type, and lose the answer"
    rows = list(csv.reader(lines[len(head) :], delimiter="\t", strict=True))
    told = a_set(lang)[0]
    assert len(rows) == len(told)
    for (question, answer), one in zip(rows, told, strict=True):
        assert html.unescape(question).startswith(one.story)
        assert html.unescape(answer.split("<br>")[1]) == one.why


@given(st.text(st.characters(exclude_categories=["C"]), min_size=1))
def test_whatever_is_said_comes_through_anki(text: str) -> None:
    told, speaker = a_set("en")
    line = anki([replace(told[0], story=text)], speaker, "Laws").splitlines()[3]
    ((question, _),) = csv.reader([line], delimiter="\t", strict=True)
    assert html.unescape(question).startswith(text)


@pytest.mark.thorough
@pytest.mark.parametrize("form", ["html", "slides"])
def test_pages_ask_before_they_answer(form: QuizForm) -> None:
    page, (told, speaker) = written(form), a_set("en")
    body = html.unescape(page.partition("</style>")[2]).replace("\u2060", "")
    assert "http" not in body and speaker.phrase("html-sign") not in body
    at = 0
    for one in told:
        at = body.index(one.story, at)
    answers = body.index('class="answers"')
    assert answers > at and all(one.why in body[answers:] for one in told)
    assert page.count("<details>") == (len(told) if form == "slides" else 0)
