"""The ground facts of all situations of a universe, from what the answers fill in.

Of what a question does not ask nothing is said here, unless it is presumed: so the facts are those of an incident in
which just this was found out. What stands for the seats, tricks and numbers that nobody says is seen here and nowhere
else.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, Final

from facts.cards import Seat
from facts.errors import InputError
from facts.fact import Fact
from facts.incident import Finding, Incident, Player
from facts.readers.said import NAMING
from facts.table import FindingKind
from kb.engine.set_joins import Bits
from kb.language.model import NOWHERE
from kb.space.bits import union
from kb.space.choices import meant
from kb.space.interview import REVOKES, Filling, missing, twice
from kb.space.layout import Key, Situations, laid_out
from kb.space.seating import Seating
from kb.space.universe import Universe

DECLARER: Final[Seat] = "S"
"""The seat that stands for declarer's, as in completions."""


def observed(universe: Universe) -> Situations:
    """Every situation of a universe.

    InputError when some answers leave out whose card it was, or say something twice.
    """
    stated = _Stated(universe)
    stated.see_hands()
    stated.see_values()
    stated.presume()
    incident = Incident(place=NOWHERE, declarer=DECLARER)
    return laid_out(incident, universe.interview.table, stated.values, universe.everything)


def facts_of(situations: Situations, number: int) -> Iterator[Fact]:
    """The facts of one situation."""
    for held in situations.facts.values():
        yield from (fact for fact, bits in held.items() if bits >> number & 1)


class _Stated:
    """What is said of each revoke, and where."""

    def __init__(self, universe: Universe) -> None:
        self.universe = universe
        self.table = universe.interview.table
        self.said: dict[Key, dict[Any, Bits]] = {}
        """As the answers say it."""
        self.values: dict[Key, dict[Any, Bits]] = {}
        """Seats, numbers and words."""
        for question, given in zip(universe.questions, universe.given, strict=True):
            for answer in question.answers.values():
                fills = {(one.revoke, one.key): one for one in (*answer.fills, *answer.stands)}
                for key, filling in fills.items() if given[answer.id] else ():
                    self._fill(key, filling, given[answer.id])
        self.present = [self._present(number) for number in range(len(REVOKES))]

    def _fill(self, key: Key, filling: Filling, where: Bits) -> None:
        said = self.said.setdefault(key, {})
        if union(said.values()) & where:
            raise InputError([twice(filling)])
        said[filling.value] = said.get(filling.value, 0) | where

    def _present(self, number: int) -> Bits:
        """Where there is such a revoke."""
        there = union(bits for (of, _), said in self.said.items() if of == number for bits in said.values())
        for key in ("player", "trick"):
            if there & ~union(self.said.get((number, key), {}).values()):
                raise InputError([missing(number, key, self.universe.interview.place)])
        return there

    def see_hands(self) -> None:
        """One hand for each part that a player may have."""
        for number, there in enumerate(self.present):
            players: list[tuple[tuple[Player, ...], Bits]] = [((), there)] if there else []
            for of in {0, number}:
                known = self.said[of, "player"].items() if there else ()
                players = [((*so_far, one), bits & where) for so_far, bits in players for one, where in known]
            for so_far, where in players:
                if where:
                    self._add((number, "hand"), _hand(so_far, self.table.parts), where)

    def see_values(self) -> None:
        """Of an answer that leaves several values the first, seen from the hand that revoked."""
        for (number, name), said in self.said.items():
            if name == "trick":
                self.values[number, name] = said
            elif name not in NAMING:
                for value, where in said.items():
                    self._see(number, self.table.findings[name], value, where)

    def _see(self, number: int, kind: FindingKind, said: Any, where: Bits) -> None:
        for hand, of_hand in self.values[number, "hand"].items():
            for trick, of_trick in self.said[number, "trick"].items():
                if here := where & of_hand & of_trick:
                    given = {"hand": hand, "trick": trick, "declarer": DECLARER}
                    self._add((number, kind.id), meant(kind, said, given, self.table)[0], here)

    def presume(self) -> None:
        """What nobody says and is presumed."""
        for number, there in enumerate(self.present):
            for kind in self.table.findings.values():
                left = there & ~union(self.said.get((number, kind.id), {}).values()) & ~self._unless(number, kind)
                if left and kind.presumption:
                    self._add((number, kind.id), kind.presumed, left)

    def _unless(self, number: int, kind: FindingKind) -> Bits:
        """Where nothing is presumed of a finding."""
        found = self.universe.everything if kind.unless else 0
        for name, wanted in kind.unless.items():
            found &= union(bits for value, bits in self.values.get((number, name), {}).items() if value in wanted)
        return found

    def _add(self, key: Key, value: Any, where: Bits) -> None:
        held = self.values.setdefault(key, {})
        held[value] = held.get(value, 0) | where


def _hand(players: tuple[Player, ...], parts: Collection[str]) -> Seat:
    """The hand of the last of these players, the first of whom made the first revoke."""
    incident = Incident(place=NOWHERE, revokes=tuple(Finding(player=player) for player in players))
    return Seating(incident, parts).hands[-1][0]
