from __future__ import annotations

import json
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.records import deal_at_random, play_at_random, rows

from facts.cards import Card, Seat
from facts.contract import Contract
from facts.deal import Deal
from facts.errors import InputError
from facts.events import HAPPENINGS, Asked, Attention, Corrected, LedOutOfTurn, Required, RevokeNamed
from facts.incident import Finding, Incident
from facts.play import Oddity, irregularities
from facts.readers.incident import incident_of, read_incident
from facts.source import Mapping, read_yaml

WHOLE = """\
edition: duplicate-2007
elections: [dbv-2007]
board: 12
dealer: N
vulnerable: EW
contract: 4SX
declarer: S
deal: "N:K74.J6.T543.Q432 962.Q8.AKQJ96.A7 JT8.AK9752..T986 AQ53.T43.872.KJ5"
play:
  - S H7 h3 ♥J HQ
  - "E DA - D2"
tricks: 9
equity-tricks: 10
events:
  - {after: "1.3", attention: {by: S}}
  - play-ended
"""


def read(text: str) -> Incident:
    return read_incident(text, "table.yaml")


def test_every_key_of_an_incident() -> None:
    incident = read(WHOLE)
    assert (incident.edition, incident.elections, incident.board) == ("duplicate-2007", ("dbv-2007",), "12")
    assert (incident.dealer, incident.vulnerable, incident.declarer) == ("N", "EW", "S")
    assert incident.contract == Contract(4, "S", "X") and incident.trump == "S"
    assert incident.deal == Deal.from_pbn("N:K74.J6.T543.Q432 962.Q8.AKQJ96.A7 JT8.AK9752..T986 AQ53.T43.872.KJ5")
    assert (incident.tricks, incident.equity_tricks) == (9, 10)
    assert incident.play is not None and rows(incident.play) == ["S H7 H3 HJ HQ", "E DA - D2"]
    assert [(event.name, event.what, event.after) for event in incident.events] == [
        ("attention", Attention("S"), (1, 3)),
        ("play-ended", HAPPENINGS["play-ended"](), None),
    ]
    assert incident.source == "table.yaml"


def test_what_is_not_stated_is_not_known() -> None:
    incident = read("contract: 3NT\n")
    assert incident == Incident(place=incident.place, contract=Contract(3, "NT"))
    assert incident.edition == "duplicate-2017"
    assert incident.play is None and incident.deal is None and incident.tricks is None and incident.revokes == ()


def test_the_defaults_of_a_revoke() -> None:
    (finding,) = read("revokes:\n  - {hand: W, trick: 5}\n").revokes
    assert finding == Finding(hand="W", trick=5)
    assert (finding.failed_to, finding.next_trick, finding.claim, finding.noticed) == (
        "follow-suit",
        "no",
        "none",
        "during-play",
    )
    assert not (finding.faced or finding.required_faced or finding.later_win_playable or finding.dummy_lost_rights)
    assert (finding.other_side_revoked, finding.played_after, finding.repeats) == ("no", (), 0)
    assert finding.won_by is finding.later_tricks is finding.equity_tricks is finding.suit is finding.card is None


def test_every_key_of_a_revoke() -> None:
    text = """\
revokes:
  - hand: W
    trick: 5
    suit: H
    card: S4
    failed-to: play-penalty-card
    faced: true
    required-faced: true
    won-by: W
    later-tricks: 2
    later-win-playable: true
    next-trick: led-out-of-turn
    claim: by-opponents-open
    noticed: after-call-on-next-board
    next-board-call-by: NS
    asked-by: N
    dummy-lost-rights: true
    other-side-revoked: same-board
    played-after: [N, E]
    repeats: 1
    equity-tricks: 10
"""
    assert read(text).revokes == (
        Finding(
            hand="W",
            trick=5,
            suit="H",
            card=Card.from_text("S4"),
            failed_to="play-penalty-card",
            faced=True,
            required_faced=True,
            won_by="W",
            later_tricks=2,
            later_win_playable=True,
            next_trick="led-out-of-turn",
            claim="by-opponents-open",
            noticed="after-call-on-next-board",
            next_board_call_by="NS",
            asked_by="N",
            dummy_lost_rights=True,
            other_side_revoked="same-board",
            played_after=("N", "E"),
            repeats=1,
            equity_tricks=10,
        ),
    )


FIELDS = {
    "attention": "by: S",
    "asked": "by: N, of: S, answer: no",
    "corrected": "by: W, withdrawn: S4, played: H4",
    "withdrawn": "by: N, card: S4, played: H4",
    "designated": "by: S, card: H4",
    "led-out-of-turn": "by: S, card: H4",
    "claimed": "by: S, tricks: 3",
    "conceded": "by: S",
    "agreed": "by: S",
    "objected": "by: S",
    "exposed": "by: W, card: H4, kind: major",
    "required": "by: S, of: W, suit: H, how: lead",
    "called-on-next-board": "by: S",
    "cards-mixed": "by: S",
    "quitted": "by: S",
}


