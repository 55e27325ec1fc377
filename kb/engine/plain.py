"""What a rule means, said as plainly as can be: the definition that every engine is held against. It is slow.

In the order of the grammar, from the smallest part to the whole:

* A **fact** is a kind and a value for each field of that kind. Only a field declared so may be unknown (None).
* A **term** is a value, a variable ``$t``, or a sum of integers: ``$t + 1``, ``$d + $w``.
* A **test** is what a condition demands of one field. A list: that the value is one of these. A variable alone: that
  the value is the variable's, which it gets there if it has none yet, so that all fields that name it are equal.
  Anything else compares the value with a term, by ``=``, ``not``, ``<``, ``<=``, ``>`` or ``>=``; an unknown value
  passes none of these.
* A **condition** names a kind. A fact of that kind fits if it passes every test; fields not named may hold anything.
* **when** wants one fact for each of its conditions, together: variables are those of the whole rule, and a comparison
  may name one that a later condition gives its value. One fact may stand for several conditions.
* **count** and **total**, under ``when``, want a number: how many facts fit the condition ``of``, or what one of their
  fields comes to, added up; 0 if none fits. Variables that ``when`` gives a value have it there, any others mean
  *anything*, equal where they are repeated. The number is compared with a term, or it is the value of a variable that
  has none otherwise; that may be one that another number asks for.
* **unless**: no fact may fit any of its conditions. Variables that ``when`` gives no value mean *anything*, as above.
* A **way** in which a rule fits is: a value for each variable of ``when``, and a premise for each of its items, such
  that all of this holds. The premise is the fact, or for a number ``("count" | "total", number, *facts, sorted)``.
* **then** is concluded for every way: for each conclusion the fact with the values of its terms.
* The **rules** are run stratum by stratum, as ``kb.language.strata`` orders them, so that what ``unless``, ``count``
  and ``total`` read is complete; in each, every rule on all the facts, again and again until no way is new.

Rules are taken to be such as the checks accept. Nothing here is shared with the engines but the bounds.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final, NamedTuple, TypeAlias, cast

from facts.fact import Fact, Value
from kb.engine.bounds import Effort, demand_small
from kb.language.rule import Condition, Operator, Rule, Tally, Test
from kb.language.terms import Sum, Term, Variable
from kb.language.vocabulary import Vocabulary

KindFacts: TypeAlias = Mapping[str, Collection[Fact]]
"""The facts of each kind; a kind of which there is none may be missing."""
Bindings: TypeAlias = Mapping[str, Value]
"""The values of variables."""
Firing: TypeAlias = tuple[Fact, int, tuple[Fact, ...]]
"""A fact, the number of the rule that concludes it, and the premises."""

_COMPARE: Final[Mapping[Operator, Callable[[Any, Any], bool]]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


class Way(NamedTuple):
    """One way in which a rule fits."""

    values: Bindings
    premises: tuple[Fact, ...]
    """One for each item of ``when``, in its order."""


def ways_to_fire(vocabulary: Vocabulary, rule: Rule, facts: KindFacts, effort: Effort | None = None) -> Iterator[Way]:
    """Every way in which a rule fits these facts; BoundsError when ``effort`` comes to too much."""
    if not all(facts.get(item.kind) for item in rule.wanted):
        return
    look = partial((effort or Effort((rule,))).look, rule)
    settled = (*(tally.of for tally in rule.tallies), *rule.unless)
    for values, chosen in _choices(vocabulary, [*rule.wanted], facts, look):
        look(sum(len(facts.get(item.kind, ())) for item in settled))
        if way := _way(vocabulary, rule, facts, values, chosen):
            yield way


def way_with(vocabulary: Vocabulary, rule: Rule, facts: KindFacts, chosen: Sequence[Fact]) -> Way | None:
    """The way in which a rule fits with these facts for its conditions; None if it does not."""
    values: Bindings | None = {}
    for item, fact in zip(rule.wanted, chosen, strict=True):
        values = None if values is None else _bound(vocabulary, item, fact, values)
    return None if values is None else _way(vocabulary, rule, facts, values, chosen)


def _way(vocabulary: Vocabulary, rule: Rule, facts: KindFacts, initial: Bindings, chosen: Sequence[Fact]) -> Way | None:
    tallies = {slot: item for slot, item in enumerate(rule.when) if isinstance(item, Tally)}
    values, numbers = _numbers(vocabulary, tallies, facts, initial)
    if (
        all(meets(vocabulary, *choice, values) for choice in zip(rule.wanted, chosen, strict=True))
        and all(_compares(tally.number, numbers[slot][1], values) for slot, tally in tallies.items())
        and not any(meets(vocabulary, item, fact, values) for item in rule.unless for fact in facts.get(item.kind, ()))
    ):
        premises = iter(chosen)
        return Way(
            values, tuple(numbers[slot] if slot in numbers else next(premises, ()) for slot in range(len(rule.when)))
        )
    return None


def facts_concluded(vocabulary: Vocabulary, rule: Rule, values: Bindings) -> Iterator[Fact]:
    """What a rule concludes when its variables have these values; BoundsError for too large a number."""
    for then in rule.then:
        fields = vocabulary.kinds[then.kind].fields
        fact: Fact = (then.kind, *(_value(then.terms[field.name], values) for field in fields))
        demand_small(rule, fact)
        yield fact


def _choices(
    vocabulary: Vocabulary, conditions: list[Condition], facts: KindFacts, look: Callable[[int], None]
) -> Iterator[tuple[Bindings, tuple[Fact, ...]]]:
    """A fact for each condition, as far as they can be tested by the variables that conditions give values."""
    if not conditions:
        yield {}, ()
        return
    *earlier, last = conditions
    for values, chosen in _choices(vocabulary, earlier, facts, look):
        look(len(facts[last.kind]))
        for fact in facts[last.kind]:
            bound = _bound(vocabulary, last, fact, values)
            if bound is not None:
                yield bound, (*chosen, fact)


def _numbers(
    vocabulary: Vocabulary, tallies: Mapping[int, Tally], facts: KindFacts, initial: Bindings
) -> tuple[Bindings, dict[int, Fact]]:
    """The premise of each tally; one that asks for the number of another comes after it."""
    values, waiting, premises = dict(initial), dict(tallies), dict[int, Fact]()
    while waiting:
        coming = {name for tally in waiting.values() if (name := _shared(tally.number)) and name not in values}
        slot = [slot for slot, tally in waiting.items() if coming.isdisjoint(_asked(tally))][0]
        tally = waiting.pop(slot)
        premises[slot] = _number(vocabulary, tally, facts, values)
        if name := _shared(tally.number):
            values.setdefault(name, premises[slot][1])
    return values, premises


def _number(vocabulary: Vocabulary, tally: Tally, facts: KindFacts, values: Bindings) -> Fact:
    """The number and what it is taken of."""
    taken = sorted((f for f in facts.get(tally.of.kind, ()) if meets(vocabulary, tally.of, f, values)), key=_order)
    if tally.field is None:
        return cast(Fact, ("count", len(taken), *taken))
    position = vocabulary.kinds[tally.of.kind].index[tally.field]
    return cast(Fact, ("total", sum(cast(int, fact[position]) for fact in taken), *taken))


def meets(vocabulary: Vocabulary, condition: Condition, fact: Fact, values: Bindings) -> bool:
    """Whether a fact fits a condition, where these variables have their values and any others mean anything."""
    return _bound(vocabulary, condition, fact, values) is not None


def _bound(vocabulary: Vocabulary, condition: Condition, fact: Fact, values: Bindings) -> Bindings | None:
    """The variables with those that the fact gives a value; None if it fails a test that they can decide."""
    index, bound, compared = vocabulary.kinds[condition.kind].index, values, []
    for test in condition.tests:
        value = fact[index[test.field]]
        if (name := _shared(test)) is None:
            compared.append((test, value))
        elif name not in bound:
            bound = {**bound, name: value}
        elif bound[name] != value:
            return None
    decidable = [(test, value) for test, value in compared if bound.keys() >= _names(test.term)]
    return bound if all(_compares(test, value, bound) for test, value in decidable) else None


def _compares(test: Test, value: Value, values: Bindings) -> bool:
    if test.among:
        return value in test.among
    return value is not None and _COMPARE[test.operator](value, _value(test.term, values))


def _shared(test: Test) -> str | None:
    """The variable that the field, or the number, has the value of."""
    if test.operator == "=" and isinstance(test.term, Variable) and not test.among:
        return test.term.name
    return None


def _asked(tally: Tally) -> frozenset[str]:
    """The variables in what is counted."""
    return frozenset(name for test in tally.of.tests for name in _names(test.term))


def _names(term: Term) -> frozenset[str]:
    """The variables of a term."""
    if isinstance(term, Variable):
        return frozenset([term.name])
    return _names(term.left) | _names(term.right) if isinstance(term, Sum) else frozenset()


def _value(term: Term, values: Bindings) -> Any:
    if isinstance(term, Variable):
        return values[term.name]
    if isinstance(term, Sum):
        return _value(term.left, values) + _value(term.right, values)
    return term.value


def _order(fact: Fact) -> list[tuple[bool, Value]]:
    """Facts of one kind are sorted by their values, the unknown first."""
    return [(value is not None, value) for value in fact]
