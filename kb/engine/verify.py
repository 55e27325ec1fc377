"""A pass over a proof, straight from the rules: whether it is all that follows, and only that.

Every way in which a rule fits the settled facts must be a firing, every firing such a way, and every fact that is not
ground must have a step that rests on facts before it. For rules in strata only one set of facts is like that. So what
an engine left out is found as well as what it made up, wherever the mistake lies from the plans of the rules onwards.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from facts.errors import EngineError
from facts.fact import Fact
from kb.engine.bounds import Effort
from kb.engine.plain import Firing, by_kind, conclusions, ways
from kb.engine.proof import Proof, counted


@dataclass(frozen=True, slots=True)
class Discrepancy:
    """Something that is not as the rules have it."""

    rule: str
    """The id of the rule."""
    fact: Fact
    """What it concludes."""
    premises: tuple[Fact, ...]
    what: str

    def __str__(self) -> str:
        premises = ", ".join(map(_told, self.premises)) or "nothing"
        return f"rule {self.rule} {self.what} {_told(self.fact)} from {premises}"


def verify(proof: Proof) -> Iterator[Discrepancy]:
    """What is wrong with a proof: firings that no rule gives, ways that did not fire, facts that rest on themselves."""
    vocabulary, rules = proof.program.vocabulary, proof.program.rules
    fired = set(proof.firings)
    settled = by_kind([*proof.ground, *(fact for fact, _, _ in fired)])
    fitting, effort = set[Firing](), Effort(rules)
    for number, rule in enumerate(rules):
        for way in ways(vocabulary, rule, settled, effort):
            fitting.update((fact, number, way.premises) for fact in conclusions(vocabulary, rule, way.values))
    for what, firings in (
        ("should conclude, and does not,", fitting - fired),
        ("cannot conclude, and does,", fired - fitting),
        ("concludes in a circle", _circular(proof.ground, proof.firings)),
    ):
        for fact, number, premises in sorted(firings, key=str):
            yield Discrepancy(rules[number].id, fact, premises, what)


def demand_whole(proof: Proof, where: object) -> None:
    """EngineError naming the first discrepancy, if there is one; ``where``: what was ruled on."""
    for discrepancy in verify(proof):
        raise EngineError(f"{where}: the proof is not what the rules say: {discrepancy}")


def _circular(ground: Collection[Fact], firings: Collection[Firing]) -> Collection[Firing]:
    """The firings for facts that have none whose premises all come before."""
    known, waiting, before = set(ground), [*firings], -1
    while len(waiting) != before:
        before, left = len(waiting), []
        for firing in waiting:
            facts = [fact for premise in firing[2] for fact in _facts(premise)]
            if known.issuperset(facts):
                known.add(firing[0])
            else:
                left.append(firing)
        waiting = left
    return [firing for firing in waiting if firing[0] not in known]


def _facts(premise: Fact) -> tuple[Fact, ...]:
    facts = counted(premise)
    return (premise,) if facts is None else facts


def _told(fact: Fact) -> str:
    return f"{fact[0]}({', '.join(_told(value) if isinstance(value, tuple) else str(value) for value in fact[1:])})"
