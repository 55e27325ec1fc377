from __future__ import annotations

import pytest

from facts.contract import PASSED_OUT, Contract


@pytest.mark.parametrize(
    ("text", "contract"),
    [
        ("4S", Contract(4, "S")),
        ("4SX", Contract(4, "S", "X")),
        ("3NTXX", Contract(3, "NT", "XX")),
        ("1c", Contract(1, "C")),
        ("Pass", PASSED_OUT),
    ],
)
def test_a_contract_is_read(text: str, contract: Contract) -> None:
    assert Contract.from_text(text) == contract


@pytest.mark.parametrize("text", ["4S", "7NTXX", "1DX", "Pass"])
def test_a_contract_is_written_as_it_is_read(text: str) -> None:
    assert str(Contract.from_text(text)) == text


@pytest.mark.parametrize("text", ["", "8S", "0S", "4", "S4", "4SXXX", "3N", "4S+1", 4, ["4S"]])
def test_what_is_no_contract(text: object) -> None:
    with pytest.raises(ValueError, match="is no contract; write level, denomination and doubles"):
        Contract.from_text(text)


def test_trump() -> None:
    assert Contract.from_text("4HX").trump == "H"
    assert Contract.from_text("3NT").trump is None
    assert Contract.from_text("Pass").trump is None
    assert PASSED_OUT.passed_out and not Contract.from_text("1C").passed_out
