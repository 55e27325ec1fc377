"""What a ruling costs: both engines beside others on the same rules, as rules and revokes grow, and in memory.

    uv run --group bench bench/run.py [--boards 12] [--rounds 15]
    uv run --group bench bench/run.py --memory [--rulings 200000]

Everything is measured in one run and in turns, so that a busy machine slows all of it alike: CPU time of one core,
medians of the rounds. An engine beside ours must conclude the same facts on every board, or its row says that it does
not. The tables are Markdown, as in docs/performance.md.
"""

from __future__ import annotations

import argparse
import platform
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from support import oracle  # noqa: E402 - the project need not be installed
from support.tables import shipped  # noqa: E402

from bench.boards import boards  # noqa: E402
from bench.grown import grown  # noqa: E402
from bench.measure import microseconds, number, table  # noqa: E402
from bench.peers import peers  # noqa: E402
from facts.fact import Fact  # noqa: E402
from facts.incident import Incident  # noqa: E402
from facts.observe import observe  # noqa: E402
from facts.readers.incident_file import read_incident  # noqa: E402
from kb.engine.durable import DurableEngine  # noqa: E402
from kb.language.folders import rules_root  # noqa: E402
from kb.ruling.laws import Law  # noqa: E402
from kb.ruling.make_ruling import rule  # noqa: E402
from kb.ruling.ruling import Ruling  # noqa: E402

Facts = tuple[Fact, ...]
ENGINES = {"durable": "durable-rules", "quick": "Quick engine"}


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--boards", type=int, default=12)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--memory", action="store_true")
    parser.add_argument("--rulings", type=int, default=200_000)
    parser.add_argument("--rules", type=Path, default=None, help="a folder of rules instead of the shipped ones")
    given = parser.parse_args()
    root = given.rules or rules_root()
    laws = {name: Law(rules=root, engine=name) for name in ENGINES}
    print(f"Python {platform.python_version()}, {platform.machine()}, {_processor()}\n")
    if given.memory:
        for name, law in laws.items():
            print(_memory(ENGINES[name], law, given.rulings), flush=True)
        return
    for part in (_beside_others, _whole, _as_rules_grow, _as_revokes_grow, _as_less_is_said):
        print(part(laws, given.boards, given.rounds), flush=True)
    for beside in ("sets.py", "draft.py"):  # each in a process of its own
        subprocess.run([sys.executable, ROOT / "bench" / beside], check=True)


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "?")


def _observed(law: Law, incident: Incident) -> Facts:
    return tuple(observe(incident, law.edition.table, law.shown))


def _engines(laws: dict[str, Law]) -> dict[str, Callable[[Any], object]]:
    """From (incident, facts) to what follows, with its proof."""

    def proved(law: Law) -> Callable[[tuple[Incident, Facts]], object]:
        return lambda given: law.engine.run(given[1])

    return {ENGINES[name]: proved(law) for name, law in laws.items()}


def _beside_others(laws: dict[str, Law], how_many: int, rounds: int) -> str:
    """From facts to what follows, on one board with one revoke."""
    law = laws["quick"]
    given = [(incident, _observed(law, incident)) for _, incident in boards(1, how_many)]
    wanted = [{fact for fact, _, _ in law.engine.run(facts).firings} - set(facts) for _, facts in given]
    jobs, notes = _engines(laws), dict.fromkeys(ENGINES.values(), "with proof")
    missing = []
    for name, derive in peers(law.program).items():
        if isinstance(derive, str):
            missing.append([name, "-", "-", "-", f"not installed: {derive}"])
            continue
        jobs[name] = lambda one, derive=derive: derive(one[1])
        same = sum(derive(facts) == facts_wanted for (_, facts), facts_wanted in zip(given, wanted, strict=True))
        notes[name] = "the same facts, no proof" if same == len(given) else f"the same facts on {same} of {len(given)}"
    times = microseconds(jobs, dict.fromkeys(jobs, given), rounds)
    rows = [
        [name, number(us), number(1e6 / us), f"{us / times['durable-rules']:.2f}", notes[name]]
        for name, us in times.items()
    ]
    facts = sum(len(facts) for _, facts in given) // how_many
    title = f"From facts to proof: complete boards with one revoke, {facts} facts, {len(law.program.rules)} rules"
    return table(title, ["engine", "µs", "rulings a second", "times durable-rules", ""], [*rows, *missing])


