"""Random programs give on every evaluator what they do by the definition.

In a process of its own, so that a crash of the C engine is a failure with a seed and not the end of all tests.
By hand, for more: ``python -m tests.support.fuzz --programs 10000 --seed 1``.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROGRAMS = 40


@pytest.mark.parametrize(
    ("programs", "seed"), [(PROGRAMS, 0), pytest.param(2_000, PROGRAMS, marks=pytest.mark.thorough)]
)
def test_random_programs(programs, seed):
    command = [sys.executable, "-m", "tests.support.fuzz", "--programs", str(programs), "--seed", str(seed)]
    # glibc fills fresh and freed memory, so that reading what was never set, or is gone, shows
    environment = {**os.environ, "MALLOC_PERTURB_": "165"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    last = done.stdout.rfind("seed ")
    assert done.returncode == 0, f"exit code {done.returncode} at {done.stdout[last:]}{done.stderr}"
    seen = {name: int(number) for name, number in re.findall(r"(\w+)=(\d+)", done.stdout)}
    assert seen["runs"] > 1.9 * programs
    assert seen["firings"] > 10 * programs
    for feature in ("unless", "tally", "zero", "recursive", "unknown"):
        assert seen[feature] > programs / 6, feature
