"""What it costs to rule on every situation at once: whole commands, in CPU time and as ratios to one `revoke check`.

    uv run bench/sets.py [--rounds 3] [--mutation]

Each command runs in a process of its own, in turns, and the median is told: CPU seconds of the process and all that it
starts, the ratio to `revoke check duplicate-2017` in the same run, and the most memory any of them held.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT)]

from bench.measure import number, table  # noqa: E402 - the project need not be installed

REVOKE = "from kb.cli.main import main; main()"
SURVEY = """
import kb
from kb.interview.adviser import Counsel
Counsel.of(kb.Law("duplicate-2017"))
"""
MILLION = """
from kb.language.edition import load_edition
from kb.language.folders import rules_root
from kb.space.outcomes import EditionRun
from kb.space.universe import observed
from kb.space.read_interview import load_interview
from kb.space.universe import Universe
edition = load_edition(rules_root(), "duplicate-2017")
universe = Universe(load_interview(rules_root(), edition, wider=True))
runs = [EditionRun(edition, observed(part)) for _, part in universe.parts()]
assert sum(len(part) for _, part in universe.parts()) > 1_000_000
"""
CHECK = "revoke check duplicate-2017"
KEYS = "w\ns\n2\n3\n0\n"
"""What is typed where something is asked."""


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--mutation", action="store_true", help="also every mutant on every case")
    given = parser.parse_args()
    jobs: dict[str, list[str]] = {
        CHECK: ["-c", REVOKE, "check", "duplicate-2017"],
        "survey of an edition, 64,648 situations": ["-c", SURVEY],
        "first question of `revoke ask`, and its ruling": ["-c", REVOKE, "ask"],
        "`revoke compare duplicate-2007 duplicate-2017`": ["-c", REVOKE, "compare", "duplicate-2007", "duplicate-2017"],
        "`revoke check --deep duplicate-2017`": ["-c", REVOKE, "check", "--deep", "duplicate-2017"],
        "`revoke prove duplicate-2017`": ["-c", REVOKE, "prove", "duplicate-2017"],
        "`revoke prove auction-1912`": ["-c", REVOKE, "prove", "auction-1912"],
        "a million situations laid out, observed and ruled on": ["-c", MILLION],
    }
    if given.mutation:
        jobs["`revoke test --mutate`"] = ["-c", REVOKE, "test", "--mutate"]
    figures: dict[str, list[tuple[float, float]]] = {name: [] for name in jobs}
    for _ in range(given.rounds):
        for name, arguments in jobs.items():
            figures[name].append(_measured(arguments))
    seconds = {name: statistics.median(cpu for cpu, _ in found) for name, found in figures.items()}
    rows = [
        [name, f"{seconds[name]:.2f}", number(seconds[name] / seconds[CHECK]), f"{max(mb for _, mb in found):.0f}"]
        for name, found in figures.items()
    ]
    print(table("Every situation at once", ["", "CPU s", "times one check", "MB at most"], rows))


def _measured(arguments: list[str]) -> tuple[float, float]:
    """CPU seconds of a Python process and of its children, and the most memory of any of them, in MB."""
    pipe, null = subprocess.PIPE, subprocess.DEVNULL
    started = subprocess.Popen([sys.executable, *arguments], cwd=ROOT, stdin=pipe, stdout=null, stderr=null, text=True)
    assert started.stdin is not None
    started.stdin.write(KEYS)
    started.stdin.close()
    _, status, usage = os.wait4(started.pid, 0)
    if status:
        sys.exit(f"{arguments} ended with status {status}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


if __name__ == "__main__":
    main()
