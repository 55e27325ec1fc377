"""The trick of a finding as it lay: read, written, and held against what is said of it."""

from __future__ import annotations

import pytest
from support.tables import shipped

from facts.cards import Card
from facts.errors import InputError
from facts.play import Trick
from facts.readers.changes import all_changed
from facts.readers.incident_file import read_incident
from facts.to_yaml import as_yaml, plain

FILE = "contract: 4S\ndeclarer: S\nrevokes: [{hand: W, trick: 5, cards: n h7 h3 - s4%s}]\n"


def read(more: str = "") -> Trick | None:
    return read_incident(FILE % more, "a.yaml", shipped).revokes[0].cards


def test_the_trick_is_read_and_written_as_a_row_of_the_play() -> None:
    assert read() == Trick("N", (Card.from_text("H7"), Card.from_text("H3"), None, Card.from_text("S4")))
    incident = read_incident(FILE % "", "a.yaml", shipped)
    assert plain(incident)["revokes"][0]["cards"] == "N H7 H3 - S4"
    assert read_incident(as_yaml(incident), "b.yaml", shipped).revokes == incident.revokes


@pytest.mark.parametrize(
    ("more", "what"),
    [
        (", suit: D", "H was led to trick 5, not D"),
        (", card: S5", "W played S4 to trick 5, not S5"),
    ],
)
def test_what_the_cards_do_not_show_is_a_fault_at_its_place(more: str, what: str) -> None:
    with pytest.raises(InputError) as refused:
        read(more)
    (fault,) = refused.value.faults
    assert (fault.what, fault.place.line) == (what, 3) and "or the cards" in fault.mend


def test_another_winner_than_the_cards_show_is_a_fault() -> None:
    with pytest.raises(InputError, match="by the cards trick 5 was won by W, not by S"):
        read_incident((FILE % ", won-by: S").replace(" - ", " hq "), "a.yaml", shipped)


def test_cards_that_follow_suit_show_no_revoke() -> None:
    followed = FILE.replace("s4%s", "h4%s")
    with pytest.raises(InputError, match="3:38: W followed suit with H4: these cards show no revoke"):
        read_incident(followed % "", "a.yaml", shipped)
    assert read_incident(followed % ", failed-to: play-penalty-card", "a.yaml", shipped).revokes[0].cards is not None


@pytest.mark.parametrize("cards", ["x h7", "n", "n h7 h3 hq s4 s5", "n hx", "[n]"])
def test_what_is_no_trick_is_refused(cards: str) -> None:
    with pytest.raises(InputError):
        read_incident(f"revokes: [{{hand: W, cards: {cards}}}]\n", "a.yaml", shipped)


def test_it_can_be_changed() -> None:
    after = all_changed(read_incident(FILE % "", "a.yaml", shipped), ["cards="], shipped)
    assert after.revokes[0].cards is None
