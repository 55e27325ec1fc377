"""A reference evaluator, slow and plain: stratum by stratum, every combination of facts, until nothing is new."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from facts.ground import Fact, Value
from kb.language.model import Condition, Rule, Sum, Tally, Term, Test, Variable, Vocabulary
from kb.language.strata import strata

Env = Mapping[str, Value]
Firing = tuple[Fact, int, tuple[Fact, ...]]


class TooManyError(Exception):
    """More firings than a test should have."""


def evaluate(
    vocabulary: Vocabulary,
    rules: tuple[Rule, ...],
    ground: Iterable[Fact],
    layers: tuple[tuple[Rule, ...], ...] = (),
    most: int = 10**9,
) -> set[Firing]:
    """Every (fact, number of the rule, premises); ``layers``: the strata, if they are known."""
    facts, firings = set(ground), set()
    for layer in layers or strata(rules):
        before = -1
        while len(firings) != before:
            before = len(firings)
            for rule in layer:
                number = next(i for i, other in enumerate(rules) if other is rule)
                for env, premises in _ways(vocabulary, rule, facts):
                    for then in rule.then:
                        terms = (then.terms[field.name] for field in vocabulary.kinds[then.kind].fields)
                        firings.add(((then.kind, *(_value(term, env) for term in terms)), number, premises))
                if len(firings) > most:
                    raise TooManyError
            facts |= {firing[0] for firing in firings}
    return firings


def _ways(vocabulary: Vocabulary, rule: Rule, facts: set[Fact]) -> Iterator[tuple[Env, tuple[Fact, ...]]]:
    """Every way to satisfy a rule: values of the variables, and premises."""
    plain = [(slot, item) for slot, item in enumerate(rule.when) if isinstance(item, Condition)]
    tallies = [(slot, item) for slot, item in enumerate(rule.when) if isinstance(item, Tally)]
    for env, chosen in _joins(vocabulary, plain, facts):
        for full, numbers in _counts(vocabulary, tallies, facts, env):
            every = {**chosen, **numbers}
            items = [(item, every[slot]) for slot, item in plain]
            if all(_passes(vocabulary, item, fact, full) for item, fact in items) and not any(
                _exists(vocabulary, item, facts, full) for item in rule.unless
            ):
                yield full, tuple(every[slot] for slot in range(len(rule.when)))


def _joins(
    vocabulary: Vocabulary, plain: list[tuple[int, Condition]], facts: set[Fact]
) -> Iterator[tuple[Env, dict[int, Fact]]]:
    if not plain:
        yield {}, {}
        return
    *before, (slot, item) = plain
    for env, chosen in _joins(vocabulary, before, facts):
        for fact in facts:
            if fact[0] == item.kind:
                inner = _bind(vocabulary, item, fact, env)
                if inner is not None:
                    yield inner, {**chosen, slot: fact}


def _counts(
    vocabulary: Vocabulary, tallies: list[tuple[int, Tally]], facts: set[Fact], env: Env
) -> Iterator[tuple[Env, dict[int, Fact]]]:
    """The numbers, in whatever order they can be computed; an ``is`` that gives a variable its value does so first."""
    binders: dict[str, int] = {}
    for slot, tally in tallies:
        if tally.operator == "=" and isinstance(tally.term, Variable) and tally.term.name not in env:
            binders.setdefault(tally.term.name, slot)
    full, done = dict(env), {}
    while len(done) < len(tallies):
        for slot, tally in tallies:
            missing = {name for name, home in binders.items() if home not in done}
            if slot not in done and not missing & {name for test in tally.of.tests for name in _names(test.term)}:
                done[slot] = _number(vocabulary, tally, facts, full)
                for name in (name for name, home in binders.items() if home == slot):
                    full[name] = done[slot][1]
    if all(_compare(done[slot][1], tally.operator, _value(tally.term, full)) for slot, tally in tallies):
        yield full, done


def _number(vocabulary: Vocabulary, tally: Tally, facts: set[Fact], env: Env) -> Fact:
    found = sorted((f for f in facts if f[0] == tally.of.kind and _fits(vocabulary, tally.of, f, env)), key=_order)
    if tally.field is None:
        return ("count", len(found), *found)
    position = vocabulary.kinds[tally.of.kind].index[tally.field]
    return ("total", sum(f[position] for f in found), *found)


def _exists(vocabulary: Vocabulary, item: Condition, facts: set[Fact], env: Env) -> bool:
    return any(fact[0] == item.kind and _fits(vocabulary, item, fact, env) for fact in facts)


def _fits(vocabulary: Vocabulary, item: Condition, fact: Fact, env: Env) -> bool:
    inner = _bind(vocabulary, item, fact, env)
    return inner is not None and _passes(vocabulary, item, fact, inner)


def _bind(vocabulary: Vocabulary, item: Condition, fact: Fact, env: Env) -> Env | None:
    """The variables with those that this fact gives a value; None if it gives one another value."""
    inner = dict(env)
    for test in item.tests:
        if _plain(test):
            value = fact[vocabulary.kinds[item.kind].index[test.field]]
            if inner.setdefault(test.term.name, value) != value:
                return None
    return inner


def _passes(vocabulary: Vocabulary, item: Condition, fact: Fact, env: Env) -> bool:
    for test in item.tests:
        value = fact[vocabulary.kinds[item.kind].index[test.field]]
        if test.among:
            if value not in test.among:
                return False
        elif _plain(test):
            if value != env[test.term.name]:
                return False
        elif value is None or not _compare(value, test.operator, _value(test.term, env)):
            return False
    return True


def _plain(test: Test) -> bool:
    return test.operator == "=" and isinstance(test.term, Variable) and not test.among


def _value(term: Term, env: Env) -> Value:
    if isinstance(term, Variable):
        return env[term.name]
    if isinstance(term, Sum):
        return _value(term.left, env) + _value(term.right, env)
    return term


def _names(term: Term) -> list[str]:
    if isinstance(term, Variable):
        return [term.name]
    return _names(term.left) + _names(term.right) if isinstance(term, Sum) else []


def _compare(value: Value, operator: str, other: Value) -> bool:
    match operator:
        case "=":
            return value == other
        case "!=":
            return value != other
        case "<":
            return value < other
        case "<=":
            return value <= other
        case ">":
            return value > other
        case _:
            return value >= other


def _order(fact: Fact) -> list[tuple[bool, Value]]:
    return [(value is not None, value) for value in fact]
