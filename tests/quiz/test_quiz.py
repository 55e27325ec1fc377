"""Exercises: over a session every clause comes up, and a reply is graded against the proof."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from random import Random

import pytest
from support.counsel import EDITIONS, ROOT, counsel_of

from kb.cases.cases import Case
from kb.compare.compare import cases_of
from kb.quiz import session as choosing
from kb.quiz.boards import injected
from kb.quiz.exercise import NO_REVOKE, Exercise, Reply, grade, right_reply
from kb.quiz.session import exercises, session
from kb.ruling.rule import rule


@cache
def cases_beside(edition: str) -> tuple[Case, ...]:
    return cases_of(ROOT, (edition,))


@cache
def pool_and_session(edition: str) -> tuple[list[Exercise], tuple[Exercise, ...]]:
    """Everything that is chosen from, and what is chosen."""
    lineage = counsel_of(edition).law.edition.lineage
    cases = [case for one in (edition, *lineage[1:]) for case in cases_beside(one)]
    pool = exercises(counsel_of(edition), Random(7), cases)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(choosing, "exercises", lambda *_: list(pool))
        return pool, session(counsel_of(edition), Random(7), None, cases)


def whole_session(edition: str) -> tuple[Exercise, ...]:
    return pool_and_session(edition)[1]


@pytest.mark.parametrize("edition", EDITIONS)
def test_over_a_session_every_clause_comes_up(edition: str) -> None:
    """Every one that situations, boards and cases bring up at all, those left to judgement among them."""
    pool, _ = pool_and_session(edition)
    could = frozenset[str]().union(*(one.laws for one in pool))
    come = frozenset[str]().union(*(one.laws for one in whole_session(edition)))
    assert come == could
    assert len(whole_session(edition)) <= 40


def test_the_revoke_laws_come_up() -> None:
    come = frozenset[str]().union(*(one.laws for one in whole_session("duplicate-2017")))
    clauses = counsel_of("duplicate-2017").law.edition.clauses
    revoke_laws = {ref for ref, clause in clauses.items() if clause.rules and ref[:2] in ("61", "62", "63", "64")}
    assert revoke_laws - come == set()


def test_it_grows_harder() -> None:
    near = [one.near for one in whole_session("duplicate-2017")]
    assert near == sorted(near)
    assert near[0] < near[-1]


def test_there_are_situations_boards_and_cases() -> None:
    chosen = whole_session("duplicate-2017")
    assert any(one.answers for one in chosen)
    assert any(one.incident.deal is not None for one in chosen)
    assert any(one.incident.deal is None and not one.answers for one in chosen)


def test_the_same_seed_gives_the_same_exercises() -> None:
    counsel = counsel_of("auction-1912")
    first, second = (session(counsel, Random(3), 6) for _ in range(2))
    assert [one.incident for one in first] == [one.incident for one in second]
    assert len(first) == 6


def test_a_random_board_has_one_revoke_by_its_cards() -> None:
    law = counsel_of("duplicate-2017").law
    for seed in range(20):
        incident = injected(Random(seed))
        assert incident == injected(Random(seed))
        assert incident.deal is not None and len(incident.deal.holder) == 52
        (revoke,) = rule(law, incident).revokes
        assert 2 <= revoke.trick <= 12
        assert not incident.revokes, "by the cards alone"


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_right_reply_is_right(edition: str) -> None:
    for exercise in whole_session(edition):
        found = grade(exercise, right_reply(exercise))
        assert found.right
        assert found.leaves is None


def alone(edition: str) -> Iterator[Exercise]:
    """Exercises with one revoke."""
    return (one for one in whole_session(edition) if len(one.ruling.revokes) == 1)


def test_a_wrong_status_is_explained_by_the_step_that_settles_it() -> None:
    exercise = next(one for one in alone("duplicate-2017") if one.status == "established")
    found = grade(exercise, replace(right_reply(exercise), status=NO_REVOKE))
    assert not found.ruling and not found.right
    assert found.leaves is not None
    assert found.leaves.rule.clause in exercise.ruling.revokes[0].status_by


def test_wrong_tricks_are_explained_by_the_step_that_gives_them() -> None:
    exercise = next(one for one in alone("duplicate-2017") if sum(one.ruling.transfer.values()))
    found = grade(exercise, Reply(exercise.status, {}, frozenset(exercise.ruling.cited)))
    assert not found.ruling
    assert found.leaves is not None
    assert found.leaves.rule.clause.startswith("64")


def test_laws_are_graded_apart() -> None:
    exercise = next(one for one in whole_session("duplicate-2017") if one.judged)
    missing = exercise.ruling.cited[-1]
    laws = frozenset({*exercise.ruling.cited[:-1], *exercise.judged, "99Z"})
    found = grade(exercise, Reply(exercise.status, exercise.ruling.transfer, laws))
    assert found.ruling and not found.right
    assert found.missing == (missing,)
    assert found.needless == ("99Z",)
    assert found.leaves is not None and found.leaves.rule.clause == missing
