"""Random stratified programs and facts that use the whole rule language."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from facts.errors import Place
from facts.fact import Fact, Value
from kb.language.rule import Conclusion, Condition, Rule, Tally, Test
from kb.language.terms import NO_TERM, Constant, Sum, Term, Variable
from kb.language.vocabulary import Field, Kind, Vocabulary

VALUES: dict[str, tuple[Value, ...]] = {
    "integer": (0, 1, 2, 3),
    "seat": ("N", "E", "S"),
    "yes-no": (True, False),
    "text": ("1", "true", 'a"b\\', "ä ♠", "", "a"),
    "card": ("SA", "H2"),
}
_LEVELS = 4
_OPERATORS = ("!=", "<", "<=", ">", ">=")


@dataclass
class RandomProgram:
    """A vocabulary whose kinds g… are ground and d… are derived (the first digit is the level), and rules."""

    vocabulary: Vocabulary
    rules: tuple[Rule, ...]


def random_program(random: Random) -> RandomProgram:
    """A program that has strata."""
    names = [f"g{n}" for n in range(random.randint(2, 4))]
    names += [f"d{level}-{n}" for level in range(1, _LEVELS) for n in range(random.randint(1, 2))]
    kinds = {name: _kind(random, name) for name in names}
    rules: list[Rule] = []
    for name in names:
        for _ in range(random.randint(1, 2) if name[0] == "d" else 0):
            rules.append(_RuleMaker(random, kinds, name, len(rules)).make())
    random.shuffle(rules)
    return RandomProgram(Vocabulary({}, kinds), tuple(rules))


def random_facts(random: Random, program: RandomProgram) -> list[Fact]:
    """A few facts of each ground kind, and now and then one of a derived kind."""
    facts: list[Fact] = []
    for kind in program.vocabulary.kinds.values():
        for _ in range(random.choice([0, 2, 3, 4, 5]) if kind.name[0] == "g" else random.random() < 0.1):
            values = [
                None if field.unknown and random.random() < 0.4 else random.choice(VALUES[field.type])
                for field in kind.fields
            ]
            facts.append((kind.name, *values))
    random.shuffle(facts)
    return facts


def _kind(random: Random, name: str) -> Kind:
    types = random.choices(["integer", "seat", "yes-no", "text"], [5, 3, 1, 1], k=random.randint(1, 3))
    fields = [Field(f"{of[0]}{number}", of) for number, of in enumerate(types)]
    if random.random() < 0.3:
        fields.append(Field("card", "card", unknown=True))
    return Kind(name, tuple(fields), {"en": name}, Place("vocabulary", 1))


class _RuleMaker:
    """Makes one rule for a kind."""

    def __init__(self, random: Random, kinds: dict[str, Kind], head: str, number: int) -> None:
        self.random = random
        self.kinds = kinds
        self.head = head
        self.place = Place("rules", number + 1)
        self.level = _level(head)
        below = [name for name in kinds if _level(name) < self.level]
        self.below = below
        self.readable = below * 2 + [name for name in kinds if _level(name) == self.level]
        self.bound: dict[str, str] = {}
        """Variable -> type."""
        self.shown: str | None = None

    def make(self) -> Rule:
        """A rule all of whose variables have values."""
        chance = self.random.random
        chosen = [self.random.choice(self.readable) for _ in range(self.random.choice([1, 2, 2, 2, 3, 3]))]
        if chance() < 0.04:
            chosen = []
        drafts = [(name, self._plain_tests(name)) for name in chosen]
        numbers = [f"n{i}" for i in range(2) if chance() < 0.2]
        bound = dict(self.bound)
        self.bound.update(dict.fromkeys(numbers, "integer"))
        when: list[Condition | Tally] = [self._condition(name, tests) for name, tests in drafts]
        for name in numbers:
            self.bound = {**bound, **{other: "integer" for other in numbers if other < name}}
            when.append(self._tally("=", Variable(name)))
        self.bound = bound
        if chance() < 0.1:
            when.append(self._tally(self.random.choice(["=", *_OPERATORS]), self._integer()))
        self.bound = {**bound, **dict.fromkeys(numbers, "integer")}
        self.random.shuffle(when)
        recursive = any(_level(name) == self.level for name in chosen)
        if not when:
            when.append(self._tally("<", Constant(9)))
        if recursive and chance() < 0.3:
            when.append(self._bounded())
        unless = [self._item() for _ in range(self.random.choice([0, 0, 1, 1, 2]))]
        heads = [self.head]
        if chance() < 0.2:
            heads.append(self.random.choice([name for name in self.kinds if _level(name) == self.level]))
        then = tuple(self._conclusion(name, recursive) for name in heads)
        name = f"r{self.place.line}"
        return Rule(self.place, tuple(when), then, {"en": name}, tuple(unless), id=name, clause=name)

    def _plain_tests(self, name: str) -> dict[str, Test]:
        """Variables and literals on some fields."""
        tests: dict[str, Test] = {}
        for field in self.kinds[name].fields:
            chance = self.random.random()
            if field.unknown and chance < 0.4 and self.shown is None:
                self.shown = "card"
                tests[field.name] = Test(field.name, "=", Variable("card"), self.place)
            elif field.unknown and chance < 0.7:
                tests[field.name] = self._literal(field)
            elif not field.unknown and chance < 0.55:
                variable = f"{field.type[0]}{self.random.randint(0, 1 if field.type != 'integer' else 2)}"
                self.bound[variable] = field.type
                tests[field.name] = Test(field.name, "=", Variable(variable), self.place)
            elif not field.unknown and chance < 0.62:
                tests[field.name] = self._literal(field)
        return tests

    def _literal(self, field: Field) -> Test:
        values = VALUES[field.type]
        if self.random.random() < 0.4:
            return Test(field.name, "=", NO_TERM, self.place, tuple(self.random.sample(values, 2)))
        operators = ["=", "=", "!=", *(_OPERATORS if field.type == "integer" else ())]
        return Test(field.name, self.random.choice(operators), Constant(self.random.choice(values)), self.place)

    def _condition(self, name: str, tests: dict[str, Test]) -> Condition:
        """The tests, and comparisons with variables that any condition gives a value."""
        tests = dict(tests)
        for field in self.kinds[name].fields:
            if not field.unknown and field.name not in tests and self.random.random() < 0.35:
                tests[field.name] = self._comparison(field)
        order = list(tests.values())
        self.random.shuffle(order)
        return Condition(name, tuple(order), self.place)

    def _comparison(self, field: Field) -> Test:
        if field.type == "integer":
            term = self._integer()
            operators = ["=", *_OPERATORS] if isinstance(term, Sum) else list(_OPERATORS)
            return Test(field.name, self.random.choice(operators), term, self.place)
        variables = [name for name, of in self.bound.items() if of == field.type]
        if not variables:
            return self._literal(field)
        return Test(field.name, "!=", Variable(self.random.choice(variables)), self.place)

    def _integer(self) -> Term:
        """A literal, a variable or a sum."""
        names = [name for name, of in self.bound.items() if of == "integer"]
        if not names or self.random.random() < 0.15:
            return Constant(self.random.choice(VALUES["integer"]))
        variable = Variable(self.random.choice(names))
        match self.random.randint(0, 3):
            case 0:
                return Sum(variable, Constant(self.random.choice([-1, 1, 2])))
            case 1:
                return Sum(variable, Variable(self.random.choice(names)))
        return variable

    def _item(self) -> Condition:
        """An item of ``unless``, or what a tally counts: outer variables, and some of its own."""
        name = self.random.choice(self.below)
        tests: dict[str, Test] = {}
        for field in self.kinds[name].fields:
            chance = self.random.random()
            outer = [variable for variable, of in self.bound.items() if of == field.type]
            if field.unknown:
                if chance < 0.4:
                    tests[field.name] = self._literal(field)
            elif chance < 0.45 and outer:
                tests[field.name] = Test(field.name, "=", Variable(self.random.choice(outer)), self.place)
            elif chance < 0.6:
                tests[field.name] = Test(field.name, "=", Variable(f"own-{field.type}"), self.place)
            elif chance < 0.8:
                tests[field.name] = self._comparison(field)
        return Condition(name, tuple(tests.values()), self.place)

    def _tally(self, operator: str, term: Term) -> Tally:
        of = self._item()
        number = Test("is", operator, term, self.place)
        integers = [field.name for field in self.kinds[of.kind].fields if field.type == "integer"]
        if integers and self.random.random() < 0.5:
            return Tally("total", of, self.random.choice(integers), number, self.place)
        return Tally("count", of, None, number, self.place)

    def _bounded(self) -> Condition:
        """A condition that gives ``$small`` a value no greater than a ground integer, so that a sum may be fed back."""
        for name in self.below:
            for field in self.kinds[name].fields:
                for variable, of in self.bound.items():
                    if name[0] == "g" and field.type == of == "integer" and variable[0] == "i":
                        self.small = variable
                        return Condition(name, (Test(field.name, ">", Variable(variable), self.place),), self.place)
        return Condition(self.below[0], (), self.place)

    small: str | None = None

    def _conclusion(self, name: str, recursive: bool) -> Conclusion:
        terms = {field.name: self._term(field, recursive) for field in self.kinds[name].fields}
        return Conclusion(name, terms, self.place)

    def _term(self, field: Field, recursive: bool) -> Term:
        if field.unknown:
            return Variable(self.shown) if self.shown else Constant(self.random.choice(VALUES["card"]))
        names = [name for name, of in self.bound.items() if of == field.type]
        if not names or self.random.random() < 0.2:
            return Constant(self.random.choice(VALUES[field.type]))
        if field.type == "integer" and not recursive and self.random.random() < 0.3:
            return Sum(
                Variable(self.random.choice(names)), self.random.choice([Constant(1), Constant(-1), Variable(names[0])])
            )
        if field.type == "integer" and self.small and self.random.random() < 0.7:
            return Sum(Variable(self.small), Constant(1))
        return Variable(self.random.choice(names))


def _level(name: str) -> int:
    return 0 if name[0] == "g" else int(name[1])
