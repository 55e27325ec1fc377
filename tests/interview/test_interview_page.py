"""The exported page knows what the rules say: its tree leads every situation to its own ruling."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from support.counsel import ALIKE, ROOT, counsel_of, universe_of, voice_of

from kb.explain.text import headline
from kb.interview import page as interview
from kb.interview.page import _Data, interview_data, interview_page
from kb.interview.why_asked import Explaining, WhyAsked
from kb.language.folders import editions
from kb.ruling.rule import rule

pytestmark = pytest.mark.thorough

QUICK = "auction-1912"
BY_EDITION = [
    pytest.param(one, marks=[] if one == QUICK else [pytest.mark.thorough])
    for one in editions(ROOT)
    if one not in ALIKE
]


@pytest.mark.parametrize("edition", BY_EDITION)
def test_every_situation_ends_in_its_own_ruling(edition: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """On the tree alone; what its ends say is looked at below."""
    monkeypatch.setattr(_Data, "told", lambda *_: {})
    monkeypatch.setattr(Explaining, "why", lambda *_: WhyAsked((), ()))
    monkeypatch.setattr(Explaining, "certain", lambda *_: None)
    monkeypatch.setattr(interview, "_certain_lines", lambda *_: ())
    counsel, of = counsel_of(edition), universe_of(edition)
    told: list[tuple[int, int]] = []
    tree = interview_data(counsel, voice_of(counsel), lambda done, of: told.append((done, of)))["tree"]
    assert told[-1] == (len(tree), len(tree)), "progress comes to its end"
    questions = [
        {answer: str(number) for number, answer in enumerate(question.answers)}
        for question in counsel.adviser.questions
    ]
    outcomes = list(counsel.adviser.survey.run.acts.values())
    waiting = [(tree[0], of.everything)]
    while waiting:
        node, situations = waiting.pop()
        if "to" not in node:
            assert situations & outcomes[node["o"]] == situations
            continue
        for answer, those in of.given[node["q"]].items():
            if situations & those:
                assert answer is not None
                waiting.append((tree[node["to"][questions[node["q"]][answer]]], situations & those))


def test_the_ends_say_what_is_ruled() -> None:
    counsel, of = counsel_of(QUICK), universe_of(QUICK)
    speaker = voice_of(counsel, "de")
    data = interview_data(counsel, speaker)
    for number in range(0, len(of), 557):
        ruling = rule(counsel.law, of.incident(number))
        end = _end(data, counsel.adviser.questions, of.answers(number))
        said = headline(ruling, speaker.of(ruling)).replace(" in Stich 12", "")  # if nobody had to say so
        assert data["texts"][end["head"]].replace(" in Stich 12", "") == said


def _end(data: dict[str, Any], questions: Any, answers: dict[str, str]) -> dict[str, Any]:
    node: dict[str, Any] = data["tree"][0]
    while "to" in node:
        question = questions[node["q"]]
        node = data["tree"][node["to"][str(list(question.answers).index(answers[question.id]))]]
    return node


def test_one_file_that_asks_for_nothing_else() -> None:
    counsel = counsel_of("auction-1912")
    page = interview_page(counsel, voice_of(counsel))
    assert not re.search(r"(src|href)=(?!\"data:,\")", page)
    assert "fetch(" not in page and "import(" not in page and "@import" not in page and "url(" not in page
    assert json.loads(re.search(r'id="data">(.*?)</script>', page, re.S)[1])["tree"]  # type: ignore[index]
