"""Single sentences of the voices, word for word, where they once read badly."""

from __future__ import annotations

from typing import Any

import pytest
from support.counsel import EDITIONS, counsel_of, voice_of
from support.ruling import ruled, speaker_of

from kb.explain.announcement import Announcement
from kb.explain.as_json import ruling_json
from kb.explain.as_text import page_of
from kb.explain.hinge import question_words
from kb.explain.page import Page, as_text
from kb.language.relied_on import TRANSFER
from kb.ruling.make_ruling import rule
from kb.space.bits import first
from kb.voices import Voice, slip, told

BOARD = {"contract": "4S", "declarer": "S"}
WEST = {"hand": "W", "trick": 5, "suit": "H", "card": "S4", "next-trick": "played", "noticed": "during-play"}
RECORD = {
    **BOARD,
    "deal": "N:QJ74.K83.AQ5.K62 63.QJ94.T973.Q98 AKT95.A72.K6.A53 82.T65.J842.JT74",
    "play": ["W HT H8 S6 HA"],
    "events": [{"attention": {"by": "S"}}],
}


def appeal(lang: str = "en", **stated: Any) -> tuple[str, ...]:
    """What happened, as a committee reads it."""
    ruling = ruled(stated)
    return tuple(line.text for line in told(ruling, speaker_of(lang), Voice.APPEAL).parts[0].lines)


def in_full(lang: str = "en", **revoke: Any) -> Page:
    return page_of(ruled({**BOARD, "revokes": [revoke]}), speaker_of(lang))


def test_a_committee_reads_sentences_in_the_order_of_time() -> None:
    happened = appeal(**BOARD, tricks=9, revokes=[{**WEST, "won-by": "W", "later-tricks": 1}])
    assert happened == (
        "The contract was 4♠ by South.",
        "West did not follow suit at trick 5, though he could.",
        "To trick 5 West played ♠4.",
        "West won trick 5.",
        "East–West played to trick 6.",
        "East–West won 2 tricks from trick 5 on.",
        "Result as played: 9 tricks.",
    )


def test_the_cards_of_a_trick_are_one_sentence() -> None:
    assert "To trick 1 West led ♥10, North played ♥8, East ♠6, South ♥A." in appeal(**RECORD)
    assert "Zu Stich 1 spielte West ♥10 aus, Nord gab ♥8 zu, Ost ♠6, Süd ♥A." in appeal("de", **RECORD)


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", "Later tricks for his side: 1 or more."),
        ("de", "Spätere Stiche seiner Seite: 1 oder mehr."),
    ],
)
def test_what_was_said_roughly_is_told_a_committee(lang: str, said: str) -> None:
    assert said in appeal(lang, **BOARD, revokes=[{**WEST, "won-by": "W", "later-tricks": "1..8"}])


def test_a_range_is_told_as_it_was_said() -> None:
    told = appeal(**BOARD, revokes=[{**WEST, "won-by": "W", "later-tricks": "0..2", "equity-tricks": "8..9"}])
    assert "Later tricks for his side: 0 to 2." in told
    assert "Declarer's tricks without this revoke, as the director judges: 8 or 9." in told


def test_what_is_certain_in_every_way_has_its_reason() -> None:
    """Of the later tricks a number is known, and of the winner only the side."""
    two = ruled({**BOARD, "revokes": [{**WEST, "won-by": "W", "later-tricks": "1..8"}]})
    also = "West's side (East–West) also won a later trick: one of those goes to North–South as well."
    one = ruled({**BOARD, "revokes": [{**WEST, "won-by": "opponent", "later-tricks": "1..8"}]})
    for page_ in (told(two, speaker_of(), Voice.APPEAL), slip(two, speaker_of())):
        assert also in as_text(page_, speaker_of())
    assert "did not win that trick himself, but East–West won it or a later one: one trick goes to North–South." in (
        as_text(told(one, speaker_of(), Voice.TABLE), speaker_of())
    )


def test_the_cards_stated_with_a_revoke_are_one_sentence() -> None:
    happened = appeal(**BOARD, revokes=[{**WEST, "cards": "E HK H2 S4 H5", "won-by": "W", "later-tricks": 1}])
    assert "To trick 5 East led ♥K, South played ♥2, West ♠4, North ♥5." in happened


def test_a_question_names_the_hand_that_is_known() -> None:
    ruling = ruled({**BOARD, "revokes": [{"hand": "W", "trick": 5, "failed-to": "follow-suit"}]})
    assert ruling.certainty.asking is not None
    asks = question_words(ruling.certainty, ruling.certainty.asking.key, speaker_of())
    assert asks == "When it was noticed, had West or East gone on to the next trick?"


def test_a_judgement_is_told_once() -> None:
    happened = appeal(**BOARD, tricks=9, **{"equity-tricks": 12}, revokes=[{**WEST, "won-by": "W", "later-tricks": 1}])
    assert [line for line in happened if "judged" in line] == [
        "The director judged that North–South would have won 12 tricks without the revoke."
    ]


def test_what_is_open_is_told_by_seat() -> None:
    revoke = {"hand": "W", "trick": 12, "suit": "H", "next-trick": "played", "noticed": "after-play", "won-by": "W"}
    assert "if North played to it after him" in as_text(in_full(**revoke), speaker_of())
    assert "falls Nord nach ihm zugab" in as_text(in_full("de", **revoke), speaker_of("de"))


def test_a_card_that_was_never_played_is_added() -> None:
    missing = {"hand": "W", "trick": 5, "failed-to": "play-to-trick", "won-by": "N", "next-trick": "played"}
    said = as_text(in_full(**missing), speaker_of())
    assert "Not yet played – No revoke.\n" in said
    assert "he adds a legal card. [Law 67A]" in said


