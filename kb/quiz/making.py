"""Makes exercises: a board, what a story tells of it as the findings declare, and the ruling on exactly that."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from random import Random
from typing import Any, Final

from facts.cards import CLOCKWISE, SEATS
from facts.errors import InputError, Place
from facts.history import STAGES
from facts.incident import Finding, Incident
from facts.table import FindingKind, Table, written
from kb.quiz.boards import EARLIEST, LATEST, board
from kb.quiz.exercise import UNKNOWN, Exercise
from kb.ruling.law import Law
from kb.ruling.rule import rule
from kb.ruling.ruling import Ruling
from kb.space.choices import meant

PARTS: Final = ("defender", "defender", "declarer", "dummy")
"""The parts of those who revoke, as often as they do."""
FAILED: Final = "failed-to"
CLAIM: Final = "claim"
FEWEST_CLAIMED: Final = 2
"""Tricks that are claimed, or left to the side that revoked."""
OBSERVED: Final = ("won-by", "later-tricks", "played-after")
"""What the cards of the board tell."""
PLAYED_ON: Final = {"next-trick": "played"}
IN_TIME: Final = {"noticed": "before-next-trick"}
AFTERWARDS: Final = (*STAGES[STAGES.index("trick-over") : STAGES.index("noticed")], "finished")
"""When the play has gone on."""
TWO: Final = 2


def exercises(law: Law, rng: Random, level: str) -> Iterator[Exercise]:
    """One after the other without end, each on a deal of its own; the same generator gives the same."""
    while True:
        if (made := _Making(law, rng, level).made()) is not None and made.level == level:
            yield made


class _Making:
    """One exercise on its way."""

    def __init__(self, law: Law, rng: Random, level: str) -> None:
        self.law, self.rng, self.level = law, rng, level
        self.table: Table = law.edition.table
        self.unusual = {"easy": 0, "middle": 1, "hard": TWO}[level]
        self.hinges = level == "hard" and rng.random() < 1 / 2
        if self.hinges:
            self.unusual -= rng.randint(1, TWO)
        late = self.unusual > 0 and rng.random() < 1 / 8
        self.failed = self._failing() if self.unusual > late else None
        part: str = rng.choice([part for part in PARTS if part in self.table.parts])
        if self.failed is not None:
            part = rng.choice(self.table.findings[FAILED].tells[self.failed].of or (part,))
        number = LATEST if late else rng.randint(EARLIEST, LATEST - 1)
        self.board = board(rng, part, number, follows=self.failed is not None)
        while self.board.contract.trump is None and len(self.table.parts) == 1:  # a game without declarer has trumps
            self.board = board(rng, part, number, follows=self.failed is not None)
        self.seen = rng.randint(0, len(SEATS) - self.board.trick.nth_of(self.board.hand))
        self.left = self.unusual - late - (self.failed is not None)

    def _failing(self) -> str | None:
        """Now and then something else than not following suit."""
        kind = self.table.findings[FAILED]
        others = [name for name in kind.tells if name != kind.presumed]
        return self.rng.choice(others) if others and self.rng.random() < 1 / 16 else None

    def made(self) -> Exercise | None:
        """The exercise; None where it cannot be, is not certain, or says something that makes no difference."""
        told = {FAILED: self.failed or str(self.table.findings[FAILED].presumed), **self._course()}
        added: set[str] = set()
        before = self._ruling(told)
        for _ in range(self.left):
            options = [one for one in self._options(told) if one[0] not in added]
            if not options:
                return None
            name, answer = self.rng.choice(options)
            added.add(name)
            told = self._with(told, name, answer)
            after = self._ruling(told)
            if after is None or before is None or after.cited == before.cited or not self._fits(told, added):
                return None
            before = after
        return self._hinging(told) if self.hinges else self._exercise(told, before)

    def _course(self) -> dict[str, str]:
        """What happened after the card, as it usually does: it came to light in time, or the play went on."""
        last = self.board.trick.nth_of(self.board.hand) == len(SEATS)
        if not last and self.rng.random() < 1 / 3:
            return {**self._seen("played-after"), **IN_TIME}
        return {**self._seen("won-by"), **PLAYED_ON, **self._seen("later-tricks")}

    def _seen(self, name: str) -> dict[str, str]:
        """The answer that the cards of the board give."""
        kind, value = self.table.findings[name], self._value(name)
        answers = (one for one in kind.answers if value in meant(kind, one, self._given, self.table))
        return {name: next(answers)}

    def _value(self, name: str) -> Any:
        if name == "won-by":
            return self.board.winner
        if name == "later-tricks":
            return self.board.later
        trick = self.board.trick
        after = CLOCKWISE[trick.leader][trick.nth_of(self.board.hand) :]
        return after[: self.seen]

    @property
    def _given(self) -> Mapping[str, Any]:
        return {"hand": self.board.hand, "trick": self.board.number, "declarer": self.board.declarer}

    def _options(self, told: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        """What unusual can be told beside or instead of what is told: nothing of the play that did not go on."""
        for kind in self.table.findings.values():
            if PLAYED_ON.keys() - told.keys() and (kind.id in told or kind.known in AFTERWARDS):
                continue
            for name, one in kind.tells.items():
                can = kind.id not in (FAILED, *OBSERVED)
                can &= name not in (UNKNOWN, told.get(kind.id), written(kind.presumed))
                can &= self.board.later >= FEWEST_CLAIMED or kind.id != CLAIM
                if can and (not one.of or self.board.part in one.of):
                    yield kind.id, name

    def _fits(self, told: Mapping[str, str], added: Collection[str]) -> bool:
        """Whether everything added is still told, and nothing of the play that did not go on."""
        went_on = PLAYED_ON.keys() <= told.keys()
        return all(name in told and (went_on or self.table.findings[name].known != STAGES[-1]) for name in added)

    def _with(self, told: Mapping[str, str], name: str, answer: str) -> dict[str, str]:
        """The story with one more answer in it, which takes the place of what it tells besides."""
        also = self.table.findings[name].tells[answer].also
        return {**{key: said for key, said in told.items() if key not in also}, name: answer}

    def _hinging(self, told: Mapping[str, str]) -> Exercise | None:
        """The exercise with something in it on which the ruling hinges, and nobody can say."""
        hinges = [name for name in told if UNKNOWN in self.table.findings[name].tells]
        if not hinges or not PLAYED_ON.keys() <= told.keys():
            return None
        name = self.rng.choice(hinges)
        told = {**told, name: UNKNOWN}
        ruling = self._ruling(told)
        asking = None if ruling is None or ruling.opening is None else ruling.opening.asking
        return None if asking is None or asking.key[1] != name else self._exercise(told, ruling)

    def _exercise(self, told: Mapping[str, str], ruling: Ruling | None) -> Exercise | None:
        if ruling is None or not ruling.cited or not ruling.revokes:
            return None
        open_ = ruling.opening is not None and ruling.opening.is_open
        return None if open_ != self.hinges else Exercise(self.board, told, ruling, self.unusual)

    def _ruling(self, told: Mapping[str, str]) -> Ruling | None:
        try:
            return rule(self.law, self.incident(told))
        except InputError:
            return None

    def incident(self, told: Mapping[str, str]) -> Incident:
        """What the story states, and no more."""
        said: dict[str, Any] = {"card": self.board.card}
        if self.failed is None:
            said["suit"] = self.board.trick.led
        for name, answer in told.items():
            if answer != UNKNOWN:
                kind = self.table.findings[name]
                also = kind.tells[answer].also if answer in kind.tells else {}
                for key, one in {**also, name: answer}.items():
                    said[key] = self._value(key) if key in OBSERVED else _plain(self.table.findings[key], one)
        edition = self.law.edition
        return Incident(
            place=Place("quiz", 1),
            edition=edition.id,
            elections=edition.elections,
            contract=self.board.contract,
            declarer=self.board.declarer,
            revokes=(Finding(hand=self.board.hand, trick=self.board.number, said=said),),
        )


def _plain(kind: FindingKind, answer: str) -> Any:
    """What an answer states: its one value, or its name where that leaves several."""
    if answer.isdecimal():
        return int(answer)
    values = kind.answers[answer].values if answer in kind.answers else ()
    return values[0] if len(values) == 1 and isinstance(values[0], str | int) else answer
