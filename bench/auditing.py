"""What an audit costs: boards a second of one core, in all and part by part.

Usage: python bench/auditing.py FOLDER... [ROUNDS]

Times are of the processor, the best of several rounds, so that other work on the machine counts as little as it can.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from facts.incident import Incident
from facts.play import failures_to_follow
from facts.readers.archives import read_unit, units
from kb.audit.auditor import Job, begin
from kb.language.folders import rules_root
from kb.ruling.laws import Law, Laws
from kb.ruling.make_ruling import rule


def best(parts: dict[str, tuple[Callable[[], object], int]], rounds: int) -> dict[str, float]:
    """Seconds of the processor for each part, of its best round. The parts take turns."""
    times: dict[str, list[float]] = {name: [] for name in parts}
    for _ in range(rounds):
        for name, (work, _) in parts.items():
            begun = time.process_time()
            work()
            times[name].append(time.process_time() - begun)
    return {name: min(taken) for name, taken in times.items()}


def main() -> None:
    """Prints the table."""
    rounds = int(sys.argv.pop()) if sys.argv[-1].isdigit() else 5
    found, tables = list(units(sys.argv[1:])), Laws(rules_root()).table
    boards = [one for unit in found for one in read_unit(unit, tables)]
    played = [one for one in boards if isinstance(one, Incident) and one.play is not None]
    auditor = begin(Job(rules_root()))
    law = Law("duplicate-2017", engine="quick")
    revoked = [one for one in played if one.play and failures_to_follow(one.play, one.deal)]
    records = [(one.play, one.deal) for one in played if one.play]
    parts: dict[str, tuple[Callable[[], object], int]] = {
        "reading": (lambda: [sum(1 for _ in read_unit(unit, tables)) for unit in found], len(boards)),
        "who followed suit": (
            lambda: [failures_to_follow(*record) for record in records],
            len(played),
        ),
        "audit": (lambda: [auditor.audit(unit) for unit in found], len(boards)),
        "ruling where a hand failed": (lambda: [rule(law, one).revokes for one in revoked], len(revoked)),
        "ruling on any board": (lambda: [rule(law, one).revokes for one in played[:2000]], len(played[:2000])),
    }
    print(f"{len(boards)} boards, {len(played)} with play, {len(revoked)} on which a hand does not follow suit")
    for name, seconds in best(parts, rounds).items():
        number = parts[name][1]
        print(f"{name:32}{number / seconds:>10,.0f} a second {seconds / number * 1e6:>9.1f} µs each")


if __name__ == "__main__":
    main()
