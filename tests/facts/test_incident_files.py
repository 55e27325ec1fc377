from __future__ import annotations

import json
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.records import deal_at_random, play_at_random, rows
from support.tables import shipped, shipped_table

from facts.cards import Card, Seat
from facts.contract import Contract
from facts.deal import Deal
from facts.errors import InputError
from facts.incident import Finding, Incident, RevokeNamed
from facts.play import Oddity, irregularities
from facts.readers.incident_file import incident_of, read_incident
from facts.table import Table
from facts.yaml_reader import Mapping, read_yaml

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
    return read_incident(text, "table.yaml", shipped)


def test_every_key_of_an_incident() -> None:
    incident = read(WHOLE)
    assert (incident.edition, incident.elections, incident.board) == ("duplicate-2007", ("dbv-2007",), "12")
    assert (incident.dealer, incident.vulnerable, incident.declarer) == ("N", "EW", "S")
    assert incident.contract == Contract(4, "S", "X") and incident.trump == "S"
    assert incident.deal == Deal.from_pbn("N:K74.J6.T543.Q432 962.Q8.AKQJ96.A7 JT8.AK9752..T986 AQ53.T43.872.KJ5")
    assert (incident.tricks, incident.equity_tricks) == (9, 10)
    assert incident.play is not None and rows(incident.play) == ["S H7 H3 HJ HQ", "E DA - D2"]
    assert [(event.name, event.said, event.after, event.ends_play) for event in incident.events] == [
        ("attention", {"by": "S"}, (1, 3), 0),
        ("play-ended", {}, None, 20000),
    ]
    assert incident.over
    assert incident.source == "table.yaml"


def test_what_is_not_stated_is_not_known() -> None:
    incident = read("contract: 3NT\n")
    assert incident == Incident(place=incident.place, contract=Contract(3, "NT"))
    assert incident.edition == "duplicate-2017"
    assert incident.play is None and incident.deal is None and incident.tricks is None and incident.revokes == ()


def test_nothing_is_said_of_a_revoke_that_does_not_stand_there() -> None:
    (finding,) = read("revokes:\n  - {hand: W, trick: 5}\n").revokes
    assert finding == Finding(hand="W", trick=5) and finding.said == {} and finding.card is None
    assert read("revokes:\n  - {}\n").revokes == (Finding(),)


@pytest.mark.parametrize("player", ["declarer", "dummy", "defender", "same-player", "partner", "opponent"])
def test_whose_card_it_was_where_the_seat_is_not_said(player: str) -> None:
    first, second = read(f"revokes:\n  - {{player: defender}}\n  - {{player: {player}, trick: 5}}\n").revokes
    assert (first, second) == (Finding(player="defender"), Finding(trick=5, player=player))


@pytest.mark.parametrize(
    ("key", "answer"),
    [(kind.id, answer) for kind in shipped_table().findings.values() for answer in kind.answers],
)
def test_a_finding_may_be_said_as_people_answer(key: str, answer: str) -> None:
    (finding,) = read(f"revokes:\n  - {{hand: W, trick: 5, {key}: {answer!r}}}\n").revokes
    assert finding.said == {key: answer}


def test_every_key_of_a_revoke() -> None:
    text = """\
revokes:
  - hand: W
    trick: 5
    suit: H
    same-suit: false
    card: S4
    failed-to: play-penalty-card
    faced: true
    required-faced: true
    won-by: W
    later-tricks: 2
    later-win-playable: true
    next-trick: led-out-of-turn
    others-next-trick: true
    claim: by-opponents-open
    after-claim: true
    noticed: after-call-on-next-board
    next-board-call-by: NS
    asked-by: N
    dummy-lost-rights: true
    other-side-revoked: same-board
    other-revoke-stands: false
    played-after: [N, E]
    led-on: S
    partner-to-play: false
    repeats: 1
    equity-tricks: 10
"""
    (finding,) = read(text).revokes
    assert (finding.hand, finding.trick, finding.card) == ("W", 5, Card.from_text("S4"))
    assert {"hand", "trick", *finding.said} == shipped_table().findings.keys() | {"hand", "trick"}
    assert finding.said == {
        "suit": "H",
        "same-suit": False,
        "card": Card.from_text("S4"),
        "failed-to": "play-penalty-card",
        "faced": True,
        "required-faced": True,
        "won-by": "W",
        "later-tricks": 2,
        "later-win-playable": True,
        "next-trick": "led-out-of-turn",
        "others-next-trick": True,
        "claim": "by-opponents-open",
        "after-claim": True,
        "noticed": "after-call-on-next-board",
        "next-board-call-by": "NS",
        "asked-by": "N",
        "dummy-lost-rights": True,
        "other-side-revoked": "same-board",
        "other-revoke-stands": False,
        "played-after": ("N", "E"),
        "led-on": "S",
        "partner-to-play": False,
        "repeats": 1,
        "equity-tricks": 10,
    }


