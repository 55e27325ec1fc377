"""What an editor waits for: the check of a draft and its comparison, the first time and after each change of it.

    uv run bench/draft.py [--changes 5]

In one process, as in the workshop: a draft of one clause, in which a number is changed again and again.
Told are CPU time, of changes the median, and the ratio to the check after a change.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT)]

from bench.measure import number, table  # noqa: E402 - the project need not be installed
from facts.incident import DEFAULT_EDITION  # noqa: E402
from kb.compare.compare import compared  # noqa: E402
from kb.compare.telling import Wording, first_page  # noqa: E402
from kb.drafting.new_draft import new_draft, write_draft  # noqa: E402
from kb.explain.words import load_words  # noqa: E402
from kb.language.edition import load_edition  # noqa: E402
from kb.language.folders import rules_root  # noqa: E402
from kb.prove.deep import every_fault  # noqa: E402

CLAUSE, NUMBER = "64A1", 'tricks: "> 1"'
"""The clause of the draft, and what is changed in it."""


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--changes", type=int, default=5)
    changes = parser.parse_args().changes
    times: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for _ in _changed(Path(folder) / "draft", changes + 1):
            for name, job in _jobs(Path(folder) / "draft").items():
                begun = time.process_time()
                job()
                times.setdefault(name, []).append(time.process_time() - begun)
    after = {name: statistics.median(found[1:]) for name, found in times.items()}
    unit = after["check"]
    rows = [
        [name, f"{found[0]:.2f}", f"{after[name]:.2f}", number(after[name] / unit)] for name, found in times.items()
    ]
    print(table("A draft of one clause", ["", "first, CPU s", "after a change", "times its check"], rows))


def _changed(folder: Path, times: int) -> Iterator[None]:
    """The draft, each time with another number in its clause."""
    base = load_edition(rules_root(), DEFAULT_EDITION)
    write_draft(folder, new_draft(folder, base, [CLAUSE]))
    law = folder / f"law-{base.clauses[CLAUSE].law}.yaml"
    text = law.read_text()
    for time_ in range(times):
        changed = text.replace(NUMBER, f'tricks: "> {time_ + 2}"')
        assert changed != text
        law.write_text(changed)
        yield


def _jobs(folder: Path) -> dict[str, Callable[[], object]]:
    root = rules_root()

    def comparison() -> Wording:
        a, b = load_edition(root, DEFAULT_EDITION), load_edition(root, folder)
        return Wording(compared(root, a, b), load_words(root, a.vocabulary), "en")

    return {
        "check": lambda: every_fault(root, folder).faults,
        "comparison, in one sentence": lambda: comparison().sentence,
        "its first page": lambda: first_page(comparison()),
    }


if __name__ == "__main__":
    main()
