"""What a director acts on: when two situations have the same ruling, so that nothing more need be asked.

It is all that a ruling comes to, what is left to judgement included. Which trick it was does not belong to it, for the
director knows the trick and the interview only has one to stand for it; nor does a moment in time.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from kb.study.outcome import Entry, Outcome

Acts: TypeAlias = frozenset[Entry]
"""Everything a director acts on, without tricks and times."""


def acts(outcome: Outcome) -> Acts:
    """What is to be done, with revokes and their tricks counted in the order of play."""
    order = Order(outcome)
    return frozenset(order.plain(entry) for entry in (*outcome.ruling, *outcome.judgement))


class Order:
    """The revokes of one outcome in the order of play."""

    def __init__(self, outcome: Outcome) -> None:
        revokes: list[Any] = sorted(entry[1:4] for entry in outcome.ruling if entry[0] == "revokes")
        self._plays: Mapping[object, int] = {play: number for number, (play, _, _) in enumerate(revokes)}
        self._hands: Mapping[object, object] = {play: hand for play, _, hand in revokes}
        tricks = sorted({trick for _, trick, _ in revokes})
        self._tricks: Mapping[object, int] = {trick: number for number, trick in enumerate(tricks)}

    def plain(self, entry: Entry) -> Entry:
        """An entry of the outcome without its trick and time."""
        section, *rest = entry
        if section == "revokes":
            return section, self._plays[rest[0]], self._hands[rest[0]]
        if section in ("status", "automatic"):
            return section, self._plays.get(rest[0]), rest[-1]
        return section, *(self._shown(one) for one in rest)

    def _shown(self, shown: object) -> object:
        if isinstance(shown, tuple) and shown[0] == "trick":
            return "trick", self._tricks.get(shown[1])
        return shown
