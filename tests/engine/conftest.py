"""Every test that asks for ``conclusions`` runs on both engines."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest
from support.rules import program

from facts.ground import Fact
from kb.engine import EngineName, Proof, engine_for

Run = Callable[[str, str, Iterable[Fact]], Proof]
KINDS = """
    play(hand: seat, trick: integer)
    card(hand: seat, suit: suit, rank: integer, seen: yes-no)
    shown(hand: seat, card: card?)
    link(from: integer, to: integer)
    path(from: integer, to: integer)
    out(hand: seat, n: integer)
    note(n: integer)
    done()
"""


@pytest.fixture(params=["python", "durable"])
def run(request: pytest.FixtureRequest) -> Run:
    """``run(rules, kinds, facts)``: the proof by one of the engines; no kinds: those of this file."""
    name: EngineName = request.param
    return lambda rules, kinds, facts: engine_for(name, program(kinds or KINDS, rules)).run(facts)


@pytest.fixture
def conclusions(run: Run) -> Callable[[str, Iterable[Fact]], set[Fact]]:
    """``conclusions(rules, facts)``: every fact that was derived."""
    return lambda rules, facts: {step.fact for step in run(rules, "", facts).steps}
