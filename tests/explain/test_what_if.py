"""The ruling before and after a change."""

from __future__ import annotations

from typing import Any

import pytest
from support.ruling import incident, laws, voice

from facts.errors import InputError
from kb.explain.page import as_text
from kb.explain.text import page
from kb.explain.what_if import as_json, as_markdown, differences, print_sides
from kb.ruling.what_if import WhatIf, what_if

STATED: dict[str, Any] = {
    "contract": "4S",
    "declarer": "S",
    "revokes": [
        {"hand": "W", "trick": 5, "suit": "H", "card": "S4", "won-by": "E", "later-tricks": 1, "next-trick": "played"}
    ],
}


def both(*changes: str) -> WhatIf:
    return what_if(laws(), incident(STATED), changes)


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
    assert [line.text for line in differences(both("board=7"), voice())] == [
        "The ruling is the same, by the same laws."
    ]


def test_side_by_side(capsys: pytest.CaptureFixture[str]) -> None:
    print_sides(both("won-by=W"), voice(), voice())
    out = capsys.readouterr().out
    assert "Before" in out
    assert "After" in out
    assert "New: Law 64A1" in out
    assert "No longer: Law 64A2" in out
    assert "[Law" in out


def test_markdown_has_two_columns() -> None:
    text = as_markdown(both("won-by=W"), voice("de"), voice("de"), ["won-by=W"])
    assert "| Vorher | Nachher |" in text
    assert "| 1 Stich an Nord–Süd. | 2 Stiche an Nord–Süd. |" in text


def test_as_data_holds_both_rulings() -> None:
    data = as_json(both("won-by=W"), voice(), voice(), ["won-by=W"])
    assert data["before"]["text"] == as_text(page(both().before, voice()), voice())
    assert (data["came"], data["went"]) == (["64A1"], ["64A2"])


def test_a_changed_incident_that_contradicts_itself_is_refused() -> None:
    with pytest.raises(InputError):
        both("revoke-1.trick=14")
