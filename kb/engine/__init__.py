"""Engines that run the rules of an edition on ground facts, and the proof they hand back."""

from __future__ import annotations

from typing import Literal, TypeAlias

from kb.engine.proof import Engine, Program, Proof, Step

EngineName: TypeAlias = Literal["durable", "quick"]


def engine_for(name: EngineName, program: Program) -> Engine:
    """An engine for the program: ``durable`` is durable-rules, ``quick`` needs none of it; they agree in every proof.

    Raises EngineError when durable-rules is not installed or refuses the rules.
    """
    if name == "quick":
        from kb.engine.quick import QuickEngine  # noqa: PLC0415  only the engine in use is loaded

        return QuickEngine(program)
    from kb.engine.durable import DurableEngine  # noqa: PLC0415

    return DurableEngine(program)


__all__ = ["Engine", "EngineName", "Program", "Proof", "Step", "engine_for"]
