"""An exercise with its answer, how hard it is, and a trainee's reply set against its proof."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from facts.cards import Side
from facts.incident import Incident
from kb.language.known import DIRECTOR
from kb.ruling.certain import Reason
from kb.ruling.reasons import reason_of, reasons
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


@dataclass(frozen=True, slots=True)
class Reply:
    """What a trainee answers."""

    status: str
    tricks: Mapping[Side, int]
    """Automatic tricks to each side; a side left out gets none."""
    laws: frozenset[str]


@dataclass(frozen=True, slots=True)
class Grade:
    """What is right and wrong in a reply."""

    ruling: bool
    missing: tuple[str, ...]
    """Laws that the ruling rests on and the reply does not name."""
    needless: tuple[str, ...]
    """Laws named that it neither rests on nor leaves to judgement."""
    leaves: Reason | None
    """The first step of the proof that the reply does not follow; None when it follows all of them."""

    @property
    def right(self) -> bool:
        """Whether everything is right."""
        return self.ruling and not self.missing and not self.needless


def grade(exercise: Exercise, reply: Reply) -> Grade:
    """The reply set against the proof."""
    ruling = exercise.ruling
    tricks = {side: reply.tricks.get(side, 0) for side in ruling.transfer} == ruling.transfer
    missing = tuple(law for law in ruling.cited if law not in reply.laws)
    return Grade(
        reply.status == exercise.status and tricks,
        missing,
        tuple(sorted(reply.laws - exercise.laws)),
        next(_leaves(exercise, reply, tricks, missing), None),
    )


def _leaves(exercise: Exercise, reply: Reply, tricks: bool, missing: tuple[str, ...]) -> Iterator[Reason]:
    """The steps that the reply does not follow: what settles the status, then the tricks, then the laws."""
    status = _steps(exercise.ruling, "revokes", "status")
    if reply.status != exercise.status:
        yield from status[-1:]
    if not tricks:
        yield from (step for step in _steps(exercise.ruling, "exempt", "automatic", "transfer") if step not in status)
        yield from status[-1:]  # no trick passes, and for no other reason
    yield from (step for step in _behind(exercise.ruling) if step.rule.clause in missing)


def _behind(ruling: Ruling) -> Iterator[Reason]:
    """The steps behind the conclusions, those among them of which one or another is certain."""
    yield from (reason_of(ruling.proof, step) for step in ruling.citations.support())
    yield from (step for ways in ruling.citations.either.values() for way in ways for step in way)


def _steps(ruling: Ruling, *sections: str) -> tuple[Reason, ...]:
    facts = [fact for section in sections for fact in ruling.sections.facts(section)]
    return reasons(ruling.proof, ruling.citations, facts)


def right_reply(exercise: Exercise) -> Reply:
    """The reply that is right in everything."""
    ruling = exercise.ruling
    return Reply(exercise.status, dict(ruling.transfer), frozenset(ruling.cited))
