"""Changing the facts a ruling started from, and trying what then follows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from facts.errors import EngineError
from facts.ground import Fact
from kb.engine.consistency import one_per
from kb.engine.proof import Engine, Proof
from kb.language.model import Rule


@dataclass(frozen=True, slots=True)
class Change:
    """One observed fact made different: taken away, stated, or both."""

    take: tuple[Fact, ...] = ()
    """What would not hold; with ``put``, whatever cannot hold beside it."""
    put: tuple[Fact, ...] = ()
    """What would hold: one fact, and the card played that it tells of, if that is not known."""


class Trials:
    """Runs the facts of one ruling with changes made to them, each set of changes once."""

    def __init__(self, proof: Proof, engine: Engine) -> None:
        self.proof = proof
        self.engine = engine
        self._proofs: dict[frozenset[Change], Proof | None] = {}
        self._sound: dict[frozenset[Change], bool] = {}

    def fires(self, rule: Rule, changes: Sequence[Change]) -> Proof | None:
        """What follows from the changed facts if the rule is part of it; None if not, or if that is a contradiction."""
        key = frozenset(changes)
        if key not in self._proofs:
            self._proofs[key] = self._run(changes)
        proof = self._proofs[key]
        if proof is None or rule.id not in proof.fired:
            return None
        if key not in self._sound:
            self._sound[key] = not one_per(proof.program.vocabulary, proof)
        return proof if self._sound[key] else None

    def _run(self, changes: Sequence[Change]) -> Proof | None:
        try:
            return self.engine.run(changed(self.proof.ground, changes))
        except EngineError:
            return None


def changed(ground: frozenset[Fact], changes: Sequence[Change]) -> frozenset[Fact]:
    """The facts with the changes made."""
    taken = {fact for change in changes for fact in change.take}
    return (ground - taken) | {fact for change in changes for fact in change.put}
