"""Why-not is exact: nothing is told that does not make the clause apply, and nothing nearer would."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from support.cases import sample
from support.ruling import law, ruled

from kb.engine.sets import Bits
from kb.ruling.ruling import Ruling
from kb.space.bits import members, union
from kb.space.layout import FindingKey
from kb.space.nearest_situations import Around, NearestWay, blank, nearest, ways_into
from kb.space.outcomes import EditionRun
from kb.why_not.why_not import why_not

WEST: dict[str, Any] = {
    "contract": "4H",
    "declarer": "S",
    "revokes": [
        {"hand": "W", "trick": 5, "won-by": "W", "later-tricks": 2, "next-trick": "played", "noticed": "during-play"}
    ],
}
NEAREST: dict[str, tuple[int, set[str]]] = {
    "64A2": (1, {"won-by"}),
    "64B3": (1, {"failed-to"}),
    "64B4": (1, {"noticed"}),
    "64B5": (1, {"noticed"}),
    "64B6": (1, {"trick"}),
    "62D1": (1, {"trick"}),
    "64B7": (1, {"other-side-revoked"}),
    "64B2": (1, {"repeats"}),
    "62A": (1, {"next-trick"}),
    "62B1": (1, {"next-trick"}),
    "63A2": (1, {"next-trick"}),
    "63A3": (1, {"claim"}),
    "64B1": (2, {"won-by", "later-tricks"}),
    "62B2": (2, {"next-trick", "faced"}),
    "62C1": (2, {"next-trick", "played-after"}),
    "62C2": (2, {"next-trick", "played-after"}),
    "63A4": (2, {"claim", "noticed"}),
    "62D2": (2, {"trick", "next-trick"}),
}
"""The least changes."""


@pytest.fixture(scope="module")
def west() -> Ruling:
    return ruled(WEST)


def otherwise(way: NearestWay) -> set[str]:
    return {*way.around.moved, *(name for _, name in way.changes)}


@pytest.mark.thorough
@pytest.mark.parametrize("ref", NEAREST)
def test_the_least_changes_of_an_ordinary_revoke(west: Ruling, ref: str) -> None:
    found = why_not(west, ref)
    assert not found.applies
    assert (found.least, otherwise(found.ways[0])) == NEAREST[ref]


def test_where_no_finding_helps_another_hand_may(west: Ruling) -> None:
    (way,) = why_not(west, "43B2b").ways
    assert otherwise(way) == {"player", "next-trick", "asked-by", "dummy-lost-rights"}


def test_the_winner_is_told_before_what_nobody_has_stated(west: Ruling) -> None:
    first, *_ = why_not(west, "64A2").ways
    assert first.changes == {(0, "won-by"): ("N", "E", "S")}


def test_what_is_not_known_costs_nothing() -> None:
    ruling = ruled({**WEST, "revokes": [{"hand": "W", "trick": 5}]})
    found = why_not(ruling, "64A1")
    assert found.least == 0
    (way,) = found.ways
    assert {name for _, name in way.conditions} == {"won-by", "next-trick"} and not way.changes
    assert why_not(ruling, "64B5").least == 1


def test_a_result_is_kept_if_it_can_be() -> None:
    lost = {"hand": "W", "trick": 5, "won-by": "N", "later-tricks": 0, "next-trick": "played"}
    kept = why_not(ruled({**WEST, "revokes": [lost], "tricks": 12}), "64A1").ways[0]
    assert otherwise(kept) == {"won-by"}
    other = why_not(ruled({**WEST, "revokes": [lost], "tricks": 13}), "64A1").ways[0]
    assert otherwise(other) == {"won-by", "tricks"}


@pytest.mark.thorough
def test_two_bare_revokes_are_too_many_situations_to_let_all_free() -> None:
    ruling = ruled({**WEST, "revokes": [{"hand": "W", "trick": 5, "won-by": "W"}, {"hand": "S", "trick": 5}]})
    assert why_not(ruling, "64B5").least == 1


def test_a_revoke_that_only_the_record_shows() -> None:
    ruling = ruled({"contract": "4S", "declarer": "S", "play": ["W HA H2 H3 C2", "W HK H4 H5 H6"]})
    assert [(one.hand, one.status) for one in ruling.revokes] == [("S", "established")]
    found = why_not(ruling, "64B5")
    assert found.least == 1 and otherwise(found.ways[0]) == {"noticed"}
    assert [one.rule.clause for one in why_not(ruling, "64A1").unmet] == ["64A1", "64A1"]


@pytest.mark.thorough
def test_every_clause_of_some_cases_is_explained() -> None:
    chance = Random(9)
    for name, ruling in sample(8, seed=9):
        for ref in chance.sample(list(ruling.edition.clauses), 8):
            clause, found = ruling.edition.clauses[ref], why_not(ruling, ref)
            fired = {step.rule.clause for step in ruling.proof.steps}
            assert found.applies == bool(found.steps), (name, ref)
            assert found.applies or ref not in fired
            assert found.applies or found.ways or len(found.unmet) == len(clause.rules), (name, ref)


# --- against looking at each situation by itself


def small(ruling: Ruling, *names: str) -> Around:
    """The situations around in which only these findings may be otherwise."""
    base = ruling.certainty.completions
    return Around(base, blank(base, 0), ruling.certainty.law.sayable, names)


def each(around: Around) -> Iterator[tuple[int, dict[FindingKey, Any]]]:
    """Every possible situation with its settings."""
    for number in members(around.possible):
        yield (
            number,
            {key: value for key, held in around.values.items() for value, bits in held.items() if bits >> number & 1},
        )


def changes(setting: dict[FindingKey, Any], own: dict[str, Any]) -> int:
    return sum(setting[0, name] not in (None, value) for name, value in own.items())


OWN = {
    "won-by": "W",
    "later-tricks": 2,
    "next-trick": "played",
    "claim": "none",
    "noticed": "during-play",
    "faced": False,
}
"""Of WEST."""
ORDINARY = {"played-after": (), "next-board-call-by": "NS"}
"""What those would ordinarily be that have no value."""


@pytest.mark.parametrize("ref", ["64A1", "64A2", "64B1", "64B4", "62A", "62B1", "62C1", "62C2", "63A2", "64B5", "62B2"])
def test_the_nearest_are_those_found_one_by_one(west: Ruling, ref: str) -> None:
    around = small(west, "won-by", "later-tricks", "next-trick", "noticed", "faced")
    run = EditionRun(west.edition, around.situations, law().program.sets)
    found = run.clauses.get(ref, 0)
    distances: dict[int, Bits] = {}
    for number, setting in each(around):
        if found >> number & 1:
            far = changes(setting, OWN | ORDINARY)
            distances[far] = distances.get(far, 0) | 1 << number
    least, near = nearest(found, around.same.values())
    assert (least, near) == min(distances.items())
    told = [reached(around, way) for way in ways_into(around, found, near)]
    assert not near & ~union(told), "together they are all of the nearest"
    assert not union(told) & ~found, "and each leads to nothing else"


def reached(around: Around, way: NearestWay) -> Bits:
    """The situations that fit what a way tells, and are else as it is."""
    where = around.possible
    for key, values in (*way.changes.items(), *way.conditions.items()):
        where &= union(around.values[key][value] for value in values)
    for key, bits in around.same.items():
        if key not in way.changes and key[1] not in ORDINARY:
            where &= bits
    return where


@pytest.mark.thorough
@pytest.mark.parametrize("ref", ["64A2", "64B1", "62B1", "62C2", "64B4"])
def test_the_python_engine_agrees_on_what_is_told(west: Ruling, ref: str) -> None:
    law = west.certainty.law
    for way in why_not(west, ref).ways:
        for number in list(members(reached(way.around, way)))[:6]:
            facts = [f for held in way.around.facts.values() for f, bits in held.items() if bits >> number & 1]
            proof = law.engine.run([fact for fact in facts if fact[0] in law.shown])
            assert any(step.rule.clause == ref for step in proof.steps), way


def test_marks_are_counted() -> None:
    assert nearest(0b1111, [0b1010, 0b1100]) == (0, 0b1000)
    assert nearest(0b0111, [0b1010, 0b1100]) == (1, 0b0110)
    assert nearest(0b0001, [0b1010, 0b1100]) == (2, 0b0001)
    assert nearest(0, [0b1]) == (0, 0)


@pytest.mark.parametrize("otherwise", ["next-trick", "won-by", "noticed"])
def test_what_follows_a_hand_that_nobody_knows_stays_as_it_is(otherwise: str) -> None:
    """«The next player» is another hand for each hand that may have revoked."""
    found = {"trick": 12, "played-after": "next", "noticed": "before-next-trick", "next-trick": "no"}
    base = ruled({"revokes": [found]}).certainty
    assert base is not None
    ways_ = base.completions
    around = Around(ways_, blank(ways_, 0), law().sayable, [otherwise])
    held = [value for value, bits in around.values[0, "played-after"].items() if bits & around.possible]
    assert {*held} >= {value for value, bits in ways_.values[0, "played-after"].items() if bits & ways_.possible}
