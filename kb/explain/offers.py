"""The scores of results that the director may consider, or has weighted."""

from __future__ import annotations

from collections.abc import Iterator

from facts.incident import Incident
from kb.explain.page import Line
from kb.explain.say import Speaker
from kb.ruling.report import Entry
from kb.ruling.result import WeightedScore
from kb.ruling.ruling import Ruling


def offer_lines(one: Entry, incident: Incident, speaker: Speaker) -> tuple[Line, ...]:
    """The results that an entry lets the director consider, with their scores; nothing where they are not known."""
    contract, declarer = incident.contract, incident.declarer
    if contract is None or declarer is None:
        return ()
    named = {"contract": speaker.contract(contract), "declarer": speaker.value(declarer, "seat")}
    lines = []
    for tricks, points in one.offers:
        score = "" if points is None else speaker.phrase("score", score=f"{points:+d}")
        lines.append(Line(f"{speaker.phrase('result-unchanged', **named, ruled=speaker.tricks(tricks))}{score}"))
    return tuple(lines)


def weighted_lines(ruling: Ruling, speaker: Speaker) -> Iterator[Line]:
    """The weighted score and its outcomes, where the director has given weights."""
    result = ruling.result
    if result is not None and result.weighted_score_ns is not None:
        outcomes = ", ".join(f"{one.weight} %: {_outcome(speaker, one)}" for one in result.weighted)
        yield Line(f"{speaker.phrase('weighted', score=f'{result.weighted_score_ns:+}')} ({outcomes})")


def _outcome(speaker: Speaker, one: WeightedScore) -> str:
    said = speaker.contract(one.contract)
    if not one.contract.passed_out:
        named = {"declarer": speaker.value(one.declarer, "seat"), "ruled": speaker.tricks(one.tricks)}
        said = speaker.phrase("result-unchanged", contract=said, **named)
    return f"{said}, {one.score_ns:+d}"
