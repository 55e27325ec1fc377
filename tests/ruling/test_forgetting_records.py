"""Whoever leaves something out of a record, or stops it early, is only less certain, or told what is then taken for
granted."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from support.boards import random_board
from support.partial import told
from support.ruling import law
from support.tables import shipped

from facts.errors import InputError
from facts.play import Oddity
from facts.readers.incident_file import read_incident
from kb.language.relied_on import NONE_YET
from kb.ruling.make_ruling import rule
from kb.ruling.ruling import Ruling

pytestmark = pytest.mark.thorough

EDITIONS = ("duplicate-2017", "duplicate-2007", "duplicate-1997", "auction-1912")
BOARDS = [
    range(20),
    *(
        pytest.param(range(at, at + 60), marks=pytest.mark.thorough)
        for at in range(20, 1220 if "REVOKE_ALL" in os.environ else 500, 60)
    ),
]
HEADS = ("tricks", "declarer", "contract", "vulnerable", "dealer", "deal")
"""The score a table would have had, ``equity-tricks``, is no statement of what happened but a judgement of it."""

Board = dict[str, Any]


def board(seed: int, edition: str) -> Board:
    """With what people did about the revokes; every other board is played out in silence."""
    made = {**random_board(seed), "edition": edition}
    return {**made, "events": ["play-ended"]} if seed % 2 else made


def ruled(board: Board) -> Ruling:
    law_of = law(board["edition"])
    return rule(law_of, read_incident(yaml.safe_dump(board, sort_keys=False), "board.yaml", shipped))


def stopped(board: Board) -> Iterator[tuple[str, Board]]:
    """A silent board whose record ends earlier, though play did not."""
    for tricks in range(1, len(board["play"])) if board.get("events") == ["play-ended"] else ():
        known = {name: value for name, value in board.items() if name != "tricks"}
        yield "the end", {**known, "play": board["play"][:tricks]}


def left_out(board: Board) -> Iterator[tuple[str, Board]]:
    """Each statement in turn; but who is not said to speak of one revoke speaks of all, and who gives no answer has not
    answered.
    """
    yield from ((name, {key: board[key] for key in board if key != name}) for name in HEADS if name in board)
    for at, event in enumerate(board.get("events", ())):
        for name, said in event.items() if isinstance(event, dict) else ():
            for part in said.keys() - {"to", "answer"} if isinstance(said, dict) else ():
                fewer = {**event, name: {key: said[key] for key in said if key != part}}
                yield (
                    f"{part} of {name}",
                    {**board, "events": [*board["events"][:at], fewer, *board["events"][at + 1 :]]},
                )


def shown(ruling: Ruling) -> list[tuple[str, int | None]]:
    """The revokes; without all four hands fewer may show."""
    return [(one.hand, one.trick) for one in ruling.revokes]


def by_its_cards(ruling: Ruling) -> bool:
    """Whether every trick was led to by whoever had won the one before, so that a contract may be left out."""
    return all(odd.kind is not Oddity.LEAD_FROM_WRONG_HAND for odd in ruling.irregular)


@pytest.mark.parametrize("seeds", BOARDS, ids=str)
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_record_that_tells_less_is_only_less_certain(edition: str, seeds: range) -> None:
    compared: Counter[str] = Counter()
    for whole, ruling in ((made, ruled(made)) for made in (board(seed, edition) for seed in seeds)):
        if ruling.certainty is None:
            continue
        certain, _ = told(ruling.certainty)
        for name, fewer in [*left_out(whole), *stopped(whole)]:
            try:
                fewer_said = ruled(fewer)
            except InputError:
                continue  # an event needs it
            less = fewer_said.certainty
            if less is None or shown(fewer_said) != shown(ruling) or (name == "contract" and not by_its_cards(ruling)):
                continue
            still, _ = told(less)
            if still <= certain:
                compared[name] += 1
                for side, (fewest, most) in ruling.certainty.range.items():
                    assert less.range[side][0] <= fewest and most <= less.range[side][1], (name, fewer)
            else:
                more = {one.key for one in fewer_said.presumed} - {one.key for one in ruling.presumed}
                # that nobody has noticed it yet is said by the status itself, as long as nothing else follows
                assert more or {one[-1] for one in still - certain} == {NONE_YET}, (name, still - certain, fewer)
    assert compared["contract"] and compared["the end"], compared
