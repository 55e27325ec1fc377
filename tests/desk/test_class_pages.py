"""The class on the desk: exercises with folded answers, told by the address."""

from __future__ import annotations

from html import unescape

import pytest
from support.desk_pages import Visitor


@pytest.mark.thorough
def test_the_address_tells_the_exercises_and_what_is_tapped_says_whether_it_is_right(visitor: Visitor) -> None:
    page = visitor.client.get("/class?level=easy&seed=5&lang=en")
    assert page.status_code == 200 and page.text == visitor.client.get("/class?level=easy&seed=5&lang=en").text
    said = unescape(page.text)
    assert said.count("What is the ruling?") == said.count('class="right"') == 6 and said.count('class="choice"') == 18
    assert "Wie lautet die Entscheidung?" in visitor.client.get("/class?level=easy&seed=5&lang=de").text


def test_an_unknown_law_is_refused_and_nonsense_is_the_usual(visitor: Visitor) -> None:
    refused = visitor.client.get("/class?about=99&lang=en")
    assert refused.status_code == 422 and "has no law 99" in refused.text
    assert visitor.client.get("/class?level=x&seed=z&lang=en").status_code == 200
