"""Sentences and the places in them."""

from __future__ import annotations

import pytest

from kb.language.texts import StandsFor, fill, holes, stray_brace, wrong_forms


@pytest.mark.parametrize(
    ("number", "said"), [("0", "0 tricks"), ("1", "1 trick"), ("2", "2 tricks"), ("N", "N tricks")]
)
def test_a_number_takes_its_word(number: str, said: str) -> None:
    assert fill("{n|trick|tricks} go to {s}", {"n": number, "s": "NS"}) == f"{said} go to NS"


@pytest.mark.parametrize(("number", "said"), [("1", "the later one"), ("2", "the 2 later ones")])
def test_a_number_stands_where_the_words_have_room_for_it(number: str, said: str) -> None:
    assert fill("without {n|the later one|the # later ones}", {"n": number}) == f"without {said}"


@pytest.mark.parametrize(("number", "said"), [("at least 1", "at least 1 trick"), ("at least 2", "at least 2 tricks")])
def test_a_number_that_is_only_bounded(number: str, said: str) -> None:
    assert fill("{n|trick|tricks}", {"n": number}) == said


def test_brackets_hold_what_is_said_only_if_it_is_known() -> None:
    text = "{h} revoked[ at trick {t}]: [{c}|the card] was wrong"
    assert fill(text, {"h": "West", "t": "5", "c": "♠4"}) == "West revoked at trick 5: ♠4 was wrong"
    assert fill(text, {"h": "West", "t": None}) == "West revoked: the card was wrong"


def test_a_name_nobody_gave_takes_the_words_that_go_with_it() -> None:
    values = {"h": StandsFor("der andere Gegenspieler", {"von": "des anderen Gegenspielers"}, known=True)}
    assert fill("{h} kam; das Revoke von {h}[, {h}]", values) == (
        "der andere Gegenspieler kam; das Revoke des anderen Gegenspielers, der andere Gegenspieler"
    )


def test_the_names_are_those_before_the_words() -> None:
    assert holes("{n|trick goes|tricks go} from {s} to {o}") == ["n", "s", "o"]


@pytest.mark.parametrize("text", ["{n||tricks}", "{|trick|tricks}", "{n", "n}", "[{n}", "{n}]"])
def test_a_brace_that_is_no_place_is_noticed(text: str) -> None:
    assert stray_brace(text)


@pytest.mark.parametrize("text", ["{n|trick}", "{n|a|b|c|d}"])
def test_forms_that_are_too_few_or_too_many_are_noticed(text: str) -> None:
    assert [what.partition(" forms")[0] for what, _ in wrong_forms(text)] == [str(text.count("|"))]


def test_a_place_with_words_leaves_no_brace() -> None:
    assert not stray_brace("{n|trick|tricks}")
