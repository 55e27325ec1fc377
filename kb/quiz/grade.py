"""A trainee's reply set against the proof."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from facts.cards import Side
from kb.quiz.exercise import Exercise
from kb.ruling.certain import Reason
from kb.ruling.reasons import reason_of, reasons
from kb.ruling.ruling import Ruling


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
