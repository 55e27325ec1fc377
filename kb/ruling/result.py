"""Declarer's tricks and the score, before and after the ruling, and of results that the director may consider."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from facts.cards import OTHER_SIDE, SIDE, Seat, Side
from facts.contract import Contract, score, vulnerable_on
from facts.fact import Fact
from facts.incident import Incident
from kb.language.model import Edition

SCORES: Final = {"tricks": "score-ns", "least": "score-ns-least", "most": "score-ns-most"}
"""A number of tricks in an entry of the ruling, and the key of its score."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A result that an entry of the ruling lets the director consider."""

    key: str
    """Of its score, in the verdict."""
    contract: Contract
    declarer: Seat
    tricks: int
    """Declarer's."""
    score_ns: int | None
    """None where it is not known."""


@dataclass(frozen=True, slots=True)
class WeightedScore:
    """An outcome of a weighted score."""

    contract: Contract
    declarer: Seat
    """Says nothing of a board passed out."""
    tricks: int
    """Declarer's."""
    weight: int
    """In per cent."""
    score_ns: int


@dataclass(frozen=True, slots=True)
class Result:
    """Declarer's tricks before and after the ruling; None where not known."""

    declarer: Seat
    tricks_at_table: int | None
    tricks_ruled: int | None
    score_ns: int | None
    """For North-South after the ruling; None too where contract or vulnerability is not known and matters."""
    score_ns_at_table: int | None
    weighted: tuple[WeightedScore, ...] = ()
    """The outcomes the director has weighted; empty when he has not."""

    @property
    def weighted_score_ns(self) -> float | None:
        """The mean of their scores, a whole number as an int."""
        total = sum(one.weight * one.score_ns for one in self.weighted)
        if not self.weighted:
            return None
        return total / 100 if total % 100 else total // 100


def result(incident: Incident, edition: Edition, at_table: Iterable[Fact], after: Iterable[Fact]) -> Result | None:
    """The result; None where the declarer is not known.

    ``at_table`` and ``after``: the facts that say how many tricks each side has won, before the ruling and after it.
    """
    if incident.declarer is None:
        return None
    of = edition.vocabulary.field
    table, ruled = (
        _declarers(incident, {of(fact, "side"): of(fact, "tricks") for fact in facts}) for facts in (at_table, after)
    )
    if edition.scored != "duplicate":
        return Result(incident.declarer, table, ruled, None, None)
    return Result(
        incident.declarer, table, ruled, score_ns(incident, ruled), score_ns(incident, table), weighted(incident)
    )


def _declarers(incident: Incident, tricks: dict[object, object]) -> int | None:
    """Declarer's tricks, where those of either side are known."""
    assert incident.declarer is not None
    side: Side = SIDE[incident.declarer]
    own, other = tricks.get(side), tricks.get(OTHER_SIDE[side])
    if isinstance(own, int):
        return own
    return 13 - other if isinstance(other, int) else None


def score_ns(incident: Incident, tricks: int | None) -> int | None:
    """The score for North-South of so many tricks; None where contract or vulnerability is not known and matters."""
    if tricks is None or incident.contract is None:
        return None
    return _points(incident, incident.contract, incident.declarer, tricks)


def weighted(incident: Incident) -> tuple[WeightedScore, ...]:
    """The score for North-South of each weighted outcome; none where one cannot be known."""
    scores = []
    for one in incident.weights:
        contract, declarer = one.contract or incident.contract, one.declarer or incident.declarer
        points = None if contract is None else _points(incident, contract, declarer, one.tricks)
        if contract is None or declarer is None or points is None:
            return ()
        scores.append(WeightedScore(contract, declarer, one.tricks, one.weight, points))
    return tuple(scores)


def offers(incident: Incident, values: Mapping[str, Any]) -> Iterator[Offer]:
    """The results that an entry with these values offers its side; none where contract or declarer is not known."""
    contract, declarer, side = incident.contract, incident.declarer, values.get("side")
    if contract is None or declarer is None or side is None or not values.keys() & {"tricks", "least"}:
        return
    for name, key in SCORES.items():
        if name in values:
            tricks = values[name] if SIDE[declarer] == side else 13 - values[name]
            yield Offer(key, contract, declarer, tricks, score_ns(incident, tricks))


def _points(incident: Incident, contract: Contract, declarer: Seat | None, tricks: int) -> int | None:
    if contract.passed_out:
        return 0
    if declarer is None:
        return None
    side, who = SIDE[declarer], incident.vulnerable or vulnerable_on(incident.board)
    may_be = {score(contract, one, tricks) for one in ((False, True) if who is None else (who in (side, "both"),))}
    points = may_be.pop()
    return None if may_be else points if side == "NS" else -points
