"""Double dummy's answers as a saved ruling tells them: no checker computes them, so they are taken as they stand."""

from __future__ import annotations

from typing import Final

from facts.cards import BY_TEXT, SEATS, Card
from facts.double_dummy import NotComputed, WhyNotComputed
from facts.equity import Revoke, ToldAnswers, ToldTricks
from facts.errors import InputError, Place
from kb.verify.differences import Json

_NO_ANSWER: Final = ("no-library", "solver-failed")
"""Why a solver had none; any other reason follows from the incident."""
_TRICKS: Final = range(14)


def told_answers(said: Json, place: Place) -> ToldAnswers:
    """The answer on each revoke; InputError where it is not laid out as one."""
    try:
        return ToldAnswers({_revoke(one): _answer(one) for one in said if _solved(one)})
    except (KeyError, TypeError, ValueError):
        what = "the evidence is not laid out as double dummy's answers are"
        raise InputError.of(place, what, "it was altered: rule on the incident again, with --equity") from None


def _solved(one: Json) -> bool:
    return "not-computed" not in one or one["not-computed"] in _NO_ANSWER


def _revoke(one: Json) -> Revoke:
    return Revoke(_number(one["trick"]), SEATS[SEATS.index(one["hand"])], BY_TEXT[one["card"]])


def _answer(one: Json) -> ToldTricks | NotComputed:
    if "not-computed" in one:
        return NotComputed(WhyNotComputed(one["not-computed"]), str(one["detail"]))
    cards: dict[Card, tuple[int, int]] = {
        BY_TEXT[card["card"]]: (_number(card["tricks"]), _number(card["replay"])) for card in one["cards"]
    }
    return ToldTricks(cards, _number(one["after-revoke"]))


def _number(said: Json) -> int:
    if type(said) is not int or said not in _TRICKS:
        raise ValueError(said)
    return said
