"""One edition in every situation and on cases, made ready to be compared with others, one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property

from facts.errors import InputError
from kb.cases.cases import Case
from kb.engine.sets import Sets
from kb.language.model import Edition
from kb.ruling.law import Law
from kb.ruling.rule import rounds
from kb.space.burden import Burden
from kb.space.layout import Sayable
from kb.space.outcome import EditionRun
from kb.space.universe import Universe, observed


@dataclass(eq=False)
class RuledPart:
    """A part of a universe, and what the edition rules in it."""

    start: int
    """The number of its first situation."""
    universe: Universe
    run: EditionRun
    burden: Burden | None = None
    """What the rulings weigh, once that has been asked."""
    verified: bool = False
    """Whether the engines have agreed on its sample."""


class Prepared:
    """The first of two editions: what is known of it does not change with the second."""

    def __init__(self, edition: Edition, asked: Universe, wider: Universe) -> None:
        self.edition, self.asked, self.wider = edition, asked, wider
        self.sets = Sets(edition.vocabulary, edition.rules)
        self._shown: frozenset[str] = frozenset()
        self._heard: dict[int, tuple[Case, EditionRun | None]] = {}

    @cached_property
    def parts(self) -> list[RuledPart]:
        """The wider universe, part by part."""
        return [RuledPart(start, one, self._run(one)) for start, one in self.wider.parts()]

    @cached_property
    def run(self) -> EditionRun:
        """The situations that the interview asks about."""
        return self._run(self.asked)

    def _run(self, universe: Universe) -> EditionRun:
        return EditionRun(self.edition, observed(universe), self.sets)

    def heard(self, cases: Sequence[Case], other: Edition, sets: Sets) -> Iterator[tuple[Case, EditionRun]]:
        """The cases with what one of the two editions concludes of them, whatever is not known, without those whose
        record it refuses; ``sets``: the other's rules, ready to run.

        It is this edition unless only the other knows of all that may be said.
        """
        law = _of_both(self.edition, other)
        if law.edition is not self.edition:
            law.program.sets = sets
            yield from ((case, run) for case in cases if (run := _ruled(law, case)) is not None)
            return
        law.program.sets = self.sets
        if law.shown != self._shown:
            self._shown, self._heard = law.shown, {}
        for case in cases:
            if id(case) not in self._heard:
                self._heard[id(case)] = case, _ruled(law, case)
            if (known := self._heard[id(case)][1]) is not None:
                yield case, known


def _of_both(a: Edition, b: Edition) -> Law:
    """The law of one of two editions, with all that either of them looks at."""
    laws = [Law(edition, engine="quick") for edition in (a, b)]
    law = max(laws, key=lambda law: len(law.edition.vocabulary.kinds))
    law.shown = laws[0].shown | laws[1].shown
    law.sayable = Sayable(law.edition.table, law.edition.vocabulary, law.shown)
    return law


def _ruled(law: Law, case: Case) -> EditionRun | None:
    """What the law concludes of a case in every way of filling in what is not said; None where it refuses it."""
    with suppress(InputError):
        return next(rounds(law, replace(case.incident, edition=law.edition.id))).opening.run
    return None
