"""The plan of each rule for durable-rules, with fields by position and variables sorted out, and the order of plans."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from facts.fact import Value
from kb.engine.program import Program
from kb.language.model import Conclusion, Condition, Operator, Rule, Tally
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

    @property
    def literal(self) -> bool:
        """Whether the fact alone decides, without any variable."""
        return bool(self.among) or isinstance(self.term, Constant)

    @property
    def constant(self) -> Value:
        """What a literal test compares with."""
        return self.term.value_in({})


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


@dataclass(frozen=True)
class Plan:
    """One rule, ready for an engine."""

    number: int
    rule: Rule
    stratum: int
    patterns: Mapping[int, Pattern]
    """Place among the conditions of the rule -> what is wanted there."""
    numbers: tuple[Number, ...]
    """In an order in which they can be computed."""
    absent: tuple[Pattern, ...]
    heads: tuple[tuple[str, tuple[Term, ...]], ...]
    """Kind and terms, in the order of the fields, of each conclusion."""

    @cached_property
    def kinds(self) -> frozenset[str]:
        """Every kind the rule reads."""
        patterns = [*self.patterns.values(), *self.absent, *(number.of for number in self.numbers)]
        return frozenset(pattern.kind for pattern in patterns)


def best_next(patterns: Mapping[int, Pattern], known: Collection[str], concluded: Collection[str]) -> int:
    """Which pattern to join next: the one likely to offer the fewest facts once the known variables are given."""
    return min(patterns, key=lambda slot: (offered(patterns[slot], known, concluded), slot))


def offered(pattern: Pattern, known: Collection[str], concluded: Collection[str]) -> float:
    """How many facts fit, roughly: concluded ones are few; each known value, or two literals, leave a quarter."""
    decided = sum(name in known for _, name in pattern.shares) + 0.5 * len(pattern.literals)
    return (2 if pattern.kind in concluded else 16) / 4**decided


def plans(program: Program) -> tuple[Plan, ...]:
    """The plan of each rule, in their order."""
    of = enumerate(zip(program.rules, program.strata, strict=True))
    return tuple(_Planner(program.vocabulary, rule, number).plan(stratum) for number, (rule, stratum) in of)


class _Planner:
    """Works out the plan of one rule."""

    def __init__(self, vocabulary: Vocabulary, rule: Rule, number: int) -> None:
        self.vocabulary = vocabulary
        self.rule = rule
        self.number = number
        self.tallies = {slot: item for slot, item in enumerate(rule.when) if isinstance(item, Tally)}
        self.known = {name for item in rule.wanted for name in item.bound}
        self.computed: dict[str, int] = {}
        for slot, tally in self.tallies.items():
            if (name := tally.number.binds) and name not in self.known:
                self.computed.setdefault(name, slot)
        self.known.update(self.computed)

    def plan(self, stratum: int) -> Plan:
        """The whole plan."""
        rule = self.rule
        conditions = {slot: item for slot, item in enumerate(rule.when) if isinstance(item, Condition)}
        return Plan(
            self.number,
            rule,
            stratum,
            {slot: self._pattern(item) for slot, item in conditions.items()},
            tuple(self._numbers()),
            tuple(self._pattern(item) for item in rule.unless),
            tuple(self._head(conclusion) for conclusion in rule.then),
        )

    def _pattern(self, condition: Condition) -> Pattern:
        """Positions for names; a variable met only here, and once, wants nothing and is left out."""
        kind = self.vocabulary.kinds[condition.kind]
        own = condition.bound
        used = [name for term in condition.terms for name in term.variables]
        shared = self.known.union(name for name in own if used.count(name) > 1)
        checks = []
        for test in condition.tests:
            position = kind.index[test.field]
            checks.append(FieldTest(position, test.operator, test.term, test.among, kind.fields[position - 1].unknown))
        return _sorted_out(kind.name, checks, shared)

    def _numbers(self) -> Iterator[Number]:
        """The tallies, each after those it takes a variable from."""
        waiting = {slot: self._number(slot, tally) for slot, tally in self.tallies.items()}
        while waiting:
            open_names = {name for name, slot in self.computed.items() if slot in waiting}
            yield waiting.pop(next(slot for slot, one in waiting.items() if open_names.isdisjoint(one.key)))

    def _number(self, slot: int, tally: Tally) -> Number:
        of = self._pattern(tally.of)
        used = {name for term in tally.of.terms for name in term.variables}
        summed = None if tally.field is None else self.vocabulary.kinds[of.kind].index[tally.field]
        result = _sorted_out(tally.how, [FieldTest(1, tally.operator, tally.term, (), False)], self.known)
        return Number(f"{self.number}:{slot}", tally.how, of, summed, tuple(sorted(used & self.known)), result, slot)

    def _head(self, conclusion: Conclusion) -> tuple[str, tuple[Term, ...]]:
        kind = self.vocabulary.kinds[conclusion.kind]
        return kind.name, tuple(conclusion.terms[field.name] for field in kind.fields)


def _sorted_out(kind: str, checks: Iterable[FieldTest], shared: Collection[str]) -> Pattern:
    """A pattern of checks; a plain variable that is not shared wants nothing."""
    shares, literals, comparisons = [], [], []
    for check in checks:
        if check.literal:
            literals.append(check)
        elif check.operator != "=" or not (name := check.term.alone):
            comparisons.append(check)
        elif name in shared:
            shares.append((check.position, name))
    return Pattern(kind, tuple(shares), tuple(literals), tuple(comparisons))


def components(plans: Sequence[Plan]) -> list[list[Plan]]:
    """The rules in an order in which each finds all it reads complete; rules that feed each other stand together."""
    reach = _reach(plans)
    groups: dict[int, list[Plan]] = {}
    for plan in sorted(plans, key=lambda plan: -reach[plan.number].bit_count()):
        groups.setdefault(reach[plan.number], []).append(plan)
    return list(groups.values())


def _reach(plans: Sequence[Plan]) -> list[int]:
    """For each rule a bit for every rule that it feeds, itself and those far down the line included."""
    readers: dict[str, int] = {}
    for plan in plans:
        for kind in plan.kinds:
            readers[kind] = readers.get(kind, 0) | 1 << plan.number
    reach = [1 << plan.number for plan in plans]
    for plan in plans:
        for kind in concluded([plan]):
            reach[plan.number] |= readers.get(kind, 0)
    for by_way_of in range(len(plans)):
        bit, further = 1 << by_way_of, reach[by_way_of]
        reach = [own | further if own & bit else own for own in reach]
    return reach


def feeds_itself(plans: Sequence[Plan]) -> bool:
    """Whether the rules of a component read what they conclude."""
    return any(plan.kinds.intersection(concluded(plans)) for plan in plans)


def concluded(plans: Sequence[Plan]) -> frozenset[str]:
    """The kinds that these rules conclude."""
    return frozenset(kind for plan in plans for kind, _ in plan.heads)


def stages(plans: Sequence[Plan]) -> list[list[list[Plan]]]:
    """The components in as few stages as can be: whatever a rule reads is complete after the stages before its own,
    but for what its own component concludes."""
    of_kind: dict[str, int] = {}
    found: list[list[list[Plan]]] = []
    for component in components(plans):
        stage = max((of_kind.get(kind, 0) for plan in component for kind in plan.kinds), default=0)
        if stage == len(found):
            found.append([])
        found[stage].append(component)
        of_kind.update({kind: max(stage + 1, of_kind.get(kind, 0)) for kind in concluded(component)})
    return found