def _whole(laws: dict[str, Law], how_many: int, rounds: int) -> str:
    """From an incident to its ruling, and what is worked out when it is asked for; the oracle as the limit."""
    found = boards(1, how_many)
    stated, incidents = [one for one, _ in found], [one for _, one in found]
    law = laws["quick"]
    facts = [_observed(law, incident) for incident in incidents]
    jobs: dict[str, Callable[[Any], object]] = {
        "hand-written oracle": oracle.rule,
        "observe: incident to facts": lambda incident: _observed(law, incident),
        "Quick engine: facts to proof": law.engine.run,
        "Quick engine: incident to ruling, contradictions refused": lambda incident: rule(law, incident),
        "durable-rules: facts to proof": laws["durable"].engine.run,
        "durable-rules: incident to ruling, contradictions refused": lambda incident: rule(laws["durable"], incident),
        "Quick engine: facts to proof in its order": lambda one: law.engine.run(one).steps,
        "Quick engine: incident to ruling with tricks transferred and laws cited": lambda incident: _told(
            rule(law, incident)
        ),
    }
    given: dict[str, list[Any]] = {
        name: stated if "oracle" in name else facts if ": facts" in name else incidents for name in jobs
    }
    times = microseconds(jobs, given, rounds)
    limit = times["hand-written oracle"]
    rows = [[name, number(us), number(1e6 / us), f"{us / limit:.2f}"] for name, us in times.items()]
    return table("The whole way, one revoke", ["", "µs", "a second", "times the oracle"], rows)


def _told(ruling: Ruling) -> object:
    return ruling.transfer, ruling.cited


def _as_rules_grow(laws: dict[str, Law], how_many: int, rounds: int) -> str:
    facts = [_observed(laws["quick"], incident) for _, incident in boards(1, how_many)]
    rows = []
    first: dict[str, float] = {}
    for times in (1, 2, 4):
        program = grown(laws["quick"].program, times)
        engines = {ENGINES["durable"]: DurableEngine(program).run, ENGINES["quick"]: program.run}
        us = microseconds(engines, dict.fromkeys(engines, facts), rounds)
        first = first or us
        rows.append(
            [
                f"× {times}: {len(program.rules)} rules",
                *(cell for name in us for cell in (number(us[name]), f"{us[name] / first[name]:.2f}")),
            ]
        )
    head = ["", *(cell for name in ENGINES.values() for cell in (f"{name}, µs", "times × 1"))]
    return table("As rules grow: every copy fires", head, rows)


def _as_revokes_grow(laws: dict[str, Law], how_many: int, rounds: int) -> str:
    rows = []
    for slips in range(5):
        given = [(incident, _observed(laws["quick"], incident)) for _, incident in boards(slips, how_many)]
        jobs = _engines(laws)
        us = microseconds(jobs, dict.fromkeys(jobs, given), rounds)
        fired = sum(len(laws["quick"].engine.run(facts).firings) for _, facts in given) / how_many
        rows.append([slips, number(fired), *map(number, us.values())])
    return table(
        "As revokes on a board grow", ["revokes", "firings", *(f"{name}, µs" for name in ENGINES.values())], rows
    )


SAID = (
    "{hand: W, trick: 5, won-by: W, later-tricks: 2, next-trick: played}",
    "{hand: W, trick: 5, won-by: W, later-tricks: 2}",
    "{hand: W, trick: 5}",
    "{hand: W, trick: 3}, {hand: N, trick: 6}",
    "{hand: W, trick: 3}, {hand: W, trick: 6}",
)
"""Findings of which less and less is said."""


def _as_less_is_said(laws: dict[str, Law], how_many: int, rounds: int) -> str:
    """The whole ruling on the quick engine, for every way of filling in what is not said."""
    law = laws["quick"]
    incidents = {
        said: read_incident(f"contract: 4S\ndeclarer: S\nrevokes: [{said}]\n", "said", shipped) for said in SAID
    }
    jobs = {said: partial(rule, law) for said in SAID}
    us = microseconds(jobs, {said: [incident] for said, incident in incidents.items()}, rounds)
    rows = []
    for said, incident in incidents.items():
        certainty = rule(law, incident).certainty
        rows.append([f"`{said}`", f"{certainty.completions.size:,}", number(us[said]), number(us[said] / us[SAID[0]])])
    return table("As less is said", ["revokes", "ways laid out", "µs", "times the first"], rows)


def _memory(name: str, law: Law, rulings: int) -> str:
    """Memory in use after the first hundredth, and after all; boards come round again and again."""
    incidents = [incident for slips in (0, 1, 2, 3) for _, incident in boards(slips, 50)]
    start, after_first = time.process_time(), 0
    for done, incident in enumerate(_round(incidents, rulings), 1):
        rule(law, incident)
        if done == max(1, rulings // 100):
            after_first = _in_use()
    last = _in_use()
    seconds = time.process_time() - start
    growth = (last - after_first) / after_first
    rows = [
        [
            name,
            f"{rulings:,}",
            f"{after_first / 1e6:.1f}",
            f"{last / 1e6:.1f}",
            f"{growth:+.2%}",
            number(rulings / seconds),
        ]
    ]
    head = ["engine", "rulings", "MB after 1 %", "MB at the end", "growth", "incidents a second"]
    return table("Memory", head, rows)


def _round(incidents: list[Incident], how_many: int) -> Iterator[Incident]:
    for turn in range(how_many):
        yield incidents[turn % len(incidents)]


def _in_use() -> int:
    """Bytes of memory in use; the most there was where the system does not tell."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


if __name__ == "__main__":
    main()
