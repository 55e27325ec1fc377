"""Plants each mistake of the lists beside it in a copy of the house, and tells which tests find it.

    uv run --group planted python tests/planted/plant.py map FOLDER      # which tests run which line: once, takes long
    uv run --group planted python tests/planted/plant.py run FOLDER      # plants them; what FOLDER knows is not asked again
    uv run --group planted python tests/planted/plant.py run FOLDER NAME # some of them, anew
    uv run --group planted python tests/planted/plant.py run FOLDER NAME --by TEST   # by a test that is newer than the map
    uv run --group planted python tests/planted/plant.py table FOLDER    # README.md beside this file

A mistake is a line as it stands (once in its file, indentation aside) and the line that is planted there. Of a suite those
tests are run that come by that line in the map, else by its function, else by its file; the first that fails has found it.
The gate's suite is the ordinary tests, the rest is the thorough ones. A test that is newer than the map is always asked.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import queue
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

import yaml

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SUITES = {"gate": "not thorough", "rest": "thorough"}
MOST = 200
"""Of the tests that come by a mistake's file only, so many are asked, those of its own package first."""
SECONDS = {"map": 15, "run": 240}
"""What a test may take while the map is made, and the tests of one mistake; what takes longer has found it."""
WORKERS = os.cpu_count() or 1


@dataclass(frozen=True)
class Mistake:
    """A mistake of one line. ``seen`` is what a user would see of it."""

    name: str
    file: str
    line: str
    planted: str
    seen: str

    def at(self, root: Path = ROOT) -> int:
        """The number of its line, from 1; LookupError unless the line stands there exactly once."""
        text = (root / self.file).read_text("utf-8").split("\n")
        found = [n for n, line in enumerate(text, 1) if line.strip() == self.line]
        if len(found) != 1:
            raise LookupError(f"{self.name}: {self.file} has this line {len(found)} times, not once: {self.line}")
        return found[0]

    def plant(self, root: Path) -> None:
        """Plants it in a copy of the house."""
        path = root / self.file
        text = path.read_text("utf-8").split("\n")
        at = self.at(root) - 1
        text[at] = text[at].replace(self.line, self.planted)
        path.write_text("\n".join(text), "utf-8")


def mistakes() -> list[Mistake]:
    """All of them, in the order of the files."""
    return [Mistake(**one) for path in sorted(HERE.glob("*.yaml")) for one in yaml.safe_load(path.read_text("utf-8"))]


