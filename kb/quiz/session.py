"""Chooses exercises: from the situations of the interview, from random boards, and from the cases beside the rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from random import Random
from typing import Final

from facts.incident import Incident
from kb.cases.cases import Case
from kb.interview.counsel import Counsel
from kb.quiz.boards import injected
from kb.quiz.exercise import Exercise, near_misses
from kb.ruling.rule import rule

SITUATIONS: Final = 600
"""Situations looked at for a session."""
BOARDS: Final = 4
"""One exercise in so many is a whole board."""


def session(counsel: Counsel, rng: Random, size: int | None = None, cases: Iterable[Case] = ()) -> tuple[Exercise, ...]:
    """So many exercises, or as many as bring up every clause that any of them can; easy ones first."""
    pool = exercises(counsel, rng, cases)
    chosen: list[Exercise] = []
    met = frozenset[str]()
    while pool and (len(chosen) < size if size is not None else any(one.laws - met for one in pool)):
        best = _next(pool, met, whole=len(chosen) % BOARDS == BOARDS - 1)
        pool.remove(best)
        chosen.append(best)
        met |= best.laws
    return tuple(sorted((replace(one, near=near_misses(one.ruling)) for one in chosen), key=lambda one: one.near))


def _next(pool: list[Exercise], met: frozenset[str], whole: bool) -> Exercise:
    """The exercise that brings up most that has not come up; now and then a whole board."""
    return max(pool, key=lambda one: (whole and _is_board(one), len(one.laws - met)))


def exercises(counsel: Counsel, rng: Random, cases: Iterable[Case] = ()) -> list[Exercise]:
    """Everything that a session is chosen from, in random order; cases only for clauses that nothing else brings up."""
    pool = [*_situations(counsel, rng), *_boards(counsel, rng)]
    rng.shuffle(pool)
    met = frozenset[str]().union(*(one.laws for one in pool))
    return [*pool, *(one for one in _cases(counsel, cases) if one.laws - met)]


def _is_board(exercise: Exercise) -> bool:
    return not exercise.answers and exercise.incident.play is not None


def _situations(counsel: Counsel, rng: Random) -> Iterator[Exercise]:
    """A situation for each ruling that there can be, and others at random."""
    examples = [dict(example) for example in counsel.adviser.survey.examples]
    for answers in (*examples, *(_situation(counsel, rng) for _ in range(SITUATIONS))):
        incident = counsel.interview.incident(answers)
        if exercise := _exercise(counsel, incident):
            yield replace(exercise, answers=answers)


def _situation(counsel: Counsel, rng: Random) -> dict[str, str]:
    """The answers of a situation, each situation as likely as any other."""
    diagram, state = counsel.adviser.diagram, counsel.adviser.survey.whole
    answers: dict[str, str] = {}
    while diagram.outcome[state] < 0:
        edges = diagram.edges[state]
        weights = [times * diagram.weight[below] for _, below, times in edges]
        answer, below, _ = rng.choices(edges, weights)[0]
        answers[counsel.adviser.questions[diagram.question[state]].id] = answer
        state = below
    return answers


def _boards(counsel: Counsel, rng: Random) -> Iterator[Exercise]:
    """Random boards with one revoke that the edition rules on."""
    for _ in range(SITUATIONS // 10):
        if exercise := _exercise(counsel, injected(rng)):
            yield exercise


def _cases(counsel: Counsel, cases: Iterable[Case]) -> Iterator[Exercise]:
    """The cases that expect something under the edition."""
    edition = counsel.law.edition
    for case in cases:
        for expected in case.expect if not case.evidence else ():
            incident = case.under(expected)
            if (incident.edition, *incident.elections) == (edition.id, *edition.elections) and (
                exercise := _exercise(counsel, incident)
            ):
                yield exercise


def _exercise(counsel: Counsel, incident: Incident) -> Exercise | None:
    """The exercise of an incident; None where it cites no law, or something is not known that matters."""
    edition = counsel.law.edition
    ruling = rule(counsel.law, replace(incident, edition=edition.id, elections=edition.elections))
    made = Exercise(ruling.incident, ruling)
    known = ruling.opening is None or not ruling.opening.is_open
    return made if ruling.cited and known else None
