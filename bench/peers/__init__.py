"""The same rules in other engines, translated from the program; each gives the facts that follow, without a proof."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from facts.fact import Fact
from kb.engine.proof import Program

Derive = Callable[[Iterable[Fact]], set[Fact]]
"""From ground facts to the facts that rules conclude from them."""


def peers(program: Program) -> dict[str, Derive | str]:
    """The engines that are installed; of the others, what is missing."""
    found: dict[str, Derive | str] = {}
    for name, make in {"CLIPS": _clips, "clingo": _clingo}.items():
        try:
            found[name] = make(program)
        except ImportError as error:
            found[name] = str(error)
    return found


def _clips(program: Program) -> Derive:
    from bench.peers.in_clips import Clips  # noqa: PLC0415 - each may be missing

    return Clips(program).derive


def _clingo(program: Program) -> Derive:
    from bench.peers.in_clingo import Clingo  # noqa: PLC0415 - each may be missing

    return Clingo(program).derive
