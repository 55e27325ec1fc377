"""A program in the JSON of durable-rules, inside the narrow subset in which its C engine is exact.

* Every pattern starts with its kind as the name of a property, holds one test in each object, and ends in that kind
  again if it joins: a join that stands last reads past the end of the engine's memory.
* A rule with an ``unless`` starts with the receipt that ends the first batch: all it may not find is there by then.
* ``dist: 0``: one fact may stand for two conditions. Never ``any``, ``$or``, ``$div``, retraction or ``pri``.
* A ``count`` or ``total`` is split: a rule that asks for the number by a hidden fact, one that finds the facts to be
  counted for it, and a hidden fact that answers.
* Lists of values and fields that may be unknown are tested in Python and become properties: the C engine takes
  1, "1" and true for equal. So a field only ever holds values of one type.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import itemgetter
from typing import Any, Literal, TypeAlias

from facts.errors import EngineError
from facts.fact import Fact, Value
from kb.engine.bounds import LARGEST
from kb.engine.proof import Program
from kb.engine.sets import components
from kb.language.rule import Condition, Operator, Rule, Tally
from kb.language.strata import bound
from kb.language.terms import Constant, Sum, Term, Variable
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
        own = condition.bound
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


def concluded(plans: Sequence[Plan]) -> frozenset[str]:
    """The kinds that these rules conclude."""
    return frozenset(kind for plan in plans for kind, _ in plan.heads)


def stages(plans: Sequence[Plan]) -> list[list[list[Plan]]]:
    """The rules in as few stages as can be, those of a circle together: whatever a rule reads is complete after the
    stages before its own, but for what its own circle concludes."""
    of_kind: dict[str, int] = {}
    found: list[list[list[Plan]]] = []
    for component in ([plans[number] for number in some] for some in components([plan.rule for plan in plans])):
        stage = max((of_kind.get(kind, 0) for plan in component for kind in plan.kinds), default=0)
        if stage == len(found):
            found.append([])
        found[stage].append(component)
        of_kind.update({kind: max(stage + 1, of_kind.get(kind, 0)) for kind in concluded(component)})
    return found


Json: TypeAlias = Any
Task: TypeAlias = Literal["conclude", "ask", "count"]
Heads: TypeAlias = Sequence[tuple[str, Sequence[Term]]]
_Ref: TypeAlias = tuple[int, int]
"""A field: the number of the pattern in its rule, and the position."""
_Ranked: TypeAlias = tuple[int, Json]
Found: TypeAlias = Sequence[Fact]
"""What fired a native rule: a fact for each pattern, in their order."""

RECEIPT = "end"
"""The property of the receipts that stand last in each batch of facts, 1 in the first batch, then 2."""
MOST_OF_A_KIND = 56
"""Patterns on one kind in one ruleset; the C engine gives up at 64."""
MOST_WAITING = 250
"""Rules of one ruleset that start with the receipt; from 256 on it fires wrongly."""
MOST_KINDS = 400
"""First tests in one ruleset; from 511 on the C engine hangs."""
_NATIVE = {"!=": "$neq", "<": "$lt", "<=": "$lte", ">": "$gt", ">=": "$gte"}
_TURNED: dict[Operator, Operator] = {"=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


class Native:
    """All rules in native form, and what a fact must carry for them."""

    def __init__(self, program: Program) -> None:
        self.plans = plans(program)
        self.kinds: dict[str, str] = {}
        """Kind -> property that marks its facts."""
        self.flags: dict[tuple[str, FieldTest], str] = {}
        """Kind and check made in Python -> property of a fact that passes."""
        self._rules: dict[int, tuple[NativeRule, ...]] = {}

    def rules(self, number: int) -> tuple[NativeRule, ...]:
        """The native rules that a rule becomes; made when first asked for."""
        if number not in self._rules:
            self._rules[number] = tuple(self._of(self.plans[number]))
        return self._rules[number]

    def rulesets(self, numbers: Iterable[int]) -> Iterator[list[NativeRule]]:
        """The rules of these numbers in as few rulesets as the limits of the C engine allow."""
        chosen: list[NativeRule] = []
        for rule in chain.from_iterable(map(self.rules, numbers)):
            if chosen and not _fits([*chosen, rule]):
                yield chosen
                chosen = []
            chosen.append(rule)
        yield chosen

    def _of(self, plan: Plan) -> Iterator[NativeRule]:
        patterns = dict(plan.patterns)
        for number in plan.numbers:
            asked = question_kind(number)
            heads = [(asked, [*map(Variable, number.key)])]
            yield NativeRule(self, plan, "ask", number.name, heads, patterns)
            question = Pattern(asked, tuple(enumerate(number.key, 1)), (), ())
            yield NativeRule(self, plan, "count", f"{number.name}:of", (), {0: question, 1: number.of})
            shares, result = tuple(enumerate(number.key, 2)), number.result  # of the hidden fact that answers
            shares = *result.shares, *shares
            patterns[number.slot] = Pattern(number.name, shares, result.literals, result.comparisons)
        yield NativeRule(self, plan, "conclude", str(plan.number), plan.heads, patterns)


def question_kind(number: Number) -> str:
    """The kind of the hidden facts that ask for a number: kind, then the values of its key."""
    return f"{number.name}?"


def _fits(rules: Collection[NativeRule]) -> bool:
    """Whether these rules may stand in one ruleset."""
    of_kind = Counter(kind for rule in rules for kind in rule.kinds)
    most = max(of_kind.values(), default=0)
    return most <= MOST_OF_A_KIND and len(of_kind) <= MOST_KINDS and sum(rule.waits for rule in rules) <= MOST_WAITING


class NativeRule:
    """One rule of a ruleset.

    A comparison stands with the last pattern it speaks of, turned round if need be, since the C engine only looks back.
    """

    def __init__(
        self, native: Native, plan: Plan, task: Task, name: str, heads: Heads, patterns: Mapping[int, Pattern]
    ) -> None:
        """``task``: what its firings are for: to conclude, to ask for a number, or to find the facts to be counted for
        it; ``name``: its own in the ruleset; ``heads``: kind and terms of each fact that it gives."""
        self.plan, self.task, self.name = plan, task, name
        absent = plan.absent if task == "conclude" else ()
        self.kinds = tuple(pattern.kind for pattern in (*patterns.values(), *absent))
        """The kind of each pattern, hidden ones included, absences last."""
        self.waits = bool(absent or task == "ask" or not patterns)
        """Whether it starts with the first receipt."""
        self.homes: dict[str, _Ref] = {}
        """Where each variable gets its value."""
        self.fields: set[tuple[str, int]] = set()
        """Kind and position of each field that a pattern reads."""
        self.flags: set[tuple[str, FieldTest]] = set()
        """Kind and check of each test made in Python."""
        self.patterns = [patterns[slot] for slot in sorted(patterns)]
        """In the order of the conditions, absences last."""
        for place, pattern in enumerate(self.patterns):
            self._find_homes(place, pattern, self.homes)
        self.labels = [f"p{place}" for place in range(len(self.patterns))]
        self.tests: list[list[_Ranked]] = [[] for _ in self.patterns]
        for place in range(len(self.patterns)):
            self._translate(place, self.homes)
        for number, pattern in enumerate(absent):
            self._absent(number, pattern)
        items = [{"g": {"$and": [{RECEIPT: 1}]}}] if self.waits else []
        for label, pattern, tests in zip(self.labels, self.patterns, self.tests, strict=True):
            items.append({label: self._item(native, pattern, tests)})
        self.json: Json = {"dist": 0, "all": items}
        self._values = [(kind, [_value(term, self.homes) for term in terms]) for kind, terms in heads]

    def facts(self, found: Found) -> Iterator[Fact]:
        """What a firing concludes, or asks."""
        return ((kind, *[value(found) for value in values]) for kind, values in self._values)

    def _read(self, kind: str, position: int) -> str:
        """The property that holds a field."""
        self.fields.add((kind, position))
        return f"f{position}"

    def _find_homes(self, place: int, pattern: Pattern, homes: dict[str, _Ref]) -> None:
        for position, name in pattern.shares:
            homes.setdefault(name, (place, position))

    def _absent(self, number: int, pattern: Pattern) -> None:
        """An absence may have variables of its own."""
        place, homes = len(self.patterns), dict(self.homes)
        self.labels.append(f"n{number}$not")
        self.patterns.append(pattern)
        self.tests.append([])
        self._find_homes(place, pattern, homes)
        self._translate(place, homes)

    def _translate(self, place: int, homes: Mapping[str, _Ref]) -> None:
        for position, name in self.patterns[place].shares:
            if homes[name] != (place, position):
                self._test((place, position), "=", [homes[name]], self._operand(homes[name], place))
        for check in self.patterns[place].comparisons:
            if homes.keys() >= {*check.term.variables}:  # else it waits for a number that is still asked for
                self._compare((place, check.position), check, homes)

    def _compare(self, subject: _Ref, check: FieldTest, homes: Mapping[str, _Ref]) -> None:
        """``subject operator term``, or the same said of the last pattern that the term speaks of."""
        refs = [homes[name] for name in check.term.variables]
        here = max([subject, *refs])[0]
        if here == subject[0]:
            self._test(subject, check.operator, refs, self._term(check.term, homes, here))
            return
        last = next(ref for ref in refs if ref[0] == here)
        others = [subject, *refs]
        others.remove(last)
        value = self._operand(subject, here)
        if isinstance(check.term, Sum):
            rest = check.term.right if homes[check.term.left.name] == last else check.term.left
            value = {"$sub": {"$l": value, "$r": self._term(rest, homes, here)}}
        self._test(last, _TURNED[check.operator], others, value)

    def _test(self, subject: _Ref, operator: Operator, others: Iterable[_Ref], value: Json) -> None:
        """Adds a test: those within one fact first, then unequal joins, then equal ones.

        An equal join is looked up by hash before there is a fact, so it must not speak of that fact: it becomes two.
        """
        place, position = subject
        compared = {self._read(self.patterns[place].kind, position): value}
        own = [other[0] == place for other in others]
        if operator != "=":
            self.tests[place].append((0 if all(own) else 1, {_NATIVE[operator]: compared}))
        elif any(own) and not all(own):
            self.tests[place] += [(1, {"$lte": compared}), (1, {"$gte": compared})]
        else:
            self.tests[place].append((0 if all(own) else 2, compared))

    def _term(self, term: Term, homes: Mapping[str, _Ref], here: int) -> Json:
        if isinstance(term, Variable):
            return self._operand(homes[term.name], here)
        if isinstance(term, Sum):
            return {"$add": {"$l": self._term(term.left, homes, here), "$r": self._term(term.right, homes, here)}}
        return term.value

    def _operand(self, ref: _Ref, here: int) -> Json:
        place, position = ref
        name = self._read(self.patterns[place].kind, position)
        return {"$m" if place == here else self.labels[place]: name}

    def _item(self, native: Native, pattern: Pattern, tests: list[_Ranked]) -> Json:
        kinds = native.kinds
        kind = {kinds.setdefault(pattern.kind, f"k{len(kinds)}"): 1}
        constants = [self._constant(native, pattern.kind, check) for check in pattern.literals]
        joins = [json for _, json in sorted(tests, key=itemgetter(0))]
        return {"$and": [kind, *constants, *joins, *([{"$and": [kind]}] if joins else [])]}

    def _constant(self, native: Native, kind: str, check: FieldTest) -> Json:
        if check.among or check.unknown:
            self.flags.add((kind, check))
            return {native.flags.setdefault((kind, check), f"c{len(native.flags)}"): 1}
        compared = {self._read(kind, check.position): native_value(check.term.value_in({}))}
        return compared if check.operator == "=" else {_NATIVE[check.operator]: compared}


def _value(term: Term, homes: Mapping[str, _Ref]) -> Callable[[Found], Any]:
    """The value of a term for what was found."""
    if isinstance(term, Variable):
        place, at = homes[term.name]
        return lambda found: found[place][at]
    if isinstance(term, Sum):
        left, right = _value(term.left, homes), _value(term.right, homes)
        return lambda found: left(found) + right(found)
    constant = term.value
    return lambda found: constant


def native_value(value: object) -> str | int:
    """A value as the C engine gets it: yes and no as 1 and 0, unknown (never compared there) as a word of its own."""
    if value is None:
        return "\ue000"
    if isinstance(value, int):
        if abs(value) > LARGEST:
            raise EngineError(f"{value} is beyond what durable-rules can hold")
        return int(value)
    return str(value)
