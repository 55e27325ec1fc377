"""Makes the decision chart of an edition from the rulings on every situation."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Final, TypeAlias

from kb.language.model import Vocabulary
from kb.ruling.rule import rule
from kb.ruling.ruling import Ruling
from kb.study.chart import PARTS, SHOWN, Box, ChartPart, Figure, PartName, Said, Told, matter, said
from kb.study.counsel import Counsel
from kb.study.diagram import Diagram, State
from kb.study.interview import UNKNOWN
from kb.study.mattering import parting

Matters: TypeAlias = tuple[str, ...]
STATUS: Final = ("status",)
"""The matter of the first figure."""


def chart(counsel: Counsel) -> tuple[ChartPart, ...]:
    """Both parts; the first figure of the first is the way to tell them apart."""
    return _Charting(counsel).chart()


class _Charting:
    """Makes the chart of one edition."""

    def __init__(self, counsel: Counsel) -> None:
        self.counsel = counsel
        self.adviser = counsel.adviser
        self.vocabulary: Vocabulary = counsel.law.edition.vocabulary
        self.single, self.state = self._one_revoke()
        diagram = self.adviser.diagram
        self.rulings = {outcome: self._ruling(outcome) for outcome in sorted(diagram.outcomes(self.state))}
        self.told = {outcome: dict(self._matters(ruling)) for outcome, ruling in self.rulings.items()}
        self.parts = {outcome: self._part(ruling) for outcome, ruling in self.rulings.items()}
        self.number = 0

    def _one_revoke(self) -> tuple[Mapping[str, str], State]:
        """The ordinary answers that leave one revoke only, and the situations with them, nothing unknown among them."""
        questions = self.adviser.questions
        several = {q.id for q in questions for a in q.answers.values() if any(f.part == "second" for f in a.fills)}
        roots = [q for q in questions if q.id in several and not q.when]
        single = {question.id: next(iter(question.answers)) for question in roots}
        state = self.adviser.narrowed(single)
        assert state is not None
        return single, state

    def _ruling(self, outcome: int) -> Ruling:
        answers = dict(self.adviser.survey.examples[outcome])
        return rule(self.counsel.law, self.counsel.stating.interview.incident(answers))

    def _part(self, ruling: Ruling) -> PartName:
        return PARTS[any(one.status == "established" for one in ruling.revokes)]

    def _matters(self, ruling: Ruling) -> Iterator[tuple[str, Told]]:
        """Each matter of a ruling with what is said of it."""
        found: dict[str, set[Said]] = {}
        for section in SHOWN:
            for fact in ruling.sections.facts(section):
                found.setdefault(matter(self.vocabulary, fact), set()).add(said(self.vocabulary, ruling, fact))
        return ((name, frozenset(what)) for name, what in found.items())

    def chart(self) -> tuple[ChartPart, ...]:
        made = []
        for name in PARTS:
            self.number = 0
            figures = [self._figure(STATUS, self.parts)] if name == PARTS[0] else []
            figures += [self._figure(matters, self._classes(name, matters)) for matters in self._together(name)]
            made.append(
                ChartPart(name, tuple(figure for figure in figures if figure.root.question or figure.root.told))
            )
        return tuple(made)

    def _classes(self, part: PartName, matters: Iterable[str]) -> dict[int, Hashable]:
        """What each outcome of a part says of these matters."""
        wanted = tuple(matters)
        return {
            outcome: frozenset().union(*(self.told[outcome].get(one, frozenset()) for one in wanted))
            for outcome in self.rulings
            if self.parts[outcome] == part
        }

    def _together(self, part: PartName) -> list[tuple[str, ...]]:
        """The matters of a part; several in one figure where that takes no more room than one of them."""
        names = dict.fromkeys(
            name for outcome, told in self.told.items() if self.parts[outcome] == part for name in told
        )
        groups: list[tuple[str, ...]] = []
        for name in names:
            room = self._room(self._classes(part, [name]))
            for number, group in enumerate(groups):
                most = max(room, self._room(self._classes(part, group)))
                if self._room(self._classes(part, (*group, name))) <= most:
                    groups[number] = (*group, name)
                    break
            else:
                groups.append((name,))
        return groups

    def _room(self, classes: Mapping[int, Hashable]) -> int:
        """How many questions and answers a figure would have."""
        diagram, root, _ = self._reduced(classes)
        return sum(1 + len(diagram.edges[node]) for node in diagram.below(root) if diagram.outcome[node] < 0)

    def _reduced(self, classes: Mapping[int, Hashable]) -> tuple[Diagram, State, list[Hashable]]:
        """The smallest diagram that tells the classes apart; outcomes of no class, and what is unknown, left out."""
        diagram, numbers = Diagram(), dict[Hashable, int]()
        known: dict[State, State | None] = {}
        source = self.adviser.diagram
        for node in reversed(source.below(self.state)):
            if source.outcome[node] >= 0:
                of = source.outcome[node]
                known[node] = diagram.end(numbers.setdefault(classes[of], len(numbers))) if of in classes else None
                continue
            edges = [(answer, known[below]) for answer, below, _ in source.edges[node] if answer != UNKNOWN]
            kept = [(answer, below, 1) for answer, below in edges if below is not None]
            same = len({below for _, below, _ in kept}) == 1
            known[node] = None if not kept else kept[0][1] if same else diagram.node(source.question[node], kept)[0]
        root = known[self.state]
        assert root is not None
        return diagram, root, list(numbers)

    def _figure(self, matters: Matters, classes: Mapping[int, Hashable]) -> Figure:
        diagram, root, ends = self._reduced(classes)
        drawn: dict[State, Box] = {}
        numbers: dict[State, int] = {}

        def number(node: State) -> None:
            if diagram.outcome[node] < 0 and node not in numbers:
                self.number += 1
                numbers[node] = self.number
                for _, below, _ in diagram.edges[node]:
                    number(below)

        def box(node: State, way: Mapping[str, str]) -> Box:
            if diagram.outcome[node] >= 0:
                told = ends[diagram.outcome[node]]
                told = told if isinstance(told, frozenset) else frozenset({(STATUS[0], (str(told),))})
                return Box(0, "", self._resting(way, matters, told), (), told)
            if node not in drawn:
                question = self.adviser.questions[diagram.question[node]].id
                together: dict[State, list[str]] = {}
                for answer, below, _ in diagram.edges[node]:
                    together.setdefault(below, []).append(answer)
                laws = self._mattering(diagram, question, together, way, matters)
                ways = tuple(
                    (tuple(answers), box(below, {**way, question: answers[0]})) for below, answers in together.items()
                )
                drawn[node] = Box(numbers[node], question, laws, ways, frozenset())
            return drawn[node]

        number(root)
        return Figure(matters, box(root, self.single))

    def _resting(self, way: Mapping[str, str], matters: Matters, told: Told) -> tuple[str, ...]:
        """The laws behind an end: of what it says, or, where it says nothing, of why nothing is due."""
        ruling = self._example(way)
        sections = ("status",) if matters == STATUS else SHOWN if told else ("exempt",)
        facts = [fact for section in sections for fact in ruling.sections.facts(section)]
        if told and matters != STATUS:
            facts = [fact for fact in facts if matter(self.vocabulary, fact) in matters]
        return ruling.citations.sort(law for fact in facts for law in ruling.citations.laws(fact))

    def _mattering(
        self,
        diagram: Diagram,
        question: str,
        ways: Mapping[State, list[str]],
        so_far: Mapping[str, str],
        matters: Matters,
    ) -> tuple[str, ...]:
        """The laws by which the answers to a question differ."""
        (first, usual), *others = ways.items()
        laws: set[str] = set()
        for below, answers in others:
            parted = parting(diagram, first, below)
            if parted is not None:
                one, other = (
                    self._example({**so_far, question: answer, **self._named(on)})
                    for answer, on in zip((usual[0], answers[0]), parted, strict=True)
                )
                laws |= self._apart(one, other, matters)
        return next(iter(self.rulings.values())).citations.sort(laws)

    def _named(self, way: Mapping[int, str]) -> dict[str, str]:
        return {self.adviser.questions[number].id: answer for number, answer in way.items()}

    def _apart(self, one: Ruling, other: Ruling, matters: Matters) -> set[str]:
        """The laws of what only one of two rulings says of these matters, of the status, or of why nothing is due."""
        a, b = self._says(one, matters), self._says(other, matters)
        return {law for key in a.keys() ^ b.keys() for law in (a.get(key) or b.get(key) or ())}

    def _says(self, ruling: Ruling, matters: Matters) -> dict[Said, tuple[str, ...]]:
        found: dict[Said, tuple[str, ...]] = {}
        for section in (*SHOWN, "status", "exempt"):
            for fact in ruling.sections.facts(section):
                if section not in SHOWN or matter(self.vocabulary, fact) in matters:
                    found[said(self.vocabulary, ruling, fact)] = ruling.citations.laws(fact)
        return found

    def _example(self, way: Mapping[str, str]) -> Ruling:
        return rule(self.counsel.law, self.counsel.stating.interview.incident(self.counsel.stating.full(way)))
