"""The scores of results that the director may consider, or has weighted."""

from __future__ import annotations

from collections.abc import Iterator

from facts.cards import Seat
from facts.contract import Contract
from kb.explain.page import Line
from kb.explain.say import Speaker
from kb.ruling.offers import Offer
from kb.ruling.report import Entry
from kb.ruling.result import WeightedScore
from kb.ruling.ruling import Ruling


def offer_lines(entry: Entry, speaker: Speaker) -> tuple[Line, ...]:
    """The results that an entry lets the director consider, with their scores where known; each once."""
    return tuple(dict.fromkeys(Line(_offer(one, speaker)) for one in entry.offers))


def _offer(one: Offer, speaker: Speaker) -> str:
    score = "" if one.score_ns is None else speaker.phrase("score", score=f"{one.score_ns:+d}")
    return f"{_result(speaker, one.contract, one.declarer, one.tricks)}{score}"


def _result(speaker: Speaker, contract: Contract, declarer: Seat, tricks: int) -> str:
    named = {"contract": speaker.contract(contract), "declarer": speaker.value(declarer, "seat")}
    return speaker.phrase("result-unchanged", **named, ruled=speaker.tricks(tricks))


def weighted_lines(ruling: Ruling, speaker: Speaker) -> Iterator[Line]:
    """The weighted score and its outcomes, where the director has given weights."""
    result = ruling.result
    if result is not None and result.weighted_score_ns is not None:
        outcomes = ", ".join(f"{one.weight} %: {_outcome(speaker, one)}" for one in result.weighted)
        yield Line(f"{speaker.phrase('weighted', score=f'{result.weighted_score_ns:+}')} ({outcomes})")


def _outcome(speaker: Speaker, one: WeightedScore) -> str:
    passed = one.contract.passed_out
    said = speaker.contract(one.contract) if passed else _result(speaker, one.contract, one.declarer, one.tricks)
    return f"{said}, {one.score_ns:+d}"
