"""A claim in a file becomes rules that conclude where it is refuted, so that the law's own joins answer it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations
from typing import Literal

from facts.errors import Place
from facts.fact import Value
from facts.yaml_reader import Node
from kb.language.beside import BesideReader
from kb.language.model import Conclusion, Condition, Rule, Tally
from kb.language.terms import Constant
from kb.prove.forms import ExceptionForm, MostForm, PropertyForm
from kb.prove.property import APPLIES, EXCEPTED, REFUTED


class Compiler:
    """Makes the rules of one property; what is wrong with them is added to the reader's faults."""

    def __init__(self, reader: BesideReader, id: str, form: PropertyForm) -> None:
        self.reader, self.id, self.form = reader, id, form
        self._number = 0

    def rules(self) -> Iterator[Rule]:
        """Its own rules, those that refute it, and those that say where it applies."""
        yield from self.reader.read(self.id, self.form.rules)
        yield from self._refuting()
        if self.form.if_ is not None:
            yield self._rule(APPLIES, self._when("if_"), ())

    def exception(self, number: int, form: ExceptionForm) -> Iterator[Rule]:
        """The rule that says where an exception holds; none if it names no facts."""
        if form.when is not None:
            when = tuple(self.reader.rules.when(form.when))
            yield self._rule(EXCEPTED, when, (), form.place, number)

    def _refuting(self) -> Iterator[Rule]:
        form, unless = self.form, self._but_for()
        if form.never is not None:
            yield self._rule(REFUTED, self._when("never"), unless)
        for one in self._unless("always"):
            yield self._rule(REFUTED, (), (one, *unless))
        for both in combinations(self._several("disjoint"), 2):
            yield self._rule(REFUTED, both, unless)
        for one, other in permutations(self._several("equivalent"), 2):
            yield self._rule(REFUTED, (one,), (other, *unless))
        yield from self._following(unless)

    def _following(self, unless: tuple[Condition, ...]) -> Iterator[Rule]:
        """What follows from ``if``, or from nothing at all."""
        form, when = self.form, self._when("if_")
        for one in self._unless("then"):
            yield self._rule(REFUTED, when, (one, *unless))
        if form.one_of is not None:
            yield self._rule(REFUTED, when, (*self._unless("one_of"), *unless))
        for one in self._unless("exactly_one"):
            count = Tally("count", one, None, "!=", Constant(1), one.place)
            yield self._rule(REFUTED, (*when, count), unless)
        if form.at_most is not None:
            for one in self._conditions(form.at_most.of):
                yield self._rule(REFUTED, (*when, self._more(one, form.at_most)), unless)

    def _more(self, one: Condition, most: MostForm) -> Tally:
        """More than there may be."""
        how: Literal["total", "count"] = "total" if most.total else "count"
        field = self.reader.rules.summed(one, most.total.value, most.total.place) if most.total else None
        return Tally(how, one, field, ">", Constant(most.is_), one.place)

    def _when(self, key: str) -> tuple[Condition | Tally, ...]:
        node = getattr(self.form, key)
        return () if node is None else tuple(self.reader.rules.when(node))

    def _but_for(self) -> tuple[Condition, ...]:
        """Of those under ``unless`` there may be none: so a draft claims it of all."""
        node = self.form.unless
        return () if node is None else tuple(self.reader.rules.unless(node))

    def _unless(self, key: str) -> tuple[Condition, ...]:
        node = getattr(self.form, key)
        return () if node is None else self._conditions(node)

    def _several(self, key: str) -> tuple[Condition, ...]:
        """Conditions that are held beside each other."""
        found = self._unless(key)
        if len(found) == 1:
            what = f"{key} stands between several conditions, and there is one"
            self.reader.faults.add(getattr(self.form, key).place, what, "write the others")
        return found

    def _conditions(self, node: Node) -> tuple[Condition, ...]:
        """Those of a list or a mapping; a fault where there are none, which would claim nothing."""
        before = len(self.reader.faults)
        found = tuple(self.reader.rules.unless(node))
        if not found and len(self.reader.faults) == before:
            self.reader.faults.add(node.place, "there is no condition", "write a condition")
        return found

    def _rule(
        self,
        kind: str,
        when: tuple[Condition | Tally, ...],
        unless: tuple[Condition, ...],
        place: Place | None = None,
        number: int | None = None,
    ) -> Rule:
        place = place or self.form.place
        self._number += 1
        values: dict[str, Value] = {"property": self.id} | ({} if number is None else {"number": number})
        terms = {name: Constant(value) for name, value in values.items()}
        rule = Rule(f"{self.id}:{self._number}", self.id, when, unless, (Conclusion(kind, terms, place),), {}, place)
        return self.reader.checked(rule)