@pytest.mark.parametrize("name", HAPPENINGS)
def test_every_event_of_the_contract_can_be_written(name: str) -> None:
    (event,) = read(f"events:\n  - {name}: {{{FIELDS.get(name, '')}}}\n").events
    assert event.name == name and type(event.what) is HAPPENINGS[name]
    if name not in FIELDS:
        assert read(f"events:\n  - {name}\n").events == (event,)


def test_the_fields_of_events() -> None:
    text = """\
events:
  - asked: {by: N, of: S, answer: no}
  - {after: "2.1", corrected: {by: W, withdrawn: s4, played: H10}}
  - attention: {by: S, to: {hand: W, trick: 2}}
  - led-out-of-turn: {by: E, card: HJ, trick: 2}
  - {after: "13.4", required: {by: S, of: W, card: H4, how: not-lead}}
"""
    assert [event.what for event in read(text).events] == [
        Asked("N", "S", "no"),
        Corrected("W", Card.from_text("S4"), Card.from_text("HT")),
        Attention("S", RevokeNamed("W", 2)),
        LedOutOfTurn("E", Card.from_text("HJ"), 2),
        Required("S", "W", "not-lead", None, Card.from_text("H4")),
    ]


def test_what_is_irregular_at_the_table_is_no_fault_of_the_file() -> None:
    incident = read(WHOLE.replace("S H7 h3 ♥J HQ", "N H7 h3 S5 H7"))
    assert incident.play is not None
    found = irregularities(incident.play, incident.deal, incident.trump, incident.declarer)
    assert {one.kind for one in found} >= {Oddity.CARD_NOT_HELD, Oddity.CARD_PLAYED_TWICE, Oddity.LEAD_FROM_WRONG_HAND}


def test_an_incident_inside_another_file_keeps_its_places() -> None:
    case = read_yaml(
        "id: one\nincident:\n  contract: 4S\n  play:\n  - S H7\n  revokes:\n  - {hand: N, trick: 1}\n", "case.yaml"
    )
    assert isinstance(case, Mapping)
    incident = incident_of(case.entries["incident"])
    assert str(incident.places["contract"]) == "case.yaml:3:13"
    assert incident.places["play.1"].line == 5 and incident.places["revokes.1"].line == 7


def test_all_faults_are_found_at_once_and_in_order() -> None:
    text = (
        WHOLE.replace("dealer: N", "dealer: X")
        .replace("D2", "D1")
        .replace("attention", "attntion")
        .replace("9\n", "99\n", 1)
    )
    with pytest.raises(InputError) as caught:
        read(text)
    assert [fault.place.line for fault in caught.value.faults] == [4, 11, 12, 15]


@given(st.integers(0, 10**9), st.sampled_from("NESW"))
def test_a_record_is_read_as_it_was_written(seed: int, declarer: Seat) -> None:
    chance, contract = Random(seed), Contract(4, "S")
    deal = deal_at_random(chance)
    play = play_at_random(deal, contract, declarer, chance)
    lines = [
        f'deal: "{deal.to_pbn()}"',
        "contract: 4S",
        f"declarer: {declarer}",
        "play:",
        *(f"- {row}" for row in rows(play)),
    ]
    incident = read("\n".join(lines))
    assert (incident.deal, incident.play, incident.declarer) == (deal, play, declarer)


KEYS = [
    "edition",
    "elections",
    "board",
    "dealer",
    "vulnerable",
    "contract",
    "declarer",
    "deal",
    "play",
    "tricks",
    "equity-tricks",
    "events",
    "revokes",
    "after",
]
VALUES = st.recursive(
    st.one_of(st.text(max_size=8), st.integers(), st.sampled_from(["S", "4S", "S H7 H3", "5.3", *HAPPENINGS])),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*KEYS, *HAPPENINGS, "hand", "by"]), inner, max_size=3),
    max_leaves=8,
)  # fmt: skip


@given(st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=5))
def test_whatever_stands_in_a_file_it_is_read_or_refused_with_a_place(content: dict[str, object]) -> None:

    try:
        read(json.dumps(content, ensure_ascii=True).replace("\\ud", "\\u0"))
    except InputError as error:
        assert error.faults and all(fault.place.file == "table.yaml" and fault.mend for fault in error.faults)


def test_no_board_has_any_number_of_cards_taken_back() -> None:
    def stated(changes: int) -> str:
        there, back = ("{by: W, withdrawn: S2, played: D7}", "{by: W, withdrawn: D7, played: S2}")
        return "play: [N D5 D6 DK S2]\nevents:\n" + "".join(
            f"  - corrected: {back if number % 2 else there}\n" for number in range(changes)
        )

    assert len(read_incident(stated(100), "x").events) == 100
    with pytest.raises(InputError, match=r"^x:103:5: more than 100 cards are taken back; leave out"):
        read_incident(stated(101), "x")
