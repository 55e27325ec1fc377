"""Facts that cannot both be true, as the vocabulary's ``one-per`` says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from operator import itemgetter

from facts.fact import Fact, Value, by_kind
from kb.engine.proof import Proof, Step
from kb.language.vocabulary import Kind, Vocabulary


@dataclass(frozen=True, slots=True)
class KeyViolation:
    """Facts of one kind that agree in the fields of its ``one-per`` and differ in others."""

    kind: str
    facts: tuple[Fact, ...]
    """At least two, in the order of the proof."""
    steps: tuple[Step, ...]
    """The first step of each that is derived. None at all: the incident states them, and the fault is the incident's;
    otherwise it is a fault of the rules."""


def one_per(vocabulary: Vocabulary, proof: Proof) -> tuple[KeyViolation, ...]:
    """Every clash in a proof, in the order of the vocabulary; empty when all is well, which is quickly known."""
    derived = by_kind({fact for fact, _, _ in proof.firings})
    return tuple(
        KeyViolation(kind.name, facts, tuple(step for fact in facts if (step := proof.first_step(fact))))
        for kind in vocabulary.kinds.values()
        if _repeats(kind, [*proof.ground_by_kind.get(kind.name, ()), *derived.get(kind.name, ())])
        for facts in _clashes(kind, proof)
    )


def _repeats(kind: Kind, facts: list[Fact]) -> bool:
    """Whether two of the facts, maybe the same one twice, agree where they should differ."""
    if kind.one_per is None or len(facts) < 2:
        return False
    return len(set(map(itemgetter(0, *[kind.index[name] for name in kind.one_per]), facts))) < len(facts)


def _clashes(kind: Kind, proof: Proof) -> Iterator[tuple[Fact, ...]]:
    if kind.one_per is None:
        return
    positions = [kind.index[name] for name in kind.one_per]
    same: dict[tuple[Value, ...], list[Fact]] = {}
    for fact in proof.facts(kind.name):
        same.setdefault(tuple([fact[position] for position in positions]), []).append(fact)
    yield from (tuple(facts) for facts in same.values() if len(facts) > 1)
