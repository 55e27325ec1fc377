"""What may come of a revoke, in one sentence: the same words while it is asked about and over a ruling that is open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from kb.explain.say import Speaker
from kb.language.texts import fill

ESTABLISHED: Final = "established"
TO_CORRECT: Final = "must-correct"


@dataclass(frozen=True)
class Outlook:
    """What may come of it in some situations."""

    statuses: frozenset[str]
    """Of the revoke, or revokes."""
    revokes: int
    """At most."""
    tricks: tuple[int, int]
    """Least and most that pass to the side that did not revoke first."""
    back: int
    """The most that pass to the other side."""

    @property
    def either(self) -> bool:
        """Whether the one revoke may have to be corrected, or may stand."""
        return self.revokes == 1 and not self.back and {ESTABLISHED, TO_CORRECT} <= self.statuses


def sentence(usual: Outlook, names: Mapping[str, str], speaker: Speaker) -> str:
    """The outlook in words; ``names``: the ``hand`` that revoked, the ``side`` that did not and its ``own``."""
    least, most = usual.tricks
    if usual.back:
        return _of_both(most, usual.back, names, speaker)
    passing = _passing(least, most, usual, names["side"], speaker)
    if usual.either:
        return speaker.phrase("flow-either", passing=passing, **names)
    if usual.revokes == 1 and usual.statuses == {TO_CORRECT}:
        return speaker.phrase("flow-in-time", **names)
    if usual.revokes == 1 and usual.statuses == {ESTABLISHED} and least != most:
        return speaker.phrase("flow-established", passing=speaker.capital(passing))
    return speaker.capital(passing) + "."


def _of_both(there: int, back: int, names: Mapping[str, str], speaker: Speaker) -> str:
    """«Up to one trick goes to North–South, up to two go to East–West.»; of a side that gets nothing, nothing."""
    some = [(there, names["side"])] if there else []
    told = [speaker.phrase("flow-up-to", passing=_goes(n, side, speaker)) for n, side in (*some, (back, names["own"]))]
    return speaker.capital(", ".join(told)) + "."


def _passing(least: int, most: int, usual: Outlook, side: str, speaker: Speaker) -> str:
    """«at least one trick goes to North–South»."""
    if most == 0:
        return speaker.phrase("flow-none")
    if TO_CORRECT in usual.statuses or least == 0:
        return speaker.phrase("flow-up-to", passing=_goes(most, side, speaker))
    told = _goes(least, side, speaker)
    return told if least == most else speaker.phrase("flow-at-least", passing=told)


def _goes(tricks: int, side: str, speaker: Speaker) -> str:
    """«one trick goes to North–South»."""
    text = speaker.words.phrases["flow-goes"][speaker.lang]
    places = {"n": str(tricks), "side": side}
    return fill(text, places, number=lambda one: speaker.words.name("in-words", one, speaker.lang))
