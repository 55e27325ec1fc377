"""A check of what is counted: two rules that conclude the same fact, which counts once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import TypeAlias

from facts.errors import Fault
from facts.fact import Value
from facts.suggestions import did_you_mean
from kb.language.checks.of_editions import equal, possible
from kb.language.checks.registry import of_an_edition
from kb.language.model import Conclusion, Condition, Edition, Rule, Test
from kb.language.terms import Constant, Sum, Term, Variable
from kb.language.vocabulary import Kind

Alike: TypeAlias = dict[Term, Term]
"""What a variable of either rule stands for where both conclude the same; a variable is named with its rule."""


@of_an_edition("counts-once")
def counts_once(edition: Edition) -> Iterator[Fault]:
    """Two rules do not conclude the same fact of a kind that is counted or added up, unless one of them says so.

    Facts are a set: what two rules conclude is one fact, and counts once. A second trick that is meant to be one more

        - when: [liable: {play: $p, hand: $h}, won-from: {hand: $h, tricks: "> 2"}]
          then: {automatic: {play: $p, part: later-trick, tricks: 1}}

    is none where another rule gives the `later-trick` too. Rules that can never both fire are left alone: their
    conditions contradict each other, or one has as a condition what the other has under `unless`. Where two reasons
    are meant to give one thing, the later rule names the other: `once-with: [its id]`.
    """
    counted = {tally.of.kind for rule in edition.rules for tally in rule.tallies}
    heads = [(rule, head) for rule in edition.rules for head in rule.then if head.kind in counted]
    needed = set()
    for (one, head), (other, same) in combinations(heads, 2):
        if one.id == other.id or _exclude_each_other(edition.vocabulary.kinds, (one, head), (other, same)):
            continue
        needed |= {(one.id, other.id), (other.id, one.id)}
        if other.id not in one.once_with and one.id not in other.once_with:
            what = f"{other.id} concludes the same {head.kind} as {one.id}, and both count once"
            mend = f"let a field differ if it is one more, or write once-with: [{one.id}] in {other.id} if it is not"
            yield Fault(same.place, what, mend, ((head.place, "concluded here too"),))
    for rule in edition.rules:
        yield from _needless(rule, edition, needed)


def _needless(rule: Rule, edition: Edition, needed: set[tuple[str, str]]) -> Iterator[Fault]:
    """Rules named under ``once-with`` that are not, or that give nothing to be counted once."""
    for other in rule.once_with:
        if other not in {one.id for one in edition.rules}:
            mend = did_you_mean(other, (one.id for one in edition.rules))
            yield Fault(rule.place, f"once-with names {other}, and there is no such rule", mend)
        elif (rule.id, other) not in needed:
            what = f"{rule.id} and {other} never conclude the same of what is counted"
            yield Fault(rule.place, what, f"take {other} from once-with")


def _exclude_each_other(kinds: Mapping[str, Kind], one: tuple[Rule, Conclusion], two: tuple[Rule, Conclusion]) -> bool:
    """Whether two rules cannot both come to these conclusions and conclude the same."""
    if one[1].kind != two[1].kind:
        return True
    alike = _unified(one[1], two[1])
    if alike is None:
        return True
    (a, _), (b, _) = one, two
    pairs = [(x, y) for x in a.wanted for y in b.wanted if x.kind == y.kind and x.kind in kinds]
    if any(_contradict(kinds[x.kind], x, y, alike) for x, y in pairs):
        return True
    return _stopped(a, b, alike, (1, 2)) or _stopped(b, a, alike, (2, 1))


def _unified(one: Conclusion, two: Conclusion) -> Alike | None:
    """What stands for what if both are the same fact; None if they never are."""
    alike: Alike = {}
    for name, left in one.terms.items():
        a, b = _seen(_named(left, 1), alike), _seen(_named(two.terms[name], 2), alike)
        if isinstance(a, Constant) and isinstance(b, Constant) and not equal(a.value, b.value):
            return None
        if a != b and isinstance(a, Variable):
            alike[a] = b
        elif a != b and isinstance(b, Variable):
            alike[b] = a
    return alike


def _contradict(kind: Kind, one: Condition, two: Condition, alike: Alike) -> bool:
    """Whether no situation has a fact for each of two conditions of a kind: both ask for the only one there can be,
    and demand of it what cannot both be."""
    if kind.one_per is None:
        return False
    a, b = {test.field: test for test in one.tests}, {test.field: test for test in two.tests}
    key = all(name in a and name in b and _equal(a[name], b[name], alike) for name in kind.one_per)
    return key and any(_never_both(a[name], b[name], alike) for name in a if name in b)


def _stopped(rule: Rule, by: Rule, alike: Alike, of: tuple[int, int]) -> bool:
    """Whether each fact that meets some condition of a rule stops the other."""
    return any(
        exception.kind == condition.kind
        and all(_sure(test, exception, condition, by, alike, of) for test in exception.tests)
        for exception in by.unless
        for condition in rule.wanted
    )


def _sure(test: Test, exception: Condition, condition: Condition, by: Rule, alike: Alike, of: tuple[int, int]) -> bool:
    """Whether what meets the condition passes a test of the exception."""
    free = test.binds and test.binds not in {name for one in by.wanted for name in one.bound}
    if free and sum(name == test.binds for term in exception.terms for name in term.variables) == 1:
        return True
    given = next((one for one in condition.tests if one.field == test.field), None)
    if given is None or given.operator != test.operator or given.among != test.among:
        return False
    return _seen(_named(given.term, of[0]), alike) == _seen(_named(test.term, of[1]), alike)


def _equal(one: Test, two: Test, alike: Alike) -> bool:
    exact = one.operator == two.operator == "=" and not one.among and not two.among
    return exact and _seen(_named(one.term, 1), alike) == _seen(_named(two.term, 2), alike)


def _never_both(one: Test, two: Test, alike: Alike) -> bool:
    """Whether no value passes both tests."""
    if one.among or two.among or not (one.term.variables or two.term.variables):
        values = _literals(one), _literals(two)
        return _apart(values, one, two)
    opposite = {one.operator, two.operator} in (
        {"=", "!="},
        {"=", "<"},
        {"=", ">"},
        {"<", ">"},
        {"<", ">="},
        {">", "<="},
    )
    return opposite and _seen(_named(one.term, 1), alike) == _seen(_named(two.term, 2), alike)


def _apart(values: tuple[tuple[Value, ...] | None, tuple[Value, ...] | None], one: Test, two: Test) -> bool:
    """Whether of tests with literals none lets a value pass that passes the other."""
    (a, b) = values
    if a is not None and b is not None:
        return not any(equal(x, y) for x in a for y in b)
    if a is not None and isinstance(two.term, Constant):
        return not any(possible(two, Constant(value)) for value in a)
    if b is not None and isinstance(one.term, Constant):
        return not any(possible(one, Constant(value)) for value in b)
    return False


def _literals(test: Test) -> tuple[Value, ...] | None:
    """The values that pass; None where they cannot be listed."""
    if test.among:
        return test.among
    return (test.term.value,) if test.operator == "=" and isinstance(test.term, Constant) else None


def _named(term: Term, rule: int) -> Term:
    """A term whose variables bear the number of their rule."""
    if isinstance(term, Variable):
        return Variable(f"{rule} {term.name}")
    if isinstance(term, Sum):
        right = Variable(f"{rule} {term.right.name}") if isinstance(term.right, Variable) else term.right
        return Sum(Variable(f"{rule} {term.left.name}"), right)
    return term


def _seen(term: Term, alike: Alike) -> Term:
    while term in alike:
        term = alike[term]
    return term
