"""How fast a PBN or LIN file is read: boards a second, ours beside endplay's and bridgebots' readers where installed.

Usage: python bench/reading.py FILE [--runs 7]. The runs take turns, so that a busy machine slows all of them alike; the
median of the processor time counts.
"""

from __future__ import annotations

import argparse
import logging
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from facts.incident import Incident
from facts.readers.archives import read_file
from kb.language.folders import rules_root
from kb.ruling.laws import Laws


def ours(path: Path) -> int:
    """How many boards our reader reads."""
    return sum(isinstance(board, Incident) for board in read_file(path, Laws(rules_root()).table))


def of_endplay(path: Path) -> int:
    """How many boards endplay reads; it reads a file as a whole or not at all."""
    from endplay.parsers import lin, pbn  # noqa: PLC0415

    parser = lin if path.suffix.lower() == ".lin" else pbn
    return len(parser.loads(path.read_bytes().decode("latin-1")))


def of_bridgebots(path: Path) -> int:
    """How many boards bridgebots reads; a deal played at several tables is one record with several boards."""
    import bridgebots  # noqa: PLC0415

    logging.disable(logging.CRITICAL)
    parse = bridgebots.parse_multi_lin if path.suffix.lower() == ".lin" else bridgebots.parse_pbn
    return sum(len(deal.board_records) for deal in parse(path))


READERS: dict[str, Callable[[Path], int]] = {"revoke-kb": ours, "endplay": of_endplay, "bridgebots": of_bridgebots}


def measure(path: Path, runs: int) -> dict[str, tuple[int, float] | str]:
    """For each reader the boards read and the median of its seconds of processor time, or why there are none."""
    found: dict[str, tuple[int, float] | str] = {}
    seconds: dict[str, list[float]] = {}
    for _ in range(runs):
        for name, read in READERS.items():
            if isinstance(found.get(name), str):
                continue
            start = time.process_time()
            try:
                boards = read(path)
            except ImportError:
                found[name] = "not installed"
            except Exception as error:
                found[name] = f"cannot read this file ({type(error).__name__}: {error})"
            else:
                seconds.setdefault(name, []).append(time.process_time() - start)
                found[name] = (boards, statistics.median(seconds[name]))
    return found


def main() -> None:
    """Prints one line for each reader."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--runs", type=int, default=7)
    asked = parser.parse_args()
    found = measure(asked.file, asked.runs)
    own = found["revoke-kb"]
    for name, result in found.items():
        if isinstance(result, str):
            print(f"{name:12} {result}")
            continue
        boards, median = result
        times = f"   {median / own[1]:.1f} times our time" if name != "revoke-kb" and not isinstance(own, str) else ""
        print(f"{name:12} {boards:7} boards {median:9.3f} s {boards / median:10.0f} boards/s{times}")


if __name__ == "__main__":
    main()
