"""Exercises: the answers are those of the engine on just what is told, and nothing in them contradicts itself."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from itertools import islice, pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.ruling import ruled

from facts.cards import PARTNER, SUITS
from facts.errors import InputError
from facts.incident import Incident
from kb.explain.headline import headline
from kb.explain.words import Speaker, load_words
from kb.quiz.exercises import LEVELS, Exercise, Level, board, exercises, session
from kb.quiz.telling import PLAYED_AND_WON, as_task
from kb.ruling.laws import Law
from kb.ruling.make_ruling import rule
from kb.voices import lesson

LANGS = ("en", "de")
ANSWERED = ("in-time", "no-tricks")


@cache
def law_of(edition: str) -> Law:
    return Law(edition, engine="quick")


@cache
def speaker_of(edition: str, lang: str) -> Speaker:
    law = law_of(edition)
    return Speaker(load_words(law.root, law.edition.vocabulary), law.edition.vocabulary, lang)


def some(edition: str, seed: int, level: Level, many: int = 1) -> list[Exercise]:
    return list(islice(exercises(law_of(edition), Random(seed), level), many))


seeds = st.integers(0, 10**6)
levels = st.sampled_from(LEVELS)


@given(seeds, st.sampled_from(["defender", "declarer", "dummy"]), st.integers(2, 12), st.booleans())
@settings(max_examples=30, deadline=None)
def test_a_board_has_one_wrong_card_and_every_other_follows(seed: int, part: str, number: int, follows: bool) -> None:
    made = board(Random(seed), part, number, follows)
    assert made.part == part and len({card for one in made.tricks for card in one.cards}) == 52
    holding = {seat: set(made.deal[seat] or ()) for seat in "NESW"}
    for nth, trick in enumerate(made.tricks, 1):
        for seat, card in trick.items():
            assert card in holding[seat]
            could = any(one.suit == trick.led for one in holding[seat])
            wrong = (nth, seat) == (number, made.hand)
            assert (card is not None and card.suit == trick.led) or not could or (wrong and not follows)
            holding[seat].discard(card)
    assert made.due.suit == made.trick.led and made.due != made.card


@pytest.mark.thorough
@pytest.mark.parametrize("edition", ["duplicate-2017", pytest.param("auction-1912", marks=pytest.mark.thorough)])
@given(seed=seeds, level=levels)
@settings(max_examples=4, deadline=None)
def test_the_answer_is_that_of_the_law_on_what_is_told(edition: str, seed: int, level: Level) -> None:
    """What the sentences tell and nothing besides gives the same ruling; it is certain unless it hinges on something."""
    for one in some(edition, seed, level):
        assert one.level == level
        incident, table = one.ruling.incident, law_of(edition).edition.table
        tellable = {name for name in one.answers if one.answers[name] in table.findings[name].tells}
        assert tellable == set(one.answers), "whatever is told has a sentence"
        also = {key for name, answer in one.answers.items() for key in table.findings[name].tells[answer].also}
        named = {name for name, answer in one.answers.items() if answer != "unknown"}
        assert set(incident.revokes[0].said) <= {*named, *also, "card", "suit"}
        again = rule(law_of(edition), Incident(**vars_of(incident)))
        told = [headline(ruling, speaker_of(edition, "en").of(ruling)) for ruling in (again, one.ruling)]
        assert told[0] == told[1] and again.cited == one.ruling.cited
        assert again.certainty.is_open == one.hinges


def vars_of(incident: Incident) -> dict[str, object]:
    return {
        name: getattr(incident, name) for name in ("place", "edition", "elections", "contract", "declarer", "revokes")
    }


@pytest.mark.thorough
@given(seed=seeds, level=levels, lang=st.sampled_from(LANGS))
@settings(max_examples=4, deadline=None)
def test_the_story_tells_everything_and_tempts_with_what_can_be(seed: int, level: Level, lang: str) -> None:
    speaker = speaker_of("duplicate-2017", lang)
    for one in some("duplicate-2017", seed, level):
        shown = as_task(one, speaker)
        assert not set("{}[]") & set(shown.story)
        assert 2 <= shown.story.count(". ") + 1 <= 5
        findings = one.ruling.edition.table.findings
        for name, answer in one.answers.items():
            fixed = max((part for part in findings[name].tells[answer].says[lang].split("{")), key=len)
            elsewhere = (
                name == "later-tricks" and "claim" in one.answers
            ) or one.answers.items() >= PLAYED_AND_WON.items()
            assert fixed.partition("}")[2].strip(" ,;") in shown.story or fixed in shown.story or elsewhere
        tricks = [said.lower() for said in (shown.outcome, shown.why)]
        assert all(shown.outcome != other for other, _ in shown.rivals), tricks
        for rival in one.tempting:
            assert rival.laws and not set(rival.laws) & set(one.ruling.cited)
            assert rival.key[1] in findings, "no hand, seat or trick is ever changed"
        statuses = {revoke.status for revoke in one.ruling.revokes}
        assert len(statuses) == 1, "no «corrected … stands»"


@pytest.mark.thorough
def test_a_story_of_a_claim_says_how_it_came_to_light_and_how_many_tricks_were_claimed() -> None:
    with_claim = [one for one in some("duplicate-2017", 1, "middle", 60) if "claim" in one.answers]
    assert len(with_claim) > 1
    for one in with_claim:
        story = as_task(one, speaker_of("duplicate-2017", "en")).story
        assert re.search(r"claim, leaving|claim \w+ of the remaining tricks", story)
        assert " win " not in story
        assert "noticed" in one.answers or "before the next board, the revoke is noticed" in story


@pytest.mark.thorough
@pytest.mark.parametrize("lang", LANGS)
def test_what_has_been_said_is_not_said_again(lang: str) -> None:
    speaker = speaker_of("duplicate-2017", lang)
    for one in some("duplicate-2017", 2, "easy", 12):
        shown = as_task(one, speaker)
        if [each.status for each in one.ruling.revokes] == ["must-correct"]:
            assert shown.answer == " ".join(speaker.phrase(f"class-{key}") for key in ANSWERED)
        if one.answers.get("won-by") == "revoker":
            assert speaker.phrase("quiz-and-wins", clause="") in shown.story
        assert not re.search(r"\d (to|bis|or|oder) \d", shown.tempts)


@pytest.mark.thorough
@given(seed=seeds, level=levels)
@settings(max_examples=4, deadline=None)
def test_what_tempts_is_one_thing_that_the_story_tells(seed: int, level: Level) -> None:
    """Nothing that nobody mistakes."""
    for one in some("duplicate-2017", seed, level):
        said = one.ruling.incident.revokes[0].said
        for rival in one.tempting:
            name, choices = rival.key[1], one.ruling.certainty.completions.choices
            assert choices[rival.key].how != "presumed" or (name == "noticed" and "claim" in said)


@pytest.mark.parametrize("level", ["easy", "middle", pytest.param("hard", marks=pytest.mark.thorough)])
def test_no_deal_twice_and_no_outcome_twice_in_a_row(level: Level) -> None:
    chosen = session(law_of("duplicate-2017"), Random(11), 6, level)
    assert len(chosen) == 6 == len({one.board.deal for one in chosen})
    assert all(one.outcome != other.outcome for one, other in pairwise(chosen))


@pytest.mark.thorough
def test_easy_ones_have_nothing_unusual_and_come_first() -> None:
    chosen = session(law_of("duplicate-2017"), Random(2), 3)
    assert [one.level for one in chosen] == list(LEVELS)
    table = law_of("duplicate-2017").edition.table
    for one in chosen[:1]:
        assert one.level == "easy"
        assert all(
            answer == str(table.findings[name].presumed) or table.findings[name].presumed is None or name == "noticed"
            for name, answer in one.answers.items()
        )


def test_the_same_seed_gives_the_same() -> None:
    first, second = (session(law_of("duplicate-2017"), Random(3), 2, "easy") for _ in range(2))
    assert [one.ruling.incident for one in first] == [one.ruling.incident for one in second]


def comes_up(one: Exercise, law: str) -> bool:
    tempting = (ref for rival in one.tempting for ref in rival.laws)
    return any(ref.startswith(law) for ref in (*one.ruling.cited, *tempting))


@pytest.mark.thorough
@pytest.mark.parametrize("law", ["64A", "62C1"])
def test_about_a_law_it_rests_on_it_or_it_tempts(law: str) -> None:
    chosen = session(law_of("duplicate-2017"), Random(1), 2, "easy", law)
    assert chosen and all(comes_up(one, law) for one in chosen)


def test_an_unknown_law_is_refused_with_those_there_are() -> None:
    with pytest.raises(InputError, match=r"has no law 99.*64"):
        session(law_of("duplicate-2017"), Random(1), 3, None, "99")


@pytest.mark.thorough
def test_a_law_that_no_exercise_is_about_is_refused_with_those_that_are() -> None:
    with pytest.raises(InputError, match=r"no exercise here is about 9B.*64A1"):
        session(law_of("duplicate-2017"), Random(1), 1, "easy", "9B")


@pytest.mark.thorough
def test_over_a_session_the_revoke_laws_come_up() -> None:
    chosen = session(law_of("duplicate-2017"), Random(1))
    come = frozenset[str]().union(*(one.laws for one in chosen))
    assert {"61A", "62A", "62B1", "62B2", "62C1", "62C2", "62D1", "63A1", "63A2", "63A3", "63A4"} <= come
    assert {"64A1", "64A2", "64B1", "64B2", "64B3", "64B4", "64B5", "64B6", "64B7"} <= come
    assert len(chosen) < 40


def test_what_is_corrected_though_established_is_told_as_both() -> None:
    said = {
        "suit": "H",
        "card": "D4",
        "won-by": "W",
        "later-tricks": 1,
        "next-trick": "played",
        "noticed": "after-play",
    }
    ruling = ruled({"declarer": "E", "contract": "3H", "revokes": [{"hand": "E", "trick": 12, **said}]})
    established, *_ = lesson(ruling, speaker_of("duplicate-2017", "en"))
    assert established.text == "Yes, but it must still be corrected."


def test_who_notices_at_the_next_trick_does_not_notice_later() -> None:
    for one in some("duplicate-2017", 4711, "hard", 60):
        odd = one.answers.get("next-trick", "played") != "played"
        assert not (odd and "noticed" in one.answers), one.answers
        assert one.answers.get("won-by") != "unknown" or len(dict(one.shown)) < 4, one.answers


def test_on_the_twelfth_trick_the_answer_knows_who_had_still_to_play() -> None:
    late = [
        one
        for one in some("duplicate-2017", 12, "middle", 150)
        if "played-after" in one.answers and one.board.number == 12
    ]
    defenders = [one for one in late if one.board.part == "defender"]
    assert late and defenders
    for one in defenders:
        leader, hand = one.board.trick.leader, one.board.hand
        order = [*"NESW", *"NESW"]["NESW".index(leader) :][:4]
        to_play = order.index(PARTNER[hand]) > order.index(hand)
        assert ("62D2" in one.ruling.cited) == to_play, one.answers


def test_the_cards_shown_tell_nothing_that_nobody_can_say() -> None:
    for one in some("duplicate-2017", 3, "hard", 4):
        cards = dict(one.shown)
        assert one.board.hand in cards and {card.suit for card in cards.values()} <= set(SUITS)
        if one.answers.get("won-by") == "unknown" or "played-after" in one.answers:
            assert len(cards) <= len(one.board.trick.cards)
            assert one.answers.get("won-by") != "unknown" or list(cards)[-1] == one.board.hand


def test_only_what_an_earlier_law_ruled_otherwise() -> None:
    law, before = law_of("duplicate-2017"), law_of("duplicate-2007")
    chosen = session(law, Random(3), 3, "middle", None, before)
    assert chosen
    for one in chosen:
        incident = one.ruling.incident
        earlier = rule(before, replace(incident, edition=before.edition.id))
        heads = [
            headline(ruling, speaker_of(by.edition.id, "en").of(ruling))
            for by, ruling in ((law, one.ruling), (before, earlier))
        ]
        assert heads[0] != heads[1]
    with pytest.raises(InputError, match="comes to something else under duplicate-2017"):
        session(law, Random(3), 1, "easy", None, law)


DENIED: dict[str, tuple[tuple[str, str], ...]] = {
    "en": (
        ("revoke as well", r"side that did not revoke|other side did not"),
        ("named a card", r"has led or played to the trick after"),
        (" claim", r"has led or played to the trick after"),
        ("win none", r"also won a later trick"),
        ("leads out of turn", r"named a card"),
        ("face up as a major penalty card", r"came from .* unfaced hand: it stays"),
    ),
    "de": (
        ("begehen auch", r"unschuldige Seite|andere Seite hat kein"),
        ("eine Karte für den nächsten Stich benannt", r"zum Stich nach Stich \d+ ausgespielt oder zugegeben"),
        (" Claim", r"zum Stich nach Stich \d+ ausgespielt oder zugegeben"),
        ("gewinnen Nord–Süd keinen", r"Nord–Süd\) hat(te)? auch"),
    ),
}
"""What a story says, and what no reason beside it may."""
WENT_ON = {"en": "already played to the next trick", "de": "schon zum nächsten Stich gespielt hätten"}


@pytest.mark.thorough
@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("level", LEVELS)
def test_no_sentence_contradicts_what_the_story_states(level: Level, lang: str) -> None:
    speaker = speaker_of("duplicate-2017", lang)
    for one in some("duplicate-2017", 33, level, 333):
        shown, revoke = as_task(one, speaker), one.ruling.revokes[0]
        reasons = (*shown.stands, *shown.costs)
        for said, denied in DENIED[lang]:
            assert said not in shown.story or not re.search(denied, shown.why), (shown.story, shown.why)
        own = speaker.value(revoke.side, "side")
        assert shown.outcome.count(f"to {own}.") == shown.outcome.count(f"an {own}.") == 0, (shown.story, shown.outcome)
        for text in (*reasons, shown.outcome, *(outcome for outcome, _ in shown.wrong)):
            tricks = {int(n) for n in re.findall(r"(?:trick|Stich) (\d+)", text)}
            assert tricks <= {one.board.number, one.board.number + 1}, (shown.story, text)
        assert len(shown.wrong) == 2 and all(why for _, why in shown.wrong)
        assert len({shown.outcome, *(outcome for outcome, _ in shown.wrong)}) == 3
        if one.answers.get("next-trick") in ("played", "designated", "led-out-of-turn"):
            assert WENT_ON[lang] not in " ".join((shown.tempts, *(why for _, why in shown.wrong))), shown.story
        won = re.search(r"(\w+) won trick \d+ himself|(\w+) gewann Stich \d+ selbst", shown.why)
        assert not won or one.answers.get("won-by") == "revoker", (shown.story, shown.why)
        assert one.answers.get("failed-to") != "play-penalty-card" or "50D1a" in shown.why
        if one.answers.get("claim") == "by-revokers" and revoke.status == "established":
            assert "63A3" in shown.why
