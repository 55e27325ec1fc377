"""Plants each mistake of the lists beside it in a copy of the house, and tells which test finds it.

    uv run python tests/planted/plant.py           # all of them; README.md beside this file is written anew
    uv run python tests/planted/plant.py NAME ...  # some of them

A mistake is a line as it stands (once in its file, indentation aside) and the line that is planted there. The test that
README.md names is asked first; where it finds nothing or there is none, the tests of the same package, then all others:
first the ordinary ones, which are the gate's, then the thorough ones. The first that fails has found it.
Status 1 when a mistake is found by none.
"""

from __future__ import annotations

import argparse
import os
import queue
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import yaml

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
TABLE = HERE / "README.md"
SUITES = {"gate": "not thorough", "rest": "thorough"}
SECONDS = 300, 1200, 7200
"""What the test that is named may take with one mistake, the tests of its package, and all; what takes longer has found it."""
WORKERS = os.cpu_count() or 1
NONE_RAN = 5
"""How pytest ends where no test was to be run."""


@dataclass(frozen=True)
class Mistake:
    """A mistake of one line. ``seen`` is what a user would see of it."""

    name: str
    file: str
    line: str
    planted: str
    seen: str

    def text(self) -> str:
        """Its file with the mistake in it; LookupError unless its line stands there exactly once."""
        text = (ROOT / self.file).read_text("utf-8").split("\n")
        found = [at for at, line in enumerate(text) if line.strip() == self.line]
        if len(found) != 1:
            raise LookupError(f"{self.name}: {self.file} has this line {len(found)} times, not once: {self.line}")
        text[found[0]] = text[found[0]].replace(self.line, self.planted)
        return "\n".join(text)


def mistakes() -> list[Mistake]:
    """All of them, in the order of the files."""
    return [Mistake(**one) for path in sorted(HERE.glob("*.yaml")) for one in yaml.safe_load(path.read_text("utf-8"))]


def known() -> dict[str, dict[str, str]]:
    """Mistake -> suite -> the test that README.md names."""
    rows = (re.split(r"(?<!\\)\|", line) for line in TABLE.read_text("utf-8").splitlines() if line.startswith("| "))
    cells = ([cell.strip() for cell in row[1:-1]] for row in rows)
    return {name: dict(zip(SUITES, finders, strict=True)) for name, _, _, *finders in cells}


def copied(to: Path) -> Path:
    """A copy of what git tracks and of what is new."""
    names = subprocess.run(
        ["git", "ls-files", "-zco", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    for name in filter(lambda one: (ROOT / one).is_file(), names.stdout.split("\0")):
        (to / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, to / name)
    return to


def rounds(mistake: Mistake, suite: str, named: str) -> Iterator[list[str]]:
    """What pytest is asked, one after another: the test named, the tests of its package, all."""
    file, package = Path("tests", named.partition("::")[0]), Path("tests", mistake.file.split("/")[-2])
    yield [f"tests/{named}"] if (ROOT / file).is_file() else []
    yield ["-m", SUITES[suite], str(package)] if (ROOT / package).is_dir() else []
    yield ["-m", SUITES[suite], "tests"]


def found_by(where: Path, mistake: Mistake, suite: str, named: str) -> str:
    """The first test of a suite that fails, or nothing."""
    env = {**os.environ, "PYTHONPATH": str(where), "PYTHONDONTWRITEBYTECODE": "1"}
    for asked, seconds in zip(rounds(mistake, suite, named.partition(",")[0]), SECONDS, strict=True):
        if not asked:
            continue
        command = ["-m", "pytest", "-n", "0", "-p", "no:cacheprovider", "-x", "-m", "", "--no-header", "-rfE", *asked]
        try:
            done = subprocess.run(
                [sys.executable, *command],
                cwd=where,
                env=env,
                capture_output=True,
                text=True,
                timeout=seconds,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return f"{asked[-1].removeprefix('tests/')}, which does not end"
        gone = "ERROR: not found:" in done.stderr  # the test that is named, which then finds nothing
        if done.returncode not in (0, NONE_RAN) and not gone:
            failed = re.search(r"^(?:FAILED|ERROR) (?:tests/)?([^\s\[]+)", done.stdout, re.MULTILINE)
            return failed[1] if failed else f"pytest ends with {done.returncode}"
    return ""


def ask(asked: list[Mistake], before: dict[str, dict[str, str]]) -> dict[str, dict[str, str]]:
    """Mistake -> suite -> what found it; the thorough tests are asked of what the gate does not find."""
    found: dict[str, dict[str, str]] = {}
    copies: queue.Queue[Path] = queue.Queue()
    with tempfile.TemporaryDirectory() as top:
        for number in range(WORKERS):
            copies.put(copied(Path(top) / str(number)))

        def one(mistake: Mistake) -> None:
            where = copies.get()
            (where / mistake.file).write_text(mistake.text(), "utf-8")
            found[mistake.name] = dict.fromkeys(SUITES, "")
            for suite in SUITES:
                finder = found_by(where, mistake, suite, before.get(mistake.name, {}).get(suite, ""))
                found[mistake.name][suite] = finder
                if finder:
                    break
            shutil.copy2(ROOT / mistake.file, where / mistake.file)
            copies.put(where)
            print(f"{mistake.name}: {finder or 'found by none'}", flush=True)

        with ThreadPoolExecutor(WORKERS) as pool:
            list(pool.map(one, asked))
    return found


def table(found: dict[str, dict[str, str]]) -> str:
    """README.md."""
    rows = [(m, found.get(m.name, {})) for m in mistakes()]
    by_gate = sum(bool(of.get("gate")) for _, of in rows)
    by_any = sum(any(of.values()) for _, of in rows)
    text = [
        "# Mistakes planted one by one",
        "",
        "What the tests see. Each mistake is a line of the product as somebody might get it wrong, chosen without a look at the tests;",
        "`plant.py` plants it in a copy and asks the test that found it last, then the others. A fault met in the field is added here,",
        "with the one test that sees it. Made by `plant.py`:",
        "",
        f"{len(rows)} mistakes; the gate finds {by_gate}, all tests together {by_any}.",
        "",
        "| mistake | file | what a user would see | found in the gate by | else by |",
        "|---|---|---|---|---|",
    ]
    for m, of in rows:
        text.append("| " + " | ".join([m.name, m.file, m.seen, *(of.get(suite, "") for suite in SUITES)]) + " |")
    return "\n".join([*text, ""])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    names = parser.parse_args().names
    if unknown := set(names) - {m.name for m in mistakes()}:
        parser.error(f"there is no mistake {', '.join(sorted(unknown))}")
    before = known()
    found = ask([m for m in mistakes() if not names or m.name in names], before)
    TABLE.write_text(table(before | found), "utf-8")
    return 0 if all(any(of.values()) for of in found.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
