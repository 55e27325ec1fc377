"""How quick this tree is beside another: both in turns, each measurement in a process of its own.

    uv run bench/against.py REV [--rounds 3] [--row compare …] [--tests tests/engine …]

The machine's speed changes within minutes, so that only what is measured in turns can be compared: a ratio is the
median of those of each turn. CPU time is that of the process and all that it starts, or of one ruling; memory the most
that the process held. A row of one ruling runs boards or findings again and again, after a round that does not count.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any, Final

HERE: Final = Path(__file__).resolve()
ROOT: Final = Path.cwd() if "--measure" in sys.argv else HERE.parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from bench.measure import number, table  # noqa: E402 - the project need not be installed

ORACLE: Final = "hand-written oracle"
BOARD: Final = "board, one revoke, {}: incident to ruling"
TOLD: Final = "board, one revoke, {}: … with tricks and laws cited"
PROOF: Final = "board, one revoke, {}: facts to proof"
FINDING: Final = "`{{hand: W, trick: 5{}}}`, durable-rules"
ALL_SAID: Final = ", won-by: W, later-tricks: 2, next-trick: played"
NAMES: Final = {"durable": "durable-rules", "quick": "Quick engine"}
COMPARE: Final = "`revoke compare duplicate-2007 duplicate-2017`"
AGAIN: Final = "… again, after a change of one clause of the second"
CLAUSE: Final = ("duplicate-2017", "law-64.yaml", "64A1", 'tricks: "> 1"', 'tricks: "> 2"')
"""Edition, file, clause, and what is changed in it."""
REVOKE: Final = "from kb.cli.main import main; main()"
WARM: Final = "import kb; [kb.Law(one) for one in kb.editions()]"
BOARDS, PASSES = 12, 8


@dataclass(frozen=True, slots=True)
class Figure:
    seconds: float
    megabytes: float


def rulings() -> dict[str, Callable[[], Iterable[Callable[[], object]]]]:
    """Rows of one ruling: what there is to do, again and again."""
    found: dict[str, Callable[[], Iterable[Callable[[], object]]]] = {ORACLE: _oracle}
    for engine, name in NAMES.items():
        found[PROOF.format(name)] = partial(_proofs, engine)
        found[BOARD.format(name)] = partial(_boards, engine, lambda ruling: ruling)
        found[TOLD.format(name)] = partial(_boards, engine, lambda ruling: (ruling.transfer, ruling.cited))
    for said in (ALL_SAID, ""):
        found[FINDING.format(said)] = partial(_finding, said)
    return found


def _oracle() -> Iterator[Callable[[], object]]:
    from support import oracle  # noqa: PLC0415 - of the tree that is measured

    from bench.boards import boards  # noqa: PLC0415

    return (partial(oracle.rule, stated) for stated, _ in boards(1, BOARDS))


def _boards(engine: Any, told: Callable[[Any], object]) -> Iterator[Callable[[], object]]:
    from bench.boards import boards  # noqa: PLC0415

    return (partial(_ruled, engine, incident, told) for _, incident in boards(1, BOARDS))


def _proofs(engine: Any) -> Iterator[Callable[[], object]]:
    from bench.boards import boards  # noqa: PLC0415
    from facts.observe import observe  # noqa: PLC0415

    law = _law(engine)
    seen = [observe(incident, law.edition.table, law.shown) for _, incident in boards(1, BOARDS)]
    return (partial(law.engine.run, facts) for facts in seen)


def _finding(said: str) -> Iterator[Callable[[], object]]:
    import kb  # noqa: PLC0415

    text = f"contract: 4S\ndeclarer: S\nrevokes: [{{hand: W, trick: 5{said}}}]\n"
    yield from [partial(_ruled, "durable", kb.incident(text), lambda ruling: ruling)] * BOARDS


@cache
def _law(engine: Any) -> Any:
    import kb  # noqa: PLC0415 - the front door: the rooms behind it bear other names in older trees

    return kb.Law("duplicate-2017", engine=engine)


def _ruled(engine: Any, incident: Any, told: Callable[[Any], object]) -> object:
    """A ruling on the incident as it was read, of which nothing has been worked out."""
    return told(_law(engine).rule(incident))


def measure(row: str) -> None:
    """Prints the CPU seconds of one ruling of a row; runs in the tree that is measured."""
    jobs, times = [*rulings()[row]()], []
    for turn in range(PASSES + 1):
        start = time.process_time()
        for job in jobs:
            job()
        if turn:
            times.append((time.process_time() - start) / len(jobs))
    print(json.dumps(statistics.median(times)))


def _run(tree: Path, arguments: Sequence[str], cache: Path) -> tuple[Figure, str]:
    """CPU seconds of a Python process, and the most memory it held; and what it printed."""
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache), "PYTHONPATH": str(tree)}
    with tempfile.TemporaryFile("w+") as out:
        started = subprocess.Popen([sys.executable, *arguments], cwd=tree, env=environment, stdout=out)
        _, status, usage = os.wait4(started.pid, 0)
        if status:
            sys.exit(f"{tree}: {arguments} ended with status {status}")
        out.seek(0)
        return Figure(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024), out.read()


def _ruling(row: str, tree: Path, cache: Path) -> Figure:
    figure, printed = _run(tree, [str(HERE), "--measure", row], cache)
    return replace(figure, seconds=json.loads(printed))


def _command(arguments: Sequence[str], tree: Path, cache: Path) -> Figure:
    """A command; ``{}`` in it is a folder for what it writes."""
    with tempfile.TemporaryDirectory() as folder:
        return _run(tree, ["-c", REVOKE, *(one.format(f"{folder}/made") for one in arguments)], cache)[0]


def _again(tree: Path, cache: Path) -> Figure:
    """The comparison once more, after the second edition has been changed."""
    edition, file, _, before, after = CLAUSE
    with tempfile.TemporaryDirectory() as folder:
        rules = Path(folder) / "rules"
        subprocess.run(["cp", "-r", str(tree / "rules"), str(rules)], check=True)
        command = ["-c", REVOKE, "compare", "duplicate-2007", edition, "--rules", str(rules)]
        _run(tree, command, cache)
        law = rules / edition / file
        text = law.read_text()
        assert before in text
        law.write_text(text.replace(before, after))
        return _run(tree, command, cache)[0]


def _tests(paths: Sequence[str], tree: Path, cache: Path) -> Figure:
    return _run(tree, ["-m", "pytest", "-q", "-n", "1", "-p", "no:cacheprovider", *paths], cache)[0]


def rows(tests: Sequence[str] | None) -> dict[str, Callable[[Path, Path], Figure]]:
    """Every row, and how it is measured in a tree."""
    found: dict[str, Callable[[Path, Path], Figure]] = {row: partial(_ruling, row) for row in rulings()}
    found[COMPARE] = partial(_command, ["compare", "duplicate-2007", "duplicate-2017"])
    found[AGAIN] = _again
    found["`revoke check duplicate-2017`"] = partial(_command, ["check", "duplicate-2017"])
    found["`revoke check --deep duplicate-2017`"] = partial(_command, ["check", "--deep", "duplicate-2017"])
    found["`revoke site duplicate-2017`"] = partial(_command, ["site", "{}", "duplicate-2017"])
    if tests is not None:
        found[f"pytest {' '.join(tests)}".strip()] = partial(_tests, tests)
    return found


@contextmanager
def _tree_of(rev: str) -> Iterator[Path]:
    """The project as it stood then."""
    with tempfile.TemporaryDirectory() as folder:
        packed = subprocess.run(["git", "archive", rev], cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout
        with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
            archive.extractall(folder, filter="data")
        yield Path(folder)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rev", help="the commit beside which this tree is measured")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--row", action="append", help="only rows that have this in their name")
    parser.add_argument("--tests", nargs="*", help="also tests, all of them or those of these paths")
    given = parser.parse_args()
    wanted = given.row or [""]
    jobs = {row: job for row, job in rows(given.tests).items() if any(part in row for part in wanted)}
    with _tree_of(given.rev) as before, tempfile.TemporaryDirectory() as folder:
        cache, trees = Path(folder), (before, ROOT)
        for tree in trees:
            _run(tree, ["-c", WARM], cache)
        figures: dict[str, list[tuple[Figure, ...]]] = {row: [] for row in jobs}
        for turn in range(given.rounds):
            for row, job in jobs.items():
                order = trees if turn % 2 else trees[::-1]
                found = {tree: job(tree, cache) for tree in order}
                figures[row].append(tuple(found[tree] for tree in trees))
    print(_table(given.rev, figures))


def _table(rev: str, figures: Mapping[str, Sequence[tuple[Figure, ...]]]) -> str:
    oracle = figures.get(ORACLE)
    unit = statistics.median(new.seconds for _, new in oracle) if oracle else None
    lines = []
    for row, turns in figures.items():
        before, now = (statistics.median(turn[at].seconds for turn in turns) for at in (0, 1))
        most = [max(turn[at].megabytes for turn in turns) for at in (0, 1)]
        quicker = statistics.median(old.seconds / new.seconds for old, new in turns)
        beside = f"{now / unit:.1f}" if unit and now < 1 and row in rulings() else ""
        lines.append([row, _time(before), _time(now), f"{quicker:.2f}", beside, *(f"{mb:.0f}" for mb in most)])
    head = ["", f"CPU at {rev}", "CPU now", "times quicker", "times the oracle", "MB then", "MB now"]
    return table(f"Beside {rev}, in turns", head, lines)


def _time(seconds: float) -> str:
    return f"{number(seconds)} s" if seconds > 0.1 else f"{seconds * 1e6:,.0f} µs"


if __name__ == "__main__":
    if "--measure" in sys.argv:
        measure(sys.argv[-1])
    else:
        main()
