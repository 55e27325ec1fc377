"""What a law wants to know of a revoke beside what the interview asks: findings that an edition or draft declares."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import product

from facts.table import FindingKind, Names, Table, written
from kb.language.model import Edition
from kb.space.interview import Answer, Filling, Needs, Question, filled


def together(tables: Iterable[Table]) -> Table:
    """The findings of all these tables, of which there is one at least."""
    whole, *more = tables
    for table in more:
        whole = replace(
            whole,
            findings={**whole.findings, **table.findings},
            of_a_trick={**whole.of_a_trick, **table.of_a_trick},
            of_a_board={**whole.of_a_board, **table.of_a_board},
            fields={**whole.fields, **table.fields},
            parts=tuple(dict.fromkeys((*whole.parts, *table.parts))),
        )
    return whole


def reads(editions: Iterable[Edition]) -> frozenset[str]:
    """The kinds of fact that some rule looks at."""
    return frozenset(item.kind for edition in editions for rule in edition.rules for item in rule.conditions())


def further(table: Table, read: frozenset[str], known: Mapping[str, Question], needs: Needs) -> dict[str, Question]:
    """A question for each finding that is declared with one, of which a rule reads what it states, and that no answer
    to the questions known fills in of the first revoke."""
    answers = (answer for question in known.values() for answer in question.answers.values())
    asked = {filling.key for answer in answers for filling in answer.fills if filling.revoke == 0}
    found: dict[str, Question] = {}
    for kind in table.findings.values():
        states = {one.kind for some in (kind.states, *kind.by_value.values()) for one in some}
        when = _when(kind, known, needs)
        if kind.asks and kind.answers and kind.id not in asked and states & read and (when or not kind.when):
            found[kind.id] = Question(kind.id, kind.asks, kind.about, kind.help, when, _answers(kind), kind.place)
    return found


def _answers(kind: FindingKind) -> dict[str, Answer]:
    """The answers of the declaration; what is presumed is the ordinary one."""
    presumed = [one for one in kind.answers.values() if kind.presumption and kind.presumed in one.values]
    return {
        one.id: Answer(one.id, one.says, (), (Filling(0, kind.id, filled(one), kind.place),), kind.place)
        for one in (*presumed, *kind.answers.values())
    }


def _when(kind: FindingKind, known: Mapping[str, Question], needs: Needs) -> Needs:
    """When the finding has a value as well as what else is needed."""
    if not kind.when:
        return needs
    return tuple({**need, **way} for need in needs or ({},) for when in kind.when for way in _ways(when, known))


def _ways(when: Names, known: Mapping[str, Question]) -> Iterator[Mapping[str, frozenset[str]]]:
    """The answers that meet all of some conditions on findings of the first revoke, one question for each condition."""
    for way in product(*(list(_fitting(name, {*map(written, wanted)}, known)) for name, wanted in when.items())):
        yield dict(way)


def _fitting(name: str, wanted: set[str], known: Mapping[str, Question]) -> Iterator[tuple[str, frozenset[str]]]:
    for question in known.values():
        fitting = frozenset(
            answer.id
            for answer in question.answers.values()
            for one in answer.fills
            if (one.revoke, one.key) == (0, name) and written(one.value) in wanted
        )
        if fitting:
            yield question.id, fitting
