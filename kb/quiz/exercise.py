"""An exercise with its answer: a board, what a story tells of it, and the ruling on just that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Final

from facts.cards import SEATS, Card, Seat, Side
from kb.language.known import DIRECTOR, ESTABLISHED
from kb.quiz.boards import Board
from kb.ruling.certain import Reason
from kb.ruling.reasons import reason_of, reasons
from kb.ruling.ruling import Ruling
from kb.why_not.rivals import Rival, rivals

NO_REVOKE: Final = "no-revoke"
UNKNOWN: Final = "unknown"


@dataclass(frozen=True, eq=False)
class Exercise:
    """What a story tells, and the ruling on it."""

    board: Board
    told: Mapping[str, str]
    """Finding -> the answer that is told, as the finding names it; UNKNOWN where nobody can say."""
    ruling: Ruling
    unusual: int
    """How many unusual things there are in it."""

    @property
    def hinges(self) -> bool:
        """Whether something is told to be unknown on which the ruling depends."""
        return UNKNOWN in self.told.values()

    @property
    def level(self) -> str:
        """easy, middle or hard."""
        return "hard" if self.hinges or self.unusual > 1 else "middle" if self.unusual else "easy"

    @cached_property
    def tempting(self) -> tuple[Rival, ...]:
        """The rulings that one mistake would lead to."""
        return tuple(rivals(self.ruling))

    @property
    def shown(self) -> Iterator[tuple[Seat, Card]]:
        """The cards of the revoke trick that have been played and tell nothing that nobody can say."""
        trick, said = self.board.trick, self.ruling.incident.revokes[0].said
        last = len(SEATS)
        if "played-after" in said:
            last = trick.nth_of(self.board.hand) + len(said["played-after"])
        elif "won-by" not in said:
            last = trick.nth_of(self.board.hand)
        return ((seat, card) for seat, card in islice(trick.items(), last) if card is not None)

    @property
    def statuses(self) -> tuple[str, ...]:
        """The status of each revoke."""
        return tuple(one.status for one in self.ruling.revokes)

    @property
    def outcome(self) -> object:
        """What it comes to; exercises that come to the same do not follow on each other."""
        return self.statuses, sorted(self.ruling.transfer.values()), self.hinges

    def rests_on(self, law: str) -> bool:
        """Whether the ruling does, on a clause of that number."""
        return any(one.startswith(law) for one in self.ruling.cited)

    def tempts_with(self, law: str) -> bool:
        """Whether one mistake would lead to a clause of that number."""
        return any(one.startswith(law) for rival in self.tempting for one in rival.laws)

    @property
    def status(self) -> str:
        """The status of the first revoke; NO_REVOKE when there is none."""
        return self.ruling.revokes[0].status if self.ruling.revokes else NO_REVOKE

    def stands(self, status: str) -> bool:
        """Whether it is right to say so of the first revoke; one that is corrected though established is both."""
        first = self.ruling.revokes[:1]
        return status == self.status or (status == ESTABLISHED and any(map(self.ruling.was_established, first)))

    @property
    def judged(self) -> tuple[str, ...]:
        """The laws of what is left to the director's judgement, as far as the ruling does not rest on them."""
        facts = self.ruling.facts(DIRECTOR)
        laws = {law for fact in facts for law in self.ruling.citations.laws(fact)}
        return self.ruling.citations.sort(laws - set(self.ruling.cited))

    @property
    def laws(self) -> frozenset[str]:
        """Every clause that comes up."""
        return frozenset((*self.ruling.cited, *self.judged))


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
        exercise.stands(reply.status) and tricks,
        missing,
        tuple(sorted(reply.laws - exercise.laws)),
        next(_leaves(exercise, reply, tricks, missing), None),
    )


def _leaves(exercise: Exercise, reply: Reply, tricks: bool, missing: tuple[str, ...]) -> Iterator[Reason]:
    """The steps that the reply does not follow: what settles the status, then the tricks, then the laws."""
    status = _steps(exercise.ruling, "revokes", "status")
    if not exercise.stands(reply.status):
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
    facts = [fact for section in sections for fact in ruling.facts(section)]
    return reasons(ruling.proof, ruling.citations, facts)


def right_reply(exercise: Exercise) -> Reply:
    """The reply that is right in everything."""
    ruling = exercise.ruling
    return Reply(exercise.status, dict(ruling.transfer), frozenset(ruling.cited))
