"""What a director reads out says nothing twice, nothing too much and nothing for certain that is not."""

from __future__ import annotations

from typing import Any

from support.ruling import ruled, speaker_of

from kb.explain.as_text import page_of
from kb.explain.hinge import _numbers
from kb.explain.page import as_text

WEST = {"hand": "W", "trick": 3, "suit": "H", "card": "S4", "won-by": "W", "later-tricks": 4, "next-trick": "led"}
SOUTH = {"hand": "S", "trick": 6, "suit": "D", "card": "S5", "won-by": "S", "later-tricks": 4, "next-trick": "played"}
PLAY = ["W S3 S9 SA S5", "E C7 CQ CT C2", "S H9 S8 H5 HK"]
DEAL = "N:9.JT52.KQ4.AK652 AQ4.K.A853.J8743 KT52.Q963.T972.Q J8763.A874.J6.T9"


def told(**stated: Any) -> str:
    ruling = ruled({"contract": "4S", "declarer": "S", **stated})
    return as_text(page_of(ruling, speaker_of()), speaker_of())


def test_each_revoke_is_told_under_its_own_heading_only() -> None:
    said = told(revokes=[WEST, SOUTH])
    assert said.count("West did not follow suit at trick 3") == 1
    assert said.count("South did not follow suit at trick 6") == 1


def test_what_two_clauses_ask_of_the_director_is_asked_twice() -> None:
    said = told(revokes=[{**WEST, "repeats": 2}])
    assert (
        "without West's revoke at trick 3 than this ruling gives them? Then an adjusted score replaces it. [Law 64C1]"
        in said
    )
    assert "without the 2 later ones? [Law 64C2a]" in said


def test_a_caller_who_is_not_known_is_not_presumed_away() -> None:
    said = told(revokes=[{**WEST, "noticed": "after-call-on-next-board"}])
    assert "nobody has called on the next board" not in said
    assert "Had North or South called on the next board when it was noticed?" in said
    assert "was noticed during the play" in told(revokes=[WEST])


def test_no_revoke_is_certain_only_where_every_card_that_could_show_one_is_known() -> None:
    certain, guarded = (
        "No revoke: the result stands.",
        "No revoke, as far as the facts go; not every card is known that could show one.",
    )
    assert certain in told(deal=DEAL, play=PLAY[:2])
    assert guarded in told(play=PLAY[:2])
    assert guarded in told(deal=DEAL, play=["W S3 S9 - S5"])
    assert guarded in told(deal="N:9.JT52.KQ4.AK652 - - J8763.A874.J6.T9", play=PLAY[:2])
    assert guarded in told()


def test_a_revoke_that_dummy_may_not_point_out_has_come_to_light() -> None:
    said = told(deal=DEAL, play=PLAY, events=["dummy-lost-rights", {"attention": {"by": "N"}}])
    assert "The revoke is not corrected now: play goes on." in said
    assert said.count("only its score is adjusted") == 1


def test_a_revoke_noticed_in_time_does_not_stand_whatever_may_be_demanded_for_it() -> None:
    said = told(edition="auction-1912", deal=DEAL, play=PLAY, events=[{"attention": {"by": "S"}}])
    assert "The revoke was noticed in time." in said
    assert "The revoke stands" not in said


def test_one_revoke_corrected_does_not_hide_another_not_noticed() -> None:
    attention = {"after": "3.4", "attention": {"by": "S"}}
    corrected = {"after": "3.4", "corrected": {"by": "W", "withdrawn": "S8", "played": "H4"}}
    said = told(deal=DEAL, play=[*PLAY, "E D3 S2"], events=[attention, corrected])
    assert "There is a revoke to which nobody has drawn attention; nothing follows from it yet." in said


def test_a_wrong_card_in_the_place_of_another_is_to_be_corrected_without_being_noticed_anew() -> None:
    wrong_again = {"corrected": {"by": "W", "withdrawn": "S8", "played": "D6"}}
    said = told(deal=DEAL, play=PLAY, events=[{"attention": {"by": "S"}}, wrong_again])
    assert "nobody has drawn attention" not in said and "has been corrected" not in said
    assert "West must take back the card played to trick 3 and play a legal one. [Law 62A]" in said


def test_what_follows_from_an_answer_is_told_with_points_and_choices() -> None:
    open_ = {"hand": "W", "trick": 5, "suit": "H", "won-by": "W", "claim": "by-opponents-open"}
    said = told(edition="auction-1912", revokes=[open_])
    assert "North–South may choose 150 points [Law 84b]" in said and "may choose to take 3 tricks [Law 84b]" in said


def test_numbers_run_on_only_up_to_the_largest_there_can_be() -> None:
    told_as = {("0 or 1", (0, 1)), ("2 or more", (2, 3)), ("0 or 2", (0, 2)), ("0 to 2", (0, 1, 2))}
    assert {(_numbers(set(some), {0, 1, 2, 3}, speaker_of()), some) for _, some in told_as} == told_as
