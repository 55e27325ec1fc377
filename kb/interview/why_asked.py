"""Why a question is asked: the laws that its answer brings in or keeps out, and what is certain whatever the answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from facts.cards import OTHER_SIDE, Side
from facts.fact import Fact
from kb.interview.planner import PlannedQuestion
from kb.interview.session import Adviser, Consultation
from kb.language.known import DIRECTOR, OPTIONS, POINTS, RECTIFICATIONS, REVOKES, STATUS, TRANSFER
from kb.ruling.law import Law
from kb.ruling.rule import rule
from kb.ruling.ruling import Ruling
from kb.space.decision_diagram import Diagram, State
from kb.space.outcome import Acts, Entry, Order, OutcomeReader

_SIDES: Final[tuple[Side, ...]] = tuple(OTHER_SIDE)
TOLD: Final = (RECTIFICATIONS, POINTS, OPTIONS, DIRECTOR)
"""The parts of a ruling that are told beside its headline."""

Way: TypeAlias = dict[int, str]
"""Questions and their answers."""


@dataclass(frozen=True, slots=True)
class Example:
    """What an answer may lead to."""

    answer: str
    ruling: Ruling


@dataclass(frozen=True, slots=True)
class WhyAsked:
    """Why a question is asked."""

    laws: tuple[str, ...]
    """The clauses by which the answer makes a difference, in the order of the book."""
    examples: tuple[Example, ...]
    """For each answer a ruling it may lead to, all else as alike as can be, and not the same for all answers."""


@dataclass(frozen=True, slots=True)
class CertainNow:
    """What holds in every situation that is still possible."""

    least: Mapping[Side, int]
    """Tricks that pass to a side at least; sides that may get none are left out."""
    settled: bool
    """Whether no more than that can pass."""
    status: str | None
    """Of the revoke, if there is one and its status is certain."""
    ruling: Ruling
    """One that is still possible."""
    facts: tuple[Fact, ...]
    """What else is certain, as it stands there: what is to be done, and what is left to judgement."""


class Explaining:
    """Explains questions under one edition."""

    def __init__(self, law: Law, adviser: Adviser) -> None:
        self.law = law
        self.adviser = adviser
        self.interview = adviser.survey.interview
        self.reader = OutcomeReader(law.edition.vocabulary)
        self.acts: Sequence[Acts] = tuple(adviser.survey.run.acts)
        self._rulings: dict[int, Ruling] = {}

    def why(self, consultation: Consultation, step: PlannedQuestion) -> WhyAsked:
        """Why the question of a step is asked at this point."""
        question = self.adviser.questions[step.question].id
        order = {answer: number for number, answer in enumerate(self.adviser.questions[step.question].answers)}
        branches = sorted(step.branches, key=lambda branch: order[branch.answer])
        partings = [parting(self.adviser.diagram, branches[0].state, branch.state) for branch in branches[1:]]
        first = next((found for found in partings if found), ({}, {}))
        ways = [first[0], *(found[1] if found else first[0] for found in partings)]
        examples = []
        for branch, way in zip(branches, ways, strict=True):
            named = {self.adviser.questions[number].id: answer for number, answer in way.items()}
            full = self.adviser.full({**consultation.supposed, question: branch.answer, **named})
            examples.append(Example(branch.answer, rule(self.law, self.interview.incident(full))))
        return WhyAsked(self._laws(examples), tuple(examples))

    def _laws(self, examples: list[Example]) -> tuple[str, ...]:
        """The clauses behind conclusions that not all of the rulings have."""
        found = [self._conclusions(example.ruling) for example in examples]
        laws = {
            law
            for conclusions in found
            for entry, behind in conclusions.items()
            if not all(entry in other for other in found)
            for law in behind
        }
        return examples[0].ruling.citations.sort(laws)

    def _conclusions(self, ruling: Ruling) -> Mapping[Entry, tuple[str, ...]]:
        """Everything that stands in a ruling, whichever revoke it is about, counted, with its laws."""
        kinds = [ruling.edition.vocabulary.kinds[name] for name in self.reader.kinds]
        found: dict[Entry, tuple[str, ...]] = {}
        for kind in kinds:
            told = [kind.index[one.name] for one in kind.fields if not one.is_time]
            for fact in ruling.proof.facts(kind.name):
                entry = (kind.name, *(fact[at] for at in told))
                found[*entry, sum(one[:-1] == entry for one in found)] = ruling.citations.laws(fact)
        return found

    def certain(self, consultation: Consultation) -> CertainNow:
        """What is certain already."""
        outcomes = sorted(consultation.outcomes)
        found = [self.acts[outcome] for outcome in outcomes]
        common = frozenset.intersection(*found)
        moved = [{entry[-2]: int(str(entry[-1])) for entry in acts if entry[0] == TRANSFER} for acts in found]
        least: dict[Side, int] = {side: min(tricks.get(side, 0) for tricks in moved) for side in _SIDES}
        states = {entry for entry in common if entry[0] == STATUS}
        revokes = {entry[1] for entry in common if entry[0] == REVOKES}
        ruling = self._ruling(outcomes[0])
        return CertainNow(
            {side: tricks for side, tricks in least.items() if tricks},
            all(tricks == moved[0] for tricks in moved),
            str(next(iter(states))[2]) if len(states) == len(revokes) == 1 else None,
            ruling,
            tuple(fact for entry, fact in self._told(ruling) if entry in common),
        )

    def _ruling(self, outcome: int) -> Ruling:
        """A ruling with this outcome."""
        if outcome not in self._rulings:
            incident = self.interview.incident(dict(self.adviser.survey.examples[outcome]))
            self._rulings[outcome] = rule(self.law, incident)
        return self._rulings[outcome]

    def _told(self, ruling: Ruling) -> Iterator[tuple[Entry, Fact]]:
        """The facts of a ruling that are told in words, with what they put into its outcome."""
        order = Order([entry for fact in ruling.facts(REVOKES) if (entry := self.reader.entry(fact))])
        for section in TOLD:
            for fact in ruling.facts(section):
                if (entry := self.reader.entry(fact)) is not None:
                    yield order.plain(entry), fact


def parting(diagram: Diagram, a: State, b: State) -> tuple[Way, Way] | None:
    """Answers that lead from two states to different outcomes, the same ones wherever both ask the same."""
    seen: set[tuple[State, State]] = set()

    def walk(a: State, b: State, to_a: Way, to_b: Way) -> tuple[Way, Way] | None:
        if (a, b) in seen or a == b:
            return None
        seen.add((a, b))
        question = min(diagram.question[a], diagram.question[b])
        if diagram.outcome[a] >= 0 and diagram.outcome[b] >= 0:
            return to_a, to_b
        next_a = {said: below for said, below, _ in diagram.edges[a]} if diagram.question[a] == question else {}
        next_b = {said: below for said, below, _ in diagram.edges[b]} if diagram.question[b] == question else {}
        for answer in [said for said in next_a or next_b if not (next_a and next_b) or said in next_b]:
            found = walk(
                next_a.get(answer, a),
                next_b.get(answer, b),
                {**to_a, question: answer} if next_a else to_a,
                {**to_b, question: answer} if next_b else to_b,
            )
            if found:
                return found
        return None

    return walk(a, b, {}, {})
