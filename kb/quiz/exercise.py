"""An exercise with its answer: a board, what a story tells of it, and the ruling on just that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Final

from facts.cards import SEATS, Card, Seat
from kb.language.known import DIRECTOR
from kb.quiz.boards import Board
from kb.ruling.ruling import Ruling
from kb.why_not.rivals import Rival, rivals

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
    def judged(self) -> tuple[str, ...]:
        """The laws of what is left to the director's judgement, as far as the ruling does not rest on them."""
        facts = self.ruling.facts(DIRECTOR)
        laws = {law for fact in facts for law in self.ruling.citations.laws(fact)}
        return self.ruling.citations.sort(laws - set(self.ruling.cited))

    @property
    def laws(self) -> frozenset[str]:
        """Every clause that comes up."""
        return frozenset((*self.ruling.cited, *self.judged))
