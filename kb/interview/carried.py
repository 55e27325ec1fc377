"""What was said of the first revoke, told over again where another revoke makes other questions ask for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from facts.table import Table
from kb.interview.said import Said, filled_numbers
from kb.space.interview import Answer, Filling, Question


def carried(said: Said) -> Said:
    """With the answers that make sense, and those by which other questions now say what the rest of them said."""
    lost = [fill for name in said.senseless for fill in _fills(said, name)]
    base = said.sensible() if said.senseless else said
    for question in said.adviser.questions if lost else ():
        after = [_with(base, question.id, frozenset({one})) for one in _fitting(question, lost, base)]
        if len({one.mattering(one.possible) for one in after}) == 1:
            base = _with(base, question.id, frozenset[str]().union(*(one.answers[question.id] for one in after)))
    return base


def _with(said: Said, name: str, answers: frozenset[str]) -> Said:
    given = {**said.answers, name: answers}
    return replace(said, answers={one: given[one] for one in said.adviser.number if one in given})


def dropped(said: Said) -> list[str]:
    """The questions whose answers make no sense any more, and which no other one answers."""
    after = carried(said)
    new = after.answers.keys() - said.answers.keys()
    told = {(fill.revoke, fill.key) for name in new for fill in _fills(after, name)}
    return [name for name in said.senseless if not {(one.revoke, one.key) for one in _fills(said, name)} & told]


def _fills(said: Said, name: str) -> list[Filling]:
    if name in said.unknown:
        return []
    question = said.adviser.interview.questions[name]
    return [fill for answer in question.answers.values() if answer.id in said.answers[name] for fill in answer.fills]


def _fitting(question: Question, lost: list[Filling], base: Said) -> Iterator[str]:
    """The answers that agree with what was said; of those that differ in something else the most ordinary one."""
    able = base.adviser.answers(base.possible, question.id)
    known = {(one.revoke, one.key) for one in lost}
    if question.id in base.answers or len(able) < 2 or not any(_of(known, one) for one in question.answers.values()):
        return
    table, seen = base.adviser.interview.table, set[object]()
    for answer in (one for one in question.answers.values() if one.id in able):
        own = [fill for fill in answer.fills if (fill.revoke, fill.key) in known or fill.revoke]
        same = tuple((fill.revoke, fill.key, fill.value) for fill in own)
        if all(_agrees(fill, lost, table) for fill in _of(known, answer)) and _of(known, answer) and same not in seen:
            seen.add(same)
            yield answer.id


def _of(known: Iterable[tuple[int, str]], answer: Answer) -> list[Filling]:
    return [fill for fill in answer.fills if (fill.revoke, fill.key) in known]


def _agrees(fill: Filling, lost: list[Filling], table: Table) -> bool:
    """Whether something that was said may come to the same."""
    return any(
        one.value == fill.value or {*filled_numbers(one, table)} & {*filled_numbers(fill, table)}
        for one in lost
        if (one.revoke, one.key) == (fill.revoke, fill.key)
    )
