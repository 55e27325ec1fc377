"""Which solver there is."""

from __future__ import annotations

from functools import cache

from facts.equity.library import LibrarySolver, library
from facts.equity.python import PythonSolver
from facts.equity.solver import Solver


@cache
def best_solver() -> Solver:
    """The library in a process of its own where it is installed, else Python for the last eight tricks."""
    found = library()
    return PythonSolver() if found is None else LibrarySolver(found)
