"""An edition made ready to rule."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Final

from kb.engine import Engine, EngineName, Program, engine_for
from kb.engine.python import PythonEngine
from kb.engine.sets import Sets
from kb.language.edition import load_edition
from kb.language.model import Edition
from kb.space.sayable import Sayable

ALWAYS_SHOWN: Final = frozenset({"won", "role", "table"})
"""Kinds of fact that every ruling shows, whether or not a rule reads them."""


class Law:
    """An edition with its elections, and the program and engine that run it."""

    def __init__(self, edition: Edition, engine: EngineName = "durable") -> None:
        self.edition = edition
        self.engine_name = engine
        self.program = Program(edition.vocabulary, edition.rules)
        self.sayable = Sayable(edition.table, edition.vocabulary, self.program.kinds)

    @staticmethod
    def load(root: Path, edition: str | Path, elections: Sequence[str] = (), engine: EngineName = "durable") -> Law:
        """The law of that edition; RulesError with every fault of its files."""
        return Law(load_edition(root, edition, elections), engine)

    @cached_property
    def shown(self) -> frozenset[str]:
        """The kinds of fact that an engine is given: those that rules read, and those that every ruling shows."""
        return self.program.kinds | ALWAYS_SHOWN

    @cached_property
    def sets(self) -> Sets:
        """The rules, ready to run on many situations."""
        return Sets(self.edition.vocabulary, self.edition.rules)

    @cached_property
    def quick(self) -> PythonEngine:
        """The Python engine, for many rulings."""
        return PythonEngine(self.program)

    @cached_property
    def engine(self) -> Engine:
        """The engine; EngineError when it cannot be had."""
        return engine_for(self.engine_name, self.program)


def default_engine() -> tuple[EngineName, str]:
    """The engine to use when none is asked for, and why it is not durable-rules, if it is not."""
    try:
        import durable_rules_engine  # noqa: F401, PLC0415
    except ImportError as error:
        return "python", f"durable-rules cannot be used ({error}); ruling with the Python engine"
    return "durable", ""
