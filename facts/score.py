"""The duplicate score of one board."""

from __future__ import annotations

from typing import Final

from facts.contract import Contract

_TRICK: Final = {"C": 20, "D": 20, "H": 30, "S": 30, "NT": 30}
_TIMES: Final = {"": 1, "X": 2, "XX": 4}
_INSULT: Final = {"": 0, "X": 50, "XX": 100}
_NOT_VULNERABLE: Final = {1: 200, 2: 300}
"""How much less than 300 a trick the first undertricks doubled cost; 400 from the third on."""
_SLAM: Final = {False: {6: 500, 7: 1000}, True: {6: 750, 7: 1500}}


def score(contract: Contract, vulnerable: bool, tricks: int) -> int:
    """Points for declarer's side, negative when it goes down; 0 for a board passed out.

    ``vulnerable`` is that of declarer's side, ``tricks`` all that it won, 0 to 13.
    """
    if contract.passed_out:
        return 0
    over = tricks - contract.level - 6
    return _made(contract, vulnerable, over) if over >= 0 else -_lost(contract, vulnerable, -over)


def _made(contract: Contract, vulnerable: bool, over: int) -> int:
    doubled, each = contract.doubled, _TRICK[contract.denomination]
    bid = (each * contract.level + (10 if contract.denomination == "NT" else 0)) * _TIMES[doubled]
    game = (500 if vulnerable else 300) if bid >= 100 else 50
    overtrick = each if doubled == "" else _TIMES[doubled] * (100 if vulnerable else 50)
    return bid + game + _SLAM[vulnerable].get(contract.level, 0) + _INSULT[doubled] + over * overtrick


def _lost(contract: Contract, vulnerable: bool, down: int) -> int:
    if contract.doubled == "":
        return down * (100 if vulnerable else 50)
    doubled = 300 * down - (100 if vulnerable else _NOT_VULNERABLE.get(down, 400))
    return doubled if contract.doubled == "X" else 2 * doubled
