"""Facts that cannot both be true, as the vocabulary's ``one-per`` says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from facts.ground import Fact, Value
from kb.engine.proof import Proof, Step
from kb.language.model import Kind, Vocabulary


@dataclass(frozen=True, slots=True)
class Clash:
    """Facts of one kind that agree in the fields of its ``one-per`` and differ in others."""

    kind: str
    facts: tuple[Fact, ...]
    """At least two, in the order of the proof."""
    steps: tuple[Step, ...]
    """The first step of each that is derived. None at all: the incident states them, and the fault is the incident's;
    otherwise it is a fault of the rules."""


def one_per(vocabulary: Vocabulary, proof: Proof) -> tuple[Clash, ...]:
    """Every clash in a proof, in the order of the vocabulary; empty when all is well."""
    return tuple(
        Clash(kind.name, facts, tuple(step for fact in facts if (step := proof.first_step(fact))))
        for kind in vocabulary.kinds.values()
        for facts in _clashes(kind, proof)
    )


def _clashes(kind: Kind, proof: Proof) -> Iterator[tuple[Fact, ...]]:
    if kind.one_per is None:
        return
    positions = [kind.index[name] for name in kind.one_per]
    same: dict[tuple[Value, ...], list[Fact]] = {}
    for fact in proof.facts(kind.name):
        same.setdefault(tuple([fact[position] for position in positions]), []).append(fact)
    yield from (tuple(facts) for facts in same.values() if len(facts) > 1)
