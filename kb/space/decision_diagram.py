"""Decision diagrams: every situation that is still possible, and what it comes to, in little room.

A node asks one question; its edges are the answers, each leading to what is asked next or to an outcome. Equal parts of
a diagram are one node, so that two states of an interview are the same if and only if their numbers are. Questions are
numbered in the order of the interview; a way that passes a question by does not ask it.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import reduce
from math import gcd
from typing import Final, TypeAlias

from kb.space.universe import WaysOn

State: TypeAlias = int
"""A node: the situations below it."""
Edge: TypeAlias = tuple[str, State, int]
"""Answer, what follows, and how often: questions left out since they do not matter multiply the situations."""

OUTCOME: Final = 1 << 30
"""Stands for the question where a way ends; its «edges» are the number of the outcome."""


class Diagram:
    """A store of nodes; a state is made by ``of`` and narrowed by ``given``."""

    def __init__(self) -> None:
        self.question: list[int] = []
        self.edges: list[tuple[Edge, ...]] = []
        self.outcome: list[int] = []
        """The outcome where a way ends, -1 elsewhere."""
        self.weight: list[int] = []
        """How many situations stand behind a node."""
        self._asked: list[int] = []
        self._numbers: dict[object, State] = {}

    def end(self, outcome: int) -> State:
        """The node of an outcome."""
        key = ("outcome", outcome)
        if key not in self._numbers:
            self._numbers[key] = self._add(OUTCOME, (), outcome, 1, 0)
        return self._numbers[key]

    def node(self, question: int, edges: Sequence[Edge]) -> tuple[State, int]:
        """The node with these edges, and what their numbers of situations have in common."""
        common = reduce(gcd, (times for _, _, times in edges))
        kept = tuple((answer, below, times // common) for answer, below, times in edges)
        key = (question, kept)
        if key not in self._numbers:
            weight = sum(times * self.weight[below] for _, below, times in kept)
            asked = reduce(int.__and__, (self._asked[below] for _, below, _ in kept)) | 1 << question
            self._numbers[key] = self._add(question, kept, -1, weight, asked)
        return self._numbers[key], common

    def _add(self, question: int, edges: tuple[Edge, ...], outcome: int, weight: int, asked: int) -> State:
        self.question.append(question)
        self.edges.append(edges)
        self.outcome.append(outcome)
        self.weight.append(weight)
        self._asked.append(asked)
        return len(self.question) - 1

    def of(self, root: WaysOn, outcomes: array[int]) -> State:
        """The state in which every situation of a universe is possible, each with its outcome."""
        known: dict[tuple[int, bytes], tuple[State, int]] = {}

        def build(block: WaysOn, start: int) -> tuple[State, int]:
            if not block.branches:
                return self.end(outcomes[start]), 1
            key = (id(block), outcomes[start : start + block.size].tobytes())
            if key not in known:
                edges = [(answer, *build(below, start + first)) for answer, first, below in block.branches]
                known[key] = self.node(block.question, edges)
            return known[key]

        return build(root, 0)[0]

    def below(self, state: State) -> list[State]:
        """The state and every node below it, each after those that lead to it."""
        seen, waiting = {state}, [state]
        while waiting:
            for _, below, _ in self.edges[waiting.pop()]:
                if below not in seen:
                    seen.add(below)
                    waiting.append(below)
        return sorted(seen, key=self.question.__getitem__)

    def askable(self, state: State) -> list[int]:
        """The questions that make sense in every situation of the state."""
        bits = self._asked[state]
        return [question for question in range(bits.bit_length()) if bits >> question & 1]

    def answers(self, state: State, question: int) -> dict[str, int]:
        """The answers still possible to a question, with the number of situations of each."""
        ways = {state: 1}
        found: dict[str, int] = {}
        for node in self.below(state):
            for answer, below, times in self.edges[node] if node in ways else ():
                if self.question[node] == question:
                    found[answer] = found.get(answer, 0) + ways[node] * times * self.weight[below]
                elif self.question[node] < question:
                    ways[below] = ways.get(below, 0) + ways[node] * times
        return found

    def chances(self, state: State) -> dict[int, int]:
        """The outcomes still possible, with the number of situations of each."""
        ways = {state: 1}
        found: dict[int, int] = {}
        for node in self.below(state):
            if self.outcome[node] >= 0:
                found[self.outcome[node]] = ways[node]
            for _, below, times in self.edges[node]:
                ways[below] = ways.get(below, 0) + ways[node] * times
        return found

    def outcomes(self, state: State) -> frozenset[int]:
        """The outcomes that are still possible."""
        return frozenset(self.outcome[node] for node in self.below(state) if self.outcome[node] >= 0)

    def given(self, state: State, question: int, answers: Collection[str], asked: bool = False) -> State | None:
        """The situations in which the question has one of these answers, or is not asked unless it must be; None if
        there are none.

        The question stays where it was, with these answers."""
        known: dict[State, tuple[State, int] | None] = {}

        def narrowed(node: State) -> tuple[State, int] | None:
            if self.question[node] > question:
                return None if asked else (node, 1)
            if node not in known:
                if self.question[node] == question:
                    edges = [edge for edge in self.edges[node] if edge[0] in answers]
                    known[node] = self.node(question, edges) if edges else None
                else:
                    known[node] = self._rebuilt(node, {below: narrowed(below) for _, below, _ in self.edges[node]})
            return known[node]

        found = narrowed(state)
        return None if found is None else found[0]

    def usual(self, state: State, questions: Collection[int]) -> State:
        """The situations in which each of these questions has the first answer that it can have there."""
        now: dict[State, tuple[State, int] | None] = {}
        for node in reversed(self.below(state)):
            if self.outcome[node] >= 0:
                now[node] = (node, 1)
            elif self.question[node] in questions:
                answer, below, times = self.edges[node][0]
                new, common = now[below] or (below, 1)
                now[node] = self.node(self.question[node], [(answer, new, times * common)])
            else:
                now[node] = self._rebuilt(node, now)
        found = now[state]
        assert found is not None
        return found[0]

    def only(self, state: State, outcomes: Collection[int]) -> State | None:
        """The situations of these outcomes, with every question; None if there are none."""
        now: dict[State, tuple[State, int] | None] = {}
        for node in reversed(self.below(state)):
            if self.outcome[node] >= 0:
                now[node] = (node, 1) if self.outcome[node] in outcomes else None
            else:
                now[node] = self._rebuilt(node, now)
        found = now[state]
        return None if found is None else found[0]

    def _rebuilt(self, node: State, now: Mapping[State, tuple[State, int] | None]) -> tuple[State, int] | None:
        """The node with what follows replaced, or left out."""
        found = ((answer, now[below], times) for answer, below, times in self.edges[node])
        edges = [(answer, new[0], times * new[1]) for answer, new, times in found if new is not None]
        return self.node(self.question[node], edges) if edges else None

    def mattering(self, state: State) -> State:
        """The state without the questions that make no difference anywhere in it, those with one answer among them."""
        layers: dict[int, list[State]] = {}
        now: dict[State, tuple[State, int] | None] = {}
        for node in self.below(state):
            if self.outcome[node] >= 0:
                now[node] = (node, 1)
            else:
                layers.setdefault(self.question[node], []).append(node)
        for question in sorted(layers, reverse=True):
            edges = {
                node: [(answer, now[below], times) for answer, below, times in self.edges[node]]
                for node in layers[question]
            }
            if all(len({new[0] for _, new, _ in one if new}) == 1 for one in edges.values()):
                for node, one in edges.items():
                    now[node] = (one[0][1][0], sum(new[1] * times for _, new, times in one if new))  # type: ignore[index]
            else:
                for node in edges:
                    now[node] = self._rebuilt(node, now)
        found = now[state]
        assert found is not None
        return found[0]

    def ordinary(self, state: State, first: Sequence[str]) -> Iterator[tuple[int, str]]:
        """A way of the state with as few answers as can be that are not the first of their question."""
        cost: dict[State, int] = {}
        for node in reversed(self.below(state)):
            usual = first[self.question[node]] if self.outcome[node] < 0 else ""
            cost[node] = min((cost[below] + (said != usual) for said, below, _ in self.edges[node]), default=0)
        while self.outcome[state] < 0:
            question = self.question[state]
            answer, below, _ = min(
                self.edges[state],
                key=lambda edge: cost[edge[1]] + (edge[0] != first[question]),
            )
            yield question, answer
            state = below
