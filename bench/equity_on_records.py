"""Would the automatic tricks make up for the revokes of real boards? Double dummy's answer, and its time.

    python bench/equity_on_records.py PATH...

PATH is a file of records or a folder of them. Of each board with one failure to follow suit that double dummy can
weigh it compares the non-offending side's tricks after the ruling with what it would have had without the revoke, and
lists those where the ruling gives fewer. A record's result may already be the one after a ruling at the table: it is
taken here as the one before.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from facts.cards import SEATS, SIDE, Card, Seat, Side  # noqa: E402 - the project need not be installed
from facts.equity import (  # noqa: E402
    Evidence,
    NotComputed,
    Revoke,
    evidence,
)
from facts.incident import Incident  # noqa: E402
from facts.play import irregularities  # noqa: E402
from facts.readers.archives import read_file  # noqa: E402
from kb.language.folders import rules_root  # noqa: E402
from kb.ruling.laws import Laws  # noqa: E402

Rule = Callable[[Incident, Side], int | None]
"""The tricks of a side after the ruling; None where the ruling leaves them open."""


def failures_to_follow(incident: Incident) -> list[Revoke]:
    """Every card by which a hand did not follow suit and could have, by the cards alone."""
    assert incident.deal is not None
    assert incident.play is not None
    left: dict[Seat, set[Card]] = {seat: set(incident.deal[seat] or ()) for seat in SEATS}
    found = []
    for number, trick in enumerate(incident.play.tricks, 1):
        for seat, card in trick.items():
            if card is None:
                continue
            if card.suit != trick.led and any(one.suit == trick.led for one in left[seat]):
                found.append(Revoke(number, seat, card))
            left[seat].discard(card)
    return found


def boards(paths: list[Path]) -> Iterator[tuple[Incident, Revoke]]:
    """The boards with exactly one failure to follow suit, and a record otherwise in order up to it."""
    files = [file for path in paths for file in (sorted(path.rglob("*.[pP][bB][nN]")) if path.is_dir() else [path])]
    for file in files:
        for board in read_file(file, Laws(rules_root()).table):
            if not isinstance(board, Incident) or board.deal is None or not board.play or not board.play.tricks:
                continue
            revokes = failures_to_follow(board)
            if len(revokes) == 1 and not odd(board):
                yield board, revokes[0]


def odd(board: Incident) -> bool:
    """Whether the record is more likely mistyped than true: cards not held, played twice, led by the wrong hand."""
    assert board.play is not None
    found = irregularities(board.play, board.deal, board.contract, board.declarer)
    return bool(found)


def ruling() -> Rule:
    """The ruling under the laws of 2017, by the quick engine."""
    from kb.ruling.laws import Laws  # noqa: PLC0415 - so that the rest runs without
    from kb.ruling.make_ruling import rule  # noqa: PLC0415 - so that the rest runs without

    law = Laws(ROOT / "rules", "quick").of("duplicate-2017")

    def tricks(incident: Incident, side: Side) -> int | None:
        result = rule(law, incident).result
        if result is None or result.tricks_ruled is None:
            return None
        return result.tricks_ruled if SIDE[result.declarer] == side else 13 - result.tricks_ruled

    return tricks


def verdict(found: Evidence, ruled: int | None) -> str:
    """How the tricks after the ruling stand beside double dummy without the revoke."""
    if ruled is None:
        return "the ruling leaves the tricks open"
    if ruled < found.low:
        return "too few: fewer than double dummy, whatever legal card"
    if ruled < found.high:
        return "perhaps too few: fewer after some legal card only"
    return "as many as double dummy" if ruled == found.high else "more than double dummy, whatever legal card"


def main(paths: list[str]) -> None:
    """Print the counts."""
    rule = ruling()
    verdicts: Counter[str] = Counter()
    spread: Counter[int] = Counter()
    cost: Counter[int] = Counter()
    milliseconds = []
    for board, revoke in boards([Path(path) for path in paths]):
        began = time.perf_counter()
        try:
            found = evidence(board, revoke)
        except NotComputed as error:
            verdicts[f"not computed ({error.why})"] += 1
            continue
        milliseconds.append(1000 * (time.perf_counter() - began))
        spread[found.high - found.low] += 1
        cost[found.low - found.after_revoke] += 1
        ruled = rule(board, found.side)
        verdicts[verdict(found, ruled)] += 1
        if ruled is not None and ruled < found.high:
            where = f"{board.place} board {board.board}: {board.contract} by {board.declarer}"
            print(f"{where}, {revoke.hand} in trick {revoke.trick}: {ruled} ruled, {found.low} to {found.high} without")
    for name, count in verdicts.most_common():
        print(f"{count:5}  {name}")
    print("spread between the legal cards:", dict(sorted(spread.items())))
    print("double-dummy cost of the revoke to the other side:", dict(sorted(cost.items())))
    if milliseconds:
        milliseconds.sort()
        middle, worst = milliseconds[len(milliseconds) // 2], milliseconds[-1]
        print(f"{len(milliseconds)} boards: median {middle:.1f} ms, worst {worst:.1f} ms")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(sys.argv[1:])
