"""Every situation that an interview can tell apart, as sets: each complete way through its questions once.

Situations are numbered in the order in which the answers stand. A part of the universe that looks the same after
different answers is one block, so that a million situations take little room and are laid out in no time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from facts.errors import RulesError
from facts.incident import Incident
from kb.engine.set_joins import Bits
from kb.space.bits import first, union
from kb.space.interview import Interview, Question

MOST: Final = 4_000_000
"""Situations that there may be; each fact about them has a bit for every one."""
MOST_BLOCKS: Final = 100_000
PART: Final = 120_000
"""Situations of a part: larger parts take longer to run, and smaller ones to observe."""


@dataclass(frozen=True, eq=False)
class WaysOn:
    """The ways on from some point of an interview."""

    question: int
    """The question that comes next; the number of all questions at the end."""
    branches: tuple[tuple[str, WaysOn], ...]
    """Answer, and the ways on after it; none at the end."""
    size: int
    """How many ways there are."""


class Universe:
    """The situations of an interview."""

    def __init__(self, interview: Interview, root: WaysOn | None = None) -> None:
        """``root``: only these ways; all of the interview's if None."""
        self.interview = interview
        self.questions = tuple(interview.questions.values())
        self.root = root or _Blocks(self.questions).root
        self.everything: Bits = (1 << self.root.size) - 1

    def __len__(self) -> int:
        return self.root.size

    @cached_property
    def given(self) -> tuple[Mapping[str | None, Bits], ...]:
        """For each question the situations of every answer to it; None: it is not asked."""
        asked: list[dict[str | None, Bits]] = [
            dict.fromkeys((None, *question.answers), 0) for question in self.questions
        ]
        for (question, answer), bits in _masks(self.root).items():
            asked[question][answer] = bits
        for answers in asked:
            answers[None] = self.everything & ~union(answers.values())
        return tuple(asked)

    @cached_property
    def _by_unusual(self) -> list[Bits]:
        """The situations with none, one, two … answers that are not the ordinary ones."""
        counted = [self.everything]
        for question, answers in zip(self.questions, self.given, strict=True):
            usual = answers[next(iter(question.answers))] | answers[None]
            kept = [bits & usual for bits in counted]
            more = [bits & ~usual for bits in counted]
            counted = [a | b for a, b in zip([*kept, 0], [0, *more], strict=True)]
        return [bits for bits in counted if bits]

    def parts(self, most: int = PART) -> Iterator[tuple[int, Universe]]:
        """The universe in parts of at most so many situations, if it can be, each with the number of its first.

        What holds in few situations of a large universe takes as much time and room as what holds in many.
        """
        for start, block in _parts(self.root, most):
            yield start, Universe(self.interview, block)

    def answers(self, number: int) -> dict[str, str]:
        """The answers of a situation, without the questions not asked."""
        block, said = self.root, dict[str, str]()
        while block.branches:
            for answer, below in block.branches:
                if number < below.size:
                    said[self.questions[block.question].id] = answer
                    block = below
                    break
                number -= below.size
        return said

    def incident(self, number: int) -> Incident:
        """The incident of a situation; InputError when the interview cannot say one."""
        return self.interview.incident(self.answers(number))

    def unusual(self, number: int, lang: str, none: str = "nothing unusual happened") -> str:
        """The answers of a situation that are not the ordinary ones, in words; ``none`` where there are none."""
        given = self.answers(number)
        told = [
            f"{question.about[lang]} {question.answers[given[question.id]].says[lang]}"
            for question in self.questions
            if given.get(question.id, next(iter(question.answers))) != next(iter(question.answers))
        ]
        return ", ".join(told) or none

    def least_unusual(self, of: Bits, most: int) -> Bits:
        """Those of a set, which must not be empty, with the fewest unusual answers; ``most``: numbers of them."""
        return union([bits & of for bits in self._by_unusual if bits & of][:most])

    def plainest(self, of: Bits) -> int:
        """The situation of a set, which must not be empty, with the fewest unusual answers; of several the first."""
        return first(next(bits & of for bits in self._by_unusual if bits & of))


def _parts(block: WaysOn, most: int) -> Iterator[tuple[int, WaysOn]]:
    """The parts of a block, each beginning where the block does."""
    if block.size <= most or not block.branches:
        yield 0, block
        return
    first = 0
    for answer, below in block.branches:
        for start, part in _parts(below, most):
            yield first + start, WaysOn(block.question, ((answer, part),), part.size)
        first += below.size


class _Blocks:
    """Makes the blocks of an interview, equal ones once."""

    def __init__(self, questions: tuple[Question, ...]) -> None:
        self.questions = questions
        wanted = [
            {(name, among) for need in _needs(question) for name, among in need.items()} for question in questions
        ]
        self.later = [
            self._matter(questions[:number], set().union(*wanted[number:])) for number in range(len(questions))
        ]
        """For each question the earlier ones on which it or any after it depends, and how each answer to them bears."""
        self._known: dict[object, WaysOn] = {}
        self._end = WaysOn(len(questions), (), 1)
        self.root = self._block({}, 0)

    def _matter(
        self, before: tuple[Question, ...], wanted: set[tuple[str, frozenset[str]]]
    ) -> list[tuple[str, Mapping[str | None, object]]]:
        """The questions that are asked about later; for each answer, or None, which demands it meets."""
        bears: list[tuple[str, Mapping[str | None, object]]] = []
        for question in before:
            demands = [among for name, among in wanted if name == question.id]
            met = {answer: tuple(answer in among for among in demands) for answer in (None, *question.answers)}
            if demands:
                bears.append((question.id, met))
        return bears

    def _block(self, given: dict[str, str], number: int) -> WaysOn:
        """The ways on from a question, after these answers."""
        if number == len(self.questions):
            return self._end
        key = (number, *[met[given.get(name)] for name, met in self.later[number]])
        if key not in self._known:
            question = self.questions[number]
            answers = [answer.id for answer in question.choices(given)]
            branches = tuple((said, self._block({**given, question.id: said}, number + 1)) for said in answers)
            size = sum(below.size for _, below in branches)
            if size > MOST or len(self._known) > MOST_BLOCKS:
                what = f"up to this question there are more than {MOST:,} ways to answer, or too many sorts of them"
                raise RulesError.of(self.questions[-1].place, what, "ask less, or only where it matters, with when:")
            self._known[key] = WaysOn(number, branches, size) if branches else self._block(given, number + 1)
        return self._known[key]


def _needs(question: Question) -> Iterator[Mapping[str, frozenset[str]]]:
    yield from question.when
    for answer in question.answers.values():
        yield from answer.when


def _masks(root: WaysOn) -> Mapping[tuple[int, str], Bits]:
    """Question and answer -> the situations below a block, counted from its first."""
    known: dict[int, dict[tuple[int, str], Bits]] = {}

    def masks(block: WaysOn) -> dict[tuple[int, str], Bits]:
        if id(block) not in known:
            found: dict[tuple[int, str], Bits] = {}
            start = 0
            for answer, below in block.branches:
                found[block.question, answer] = ((1 << below.size) - 1) << start
                for key, bits in masks(below).items():
                    found[key] = found.get(key, 0) | bits << start
                start += below.size
            known[id(block)] = found
        return known[id(block)]

    return masks(root)
