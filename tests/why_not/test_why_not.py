"""Why-not in words and as data: the nearest ways in which a clause would apply, or else which conditions hold."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from support.cases import sample
from support.ruling import ROOT, law, ruled, speaker_of
from support.tables import shipped

from facts.readers.archives import read_file
from kb.explain.page import as_text
from kb.ruling.make_ruling import rule
from kb.why_not.why_not import answer_page, why_not

DEFENDER: dict[str, Any] = {
    "contract": "4S",
    "declarer": "S",
    "revokes": [
        {"hand": "W", "trick": 5, "suit": "H", "card": "S4", "won-by": "E", "later-tricks": 1, "next-trick": "played"}
    ],
}
RECORD = ROOT.parent / "examples" / "full-record.yaml"


def said(stated: dict[str, Any], ref: str, lang: str = "en") -> list[str]:
    ruling = ruled(stated)
    return as_text(answer_page(ruling, why_not(ruling, ref), speaker_of(lang)), speaker_of(lang)).splitlines()


def changed(**keys: Any) -> dict[str, Any]:
    return {**DEFENDER, "revokes": [{**DEFENDER["revokes"][0], **{k.replace("_", "-"): v for k, v in keys.items()}}]}


def test_the_example_of_a_director() -> None:
    text = said(DEFENDER, "64A1")
    assert text[0] == "Law 64A1 does not apply. It would if West had won that trick."
    assert text[3:] == [
        "It would apply if one thing was otherwise:",
        "  - The trick was won by the card of the hand that revoked",
        "      As it is: the trick was won by the partner's card",
    ]


def test_the_same_in_german() -> None:
    text = said(DEFENDER, "64A1", "de")
    assert text[0] == ("§ 64A1 greift nicht. Es würde greifen, wenn West den Stich gewonnen hätte.")
    assert text[-1] == "      Angegeben ist: den Stich gewann die Karte des Partners"


def test_several_things_together() -> None:
    text = said(changed(won_by="W"), "64B1")
    assert text[0] == (
        "Law 64B1 does not apply. "
        "It would if the trick was won by an opponent's card, and later tricks for his side: none."
    )
    assert "It would apply if 2 things were otherwise:" in text


def test_what_has_a_value_only_then_is_told_too() -> None:
    assert said(DEFENDER, "64B4")[0] == (
        "Law 64B4 does not apply. It would if it was noticed after a call on the next board, "
        "and the other side had called on the next board: yes."
    )


def test_a_clause_that_hinges_on_what_is_not_known() -> None:
    unknown = {**DEFENDER, "revokes": [{"hand": "W", "trick": 5, "later-tricks": 2}]}
    text = said(unknown, "64A1")
    assert text[0] == (
        "Whether Law 64A1 applies is not known: it does if the trick was won by the card of the hand that revoked."
    )
    assert text[3] == "It applies if:"


def test_nobody_s_seat_is_told_that_nobody_has_said() -> None:
    text = "\n".join(said({"revokes": [{"player": "defender", "won-by": "partner", "later-tricks": 1}]}, "64A1"))
    assert "if the offender had won that trick" in text
    assert not any(seat in text for seat in ("North", "East", "South", "West"))


def test_a_clause_that_applies_says_so() -> None:
    assert said(DEFENDER, "64A2")[0] == "Law 64A2 applies."


def test_a_clause_without_rules_says_what_it_is() -> None:
    assert said(DEFENDER, "61C")[0].startswith("No rule is written for Law 61C: procedure")


def test_of_several_revokes_it_says_which() -> None:
    one = {"hand": "W", "trick": 5, "suit": "D", "won-by": "W", "later-tricks": 2}
    other = {"hand": "W", "trick": 7, "suit": "C", "won-by": "S", "later-tricks": 1}
    text = said({**DEFENDER, "revokes": [one, other]}, "64B2")
    assert "  - West, trick 5: he had to play clubs" in text
    assert "      As it is: West, trick 7: he had to play clubs" in text
    assert text[-1] == "  - Other ways that take no more: 2"


def test_of_a_record_it_is_told_which_conditions_hold() -> None:
    (one,) = read_file(RECORD, shipped)
    ruling = rule(law(), one)
    text = as_text(answer_page(ruling, why_not(ruling, "64A1"), speaker_of()), speaker_of()).splitlines()
    assert text[0] == "Law 64A1 does not apply."
    assert text[-3:] == [
        "Way 1 in which it could apply:",
        "  - So it is: North's revoke at trick 5 stands, to be settled after the play",
        "  - Lacking: North won trick 5",
    ]
    in_the_way = as_text(answer_page(ruling, why_not(ruling, "62A"), speaker_of()), speaker_of())
    assert "In the way: North's revoke at trick 5 was established [Law 63A1]" in in_the_way


@pytest.mark.thorough
@pytest.mark.parametrize("lang", ["en", "de"])
def test_every_answer_is_whole(lang: str) -> None:
    chance = Random(4)
    for name, ruling in sample(6, seed=4):
        for ref in chance.sample(list(ruling.edition.clauses), 6):
            told = as_text(answer_page(ruling, why_not(ruling, ref), speaker_of(lang)), speaker_of(lang))
            assert told.strip() and "{" not in told and "None" not in told, (name, ref, told)
