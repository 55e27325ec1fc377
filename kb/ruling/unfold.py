"""The ruling as it unfolds: after every card and every event."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from facts.history import Moment, moments, until
from facts.incident import Incident
from kb.language.known import CORRECTED, ESTABLISHED, RECTIFICATIONS
from kb.ruling.law import Law
from kb.ruling.rule import rule
from kb.ruling.ruling import Ruling


@dataclass(frozen=True, slots=True)
class Turn:
    """One moment, and the ruling as it then was."""

    moment: Moment
    ruling: Ruling
    came: tuple[str, ...]
    """The clauses that began to apply, in the book's order."""
    went: tuple[str, ...]
    """The clauses that ceased to apply."""

    @property
    def statuses(self) -> Mapping[int | str, str]:
        """How each revoke stood, by its play; by «revoke-1+110» where nobody named the trick."""
        return {self.ruling.unsaid.moment(revoke.play): revoke.status for revoke in self.ruling.revokes}


@dataclass(frozen=True)
class Unfolding:
    """Every moment of an incident."""

    turns: tuple[Turn, ...]

    @property
    def last(self) -> Ruling:
        """The ruling on the whole incident."""
        return self.turns[-1].ruling

    @cached_property
    def began(self) -> Mapping[str, int]:
        """For each clause of the last ruling, the number of the turn since when it has applied."""
        return {law: self._since(law) for law in self.last.cited}

    @cached_property
    def correctable(self) -> Mapping[int | str, int | None]:
        """The last turn at which each revoke of ``statuses`` could still be corrected; None: it still can be."""
        last: dict[int | str, int | None] = {}
        for number, turn in enumerate(self.turns):
            for play, status in turn.statuses.items():
                if status in (ESTABLISHED, CORRECTED):
                    last.setdefault(play, number - 1)
        return {play: last.get(play) for play in self.turns[-1].statuses}

    def changes(self) -> tuple[int, ...]:
        """The turns at which anything of the ruling changed: clauses, revokes or tricks."""
        found = []
        for number, turn in enumerate(self.turns):
            before = self.turns[number - 1] if number else None
            if before is None or turn.came or turn.went or _state(turn) != _state(before):
                found.append(number)
        return tuple(found)

    def _since(self, law: str) -> int:
        since = len(self.turns) - 1
        while since and law in self.turns[since - 1].ruling.cited:
            since -= 1
        return since


def unfold(law: Law, incident: Incident) -> Unfolding:
    """The ruling at each moment; the last one is the ruling on the whole incident."""
    happened = moments(incident, law.edition.table)
    turns: list[Turn] = []
    for number in range(1, len(happened) + 1):
        ruling = rule(law, until(incident, happened[:number], law.edition.table))
        before: Sequence[str] = turns[-1].ruling.cited if turns else ()
        came = tuple(ref for ref in ruling.cited if ref not in before)
        went = tuple(ref for ref in before if ref not in ruling.cited)
        turns.append(Turn(happened[number - 1], ruling, came, went))
    return Unfolding(tuple(turns))


def _state(turn: Turn) -> tuple[object, ...]:
    return tuple(turn.statuses.items()), tuple(turn.ruling.transfer.items()), turn.ruling.items(RECTIFICATIONS)
