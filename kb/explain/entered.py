"""The score that is entered for a board, in words: the same on the page of a ruling and on a slip."""

from __future__ import annotations

from dataclasses import dataclass

from facts.cards import SIDE
from kb.explain.say import Speaker
from kb.ruling.report import Report


@dataclass(frozen=True, slots=True)
class Entered:
    """What is entered; a text is empty where it is not known."""

    board: str
    result: str
    """«4♠ South +1»."""
    score: str
    """«450»."""
    side: str
    """Whose score it is."""
    tricks: str
    """How many at the table, how many after the ruling; empty where none went over."""


def entered(report: Report, speaker: Speaker, short: bool = False) -> Entered | None:
    """None until the board is played out and the ruling certain; ``short`` names seats by their initials."""
    ruling, result = report.ruling, report.scored
    contract = ruling.incident.contract
    if result is None or contract is None or result.tricks_ruled is None:
        return None
    made = over(0 if contract.passed_out else result.tricks_ruled - contract.level - 6)
    declarer = speaker.value(result.declarer, "seat")
    table, board, score = result.tricks_at_table, ruling.incident.board, result.score_ns
    moved = table is not None and table != result.tricks_ruled
    return Entered(
        "" if board is None else speaker.phrase("board", board=board),
        f"{speaker.contract(contract)} {declarer[:1] if short else declarer} {made}",
        "" if score is None else str(abs(score)),
        _whose("NS" if score > 0 else "EW", speaker, short) if score else "",
        speaker.phrase("tricks-entered", table=table, ruled=result.tricks_ruled) if moved else "",
    )


def over(tricks: int) -> str:
    """«+1», «=» or «−2», by the tricks above the contract."""
    return f"{tricks:+d}".replace("-", "−") if tricks else "="


def _whose(side: str, speaker: Speaker, short: bool) -> str:
    if not short:
        return speaker.value(side, "side")
    return "–".join(speaker.value(seat, "seat")[:1] for seat in SIDE if SIDE[seat] == side)