FIELDS = {
    "attention": "by: S",
    "asked": "by: N, of: S, answer: no",
    "corrected": "by: W, withdrawn: S4, played: H4",
    "withdrawn": "by: N, card: S4, played: H4",
    "designated": "by: S, card: H4",
    "slip-of-the-tongue": "by: S, card: H4",
    "led-out-of-turn": "by: S, card: H4",
    "claimed": "by: S, tricks: 3",
    "conceded": "by: S",
    "agreed": "by: S",
    "objected": "by: S",
    "exposed": "by: W, card: H4, kind: major",
    "accepted": "by: S, of: W",
    "required": "by: S, of: W, suit: H, how: lead",
    "called-on-next-board": "by: S",
    "cards-mixed": "by: S",
    "quitted": "by: S",
    "demanded-wrongly": "by: S",
    "misplaced": "card: S4, called: H4",
    "called-void": "by: S, card: H4",
    "shown": "by: W, card: H4",
    "omitted": "by: W, trick: 3",
    "extra-card": "by: W, card: H4",
    "fifth-card": "by: W, card: H4, deemed: slip",
    "card-found": "of: W, card: H4, where: elsewhere",
    "wrong-hands": "more: W, fewer: E",
}


EVENTS = shipped_table().events
AFTER_A_CLAIM = ("agreed", "objected", "play-continued", "claim-settled", "concession-cancelled")
BEFORE = {**dict.fromkeys(AFTER_A_CLAIM, "  - claimed: {by: N}\n"), "objected": "  - conceded: {by: N}\n"}
"""What must have happened before."""


@pytest.mark.parametrize("name", EVENTS)
def test_every_event_of_the_contract_can_be_written(name: str) -> None:
    before = f"events:\n{BEFORE.get(name, '')}"
    *_, event = read(f"{before}  - {name}: {{{FIELDS.get(name, '')}}}\n").events
    assert event.name == name and (event.ends_play > 0) == (EVENTS[name].ends_play is not None)
    assert event.said.keys() == {one.split(":")[0].strip() for one in FIELDS.get(name, "").split(",") if one}
    if name not in FIELDS:
        assert read(f"{before}  - {name}\n").events[-1] == event


def test_the_fields_of_events() -> None:
    text = """\
events:
  - asked: {by: N, of: S, answer: no}
  - {after: "2.1", corrected: {by: W, withdrawn: s4, played: H10}}
  - attention: {by: S, to: {hand: W, trick: 2}}
  - led-out-of-turn: {by: E, card: HJ, trick: 2}
  - {after: "13.4", required: {by: S, of: W, card: H4, how: not-lead}}
"""
    found = read(text).events
    assert [event.said for event in found] == [
        {"by": "N", "of": "S", "answer": "no"},
        {"by": "W", "withdrawn": Card.from_text("S4"), "played": Card.from_text("HT")},
        {"by": "S", "to": RevokeNamed("W", 2)},
        {"by": "E", "card": Card.from_text("HJ"), "trick": 2},
        {"by": "S", "of": "W", "how": "not-lead", "card": Card.from_text("H4")},
    ]
    assert [event.takes_back for event in found if event.takes_back] == [(Card.from_text("S4"), Card.from_text("HT"))]


def test_a_file_is_read_by_what_can_be_said_under_its_edition() -> None:
    """What a draft declares can be stated in a file that names it, and in no other."""
    shipped = shipped_table()
    more = replace(shipped.findings["faced"], id="first-tournament")
    table = replace(shipped, findings={**shipped.findings, "first-tournament": more})
    text = "edition: draft\nrevokes: [{hand: W, trick: 5, first-tournament: true}]\n"
    asked: list[str | None] = []

    def tables(edition: str | None) -> Table:
        asked.append(edition)
        return table

    assert read_incident(text, "f", tables).revokes[0].said == {"first-tournament": True}
    read_incident("revokes: []", "f", tables)
    assert asked == ["draft", None]
    with pytest.raises(InputError, match="'first-tournament' is no key here"):
        read(text)


def test_the_places_of_what_is_said() -> None:
    incident = read("tricks: 9\nrevokes:\n  - {hand: W, trick: 5}\n  - hand: E\n    trick: 7\n    won-by: E\n")
    assert [str(incident.places[f"revokes.{key}"]) for key in ("1", "1.trick", "2.won-by")] == [
        "table.yaml:3:5",
        "table.yaml:3:15",
        "table.yaml:6:5",
    ]


def test_what_is_irregular_at_the_table_is_no_fault_of_the_file() -> None:
    incident = read(WHOLE.replace("S H7 h3 ♥J HQ", "N H7 h3 S5 H7"))
    assert incident.play is not None
    found = irregularities(incident.play, incident.deal, incident.contract, incident.declarer)
    assert {one.kind for one in found} >= {Oddity.CARD_NOT_HELD, Oddity.CARD_PLAYED_TWICE, Oddity.LEAD_FROM_WRONG_HAND}


def test_an_incident_inside_another_file_keeps_its_places() -> None:
    case = read_yaml(
        "id: one\nincident:\n  contract: 4S\n  play:\n  - S H7\n  revokes:\n  - {hand: N, trick: 1}\n", "case.yaml"
    )
    assert isinstance(case, Mapping)
    incident = incident_of(case.entries["incident"], shipped)
    assert str(incident.places["contract"]) == "case.yaml:3:13"
    assert incident.places["play"].line == 5 and incident.places["revokes.1"].line == 7


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
FINDINGS = shipped_table().findings
VALUES = st.recursive(
    st.one_of(st.text(max_size=8), st.integers(), st.sampled_from(["S", "4S", "S H7 H3", "5.3", *EVENTS, *FINDINGS])),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*KEYS, *EVENTS, *FINDINGS, "hand", "by"]), inner, max_size=3),
    max_leaves=8,
)  # fmt: skip


@pytest.mark.thorough
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

    assert len(read_incident(stated(100), "x", shipped).events) == 100
    with pytest.raises(InputError, match=r"^x:103:5: there are more than 100 events; leave out"):
        read_incident(stated(101), "x", shipped)
