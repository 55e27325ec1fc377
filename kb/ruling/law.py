"""An edition made ready to rule."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from kb.engine import Engine, EngineName, Program, engine_for
from kb.language.edition import load_edition
from kb.language.model import Edition


class Law:
    """An edition with its elections, and the program and engine that run it."""

    def __init__(self, edition: Edition, engine: EngineName = "durable") -> None:
        self.edition = edition
        self.engine_name = engine
        self.program = Program(edition.vocabulary, edition.rules)

    @staticmethod
    def load(root: Path, edition: str | Path, elections: Sequence[str] = (), engine: EngineName = "durable") -> Law:
        """The law of that edition; RulesError with every fault of its files."""
        return Law(load_edition(root, edition, elections), engine)

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
