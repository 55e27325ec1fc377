"""What the bounds of a ruling come to in time and memory: rules made to reach them, by every evaluator and on as many
situations as a ruling is given on, and findings of which little is said, by the shipped laws.

    uv run bench/limits.py

Each pair of rules and evaluator has a process of its own, so that one does not lend memory to the next. The tables are
Markdown, as in docs/reliability.md. The bounds are counts, so that a ruling is the same on every machine: see
kb/engine/bounds.py.
"""

from __future__ import annotations

import resource
import sys
import time
from multiprocessing import get_context
from pathlib import Path
from random import Random

sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[1] / "tests")]

from support.evaluators import RUN  # noqa: E402 - the project need not be installed
from support.partial import drawn  # noqa: E402
from support.rules import program  # noqa: E402

from bench.measure import number, table  # noqa: E402
from facts.errors import BoundsError, RevokeKbError  # noqa: E402
from kb.engine.sets import Facts, Sets  # noqa: E402
from kb.front import Law  # noqa: E402
from kb.space.completions import MOST_COMPLETIONS  # noqa: E402

LAYERS = range(24)
KINDS = "play(hand: seat, trick: integer)\nseen(n: integer)\n" + "\n".join(f"x{n}(n: integer)" for n in range(25))
FAR = "play(trick=$t), play(trick>$t+1000)"
WORST = {
    "conditions that are not joined": (52, "far: " + ", ".join(f"play(trick>{n})" for n in range(7)) + " -> seen(n=1)"),
    "as many firings as may be": (140, "all: play(trick=$t), play(trick=$u) -> seen(n=$t+$u)"),
    "each fact counts all others": (440, "many: play(trick=$t), count(play(trick!=$t)) = $n -> seen(n=$n)"),
    "a sum that feeds itself": (1, "more: seen(n=$n) -> seen(n=$n+1)\nfirst: play(trick=$t) -> seen(n=$t)"),
    "twice as much from layer to layer": (
        52,
        "\n".join(
            ["first: play(trick=$t) -> x0(n=$t)"]
            + [f"double{n}: x{n}(n=$n) -> x{n + 1}(n=$n), x{n + 1}(n=$n+{64 << n})" for n in LAYERS]
        ),
    ),
    "the last fact is what must not be": (
        990,
        "\n".join(f"scan{n}: play(trick=$t), not play(trick>$t+{n % 3}) -> seen(n=$t)" for n in range(200)),
    ),
    "a hundred rules, each just within": (440, "\n".join(f"far{n}: {FAR} -> seen(n={n})" for n in range(100))),
}
KINDS_OF_PAIRS = f"{KINDS}\npair(a: integer, b: integer)"
CROWDED = {
    "each pair is a fact": "all: play(trick=$t), play(trick=$u) -> pair(a=$t,b=$u)",
    "conditions that are not joined": "far: " + ", ".join(["play(trick>0)"] * 4) + " -> seen(n=1)",
    "each fact counts all others": "many: play(trick=$t), count(play(trick!=$t)) = $n -> seen(n=$n)",
}
"""Rules on 60 facts, each of which holds in about half of the situations."""
EDITIONS = ("duplicate-2017", "duplicate-1997", "auction-1912", "dummy-whist-1900")
DRAWN = 600
"""Incidents drawn for each edition."""


def cost(evaluator: str, worst: str) -> tuple[str, float, float]:
    """What came of it, the seconds of the processor and the megabytes that the process grew by."""
    facts, rules = WORST[worst]
    made = program(KINDS, rules)
    given = [("play", "NESW"[n % 4], n) for n in range(facts)]
    before, start, outcome = _most(), time.process_time(), "ruled"
    try:
        RUN[evaluator](made, given)
    except BoundsError:
        outcome = "refused"
    return outcome, time.process_time() - start, _most() - before


def crowded(worst: str) -> tuple[str, float, float]:
    """The same of sets alone, on two million situations."""
    made, random = program(KINDS_OF_PAIRS, CROWDED[worst]), Random(worst)
    given = {"play": Facts({("play", "N", n): random.getrandbits(MOST_COMPLETIONS) for n in range(60)})}
    before, start, outcome = _most(), time.process_time(), "ruled"
    try:
        Sets(made.vocabulary, made.rules).run(given, (1 << MOST_COMPLETIONS) - 1)
    except BoundsError:
        outcome = "refused"
    return outcome, time.process_time() - start, _most() - before


def half_said(edition: str) -> tuple[int, int, float, float]:
    """How many of the incidents drawn were ruled on, and how many refused; the seconds of the slowest of either, and
    the megabytes that the process grew by."""
    law, random, before = Law(edition, engine="quick"), Random(edition), _most()
    ruled, refused, slowest = 0, 0, 0.0
    for one in range(DRAWN):
        incident, start = drawn(random, edition, one % 3 + 1), time.process_time()
        try:
            law.rule(incident).as_dict()
            ruled += 1
        except RevokeKbError:
            refused += 1
        slowest = max(slowest, time.process_time() - start)
    return ruled, refused, slowest, _most() - before


def _most() -> float:
    """The most megabytes that this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    """Prints the table."""
    rows = []
    for worst in WORST:
        for evaluator in RUN:
            with get_context("spawn").Pool(1) as pool:
                outcome, seconds, megabytes = pool.apply(cost, (evaluator, worst))
            rows.append([worst, evaluator, outcome, number(seconds), number(megabytes)])
            print("|", " | ".join(rows[-1]), "|", file=sys.stderr, flush=True)
    print(table("What the bounds come to", ["rules", "evaluator", "it is", "CPU s", "MB"], rows))
    rows = []
    for worst in CROWDED:
        with get_context("spawn").Pool(1) as pool:
            outcome, seconds, megabytes = pool.apply(crowded, (worst,))
        rows.append([worst, outcome, number(seconds), number(megabytes)])
    print(table("In two million situations", ["rules", "it is", "CPU s", "MB"], rows))
    rows = []
    for edition in EDITIONS:
        with get_context("spawn").Pool(1) as pool:
            ruled, refused, slowest, megabytes = pool.apply(half_said, (edition,))
        rows.append([edition, str(ruled), str(refused), number(slowest), number(megabytes)])
    title = "Up to three revokes of which about half is said"
    print(table(title, ["edition", "ruled on", "refused", "slowest, CPU s", "MB"], rows))


if __name__ == "__main__":
    main()