def pytest(
    where: Path, *words: str, seconds: float | None = None, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Pytest in a copy of the house, in one process."""
    command = [sys.executable, "-m", "pytest", "-n", "0", "-p", "no:cacheprovider", *words]
    env = {**os.environ, "PYTHONPATH": str(where), "PYTHONDONTWRITEBYTECODE": "1", **environment}
    return subprocess.run(command, cwd=where, env=env, capture_output=True, text=True, timeout=seconds, check=False)


def copied(to: Path) -> Path:
    """A copy of what git tracks and of what is new."""
    names = subprocess.run(
        ["git", "ls-files", "-zco", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    for name in filter(lambda one: (ROOT / one).is_file(), names.stdout.split("\0")):
        (to / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, to / name)
    return to


# The map


def make_map(folder: Path) -> None:
    """Runs every test file by itself, and keeps which test came by which line, and which tests passed."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as copy:
        where = copied(Path(copy))
        (folder / "coverage.ini").write_text(
            f"[run]\nsource = {where}/facts,{where}/kb\nparallel = true\npatch = subprocess\ncore = ctrace\n"
            "context = ${PYTEST_CURRENT_TEST}\ndata_file = ${MAP_OF}\n"
        )

        def one(path: Path) -> None:
            name = str(path.relative_to(where)).replace("/", "_")
            words = [
                "-m",
                "",
                "-p",
                "pytest_cov",
                "-p",
                "pytest_timeout",
                "--cov",
                f"--cov-config={folder}/coverage.ini",
                "--cov-context=test",
                "-n",
                "1",  # in a worker: without one the contexts stay empty
            ]
            words += ["--cov-report=", f"--junitxml={folder}/{name}.xml", f"--timeout={SECONDS['map']}", str(path)]
            pytest(where, *words, MAP_OF=f"{folder}/{name}.coverage")

        with ThreadPoolExecutor(WORKERS) as pool:
            list(pool.map(one, sorted(where.glob("tests/**/test_*.py"))))


class Map:
    """Which tests come by which line."""

    def __init__(self, folder: Path) -> None:
        from coverage import CoverageData, CoverageException  # noqa: PLC0415 - only the map needs it

        self.known: set[str] = set()
        self.seconds: dict[str, float] = {}
        """Test -> what it took; those that failed by themselves are left out."""
        for path in folder.glob("*.xml"):
            for case in ElementTree.parse(path).iter("testcase"):
                name = f"{case.get('classname', '').replace('.', '/')}.py::{case.get('name')}"
                self.known.add(name)
                if all("Timeout" in str(ended.get("message")) for ended in case):
                    self.seconds[name] = float(case.get("time", 0))
        self.lines: dict[str, dict[int, set[str]]] = {}
        for path in folder.glob("*coverage*"):
            if path.suffix == ".ini":
                continue
            data = CoverageData(str(path))
            try:
                data.read()
            except CoverageException:  # of a process that was killed
                continue
            for file in data.measured_files():
                name = re.sub(r".*/((?:facts|kb)/)", r"\1", file)
                of_file = self.lines.setdefault(name, {})
                for line, contexts in data.contexts_by_lineno(file).items():
                    named = {re.sub(r"^\|+|\|(?:setup|run|teardown)$| \(\w+\)$", "", one) for one in contexts}
                    of_file.setdefault(line, set()).update(named & self.seconds.keys())

    def rounds(self, mistake: Mistake, suite: set[str]) -> list[list[str]]:
        """The tests of a suite that come by its line, or are newer; then those that come by its function; then by its file."""
        at, of_file = mistake.at(), self.lines.get(mistake.file, {})
        rounds = [{test for line in span for test in of_file.get(line, ())} for span in _spans(mistake.file, at)]
        rounds[:1] = [{test for tests in rounds[:1] for test in tests} | suite - self.known]
        by_line = len(rounds)
        rounds.append({test for tests in of_file.values() for test in tests})
        if not of_file:
            beside = [lines for name, lines in self.lines.items() if Path(name).parent == Path(mistake.file).parent]
            rounds.append({test for lines in beside for tests in lines.values() for test in tests})
        package = mistake.file.split("/")[-2]
        asked: set[str] = set()
        ordered = []
        for number, tests in enumerate(rounds):
            some = sorted(tests & suite - asked, key=lambda one: (f"/{package}/" not in one, self.seconds.get(one, 1)))
            ordered.append(some if number < by_line else some[:MOST])
            asked |= tests
        return [tests for tests in ordered if tests]


def _spans(file: str, at: int) -> list[range]:
    """The lines of the statement at a line, and of the function around it."""
    if not file.endswith(".py"):
        return []
    around = [
        n
        for n in ast.walk(ast.parse((ROOT / file).read_text("utf-8")))
        if isinstance(n, ast.stmt) and n.lineno <= at <= (n.end_lineno or 0)
    ]
    statement = max(around, key=lambda n: n.lineno)
    functions = [n for n in around if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]
    inner = [range(n.body[0].lineno, (n.end_lineno or 0) + 1) for n in functions[-1:]]
    return [range(statement.lineno, (statement.end_lineno or 0) + 1), *inner] if functions else inner


# Planting


def suites() -> dict[str, set[str]]:
    """The tests of each suite, as they are now."""
    words = ("-o", "addopts=", "--collect-only", "-q", "-m")
    asked = {suite: pytest(ROOT, *words, marked).stdout.splitlines() for suite, marked in SUITES.items()}
    return {suite: {line for line in lines if "::" in line} for suite, lines in asked.items()}


def found_by(where: Path, rounds: list[list[str]]) -> str | None:
    """The first of these tests that fails, or None."""
    for number, tests in enumerate(rounds):
        for some in [tests[:60], tests[60:]] if number == 0 else [tests]:
            if not some:
                continue
            listed = where / ".tests-asked"
            listed.write_text("\n".join(some))
            try:
                done = pytest(where, "-x", "-m", "", "--no-header", "-rfE", f"@{listed}", seconds=SECONDS["run"])
            except subprocess.TimeoutExpired:
                return "it does not end"
            if done.returncode not in (0, 5):
                failed = re.search(r"^(?:FAILED|ERROR) (\S+(?: [^-\n]*)?)", done.stdout, re.MULTILINE)
                return failed[1].strip() if failed else f"pytest ends with {done.returncode}"
    return None


def run(folder: Path, names: list[str], by: list[str]) -> None:
    """Plants those not asked of before, or these anew, and keeps in found.json what found each: the gate's tests, else the rest."""
    kept = folder / "found.json"
    found: dict[str, dict[str, str | None]] = json.loads(kept.read_text("utf-8")) if kept.exists() else {}
    found = {name: answer for name, answer in found.items() if name not in names}
    of_lines, tests = Map(folder), {suite: set(by) for suite in SUITES} if by else suites()
    copies: queue.Queue[Path] = queue.Queue()
    with tempfile.TemporaryDirectory() as top:
        for number in range(WORKERS):
            copies.put(copied(Path(top) / str(number)))

        def one(mistake: Mistake, suite: str) -> None:
            where = copies.get()
            mistake.plant(where)
            finder = found_by(where, [by] if by else of_lines.rounds(mistake, tests[suite]))
            shutil.copy2(ROOT / mistake.file, where / mistake.file)
            copies.put(where)
            found.setdefault(mistake.name, {})[suite] = finder
            kept.write_text(json.dumps(found, indent=1), "utf-8")
            print(f"{suite} {mistake.name}: {finder or '-'}", flush=True)

        with ThreadPoolExecutor(WORKERS) as pool:
            for suite in ("gate",) if by else SUITES:
                answers = {m: found.get(m.name, {}) for m in mistakes() if not names or m.name in names}
                asked = [m for m, known in answers.items() if suite not in known and not any(known.values())]
                list(pool.map(one, asked, [suite] * len(asked)))


def table(folder: Path) -> None:
    """Writes README.md."""
    found = json.loads((folder / "found.json").read_text("utf-8"))
    rows = [(m, found.get(m.name, {})) for m in mistakes()]
    by_gate = sum(bool(of.get("gate")) for _, of in rows)
    by_any = sum(bool(of.get("gate") or of.get("rest")) for _, of in rows)
    text = [
        "# Mistakes planted one by one",
        "",
        "What the tests see. Each mistake is a line of the product as somebody might get it wrong, chosen without a look at the tests;",
        "`plant.py` plants it in a copy and runs the tests that come by that line. A fault met in the field is added here, with the",
        "one test that sees it. Made by `plant.py table`:",
        "",
        f"{len(rows)} mistakes; the gate finds {by_gate}, all tests together {by_any}.",
        "",
        "| mistake | file | what a user would see | found in the gate by | else by |",
        "|---|---|---|---|---|",
    ]
    for m, of in rows:
        cells = [m.name, m.file, m.seen, *(_cell(of.get(suite)) for suite in SUITES)]
        text.append("| " + " | ".join(cells) + " |")
    (HERE / "README.md").write_text("\n".join([*text, ""]), "utf-8")


def _cell(test: str | None) -> str:
    return re.sub(r"\[.*", "", test).removeprefix("tests/").replace("|", "\\|") if test else ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("do", choices=["map", "run", "table"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument(
        "--steps", action="store_true", help="ask the other steps of the gate too of what its tests do not find"
    )
    parser.add_argument("--by", nargs="+", default=[], help="with run: these tests of the gate, whatever the map says")
    given = parser.parse_args()
    folder = given.folder.resolve()
    if given.do == "map":
        make_map(folder)
    elif given.do == "run":
        run(folder, given.names, given.by)
    else:
        table(folder)


if __name__ == "__main__":
    main()
