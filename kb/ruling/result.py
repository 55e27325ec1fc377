"""Declarer's tricks and the score, before and after the ruling, and of results that the director may consider."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from facts.cards import OTHER_SIDE, SIDE, Seat
from facts.contract import Contract
from facts.fact import Fact
from facts.incident import Incident
from facts.observe import score_ns
from kb.language.model import Edition

SCORES: Final = {"tricks": "score-ns", "least": "score-ns-least", "most": "score-ns-most"}
"""A number of tricks in an entry of the ruling, and the key of its score."""


@dataclass(frozen=True, slots=True)
class Made:
    """A result that an entry of the ruling lets the director consider, or that he has given a weight."""

    contract: Contract
    declarer: Seat
    """Says nothing of a board passed out."""
    tricks: int
    """Declarer's."""
    score_ns: int | None
    """None where it is not known."""
    key: str = "score-ns"
    """Of its score, in the verdict."""
    weight: int = 100
    """In per cent."""


@dataclass(frozen=True, slots=True)
class Result:
    """Declarer's tricks before and after the ruling; None where not known."""

    declarer: Seat
    tricks_at_table: int | None
    tricks_ruled: int | None
    score_ns: int | None
    """For North-South after the ruling; None too where contract or vulnerability is not known and matters."""
    score_ns_at_table: int | None
    weighted: tuple[Made, ...] = ()
    """The outcomes the director has weighted; empty when he has not, or the law assigns no such score."""
    weighted_for: str | None = None
    """The side whose score alone they replace; None: that of both."""

    @property
    def weighted_score_ns(self) -> float | None:
        """The mean of their scores, a whole number as an int."""
        total = sum(outcome.weight * (outcome.score_ns or 0) for outcome in self.weighted)
        if not self.weighted:
            return None
        return total / 100 if total % 100 else total // 100


def result(incident: Incident, edition: Edition, at_table: Iterable[Fact], after: Iterable[Fact]) -> Result | None:
    """The result; None where the declarer is not known, or nothing of the tricks.

    ``at_table`` and ``after``: the facts that say how many tricks each side has won, before the ruling and after it.
    """
    if incident.declarer is None:
        return None
    field, side, counts = edition.vocabulary.field, SIDE[incident.declarer], list[int | None]()
    for facts in (at_table, after):
        tricks = {field(fact, "side"): field(fact, "tricks") for fact in facts}
        won, lost = tricks.get(side), tricks.get(OTHER_SIDE[side])
        counts.append(won if isinstance(won, int) else 13 - lost if isinstance(lost, int) else None)
    table, ruled = counts
    if table is ruled is None and not incident.weights:
        return None
    if edition.scored != "duplicate":
        return Result(incident.declarer, table, ruled, None, None)
    table_ns, ruled_ns = (score_ns(incident, incident.contract, incident.declarer, tricks) for tricks in (table, ruled))
    return Result(incident.declarer, table, ruled, ruled_ns, table_ns, weighted(incident))


def weighted(incident: Incident) -> tuple[Made, ...]:
    """The score for North-South of each weighted outcome; none where one cannot be known."""
    scores = []
    for outcome in incident.weights:
        contract, declarer = outcome.contract or incident.contract, outcome.declarer or incident.declarer
        points = score_ns(incident, contract, declarer, outcome.tricks)
        if contract is None or declarer is None or points is None:
            return ()
        scores.append(Made(contract, declarer, outcome.tricks, points, weight=outcome.weight))
    return tuple(scores)


def offers(incident: Incident, values: Mapping[str, Any]) -> Iterator[Made]:
    """The results that an entry with these values offers its side; none where contract or declarer is not known."""
    contract, declarer, side = incident.contract, incident.declarer, values.get("side")
    if contract is None or declarer is None or side is None or not values.keys() & {"tricks", "least"}:
        return
    for name, key in SCORES.items():
        if name in values:
            tricks = values[name] if SIDE[declarer] == side else 13 - values[name]
            yield Made(contract, declarer, tricks, score_ns(incident, contract, declarer, tricks), key)
