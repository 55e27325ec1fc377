"""An edition made ready to rule."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Final

from kb.engine import Engine, EngineName, Program, engine_for
from kb.engine.quick import QuickEngine
from kb.engine.sets import Sets
from kb.language.edition import load_edition
from kb.language.folders import DEFAULT_EDITION, rules_root
from kb.language.model import Edition
from kb.space.layout import Sayable

ALWAYS_SHOWN: Final = frozenset({"won", "role", "table"})
"""Kinds of fact that every ruling shows, whether or not a rule reads them."""


class Law:
    """An edition with its elections, and what is needed to rule by it, each thing made when it is first asked for."""

    def __init__(
        self,
        edition: str | Path | Edition = DEFAULT_EDITION,
        elections: Sequence[str] = (),
        rules: Path | None = None,
        engine: EngineName = "durable",
    ) -> None:
        """``edition``: its id, a draft's folder, or one that has been read, with its elections; ``rules``: the folder
        of rules it is one of, the shipped ones for None. RulesError with every fault of its files."""
        self.root = rules_root() if rules is None else Path(rules)
        self.edition = edition if isinstance(edition, Edition) else load_edition(self.root, edition, elections)
        self.engine_name = engine

    @cached_property
    def program(self) -> Program:
        """The rules, ready for an engine."""
        return Program(self.edition.vocabulary, self.edition.rules)

    @cached_property
    def sayable(self) -> Sayable:
        """What can be said of a table, and what of it cannot be together."""
        return Sayable(self.edition.table, self.edition.vocabulary, self.program.kinds)

    @cached_property
    def shown(self) -> frozenset[str]:
        """The kinds of fact that an engine is given: those that rules read, and those that every ruling shows."""
        return self.program.kinds | ALWAYS_SHOWN

    @property
    def sets(self) -> Sets:
        """The rules, ready to run on many situations."""
        return self.program.sets

    @cached_property
    def quick(self) -> Engine:
        """The quick engine, for many rulings."""
        return QuickEngine(self.program)

    @cached_property
    def engine(self) -> Engine:
        """The engine; EngineError when it cannot be had."""
        return self.quick if self.engine_name == "quick" else engine_for(self.engine_name, self.program)


def default_engine() -> tuple[EngineName, str]:
    """The engine to use when none is asked for, and why it is not durable-rules, if it is not."""
    try:
        import durable_rules_engine  # noqa: F401, PLC0415
    except ImportError as error:
        return "quick", f"durable-rules cannot be used ({error}); ruling with the quick engine"
    return "durable", ""
