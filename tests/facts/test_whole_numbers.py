"""Numbers that texts of any origin write: never so long that reading them takes time, or is refused by Python."""

from __future__ import annotations

import pytest
from support.tables import shipped

from facts.contract import vulnerable_on
from facts.errors import InputError
from facts.printable import whole
from facts.readers.changes import all_changed
from facts.readers.incident_file import read_incident
from facts.readers.pbn import read_pbn
from facts.table import numbers

LONG = "9" * 5_000
PLAIN = "revokes:\n  - {hand: W, trick: 5, later-tricks: 1}\n"


@pytest.mark.parametrize(
    ("text", "number"),
    [("0", 0), ("13", 13), ("9" * 15, 10**15 - 1), ("9" * 16, None), (LONG, None), ("²", None), ("٣", None), ("-1", None), ("", None)],
)  # fmt: skip
def test_only_short_plain_digits_are_a_number(text: str, number: int | None) -> None:
    assert whole(text) == number


@pytest.mark.parametrize("text", [LONG, "²", "a", "", None])
def test_a_board_without_a_number_says_nothing_of_vulnerability(text: str | None) -> None:
    assert vulnerable_on(text) is None


@pytest.mark.parametrize("text", [f"0..{LONG}", f"{LONG}..1", "0..²", "1..2..3", "..", "x"])
def test_what_is_no_range_has_no_numbers(text: str) -> None:
    assert [*numbers(text)] == []


@pytest.mark.parametrize("said", [f"later-tricks: 0..{LONG}", f"later-tricks: '{LONG}'", "later-tricks: ²", f"trick: '{LONG}'"])  # fmt: skip
def test_an_incident_that_states_one_is_refused_at_its_place(said: str) -> None:
    with pytest.raises(InputError, match=r"one\.yaml:2:"):
        read_incident(f"revokes:\n  - {{hand: W, {said}}}\n", "one.yaml", shipped)


@pytest.mark.parametrize("key", ["tricks", "later-tricks", "trick", "revoke-1.trick"])
@pytest.mark.parametrize("value", [LONG, "²", f"0..{LONG}"])
def test_a_change_to_one_is_refused(key: str, value: str) -> None:
    with pytest.raises(InputError):
        all_changed(read_incident(PLAIN, "one.yaml", shipped), [f"{key}={value}"], shipped)


@pytest.mark.parametrize("change", [f"event-{LONG}=", f"revoke-{LONG}.trick=3", f"card-{LONG}.1=H7"])
def test_there_is_no_item_of_such_a_number(change: str) -> None:
    with pytest.raises(InputError, match="there is no"):
        all_changed(read_incident(PLAIN, "one.yaml", shipped), [change], shipped)


def test_a_record_of_such_a_board_costs_no_other() -> None:
    record = '[Event "x"]\n[Board "{}"]\n[Contract "4S"]\n[Declarer "S"]\n[Result "10"]\n'
    first, second = read_pbn("\n".join(record.format(number) for number in (LONG, "2")), "r.pbn")
    assert not isinstance(second, InputError) and second.board == "2"
    assert not isinstance(first, InputError) and first.vulnerable is None
