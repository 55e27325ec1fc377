"""An exercise with its answer, and how hard it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from facts.incident import Incident
from kb.language.known import DIRECTOR
from kb.ruling.ruling import Ruling
from kb.why_not.why_not import near_misses as ways_to_clauses

NO_REVOKE: Final = "no-revoke"


@dataclass(frozen=True)
class Exercise:
    """What happened, and the ruling on it."""

    incident: Incident
    ruling: Ruling
    answers: Mapping[str, str] = field(default_factory=dict)
    """What a director would have been answered; empty for a board or a case."""
    near: int = 0
    """How many clauses nearly apply: the more, the harder."""

    @property
    def status(self) -> str:
        """The status of the first revoke; NO_REVOKE when there is none."""
        return self.ruling.revokes[0].status if self.ruling.revokes else NO_REVOKE

    @property
    def judged(self) -> tuple[str, ...]:
        """The laws of what is left to the director's judgement, as far as the ruling does not rest on them."""
        facts = self.ruling.sections.facts(DIRECTOR)
        laws = {law for fact in facts for law in self.ruling.citations.laws(fact)}
        return self.ruling.citations.sort(laws - set(self.ruling.cited))

    @property
    def laws(self) -> frozenset[str]:
        """Every clause that comes up."""
        return frozenset((*self.ruling.cited, *self.judged))


def near_misses(ruling: Ruling) -> int:
    """How many clauses do not apply and would if one thing had been found otherwise."""
    return sum(ruling.citations.is_law(ref) and ref not in ruling.cited for ref in ways_to_clauses(ruling))
