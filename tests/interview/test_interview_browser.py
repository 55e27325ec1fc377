"""The exported interview on a telephone without network, by touch and by keys."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support import browser as chromium
from support.counsel import counsel_of, interviewed, voice_of
from support.drafts import universe

from kb.explain.text import headline
from kb.interview.page import interview_page
from kb.interview.session import Consultation
from kb.ruling.rule import rule

pytestmark = [
    pytest.mark.skipif(not chromium.AVAILABLE, reason="chromium and chromedriver are not installed"),
    pytest.mark.thorough,
]

EDITION = "duplicate-2017"
NARROW = 360
PLACE = (
    "const found = [...document.querySelectorAll(arguments[0])][arguments[1]]; found.scrollIntoView({block: 'center'});"
    "const box = found.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2, box.height];"
)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    counsel = counsel_of(EDITION)
    path = tmp_path_factory.mktemp("ask") / "ask.html"
    path.write_text(interview_page(counsel, voice_of(counsel)), "utf-8")
    return path


@pytest.fixture(scope="module")
def window(file: Path) -> Iterator[chromium.Browser]:
    with chromium.browser() as opened:
        opened.size(NARROW, 740, mobile=True)
        opened.cdp("Emulation.setTouchEmulationEnabled", enabled=True)
        opened.open(file)
        yield opened


def tap(window: chromium.Browser, css: str, number: int = 0) -> None:
    x, y, height = window.js(PLACE, css, number)
    assert height >= 44, "a finger hits it"
    window.cdp("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
    window.cdp("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])


def heading(window: chromium.Browser) -> str:
    return str(window.js("return document.querySelector('h2').textContent"))


def follow(window: chromium.Browser, given: tuple[tuple[str, str], ...]) -> Consultation:
    """Answers by touch, and the interview that it should be."""
    consultation = counsel_of(EDITION).adviser.begin()
    for _, answer in given:
        assert consultation.question is not None
        assert heading(window).endswith(consultation.question.asks["en"])
        assert window.js("return document.documentElement.scrollWidth") <= NARROW
        choices = consultation.choices
        tap(window, "button.answer", choices.index(answer) if answer in choices else len(choices))
        consultation = consultation.answer(answer)
    return consultation


def test_ten_situations_by_touch(window: chromium.Browser) -> None:
    counsel, space = counsel_of(EDITION), universe()
    for number in range(0, len(space), len(space) // 9 - 1):
        window.js("location.hash = ''; location.reload()")
        answers = space.answers(number)
        ended = follow(window, interviewed(counsel, answers).given)
        shown = window.js("return document.querySelector('main').innerText")
        ruling = rule(counsel.law, space.incident(number))
        assert headline(ruling, voice_of(counsel).of(ruling)) in shown
        assert window.js("return document.querySelector('main').dataset.outcome") == str(
            counsel.adviser.diagram.outcome[ended.state]
        )
        assert "What has been answered" in shown
        assert window.js("return document.documentElement.scrollWidth") <= NARROW
    assert window.log() == []


def test_back_restart_and_keys(window: chromium.Browser) -> None:
    window.js("location.hash = ''; location.reload()")
    first = heading(window)
    window.cdp("Input.dispatchKeyEvent", type="keyDown", key="2", text="2")
    second = heading(window)
    assert second.startswith("Question 2")
    tap(window, "button.answer", 0)
    tap(window, "button.back")
    assert heading(window) == second
    window.js("history.back()")
    assert heading(window).startswith("Question 3")
    tap(window, "button.restart")
    assert heading(window) == first
    assert window.log() == []


def test_not_to_know_anything(window: chromium.Browser) -> None:
    window.js("location.hash = ''; location.reload()")
    consultation = counsel_of(EDITION).adviser.begin()
    while consultation.question is not None:
        tap(window, "button.unknown")
        consultation = consultation.answer("unknown")
    shown = window.js("return document.querySelector('main').innerText")
    assert f"Not certain: {len(consultation.outcomes)} rulings remain possible." in shown
    assert "It might still depend on" in shown
    assert window.log() == []
