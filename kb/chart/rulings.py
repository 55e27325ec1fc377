"""The rulings that a decision chart is made of: on situations with one revoke."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias, TypeVar

from kb.chart.parts import SHOWN, Said, Told, matter, said
from kb.interview.counsel import Counsel
from kb.language.vocabulary import Vocabulary
from kb.ruling.ruling import Ruling
from kb.space.decision_diagram import Diagram, State

C = TypeVar("C")
Matters: TypeAlias = tuple[str, ...]
"""Kinds of fact, or words of judgement."""


class OutcomeTable:
    """What each outcome of one edition's survey says of every matter."""

    def __init__(self, counsel: Counsel) -> None:
        self.counsel = counsel
        self.adviser = counsel.adviser
        self.diagram = counsel.adviser.diagram
        self.vocabulary: Vocabulary = counsel.law.edition.vocabulary
        self.state = self._one_revoke()
        """The situations."""
        self.all = {outcome: self._ruling(outcome) for outcome in sorted(self.diagram.outcomes(self.state))}
        self.told = {outcome: dict(matters(self.vocabulary, ruling)) for outcome, ruling in self.all.items()}

    def _one_revoke(self) -> State:
        """The situations with one revoke only."""
        questions = self.adviser.questions
        several = {q.id for q in questions for a in q.answers.values() if any(f.revoke for f in a.fills)}
        single = {q.id: next(iter(q.answers)) for q in questions if q.id in several and not q.when}
        state = self.adviser.narrowed(single)
        assert state is not None
        return state

    def _ruling(self, outcome: int) -> Ruling:
        return self.counsel.ruling(dict(self.adviser.survey.examples[outcome]))

    def names(self, outcomes: Iterable[int]) -> list[str]:
        """Every matter that some of these outcomes say something of."""
        return list(dict.fromkeys(name for outcome in outcomes for name in self.told[outcome]))

    def classes(self, outcomes: Iterable[int], about: Matters) -> dict[int, Told]:
        """What each outcome says of these matters."""
        none = frozenset[Said]()
        return {outcome: none.union(*(self.told[outcome].get(one, none) for one in about)) for outcome in outcomes}

    def reduced(self, classes: Mapping[int, Told]) -> tuple[Diagram, State, list[Told]]:
        """The smallest diagram that tells the classes apart; outcomes of no class are left out."""
        return reduced(self.diagram, self.state, classes)

    def room(self, classes: Mapping[int, Told]) -> int:
        """How many questions and answers a figure would have that tells the classes apart."""
        diagram, root, _ = self.reduced(classes)
        return sum(1 + len(diagram.edges[node]) for node in diagram.below(root) if diagram.outcome[node] < 0)

    def example(self, inside: State, way: Mapping[str, str]) -> Ruling:
        """The ruling on an ordinary situation of some, in which these questions are asked and so answered."""
        state = inside
        for question, answer in way.items():
            narrowed = self.diagram.given(state, self.adviser.number[question], {answer}, asked=True)
            assert narrowed is not None
            state = narrowed
        questions = self.adviser.questions
        answers = {questions[at].id: said for at, said in self.diagram.ordinary(state, self.adviser.ordinary)}
        return self.counsel.ruling(answers)


def matters(vocabulary: Vocabulary, ruling: Ruling) -> Iterator[tuple[str, Told]]:
    """Each matter of a ruling with what is said of it."""
    found: dict[str, set[Said]] = {}
    for section in SHOWN:
        for fact in ruling.facts(section):
            found.setdefault(matter(vocabulary, fact), set()).add(said(vocabulary, ruling, fact))
    return ((name, frozenset(what)) for name, what in found.items())


def reduced(source: Diagram, state: State, classes: Mapping[int, C]) -> tuple[Diagram, State, list[C]]:
    """The smallest diagram of some state that tells classes of outcomes apart; outcomes of no class are left out."""
    diagram, numbers = Diagram(), dict[C, int]()
    known: dict[State, State | None] = {}
    for node in reversed(source.below(state)):
        if source.outcome[node] >= 0:
            of = source.outcome[node]
            known[node] = diagram.end(numbers.setdefault(classes[of], len(numbers))) if of in classes else None
            continue
        edges = [(answer, known[below]) for answer, below, _ in source.edges[node]]
        kept = [(answer, below, 1) for answer, below in edges if below is not None]
        same = len({below for _, below, _ in kept}) == 1
        known[node] = None if not kept else kept[0][1] if same else diagram.node(source.question[node], kept)[0]
    root = known[state]
    assert root is not None
    return diagram, root, list(numbers)
