"""The process that holds the double-dummy library: one position a line in, one answer a line out.

Run as a script, by path, with the library's path and a time limit in seconds; it imports nothing of this project, so
that it starts in a moment and a crash of the library ends nothing but this process. Suits are numbered S H D C NT and
seats N E S W from 0; a set of ranks is an integer with bit 2 for the deuce up to bit 14 for the ace.
"""

from __future__ import annotations

import ctypes
import faulthandler
import json
import os
import sys
from ctypes import Structure, c_int, c_uint
from typing import Any, TextIO

SOLVED = 1
EVERY_CARD = 3


class DealStructure(Structure):
    """``struct deal`` of the library."""

    _fields_ = (
        ("trump", c_int),
        ("first", c_int),
        ("table_suit", c_int * 3),
        ("table_rank", c_int * 3),
        ("remaining", (c_uint * 4) * 4),
    )


class FutureTricks(Structure):
    """``struct futureTricks`` of the library: per card its suit, rank, lower equal ranks and tricks."""

    _fields_ = (
        ("nodes", c_int),
        ("cards", c_int),
        ("suit", c_int * 13),
        ("rank", c_int * 13),
        ("equals", c_int * 13),
        ("score", c_int * 13),
    )


def solve(library: Any, asked: dict[str, Any]) -> dict[str, Any]:
    """``{"tricks": [[suit, rank, tricks], ...]}``, or ``{"error": ...}``."""
    deal = DealStructure(trump=asked["trump"], first=asked["first"])
    for nth, (suit, rank) in enumerate(asked["table"]):
        deal.table_suit[nth], deal.table_rank[nth] = suit, rank
    for seat, hand in enumerate(asked["hands"]):
        deal.remaining[seat][:] = hand
    found = FutureTricks()
    code = library.SolveBoard(deal, 0, EVERY_CARD, 1, ctypes.byref(found), 0)
    if code != SOLVED:
        return {"error": f"code {code}"}
    tricks = []
    for nth in range(found.cards):
        ranks = found.equals[nth] | 1 << found.rank[nth]
        tricks += [[found.suit[nth], rank, found.score[nth]] for rank in range(2, 15) if ranks >> rank & 1]
    return {"tricks": tricks}


def serve(path: str, seconds: float, lines: TextIO, answers: TextIO) -> None:
    """Answer until there are no more lines; a position that takes longer than the limit ends the process."""
    library = ctypes.CDLL(path)
    library.SolveBoard.argtypes = [DealStructure, c_int, c_int, c_int, ctypes.POINTER(FutureTricks), c_int]
    library.SetMaxThreads(1)
    with open(os.devnull, "w") as nowhere:  # noqa: PTH123 - pathlib would only cost time to import
        for line in lines:
            # The watchdog lives in C: it ends this process even while the library has the interpreter.
            faulthandler.dump_traceback_later(seconds, exit=True, file=nowhere)
            answer = solve(library, json.loads(line))
            faulthandler.cancel_dump_traceback_later()
            print(json.dumps(answer), file=answers, flush=True)


def _answers() -> TextIO:
    """Standard output for the answers alone: what the library itself may print goes nowhere."""
    answers = os.fdopen(os.dup(1), "w")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    return answers


if __name__ == "__main__":
    answers = _answers()
    try:
        serve(sys.argv[1], float(sys.argv[2]), sys.stdin, answers)
    except Exception as error:
        print(json.dumps({"error": str(error)}), file=answers, flush=True)
        sys.exit(2)
