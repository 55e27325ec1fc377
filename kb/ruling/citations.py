"""Which clauses stand behind a fact, and behind a whole ruling."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

from facts.fact import Fact
from kb.engine.proof import Proof, Step, counted
from kb.language.model import Edition
from kb.ruling.certain import Ways


class Citations:
    """The clauses behind the facts of one proof."""

    def __init__(self, edition: Edition, proof: Proof, either: Mapping[Fact, Ways] | None = None) -> None:
        """``either``: conclusions that are certain, but not for one reason."""
        self.either = either or {}
        self.edition = edition
        self.proof = proof
        self._order = {ref: number for number, ref in enumerate(edition.clauses)}
        self._laws: dict[Fact, frozenset[str]] = {}

    def laws(self, fact: Fact) -> tuple[str, ...]:
        """The clauses behind the fact, in the book's order; a definition hands on those of its first condition."""
        return self.sort(self._behind(fact))

    def cited(self) -> tuple[str, ...]:
        """Every clause of the steps behind the conclusions that cite, in the book's order."""
        ways = (way for fact in self._wanted for way in self.either.get(fact, ()))
        clauses = (*(step.rule.clause for step in self.support()), *(one.rule.clause for way in ways for one in way))
        return self.sort(clause for clause in clauses if self.is_law(clause))

    def is_law(self, clause: str) -> bool:
        """Whether it is a clause of the book rather than a definition."""
        return self.edition.clauses[clause].encoded_as != "definition"

    def sort(self, clauses: Iterable[str]) -> tuple[str, ...]:
        """Each clause once, in the book's order."""
        return tuple(sorted(set(clauses), key=self._order.__getitem__))

    def conclusions(self) -> tuple[Fact, ...]:
        """The facts that make up the ruling and cite, in the order of the proof."""
        kinds = self.edition.vocabulary.kinds.values()
        return tuple(fact for kind in kinds if kind.cites for fact in self.proof.facts(kind.name))

    def support(self) -> tuple[Step, ...]:
        """Every step behind the conclusions, in the order of the proof."""
        return tuple(step for step in self.proof.steps if step.fact in self._wanted)

    @cached_property
    def _wanted(self) -> frozenset[Fact]:
        """The conclusions and every fact behind them."""
        wanted: set[Fact] = set()
        waiting = [*self.conclusions()]
        while waiting:
            fact = waiting.pop()
            if fact in wanted:
                continue
            wanted.add(fact)
            waiting += (step.fact for way in self.either.get(fact, ()) for step in way)
            for step in self.proof.steps_for(fact):
                for premise in step.premises:
                    waiting += counted(premise) or () if counted(premise) is not None else (premise,)
        return frozenset(wanted)

    def _behind(self, fact: Fact) -> frozenset[str]:
        known = self._laws.get(fact)
        if known is not None:
            return known
        self._laws[fact] = frozenset()  # a fact that rests on itself adds nothing
        laws = {step.rule.clause for way in self.either.get(fact, ()) for step in way}
        for step in self.proof.steps_for(fact):
            if self.is_law(step.rule.clause):
                laws.add(step.rule.clause)
            elif counted(step.premises[0]) is None:
                laws |= self._behind(step.premises[0])
        self._laws[fact] = frozenset(laws)
        return self._laws[fact]
