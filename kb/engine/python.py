"""The quick engine: a program as one generated Python function."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from facts.errors import EngineError
from facts.fact import Fact
from kb.engine.codegen import by_kind, compiled, number_functions, open_kinds
from kb.engine.generate import function_source
from kb.engine.program import MOST_FIRINGS, Program
from kb.engine.proof import Proof, RawStep


def _endless() -> EngineError:
    return EngineError(
        f"more than {MOST_FIRINGS} facts follow from one another; look for a rule whose sum feeds itself"
    )


class PythonEngine:
    """Runs a program as plain Python: nested loops over hash indexes, made for this program alone."""

    def __init__(self, program: Program) -> None:
        self.program = program
        given = {
            "numbers": number_functions(number for plan in program.plans for number in plan.numbers),
            "kinds_of": lambda facts: open_kinds(by_kind(facts), program),
            "endless": _endless,
            "most": MOST_FIRINGS,
        }
        space = compiled(function_source(program), **given)
        self._derive: Callable[[Iterable[Fact]], list[RawStep]] = space["derive"]

    def __reduce__(self) -> tuple[type[PythonEngine], tuple[Program]]:
        return PythonEngine, (self.program,)

    def run(self, facts: Iterable[Fact]) -> Proof:
        """The proof of everything that follows; EngineError when there is no end to it."""
        ground = facts if isinstance(facts, frozenset | tuple) else tuple(facts)
        return Proof(self.program, ground, self._derive(ground))
