"""Rules by position instead of by name, with what joins told from what compares, as other engines want them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from facts.fact import Value
from kb.engine.proof import Program
from kb.language.rule import Condition, Operator, Rule, Tally
from kb.language.strata import bound
from kb.language.terms import Constant, Term
from kb.language.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class FieldTest:
    """What is demanded of one field of a fact; an unknown value (None) passes no check."""

    position: int
    operator: Operator
    term: Term
    among: tuple[Value, ...]
    """Not empty: the value is one of these, and operator and term say nothing."""
    unknown: bool
    """Whether the field may be unknown."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """The facts of one kind that fit."""

    kind: str
    shares: tuple[tuple[int, str], ...]
    """Positions that hold the value of a variable: those of one name are equal, in all patterns of the rule."""
    literals: tuple[FieldTest, ...]
    comparisons: tuple[FieldTest, ...]
    """Checks against variables or sums; a variable may get its value from any pattern of the rule."""


@dataclass(frozen=True, slots=True)
class Number:
    """A ``count`` or ``total``: computed from settled facts once the values of ``key`` are known."""

    name: str
    """Unique in the program."""
    how: str
    of: Pattern
    summed: int | None
    """The position that ``total`` adds up."""
    key: tuple[str, ...]
    """The variables of ``of`` that have their value from outside."""
    result: Pattern
    """What is demanded of the number, as if it stood at position 1 of a fact."""
    slot: int
    """Its place among the conditions of the rule."""


class Plan:
    """One rule, ready for an engine."""

    def __init__(self, vocabulary: Vocabulary, rule: Rule, number: int) -> None:
        self.vocabulary, self.rule, self.number = vocabulary, rule, number
        tallies = {slot: item for slot, item in enumerate(rule.when) if isinstance(item, Tally)}
        self._known = bound(rule)
        """The variables that conditions or numbers give a value."""
        self.patterns = {
            slot: self._pattern(item) for slot, item in enumerate(rule.when) if isinstance(item, Condition)
        }
        """Place among the conditions of the rule -> what is wanted there."""
        self.numbers: list[Number] = []
        """In an order in which they can be computed."""
        waiting = {slot: self._number(slot, tally) for slot, tally in tallies.items()}
        while waiting:
            open_names = {name for name, slot in self._known.items() if slot in waiting}
            ready = next(slot for slot, one in waiting.items() if open_names.isdisjoint(one.key))
            self.numbers.append(waiting.pop(ready))
        self.absent = tuple(self._pattern(item) for item in rule.unless)
        self.heads = tuple(
            (then.kind, tuple(then.terms[field.name] for field in vocabulary.kinds[then.kind].fields))
            for then in rule.then
        )
        """Kind and terms, in the order of the fields, of each conclusion."""
        read = [*self.patterns.values(), *self.absent, *(one.of for one in self.numbers)]
        self.kinds = frozenset(pattern.kind for pattern in read)
        """Every kind the rule reads."""

    def _pattern(self, condition: Condition) -> Pattern:
        """Positions for names; a variable met only here, and once, wants nothing and is left out."""
        kind = self.vocabulary.kinds[condition.kind]
        own = frozenset(name for test in condition.tests if (name := test.binds))
        used = [name for term in condition.terms for name in term.variables]
        shared = self._known.keys() | {name for name in own if used.count(name) > 1}
        checks = []
        for test in condition.tests:
            position = kind.index[test.field]
            checks.append(FieldTest(position, test.operator, test.term, test.among, kind.fields[position - 1].unknown))
        return _sorted_out(kind.name, checks, shared)

    def _number(self, slot: int, tally: Tally) -> Number:
        of = self._pattern(tally.of)
        used = {name for term in tally.of.terms for name in term.variables}
        summed = None if tally.field is None else self.vocabulary.kinds[of.kind].index[tally.field]
        demanded = FieldTest(1, tally.number.operator, tally.number.term, (), False)
        result = _sorted_out(tally.how, [demanded], self._known)
        return Number(
            f"{self.number}:{slot}", tally.how, of, summed, tuple(sorted(used & self._known.keys())), result, slot
        )


def plans(program: Program) -> tuple[Plan, ...]:
    """The plan of each rule, in their order."""
    return tuple(Plan(program.vocabulary, rule, number) for number, rule in enumerate(program.rules))


def _sorted_out(kind: str, checks: Iterable[FieldTest], shared: Collection[str]) -> Pattern:
    """A pattern of checks; a plain variable that is not shared wants nothing."""
    shares, literals, comparisons = [], [], []
    for check in checks:
        if check.among or isinstance(check.term, Constant):  # the fact alone decides
            literals.append(check)
        elif check.operator != "=" or not (name := check.term.alone):
            comparisons.append(check)
        elif name in shared:
            shares.append((check.position, name))
    return Pattern(kind, tuple(shares), tuple(literals), tuple(comparisons))
