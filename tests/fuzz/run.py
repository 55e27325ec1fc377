"""Broken files for the readers: each gives boards or errors with their places, soon, and nothing else.

``python tests/fuzz/run.py --inputs 100000 --seed 1`` runs by hand; an input that fails is written to the folder given
with ``--keep``. ``attack`` is what the suite calls; a function of an incident may be added to it, to go on from there.
"""

from __future__ import annotations

import argparse
import resource
import signal
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).resolve().parents[n]) for n in (1, 2)]

from support.fuzz_inputs import SEEDS, mutated
from support.tables import shipped

from facts.errors import InputError
from facts.incident import Incident
from facts.readers.archives import format_of

SECONDS = 2.0
"""Of processor time for one input."""
BYTES = 4_000_000_000
"""Of address space for the whole run by hand."""


class Broken(Exception):  # noqa: N818 - the finding of a fuzzer
    """An input that was neither read nor refused in the proper way."""

    def __init__(self, suffix: str, data: bytes, why: str) -> None:
        self.suffix, self.data = suffix, data
        super().__init__(f"{why}: {suffix} {data[:2000]!r}")


def attack(inputs: int, seed: int, then: Callable[[Incident], object] | None = None) -> Counter[str]:
    """Reads so many broken files, and calls ``then`` with each incident; Broken for the first that goes wrong."""
    chance, seen = Random(seed), Counter[str]()
    before = signal.signal(signal.SIGPROF, _stop)
    try:
        pool = {suffix: [make(chance) for _ in range(20)] for suffix, make in SEEDS.items()}
        for number in range(inputs):
            suffix = chance.choice(list(SEEDS))
            if number % 500 == 499:
                pool[suffix] = [SEEDS[suffix](chance) for _ in range(20)]
            data = mutated(chance.choice(pool[suffix]), chance.choice(pool[chance.choice(list(SEEDS))]), chance)
            read_as = chance.choice((suffix, suffix, suffix, ""))
            check(data, read_as, seen, then)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    return seen


def check(data: bytes, suffix: str, seen: Counter[str], then: Callable[[Incident], object] | None) -> None:
    """Broken unless the data are read, or refused with places within them."""
    lines = data.count(b"\n") + data.count(b"\r") + 2  # the end of a file may be named as the line after it
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        for board in format_of(data, suffix).boards(data, "broken", shipped):
            seen[type(board).__name__] += 1
            places = [fault.place for fault in board.faults] if isinstance(board, InputError) else [board.place]
            if not places or not all(1 <= place.line <= lines and place.column >= 1 for place in places):
                raise Broken(suffix, data, f"not a place in the file: {places}")
            if isinstance(board, InputError) and not all(fault.what and fault.mend for fault in board.faults):
                raise Broken(suffix, data, f"not told how to mend it: {board}")
            if isinstance(board, Incident) and then is not None:
                then(board)
    except Broken:
        raise
    except BaseException as error:
        raise Broken(suffix, data, f"{type(error).__name__}: {error}") from error
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    seen["inputs"] += 1


def _stop(number: int, frame: object) -> None:
    raise TimeoutError(f"more than {SECONDS} s")


def main() -> None:
    """Runs by hand."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inputs", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=Path, default=None)
    asked = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    try:
        print(dict(attack(asked.inputs, asked.seed)))
    except Broken as broken:
        if asked.keep is not None:
            asked.keep.mkdir(parents=True, exist_ok=True)
            (asked.keep / f"broken{broken.suffix}").write_bytes(broken.data)
        raise SystemExit(str(broken)) from broken


if __name__ == "__main__":
    main()
