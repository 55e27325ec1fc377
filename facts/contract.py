"""The contract, and the duplicate score of one board."""

from __future__ import annotations

import re
from dataclasses import dataclass
from reprlib import repr
from typing import Final, Literal, TypeAlias

from facts.cards import Denomination, Suit
from facts.errors import MisreadError
from facts.printable import whole

Doubled: TypeAlias = Literal["", "X", "XX"]
Vulnerable: TypeAlias = Literal["none", "NS", "EW", "both"]

_FORM: Final = re.compile(r"([1-7])(NT|[SHDC])(X{0,2})|(NT|[SHDC])")
NO_LEVEL: Final = -1
"""Of a contract of which only the strain is known, as of an ending."""


@dataclass(frozen=True, slots=True)
class Contract:
    """What declarer undertook."""

    level: int
    """1 to 7; 0 when the board was passed out, NO_LEVEL where only the strain is known."""
    denomination: Denomination
    doubled: Doubled = ""

    @staticmethod
    def from_text(text: object) -> Contract:
        """The contract written ``4S``, ``4SX``, ``3NTXX`` or ``Pass``, or its strain alone; MisreadError for others."""
        plain = str(text).strip().upper()
        if plain == "PASS":
            return PASSED_OUT
        form = _FORM.fullmatch(plain)
        if form is None:
            raise MisreadError(
                f"{repr(str(text))} is no contract", "write level, denomination and doubles, such as 4S, 3NTXX or Pass"
            )
        level, denomination, doubled, alone = form.groups()
        return Contract(int(level or NO_LEVEL), denomination or alone, doubled or "")  # type: ignore[arg-type]

    @property
    def trump(self) -> Suit | None:
        return None if self.denomination == "NT" else self.denomination

    @property
    def passed_out(self) -> bool:
        return self.level == 0

    def __str__(self) -> str:
        level = "" if self.level == NO_LEVEL else self.level
        return "Pass" if self.passed_out else f"{level}{self.denomination}{self.doubled}"


PASSED_OUT: Final = Contract(0, "NT")


_TRICK: Final = {"C": 20, "D": 20, "H": 30, "S": 30, "NT": 30}
_TIMES: Final = {"": 1, "X": 2, "XX": 4}
_INSULT: Final = {"": 0, "X": 50, "XX": 100}
_NOT_VULNERABLE: Final = {1: 200, 2: 300}
"""How much less than 300 a trick the first undertricks doubled cost; 400 from the third on."""
_VULNERABLE: Final[tuple[Vulnerable, ...]] = ("none", "NS", "EW", "both")
_SLAM: Final = {False: {6: 500, 7: 1000}, True: {6: 750, 7: 1500}}


def vulnerable_on(board: str | None) -> Vulnerable | None:
    """Who is vulnerable on a board of that number, in an order that begins again after sixteen boards (Law 2); None if
    it is no number.
    """
    number = whole(board or "")
    if not number:
        return None
    place = (number - 1) % 16
    return _VULNERABLE[(place + place // 4) % 4]


def score(contract: Contract, vulnerable: bool, tricks: int) -> int:
    """Points for declarer's side, negative when it goes down; 0 for a board passed out.

    ``vulnerable`` is that of declarer's side, ``tricks`` all that it won, 0 to 13.
    """
    if contract.passed_out:
        return 0
    over = tricks - contract.level - 6
    if over < 0:
        if contract.doubled == "":
            return over * (100 if vulnerable else 50)
        lost = 300 * -over - (100 if vulnerable else _NOT_VULNERABLE.get(-over, 400))
        return -lost if contract.doubled == "X" else -2 * lost
    doubled, each = contract.doubled, _TRICK[contract.denomination]
    bid = (each * contract.level + (10 if contract.denomination == "NT" else 0)) * _TIMES[doubled]
    game = (500 if vulnerable else 300) if bid >= 100 else 50
    overtrick = each if doubled == "" else _TIMES[doubled] * (100 if vulnerable else 50)
    return bid + game + _SLAM[vulnerable].get(contract.level, 0) + _INSULT[doubled] + over * overtrick