@pytest.mark.parametrize(
    ("lang", "said"), [("en", "One or two tricks to North–South."), ("de", "Ein oder zwei Stiche an Nord–Süd.")]
)
def test_few_numbers_are_told_one_by_one(lang: str, said: str) -> None:
    assert said in in_full(lang, **WEST, **{"later-tricks": 1}).lead[0].text


PENALTY = {
    "hand": "W",
    "trick": 6,
    "failed-to": "play-penalty-card",
    "next-trick": "no",
    "noticed": "before-next-trick",
}


def test_json_holds_what_is_chosen_first() -> None:
    ruling = ruled(
        {**BOARD, "revokes": [{**WEST, "failed-to": "play-penalty-card", "next-trick": "no", "played-after": []}]}
    )
    director = ruling_json(ruling, speaker_of())["director"]
    assert len(director) == len(ruling.entries("director")) > 0 and all(one["text"] for one in director)


@pytest.mark.parametrize("contract", [None, "4S", "4H"])
@pytest.mark.parametrize("lang", ["en", "de"])
def test_a_suit_that_nobody_named_is_not_told(lang: str, contract: str | None) -> None:
    twice = [
        {"hand": "S", "next-trick": "played", "won-by": "S"},
        {"hand": "S", "same-suit": True, "next-trick": "played", "won-by": "S"},
    ]
    board = {"declarer": "S"} if contract is None else {"declarer": "S", "contract": contract}
    ruling = ruled({**board, "revokes": twice})
    said = as_text(page_of(ruling, speaker_of(lang)), speaker_of(lang)) + "\n".join(
        appeal(lang, **board, revokes=twice)
    )
    suits = {"en": ("spade", "heart", "diamond", "club"), "de": ("Pik", "Cœur", "Karo", "Treff")}[lang]
    assert not any(suit in said for suit in suits)
    assert [one["suit"] for one in ruling_json(ruling, speaker_of(lang))["revokes"]] == [None, None]
    named = ruled({"declarer": "S", "revokes": [{**twice[0], "suit": "H"}, twice[1]]})
    assert suits[1] in as_text(page_of(named, speaker_of(lang)), speaker_of(lang))


@pytest.mark.parametrize("same_hand", [True, False])
def test_the_tricks_for_the_revoke_that_stands_are_said_before_the_other_is_put_right(same_hand: bool) -> None:
    stands = {"hand": "W", "noticed": "during-play", "next-trick": "played", "won-by": "W", "later-tricks": 2}
    in_time = {"hand": "W", "next-trick": "no", "noticed": "before-next-trick", "same-suit": False}
    ruling = ruled({**BOARD, "revokes": [stands, in_time if same_hand else {**in_time, "hand": "S"}]})
    said = Announcement(ruling, speaker_of().of(ruling))
    assert said.head == "Two tricks to North–South, and a correction"
    assert [line.text for line in said.lines[:2]] == [
        "For the revoke that stands two tricks go to North–South.",
        "The revoke was noticed in time.",
    ]
    # in the other order of the two it has been corrected by the time of the one that stands
    earlier = ruled({**BOARD, "revokes": [{**in_time, "hand": "S"}, stands]})
    assert Announcement(earlier, speaker_of().of(earlier)).head == "Two tricks to North–South"


@pytest.mark.parametrize("edition", EDITIONS)
def test_no_headline_is_without_the_tricks_that_go(edition: str) -> None:
    """Of every outcome with tricks that the questions of an edition can lead to. What is only supposed where situations
    are laid out is in no incident: there as many go as may go."""
    counsel = counsel_of(edition)
    for acts, situations in counsel.run.acts.items():
        sides = {entry[-2] for entry in acts if entry[0] == TRANSFER}
        if not sides:
            continue
        ruling = rule(counsel.law, counsel.universe.incident(first(situations)))
        goes = [(side, most) for side, (_, most) in ruling.certainty.range.items() if most]
        assert sides <= {side for side, _ in goes}
        for speaker in (voice_of(counsel, lang).of(ruling) for lang in ("en", "de")):
            head, to = Announcement(ruling, speaker).head.lower(), {"en": "to", "de": "an"}[speaker.lang]
            assert all(f" {to} {speaker.value(side, 'side')}".lower() in head for side, _ in goes), (acts, head)
            assert all(speaker.in_words(n) in head.replace("ein stich", "einen stich") for _, n in goes), (acts, head)


def test_no_tricks_are_left_unsaid_for_want_of_time() -> None:
    """Two revokes of West's and East's stand, and a third is put right at length."""
    stands = {"next-trick": "led", "noticed": "during-play", "later-tricks": 2}
    in_time = {"hand": "W", "trick": 11, "next-trick": "no", "noticed": "before-next-trick"}
    revokes = [{"hand": "W", "trick": 4, "won-by": "W", **stands}, {"hand": "E", "trick": 9, "won-by": "N", **stands}]
    said = Announcement(ruled({**BOARD, "revokes": [*revokes, in_time]}), speaker_of())
    assert said.head == "Three tricks to North–South, and a correction"
    assert "In any case three tricks go to North–South." in [line.text for line in said.lines]


@pytest.mark.parametrize(
    ("auction", "head"),
    [
        ("P [X] 1H", "East must pass throughout"),
        ("P [X] [N:P] [E:P] 1H", "The auction goes back"),
        ("1S P X AP", "North's double does not count"),
    ],
)
def test_no_headline_speaks_of_no_revoke_where_a_call_is_inadmissible(auction: str, head: str) -> None:
    played = {"play": ["W H3 H4 H5 H2"]} if auction.endswith("AP") else {}
    ruling = ruled({"dealer": "S", "auction": auction, **played})
    assert Announcement(ruling, speaker_of().of(ruling)).head == head
