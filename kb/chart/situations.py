"""The situations that the one-page chart is made of: one revoke, parted by what it comes to."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations
from typing import Final, Literal, TypeAlias

from facts.errors import RulesError
from kb.engine.sets import Bits
from kb.interview.counsel import Counsel
from kb.language.known import AUTOMATIC, ESTABLISHED, MUST_CORRECT, OPTIONS, POINTS, STATUS
from kb.ruling.ruling import Ruling
from kb.space.bits import members, merged, parts, union
from kb.space.decision_diagram import Diagram, State
from kb.space.interview import Question
from kb.space.outcome import Entry, effects
from kb.space.universe import Universe

COSTS: Final = (AUTOMATIC, POINTS, OPTIONS)
"""The parts of a ruling in which a revoke costs something."""
PLACES: Final = frozenset({"hand", "to", "trick"})
"""What an entry says of seats and tricks, and not of the cost."""
Effect: TypeAlias = frozenset[Entry]
"""What a revoke costs: automatic tricks, points and choices."""
NOTHING: Final[Effect] = frozenset()
OfTwo: TypeAlias = Literal["", "second", "both"]
"""Which of two established revokes costs nothing; empty where a way is of one revoke."""
One: TypeAlias = tuple[int, str]
"""The number of a question, and an answer to it."""


class Ordinary:
    """One edition's situations with one revoke."""

    def __init__(self, counsel: Counsel) -> None:
        self.counsel = counsel
        self.run = counsel.adviser.survey.run
        self.universe = Universe(counsel.interview)
        self.questions = self.universe.questions
        # where two revokes are told one by one, and where the question of another has its ordinary answer
        more = [
            (n, answer.id)
            for n, question in enumerate(self.questions)
            for answer in question.answers.values()
            if not question.when and any(fill.revoke for fill in answer.fills)
        ]
        self.several, self.one = self.given(more), self.universe.everything
        for n in {n for n, _ in more}:
            self.one &= self.universe.given[n][_first(self.questions[n])]
        must = self.one & self._status(MUST_CORRECT)
        self.established = self.one & self._status(ESTABLISHED)
        self.no_revoke = self.one & ~must & ~self.established
        """What the law does not know as a revoke."""
        self.all_the_same = union(
            bits for cost, bits in self._costs(must).items() if any(entry[0] == AUTOMATIC for entry in cost)
        )
        """Corrected, and tricks go all the same."""
        self.corrected = must & ~self.all_the_same
        if not (self.corrected and self.established):
            lacking = ESTABLISHED if self.corrected else MUST_CORRECT
            what = f"no answer of the interview makes a revoke {lacking}, so a chart has nothing to tell"
            mend = f"let rules conclude a {STATUS} that is {lacking}"
            raise RulesError.of(counsel.law.edition.place, what, mend)
        self.costs = self._costs(self.established)
        """What established revokes cost, and where."""

    def _status(self, status: str) -> Bits:
        return union(bits for entry, bits in self.run.ruling.items() if entry[0] == STATUS and entry[-1] == status)

    def _costs(self, among: Bits) -> Mapping[Effect, Bits]:
        def cost(entry: Entry) -> Entry:
            if entry[0] == AUTOMATIC:
                return entry[0], entry[-1]
            return tuple(one for one in entry if not (isinstance(one, tuple) and one[0] in PLACES))

        entries = {entry: bits for entry, bits in self.run.ruling.items() if entry[0] in COSTS}
        return merged((frozenset(map(cost, has)), bits) for has, bits in parts(among, entries))

    def given(self, answers: Iterable[One]) -> Bits:
        """Where any of these answers is given."""
        return union(self.universe.given[number][answer] for number, answer in answers)

    def all_given(self, answers: Iterable[One]) -> Bits:
        """Where all of them are given."""
        bits = self.universe.everything
        for number, answer in answers:
            bits &= self.universe.given[number][answer]
        return bits

    def ruling(self, among: Bits) -> Ruling:
        """The ruling on the least unusual of some situations."""
        return self.counsel.ruling(self.universe.answers(self.universe.plainest(among)))

    def usual(self, among: Bits) -> Bits:
        """Those of some situations that have at most one unusual answer more than the least unusual of them."""
        return self.universe.least_unusual(among, 2)

    def cover(self, target: Bits, among: Bits, most: int = 1) -> tuple[list[tuple[One, ...]], Bits]:
        """Answers that among these situations are given in the target only, each adding to those before it, in the
        order of the interview; ``most``: so many answers together. And what of the target they leave out."""
        found, left = [], target
        alone = [(n, answer) for n, question in enumerate(self.questions) for answer in question.answers]
        for size in range(1, most + 1):
            told = [one for one in alone if size == 1 or self.all_given([one]) & left]
            held = {one: self.all_given(one) & among for one in combinations(told, size)} if left else {}
            if size > 1:
                held = dict(sorted(held.items(), key=lambda one: -(one[1] & left).bit_count()))
            for together, bits in held.items():
                if bits & left and not bits & ~target:
                    found.append(together)
                    left &= ~bits
        for one in [*found]:
            others = union(self.all_given(other) for other in found if other != one)
            if not self.all_given(one) & target & ~others:  # what came after it says all that it does
                found.remove(one)
        return found, left

    def shared_unusual(self, among: Bits, told: Collection[One], one: Sequence[One]) -> tuple[One, ...]:
        """The unusual answer given in all of these situations, the last of several; not one that is left because every
        other answer to its question has been told, nor one without which the question of ``one`` would not be asked."""
        needed = {name for n, _ in one for need in self.questions[n].when for name in need}
        for n, question in reversed([*enumerate(self.questions)]):
            if question.id in needed:
                continue
            shared = [answer for answer in question.answers if not among & ~self.universe.given[n][answer]]
            others = {(n, answer) for answer in question.answers} - {(n, answer) for answer in shared}
            if shared and shared[0] != _first(question) and not others.issubset(told) and (n, shared[0]) not in told:
                return ((n, shared[0]),)
        return ()

    def free_of_two(self) -> list[tuple[tuple[One, ...], Bits, OfTwo]]:
        """Answers with which the second of two established revokes costs nothing, where, and whether the first does."""
        told = effects(self.run.ruling, self.several).items()
        both = [(key, bits) for key, bits in told if len(key) > 1 and all(is_ == ESTABLISHED for is_, _ in key)]
        free = union(bits for key, bits in both if not key[-1][1])
        among = union(bits for _, bits in both)
        costly = union(bits for key, bits in both if key[0][1])
        found = self.cover(free, among)[0] if among & ~free else []
        where = [(one, self.all_given(one) & among) for one in found]
        return [(one, bits, "second" if bits & costly else "both") for one, bits in where]

    def tree(self, classes: Sequence[Bits]) -> tuple[Diagram, State]:
        """The smallest diagram that tells these classes apart; its outcomes are their numbers."""
        outcomes = array("L", [len(classes)]) * len(self.universe)
        for number, bits in enumerate(classes):
            for situation in members(bits):
                outcomes[situation] = number
        whole, diagram = Diagram(), Diagram()
        top = whole.of(self.universe.root, outcomes)
        known: dict[State, State | None] = {}
        for node in reversed(whole.below(top)):
            if whole.outcome[node] >= 0:
                of = whole.outcome[node]
                known[node] = diagram.end(of) if of < len(classes) else None
                continue
            edges = [(answer, known[below]) for answer, below, _ in whole.edges[node]]
            kept = [(answer, below, 1) for answer, below in edges if below is not None]
            same = len({below for _, below, _ in kept}) == 1
            known[node] = None if not kept else kept[0][1] if same else diagram.node(whole.question[node], kept)[0]
        root = known[top]
        assert root is not None
        return diagram, root


def _first(question: Question) -> str:
    return next(iter(question.answers))
