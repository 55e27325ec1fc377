"""Sentences and the places in them."""

from __future__ import annotations

import pytest

from kb.language.texts import fill, holes, stray_brace


@pytest.mark.parametrize(
    ("number", "said"), [("0", "0 tricks"), ("1", "1 trick"), ("2", "2 tricks"), ("N", "N tricks")]
)
def test_a_number_takes_its_word(number: str, said: str) -> None:
    assert fill("{n|trick|tricks} go to {s}", {"n": number, "s": "NS"}) == f"{said} go to NS"


def test_the_names_are_those_before_the_words() -> None:
    assert holes("{n|trick goes|tricks go} from {s} to {o}") == ["n", "s", "o"]


@pytest.mark.parametrize("text", ["{n|trick}", "{n|a|b|c}", "{n||tricks}", "{|trick|tricks}", "{n", "n}"])
def test_a_brace_that_is_no_place_is_noticed(text: str) -> None:
    assert stray_brace(text)


def test_a_place_with_words_leaves_no_brace() -> None:
    assert not stray_brace("{n|trick|tricks}")
