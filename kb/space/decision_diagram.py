"""Decision diagrams: every situation that is still possible, and what it comes to, in little room.

A node asks one question; its edges are the answers, each leading to what is asked next or to an outcome. Equal parts of
a diagram are one node, so that a million situations take little room, and two states of an interview are the same if
and only if their numbers are. Questions are numbered in the order of the interview; a way that passes a question by
does not ask it. Situations are numbered in the order in which the answers stand.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from functools import reduce
from math import inf
from typing import Final, TypeAlias

State: TypeAlias = int
"""A node: the situations below it."""
Edge: TypeAlias = tuple[str, State]
"""Answer, and what follows."""

OUTCOME: Final = 1 << 30
"""Stands for the question where a way ends."""


class Diagram:
    """A store of nodes; a state is made by ``of`` and narrowed by ``given``."""

    def __init__(self) -> None:
        self.question: list[int] = []
        self.edges: list[tuple[Edge, ...]] = []
        self.outcome: list[int] = []
        """The outcome where a way ends, -1 elsewhere."""
        self.size: list[int] = []
        """How many situations there are below."""
        self._asked: list[int] = []
        self._numbers: dict[object, State] = {}
        # what has been worked out: nodes stay as they are
        self._answers: dict[tuple[State, int], frozenset[str]] = {}
        self._given: dict[tuple[State, int, frozenset[str]], State | None] = {}
        self._usual: dict[tuple[State, frozenset[int]], State] = {}
        self._mattering: dict[State, State] = {}

    def end(self, outcome: int) -> State:
        return self.node(OUTCOME, (), outcome)

    def node(self, question: int, edges: Sequence[Edge], outcome: int = -1) -> State:
        """The node with these edges, or with none and an outcome."""
        key = (question, outcome, *edges)
        if key not in self._numbers:
            below = [state for _, state in edges]
            self._numbers[key] = len(self.question)
            self.question.append(question)
            self.edges.append(tuple(edges))
            self.outcome.append(outcome)
            self.size.append(sum(self.size[state] for state in below) or 1)
            asked = (self._asked[state] for state in below)
            self._asked.append(reduce(int.__and__, asked) | 1 << question if below else 0)
        return self._numbers[key]

    def ways(self, state: State) -> Iterator[tuple[str, int, State]]:
        """Each answer, how many situations come before those that give it, and what follows."""
        start = 0
        for answer, below in self.edges[state]:
            yield answer, start, below
            start += self.size[below]

    def of(self, source: Diagram, root: State, outcomes: array[int]) -> State:
        """The situations of another diagram, each with an outcome of its own."""
        built: dict[tuple[State, bytes], State] = {}

        def build(node: State, start: int) -> State:
            if not source.edges[node]:
                return self.end(outcomes[start])
            key = (node, outcomes[start : start + source.size[node]].tobytes())
            if key not in built:
                edges = [(answer, build(below, start + first)) for answer, first, below in source.ways(node)]
                built[key] = self.node(source.question[node], edges)
            return built[key]

        return build(root, 0)

    def below(self, state: State) -> list[State]:
        """The state and every node below it, each after those that lead to it."""
        seen, waiting = {state}, [state]
        while waiting:
            for _, below in self.edges[waiting.pop()]:
                if below not in seen:
                    seen.add(below)
                    waiting.append(below)
        return sorted(seen, key=self.question.__getitem__)

    def askable(self, state: State) -> list[int]:
        """The questions that make sense in every situation of the state."""
        bits = self._asked[state]
        return [question for question in range(bits.bit_length()) if bits >> question & 1]

    def answers(self, state: State, question: int) -> frozenset[str]:
        if self.question[state] >= question:
            return frozenset(answer for answer, _ in self.edges[state] if self.question[state] == question)
        key = (state, question)
        if key not in self._answers:
            self._answers[key] = frozenset[str]().union(
                *(self.answers(below, question) for _, below in self.edges[state])
            )
        return self._answers[key]

    def outcomes(self, state: State) -> frozenset[int]:
        return frozenset(self.outcome[node] for node in self.below(state) if self.outcome[node] >= 0)

    def given(self, state: State, question: int, answers: frozenset[str]) -> State | None:
        """The situations in which the question has one of these answers, or is not asked; None if there are none.

        The question stays where it was, with these answers."""
        if self.question[state] > question:
            return state
        key = (state, question, answers)
        if key not in self._given:
            if self.question[state] == question:
                edges = [edge for edge in self.edges[state] if edge[0] in answers]
            else:
                then = ((answer, self.given(below, question, answers)) for answer, below in self.edges[state])
                edges = [(answer, below) for answer, below in then if below is not None]
            self._given[key] = self.node(self.question[state], edges) if edges else None
        return self._given[key]

    def usual(self, state: State, questions: frozenset[int]) -> State:
        """The situations in which each of these questions has the first answer that it can have there."""
        if self.outcome[state] >= 0:
            return state
        key = (state, questions)
        if key not in self._usual:
            edges = self.edges[state][:1] if self.question[state] in questions else self.edges[state]
            usual = [(answer, self.usual(below, questions)) for answer, below in edges]
            self._usual[key] = self.node(self.question[state], usual)
        return self._usual[key]

    def mattering(self, state: State) -> State:
        """The state without the questions that make no difference anywhere in it, those with one answer among them."""
        if state in self._mattering:
            return self._mattering[state]
        layers: dict[int, list[State]] = {}
        now: dict[State, State] = {}
        for node in self.below(state):
            if self.outcome[node] >= 0:
                now[node] = node
            else:
                layers.setdefault(self.question[node], []).append(node)
        for question in sorted(layers, reverse=True):
            edges = {node: [(answer, now[below]) for answer, below in self.edges[node]] for node in layers[question]}
            if all(len({below for _, below in node_edges}) == 1 for node_edges in edges.values()):
                now |= {node: node_edges[0][1] for node, node_edges in edges.items()}
            else:
                now |= {node: self.node(question, node_edges) for node, node_edges in edges.items()}
        self._mattering[state] = now[state]
        return now[state]

    def ordinary(self, state: State, first: Sequence[str], outcome: int) -> Iterator[tuple[int, str]]:
        """A way of the state to an outcome, which it must have, with as few answers as can be that are not the first of
        their question."""
        cost: dict[State, float] = {}
        for node in reversed(self.below(state)):
            if self.outcome[node] >= 0:
                cost[node] = 0 if self.outcome[node] == outcome else inf
            else:
                usual = first[self.question[node]]
                cost[node] = min(cost[below] + (answer != usual) for answer, below in self.edges[node])
        while self.outcome[state] < 0:
            usual = first[self.question[state]]
            answer, below = min(self.edges[state], key=lambda edge: cost[edge[1]] + (edge[0] != usual))
            yield self.question[state], answer
            state = below
