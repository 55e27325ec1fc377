"""How many questions the interview of each edition asks, beside the fewest possible, and how long it plans.

    uv run python bench/interview.py [EDITION...]

Every situation counts the same. The optimum is found by planning the whole space to the end, which no interview waits
for. Times are of the processor.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from time import process_time

from kb.interview.planner import Planner
from kb.interview.session import Adviser
from kb.interview.survey import survey
from kb.language.edition import load_edition
from kb.language.folders import editions, rules_root
from kb.space.read_interview import load_interview

WHOLE = 1_000_000
"""More nodes than any diagram has."""


def main(names: list[str]) -> None:
    root = rules_root()
    print("| edition | situations | rulings | questions | at most | fewest possible | ratio | next question | survey |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name in names or editions(root):
        code = load_edition(root, name)
        started = process_time()
        adviser = Adviser(survey(code, load_interview(root, code)))
        made = process_time() - started
        diagram, start = adviser.diagram, adviser.start
        slowest = max(_plannings(adviser))
        asked, worst = adviser.planner.cost(start)
        fewest, _ = Planner(diagram, exact=WHOLE).cost(start)
        situations = diagram.weight[adviser.survey.whole]
        cells = (
            f"`{name}`",
            f"{situations:,}",
            len(diagram.outcomes(start)),
            f"{asked / diagram.weight[start]:.2f}",
            worst,
            f"{fewest / diagram.weight[start]:.2f}",
            f"{asked / fewest:.3f}",
            f"{slowest * 1000:.0f} ms",
            f"{made:.1f} s",
        )
        print("|", " | ".join(map(str, cells)), "|", flush=True)


def _plannings(adviser: Adviser) -> Iterator[float]:
    """How long each question takes to be chosen, in seconds, on every way through the interview, the first time."""
    waiting, seen = [adviser.start], {adviser.start}
    while waiting:
        started = process_time()
        step = adviser.planner.best(waiting.pop())
        yield process_time() - started
        after = {branch.state for branch in step.branches} - seen if step else set()
        seen |= after
        waiting += after


if __name__ == "__main__":
    main(sys.argv[1:])
