"""What a ruling comes to for the players, so that the rulings of two editions can be compared.

Two rulings are the same when the same revokes are found, each with the same status and number of automatic tricks, and
the transfer, the adjusted score, the rectifications, points, options and remarks, and what is still open are the same.
By which clauses that is so, and why a revoke costs nothing, makes no difference. What is left to the director's
judgement is compared apart: an outcome may be the same while he is pointed to something else.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

from facts.ground import Fact, Value
from kb.engine.proof import RawStep
from kb.language.model import Kind, Vocabulary

Entry: TypeAlias = tuple[object, ...]
"""Section, then what stands in it."""
Effect: TypeAlias = tuple[tuple[str, int], ...]
"""Status and automatic tricks of each revoke, in the order of play."""

JUDGED: Final = "director"
"""The part of a ruling that is left to judgement."""
REASONS: Final = frozenset({"suit", "exempt"})
"""Parts that explain a ruling and do not belong to what it comes to."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a ruling comes to."""

    ruling: frozenset[Entry]
    judgement: frozenset[Entry]
    """What the director is asked to consider."""

    @property
    def effect(self) -> Effect:
        """The short of it."""
        tricks = {entry[1]: entry[2] for entry in self.ruling if entry[0] == "automatic"}
        states = sorted((entry[1], entry[-1]) for entry in self.ruling if entry[0] == "status")
        return tuple((str(state), int(tricks.get(play, 0))) for play, state in states)  # type: ignore[call-overload]


class OutcomeReader:
    """Reads the outcome out of what an engine fired."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        kinds = [kind for kind in vocabulary.kinds.values() if kind.section is not None and kind.section not in REASONS]
        self._readers = {kind.name: _reader(kind) for kind in kinds if kind.section != "automatic"}
        self._judged = frozenset(kind.name for kind in kinds if kind.section == JUDGED)
        self._automatic = {
            kind.name: (kind.index["play"], kind.index["tricks"]) for kind in kinds if kind.section == "automatic"
        }
        self.kinds = frozenset(kind.name for kind in vocabulary.kinds.values() if kind.section is not None)
        """Every kind that stands in a ruling, reasons included."""

    def read(self, firings: Collection[RawStep]) -> Outcome:
        """The outcome of one run."""
        facts = {firing[0] for firing in firings}
        ruling = {self._readers[str(f[0])](f) for f in facts if f[0] in self._readers and f[0] not in self._judged}
        judgement = {self._readers[str(f[0])](f) for f in facts if f[0] in self._judged}
        return Outcome(frozenset(ruling.union(self._sums(facts))), frozenset(judgement))

    def entry(self, fact: Fact) -> Entry | None:
        """What one fact puts into an outcome by itself; None if nothing."""
        reader = self._readers.get(str(fact[0]))
        return None if reader is None else reader(fact)

    def _sums(self, facts: Collection[Fact]) -> Iterator[Entry]:
        """The automatic tricks of each revoke, whichever they are."""
        sums: dict[Value, int] = {}
        for fact in facts:
            if fact[0] in self._automatic:
                play, tricks = self._automatic[str(fact[0])]
                sums[fact[play]] = sums.get(fact[play], 0) + int(fact[tricks] or 0)
        return (("automatic", play, tricks) for play, tricks in sums.items())


def _reader(kind: Kind) -> Callable[[Fact], Entry]:
    """What a fact of the kind puts into the ruling: what it shows, or else all its fields."""
    section = kind.section
    if not kind.shows or section in ("revokes", "status"):
        return lambda fact: (section, *fact[1:])
    shows = [
        (key, kind.index[what[1:]] if isinstance(what, str) and what.startswith("$") else None, what)
        for key, what in sorted(kind.shows.items())
    ]
    return lambda fact: (section, *((key, what if at is None else fact[at]) for key, at, what in shows))
