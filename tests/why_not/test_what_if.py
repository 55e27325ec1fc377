"""The ruling before and after a change."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest
from support.ruling import ROOT, incident, laws, speaker_of

from facts.errors import InputError
from facts.incident import Incident
from facts.readers.incident_file import read_incident
from kb.explain.as_text import page_of
from kb.explain.page import as_markdown, as_text
from kb.ruling.laws import Laws
from kb.ruling.make_ruling import rule
from kb.ruling.ruling import Ruling
from kb.why_not.what_if import WhatIf, difference_lines, what_if, what_if_json, what_if_text
from kb.why_not.why_not import why_not

STATED: dict[str, Any] = {
    "contract": "4S",
    "declarer": "S",
    "revokes": [
        {"hand": "W", "trick": 5, "suit": "H", "card": "S4", "won-by": "E", "later-tricks": 1, "next-trick": "played"}
    ],
}
DRAFT = {
    "edition.yaml": """
edition: gentle
title: {en: A draft, de: Ein Entwurf}
authority: a test
in-force: "2030"
amends: duplicate-2017
""",
    "vocabulary.yaml": """
kinds:
  first-tournament:
    fields: {hand: seat}
    says: {en: "{hand} plays the first tournament", de: "{hand} spielt das erste Turnier"}
""",
    "table.yaml": """
findings:
  first-tournament:
    is: yes-no
    means: {en: "it is the player's first tournament", de: "es ist das erste Turnier des Spielers"}
    asks:  {en: "Is it his first tournament?", de: "Ist es sein erstes Turnier?"}
    about: {en: "it was his first tournament:", de: "es war sein erstes Turnier:"}
    not-stated: {presumed: "no", says: {en: "it is not his first tournament", de: "es ist nicht sein erstes Turnier"}}
    "yes": {first-tournament: {hand: $hand}}
""",
    "law-64.yaml": """
law: "64"
clauses:
  "64B9":
    new: true
    says: {en: "No automatic trick in the first tournament.", de: "Kein automatischer Stich im ersten Turnier."}
    encoded-as: rules
    rules:
      - when:
          - liable:           {play: $p, trick: $t, hand: $h}
          - first-tournament: {hand: $h}
        then: {exempt: {play: $p, trick: $t, hand: $h}}
        because: {en: "It is {h}'s first tournament.", de: "Es ist das erste Turnier von {h}."}
""",
}
"""A finding and a clause of an editor's own."""


def ruled(known: Laws, incident: Incident) -> Ruling:
    return rule(known.for_incident(incident), incident)


def both(*changes: str) -> WhatIf:
    return what_if(ruled(laws(), incident(STATED)), changes, laws().table, partial(ruled, laws()))


def test_another_winner_brings_another_clause() -> None:
    sides = both("won-by=W")
    assert (sides.came, sides.went) == (("64A1",), ("64A2",))
    assert [dict(one.transfer) for one in (sides.before, sides.after)] == [{"NS": 1, "EW": 0}, {"NS": 2, "EW": 0}]


def test_noticed_in_time_it_is_corrected() -> None:
    sides = both("noticed=before-next-trick", "next-trick=no")
    assert "62A" in sides.came
    assert "63A1" in sides.went


def test_another_edition() -> None:
    sides = both("edition=duplicate-2007")
    assert sides.after.edition.id == "duplicate-2007"
    assert sides.before.edition.id == "duplicate-2017"


def test_what_makes_no_difference_is_said_to_make_none() -> None:
    assert [line.text for line in difference_lines(both("board=7"), speaker_of())] == [
        "The ruling is the same, by the same laws."
    ]


def test_each_ruling_stands_under_its_heading() -> None:
    changes, _, rulings = what_if_text(both("won-by=W"), speaker_of(), speaker_of(), as_text).partition("\nAfter: ")
    after, _, before = rulings.partition("\nBefore: ")
    assert "New: Law 64A1" in changes and "No longer: Law 64A2" in changes
    assert "[Law 64A1]" in after and "[Law 64A2]" in before
    text = what_if_text(both("won-by=W"), speaker_of("de"), speaker_of("de"), as_markdown)
    assert text.index("2 Stiche an Nord–Süd") < text.index("## Nachher: ") < text.index("## Vorher: ")


def test_as_data_holds_both_rulings() -> None:
    data = what_if_json(both("won-by=W"), speaker_of(), speaker_of(), ["won-by=W"])
    assert data["before"]["text"] == as_text(page_of(both().before, speaker_of()), speaker_of())
    assert (data["came"], data["went"]) == (["64A1"], ["64A2"])


def test_a_changed_incident_that_contradicts_itself_is_refused() -> None:
    with pytest.raises(InputError):
        both("revoke-1.trick=14")


def test_what_cannot_stand_beside_a_change_is_left_out_and_told() -> None:
    sides = both("noticed=before-next-trick")
    assert (sides.left_out, sides.after.revokes[0].status) == ("next-trick", "must-correct")
    assert "Left out" in difference_lines(sides, speaker_of())[0].text
    with pytest.raises(InputError):
        both("noticed=before-next-trick", "next-trick=led")


def test_what_could_give_way_in_several_places_does_so_in_none() -> None:
    (found,) = STATED["revokes"]
    before = ruled(laws(), incident({**STATED, "revokes": [{**found, "claim": "none", "noticed": "after-play"}]}))
    with pytest.raises(InputError):
        what_if(before, ["next-trick=no"], laws().table, partial(ruled, laws()))


@pytest.mark.thorough
def test_what_a_draft_adds_can_be_changed_and_is_told_of(tmp_path: Path) -> None:
    for name, text in DRAFT.items():
        (tmp_path / name).write_text(text, "utf-8")
    known = Laws(ROOT, "quick")
    stated = (
        f"edition: {tmp_path}\ncontract: 4S\ndeclarer: S\nrevokes: [{{hand: W, trick: 5, won-by: W, later-tricks: 2}}]"
    )
    read = read_incident(stated, "test.yaml", known.table)
    sides = what_if(ruled(known, read), ["first-tournament=yes"], known.table, partial(ruled, known))
    assert ("64B9" in sides.came, dict(sides.before.transfer)["NS"], dict(sides.after.transfer)["NS"]) == (True, 2, 0)
    (way,) = why_not(rule(known.for_incident(read), read), "64B9").ways
    assert way.changes == {(0, "first-tournament"): (True,)}
