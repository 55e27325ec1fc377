"""What recording the proof costs: the time of a ruling with the steps noted, and without.

Usage: python bench/proof_cost.py [CASES...] [--runs 15]. CASES are folders of cases; those beside the rules if none is
named. The two take turns, so that a busy machine slows both alike; the least of the runs is told.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from facts.incident import Incident
from facts.observe import observe
from kb.cases.cases import read_cases
from kb.engine import python
from kb.engine.python import PythonEngine, function_source
from kb.explain.as_json import verdict
from kb.language.folders import DEFAULT_EDITION, rules_root
from kb.ruling.law import Law
from kb.ruling.laws import Laws
from kb.ruling.rule import rule

_NOTED = re.compile(r"^( *)step\(.*\)$", re.MULTILINE)


def without_steps(law: Law) -> PythonEngine:
    """The same engine with every noting of a step taken out of what it runs."""
    with patch.object(python, "function_source", lambda program: _NOTED.sub(r"\1pass", function_source(program))):
        return PythonEngine(law.program)


def least(runs: int, *turns: Callable[[], object]) -> list[float]:
    """The least seconds of each, taken in turns."""
    best = [float("inf")] * len(turns)
    for _ in range(runs):
        for number, turn in enumerate(turns):
            start = time.perf_counter()
            turn()
            best[number] = min(best[number], time.perf_counter() - start)
    return best


def measure(law: Law, incidents: Sequence[Incident], runs: int) -> tuple[float, float, float]:
    """Seconds for all incidents: the whole rulings, the engine with steps, the engine without."""
    facts = [observe(incident, law.program.kinds) for incident in incidents]
    bare = without_steps(law)
    ruled, noted, plain = least(
        runs,
        lambda: [verdict(rule(law, incident)) for incident in incidents],
        lambda: [law.engine.run(one) for one in facts],
        lambda: [bare.run(one) for one in facts],
    )
    return ruled, noted, plain


def main() -> None:
    """Prints the numbers."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    arguments.add_argument("cases", nargs="*", type=Path)
    arguments.add_argument("--runs", type=int, default=15)
    given = arguments.parse_args()
    root = rules_root()
    folders = given.cases or [root / DEFAULT_EDITION / "cases"]
    law = Laws(root, "python").of(DEFAULT_EDITION)
    found = [case.incident for folder in folders for case in read_cases(folder)]
    incidents = [one for one in found if one.edition == DEFAULT_EDITION and not one.elections]
    ruled, noted, plain = measure(law, incidents, given.runs)
    each = 1000 / len(incidents)
    print(f"{len(incidents)} incidents, {given.runs} runs; milliseconds for one")
    print(f"  ruling in all        {ruled * each:8.3f}")
    print(f"  engine, steps noted  {noted * each:8.3f}")
    print(f"  engine without       {plain * each:8.3f}")
    print(f"  noting the proof costs {100 * (noted - plain) / ruled:.1f} % of the ruling")


if __name__ == "__main__":
    main()
