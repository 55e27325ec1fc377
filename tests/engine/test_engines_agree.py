"""Random programs give the same proofs on both engines as on the plain reference evaluator.

In a process of its own, so that a crash of the C engine is a failure with a seed and not the end of all tests.
By hand, for more: ``python -m tests.support.fuzz --programs 10000 --seed 1``.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROGRAMS = 2_000


def test_random_programs():
    command = [sys.executable, "-m", "tests.support.fuzz", "--programs", str(PROGRAMS)]
    # glibc fills fresh and freed memory, so that reading what was never set, or is gone, shows
    environment = {**os.environ, "MALLOC_PERTURB_": "165"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    seed = done.stdout.rfind("seed ")
    assert done.returncode == 0, f"exit code {done.returncode} at {done.stdout[seed:]}{done.stderr}"
    seen = {name: int(number) for name, number in re.findall(r"(\w+)=(\d+)", done.stdout)}
    assert seen["runs"] > 1.9 * PROGRAMS
    assert seen["firings"] > 10 * PROGRAMS
    for feature in ("unless", "tally", "zero", "recursive", "unknown"):
        assert seen[feature] > PROGRAMS / 5, feature
