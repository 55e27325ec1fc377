"""Makes the boxes of one figure of a decision chart, each with the laws that its answers turn on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from kb.chart.parts import FEW, SHOWN, FigureBox, Said, Told, matter, said
from kb.chart.rulings import Matters, OutcomeTable
from kb.interview.why_asked import parting
from kb.language.known import EXEMPT, STATUS
from kb.space.decision_diagram import State


class Drawing:
    """One figure."""

    def __init__(self, rulings: OutcomeTable, matters: Matters, classes: Mapping[int, Told], before: int) -> None:
        self.rulings = rulings
        self.vocabulary = rulings.vocabulary
        self.matters = matters
        inside = rulings.diagram.only(rulings.state, classes.keys())
        assert inside is not None
        self.inside = inside
        self.diagram, self.root, self.ends = rulings.reduced(classes)
        self._boxes: dict[State, FigureBox] = {}
        self._numbers: dict[State, int] = {}
        self._count(self.root, before)

    @property
    def drawn(self) -> int:
        """How many questions there are."""
        return len(self._numbers)

    def _count(self, node: State, before: int) -> None:
        if self.diagram.outcome[node] < 0 and node not in self._numbers:
            self._numbers[node] = before + len(self._numbers) + 1
            for _, below, _ in self.diagram.edges[node]:
                self._count(below, before)

    def box(self, node: State, way: Mapping[str, str]) -> FigureBox:
        """The box of a node that these answers lead to."""
        if self.diagram.outcome[node] >= 0:
            told = self.ends[self.diagram.outcome[node]]
            return FigureBox(0, "", self._resting(way, told), (), told)
        if node not in self._boxes:
            question = self.rulings.adviser.questions[self.diagram.question[node]].id
            together: dict[State, tuple[str, ...]] = {}
            for answer, below, _ in self.diagram.edges[node]:
                together[below] = (*together.get(below, ()), answer)
            most = max(FEW, *map(len, together.values()))
            ways = tuple(
                (answers, self.box(below, {**way, question: answers[0]}))
                for below, answers in sorted(together.items(), key=lambda one: len(one[1]) == most)
            )
            laws = self._mattering(question, together, way) or self._all(law for _, box in ways for law in box.laws)
            self._boxes[node] = FigureBox(self._numbers[node], question, laws, ways, frozenset())
        return self._boxes[node]

    def _resting(self, way: Mapping[str, str], told: Told) -> tuple[str, ...]:
        """The laws behind an end: of what it says, or, where it says nothing, of why nothing is due."""
        ruling = self.rulings.example(self.inside, way)
        facts = [fact for section in (SHOWN if told else (EXEMPT,)) for fact in ruling.facts(section)]
        if STATUS in self.matters:
            closer = [fact for fact in facts if matter(self.vocabulary, fact) in self.matters]
            facts = [*closer, *ruling.facts(STATUS)] or facts
        elif told:
            facts = [fact for fact in facts if matter(self.vocabulary, fact) in self.matters]
        return ruling.citations.sort(law for fact in facts for law in ruling.citations.laws(fact))

    def _mattering(
        self, question: str, together: Mapping[State, tuple[str, ...]], so_far: Mapping[str, str]
    ) -> tuple[str, ...]:
        """The laws by which the answers to a question differ."""
        (first, usual), *others = together.items()
        laws: set[str] = set()
        for below, answers in others:
            parted = parting(self.diagram, first, below)
            if parted is not None:
                one, other = (
                    self._says({**so_far, question: answer, **self._named(on)})
                    for answer, on in zip((usual[0], answers[0]), parted, strict=True)
                )
                laws.update(law for key in one.keys() ^ other.keys() for law in one.get(key) or other[key])
        return self._all(laws)

    def _all(self, laws: Iterable[str]) -> tuple[str, ...]:
        """Each law once, in the order of the book."""
        return next(iter(self.rulings.all.values())).citations.sort(laws)

    def _named(self, way: Mapping[int, str]) -> dict[str, str]:
        return {self.rulings.adviser.questions[number].id: answer for number, answer in way.items()}

    def _says(self, way: Mapping[str, str]) -> dict[Said, tuple[str, ...]]:
        """What a ruling says of these matters, of the status and of why nothing is due, with the laws."""
        ruling = self.rulings.example(self.inside, way)
        found: dict[Said, tuple[str, ...]] = {}
        for section in (*SHOWN, STATUS, EXEMPT):
            for fact in ruling.facts(section):
                if section not in SHOWN or matter(self.vocabulary, fact) in self.matters:
                    found[said(self.vocabulary, ruling, fact)] = ruling.citations.laws(fact)
        return found
