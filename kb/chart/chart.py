"""Makes the decision chart of an edition from the rulings on every situation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from kb.chart.drawing import Drawing
from kb.chart.parts import PARTS, ChartPart, Figure, FigureCase, PartName, Told, demand_both, matter
from kb.chart.rulings import Matters, OutcomeTable
from kb.interview.counsel import Counsel
from kb.language.known import DIRECTOR, ESTABLISHED, STATUS
from kb.ruling.ruling import Ruling

MOST_JUDGED: Final = 24
"""A matter of judgement whose figure would have more questions and answers is only mentioned."""


def chart(counsel: Counsel) -> tuple[ChartPart, ...]:
    """Both parts; the first figure of the first is the way to tell them apart."""
    return _Charting(OutcomeTable(counsel)).chart()


class _Charting:
    """Makes the chart of one edition."""

    def __init__(self, rulings: OutcomeTable) -> None:
        self.rulings = rulings
        self.told = rulings.told
        self.judgements = rulings.vocabulary.words["judgement"]
        self.number = 0

    def chart(self) -> tuple[ChartPart, ...]:
        parts = {outcome: _part(ruling) for outcome, ruling in self.rulings.all.items()}
        pending, done = ([one for one, part in parts.items() if part == name] for name in PARTS)
        demand_both(self.rulings.counsel.law.edition, pending, done)
        cases = {self._always(alike) or told: alike for told, alike in self._cases(pending, self._key(pending)).items()}
        ends = {outcome: told for told, alike in cases.items() for outcome in alike}
        about = dict.fromkeys(name for told in cases for name in self._about(told))
        first = self._figure((STATUS, *about), ends | dict.fromkeys(done, _status(PARTS[1])))
        open_ = ChartPart(PARTS[0], first, tuple(self._of(told, alike) for told, alike in cases.items()))
        self.number = 0
        return open_, ChartPart(PARTS[1], None, (self._of(frozenset(), done),))

    def _cases(self, outcomes: list[int], key: str | None) -> dict[Told, list[int]]:
        """Outcomes of the first part, told apart by what is said of one matter."""
        cases: dict[Told, list[int]] = {}
        for outcome in outcomes:
            told = self.told[outcome].get(key) if key else None
            cases.setdefault(told or _status(PARTS[0]), []).append(outcome)
        return cases

    def _key(self, outcomes: list[int]) -> str | None:
        """The matter that makes the first part shortest when its figures are drawn for each case of it apart."""
        names = [None, *self.rulings.names(outcomes)]
        return min(names, key=lambda name: self._length(self._cases(outcomes, name)))

    def _length(self, cases: Mapping[Told, list[int]]) -> int:
        """How long the first part is with these cases."""
        rulings = self.rulings
        ends = dict.fromkeys(rulings.all, _status(PARTS[1]))
        ends |= {outcome: told for told, alike in cases.items() for outcome in alike}
        figures = [rulings.classes(alike, (name,)) for alike in cases.values() for name in rulings.names(alike)]
        return rulings.room(ends) + sum(map(rulings.room, figures))

    def _always(self, outcomes: list[int]) -> Told:
        """What is to be done in all of these outcomes."""
        all_told = [self.told[outcome].items() for outcome in outcomes]
        common = [one for one in all_told[0] if one[0] not in self.judgements and all(one in told for told in all_told)]
        return frozenset().union(*(told for _, told in common))

    def _about(self, told: Told) -> list[str]:
        """The matters of what is told."""
        return [name for one in self.told.values() for name, what in one.items() if what <= told]

    def _of(self, told: Told, outcomes: list[int]) -> FigureCase:
        """The figures of a case."""
        figures, notes = [], set[str]()
        for about in self._together(outcomes, told):
            classes = self.rulings.classes(outcomes, about)
            if all(name in self.judgements for name in about) and self.rulings.room(classes) > MOST_JUDGED:
                notes |= {law for one in outcomes for law in self._judging(self.rulings.all[one], about)}
            else:
                figures.append(self._figure(about, classes))
        return FigureCase(told, tuple(figures), self.rulings.all[outcomes[0]].citations.sort(notes))

    def _judging(self, ruling: Ruling, about: Matters) -> Iterator[str]:
        for fact in ruling.facts(DIRECTOR):
            if matter(self.rulings.vocabulary, fact) in about:
                yield from ruling.citations.laws(fact)

    def _together(self, outcomes: list[int], told: Told) -> list[Matters]:
        """The other matters of a case; several in one figure where that takes no more room than one of them."""
        groups: list[Matters] = []
        for name in self.rulings.names(outcomes):
            if all(self.told[outcome].get(name, told) <= told for outcome in outcomes):
                continue
            room = self._room(outcomes, (name,))
            for number, group in enumerate(groups):
                if self._room(outcomes, (*group, name)) <= max(room, self._room(outcomes, group)):
                    groups[number] = (*group, name)
                    break
            else:
                groups.append((name,))
        return groups

    def _room(self, outcomes: list[int], about: Matters) -> int:
        return self.rulings.room(self.rulings.classes(outcomes, about))

    def _figure(self, about: Matters, classes: Mapping[int, Told]) -> Figure:
        drawing = Drawing(self.rulings, about, classes, self.number)
        self.number += drawing.drawn
        return Figure(about, drawing.box(drawing.root, {}))


def _part(ruling: Ruling) -> PartName:
    return PARTS[any(one.status == ESTABLISHED for one in ruling.revokes)]


def _status(part: PartName) -> Told:
    return frozenset({(STATUS, (part,))})
