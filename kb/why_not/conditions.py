"""How far a rule gets on what is certain: the conditions that hold, the first that does not, or what is in the way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Final

from facts.fact import Fact, Value
from kb.engine.plain import Facts, Way, fits, ways
from kb.engine.proof import Proof
from kb.language.model import Condition, Rule, Tally
from kb.language.strata import reads

MOST: Final = 200
"""So many ways to meet all conditions are looked at for the one with the least in its way."""


@dataclass(frozen=True, slots=True)
class Unmet:
    """Why a rule did not fire."""

    rule: Rule
    met: tuple[Fact, ...] = ()
    """Facts that fit its first conditions, together."""
    values: Mapping[str, Value] = field(default_factory=dict)
    """The values of variables that they give."""
    missing: Condition | Tally | None = None
    """The condition after those, which nothing fits; None if all of them are met."""
    blocking: tuple[Fact, ...] = ()
    """If all are met: the facts that keep it from firing."""

    @property
    def lacking(self) -> int:
        """How many of its conditions were not come to, or stood in the way."""
        return len((*self.rule.wanted, *self.rule.tallies)) - len(self.met) + len(self.blocking)


def unmet(rule: Rule, proof: Proof) -> Unmet:
    """Why a rule did not fire; the numbers that it asks for come after its other conditions."""
    vocabulary = proof.program.vocabulary
    facts = {read.kind: proof.facts(read.kind) for read in reads(rule)}
    items: list[Condition | Tally] = [*rule.wanted, *rule.tallies]
    for number in range(len(items), -1, -1):
        found = list(islice(ways(vocabulary, replace(rule, when=tuple(items[:number]), unless=()), facts), MOST))
        if found and number == len(items):
            blocked = ((way, tuple(_blocking(rule, proof, facts, way))) for way in found)
            way, blocking = min(blocked, key=lambda one: len(one[1]))
            return Unmet(rule, way.premises, way.values, None, blocking)
        if found:
            return Unmet(rule, found[0].premises, found[0].values, items[number])
    raise AssertionError("no condition at all is always met")


def _blocking(rule: Rule, proof: Proof, facts: Facts, way: Way) -> Iterator[Fact]:
    vocabulary = proof.program.vocabulary
    for item in rule.unless:
        yield from (fact for fact in facts[item.kind] if fits(vocabulary, item, fact, way.values))
