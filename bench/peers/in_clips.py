"""The rules of a program in CLIPS: a defrule each, with the salience of its stratum: what it needs is settled."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import clips

from bench.peers.plan import FieldTest, Number, Pattern, Plan, plans
from facts.fact import Fact, Value
from kb.engine.proof import Program
from kb.language.terms import Constant, Sum, Term, Variable

OPERATORS = {"=": "eq", "!=": "neq", "<": "<", "<=": "<=", ">": ">", ">=": ">="}


class Clips:
    """One environment with the rules, emptied before each run."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.kinds = {name: f"k{number}" for number, name in enumerate(program.vocabulary.kinds)}
        self.environment = clips.Environment()
        for kind, name in self.kinds.items():
            fields = range(1, len(program.vocabulary.kinds[kind].fields) + 1)
            slots = "".join(f"(slot f{at} (default nil))" for at in fields)
            self.environment.build(f"(deftemplate {name} {slots})")
        of_rule = plans(program)
        for number, stratum in enumerate(program.strata):
            self.environment.build(_Rule(self, of_rule[number]).text(-stratum))
        self.templates = {kind: self.environment.find_template(name) for kind, name in self.kinds.items()}

    def derive(self, facts: Iterable[Fact]) -> set[Fact]:
        """The facts that follow."""
        self.environment.reset()
        ground = [fact for fact in facts if fact[0] in self.program.kinds]
        for fact in ground:
            self.templates[str(fact[0])].assert_fact(**{f"f{at}": _symbol(of) for at, of in enumerate(fact[1:], 1)})
        self.environment.run()
        found: set[Fact] = set()
        for kind in self.program.concluded:
            found.update((kind, *[_value(value) for _, value in fact]) for fact in self.templates[kind].facts())
        return found.difference(ground)


class _Rule:
    """One rule as a defrule."""

    def __init__(self, clips_: Clips, plan: Plan) -> None:
        self.clips = clips_
        self.plan = plan
        self.known: dict[str, str] = {}
        self.tests: list[str] = []
        """What can only be tested when a later condition has been met, or a number computed."""
        self.own = 0

    def text(self, salience: int) -> str:
        conditions = []
        for pattern in self.plan.patterns.values():
            conditions.append(self._pattern(pattern))
            self.known.update({name: f"?{name}" for _, name in pattern.shares})
        tests = list(self.tests)
        self.tests = []
        late = [test for test in tests if not self._ready(test)]
        early = [f"(test {self._comparison(*test)})" for test in tests if self._ready(test)]
        numbered = bool(self.plan.numbers)
        absent = [] if numbered else [f"(not {self._pattern(pattern, alone=True)})" for pattern in self.plan.absent]
        body = self._body(late) if numbered else " ".join(self._heads())
        head = f"(defrule r{self.plan.number} (declare (salience {salience}))"
        return f"{head} {' '.join([*conditions, *early, *absent])} => {body})"

    def _ready(self, test: tuple[str, str, Term]) -> bool:
        return all(name in self.known for name in test[2].variables)

    def _comparison(self, value: str, operator: str, term: Term) -> str:
        return f"({OPERATORS[operator]} {value} {self._term(term)})"

    def _term(self, term: Term) -> str:
        if isinstance(term, Variable):
            return self.known[term.name]
        if isinstance(term, Sum):
            return f"(+ {self._term(term.left)} {self._term(term.right)})"
        return _text(term.value)

    def _pattern(self, pattern: Pattern, alone: bool = False) -> str:
        """The pattern with all that can be tested within it; the rest waits, unless it stands ``alone`` under not."""
        slots: dict[int, list[str]] = {}
        own = {name: f"?{name}" for _, name in pattern.shares}
        for position, name in pattern.shares:
            slots.setdefault(position, []).append(f"?{name}")
        for check in (*pattern.literals, *pattern.comparisons):
            test = slots.setdefault(check.position, [])
            if check.among:
                test.append("|".join(map(_text, check.among)))
                continue
            if isinstance(check.term, Constant) and check.operator == "=":
                test.append(_text(check.term.value_in({})))
                continue
            self.own += 1
            value = f"?own{self.own}"
            test.insert(0, value)
            if check.unknown:
                test.append(f":(neq {value} nil)")
            known = {**self.known, **own}
            if all(name in known for name in check.term.variables) and (alone or self._in_order(check, pattern)):
                self.known, before = known, self.known
                test.append(f":{self._comparison(value, check.operator, check.term)}")
                self.known = before
            else:
                self.tests.append((value, check.operator, check.term))
        constraints = (f"(f{at} {'&'.join(test)})" for at, test in slots.items())
        return f"({self.clips.kinds[pattern.kind]} {' '.join(constraints)})"

    def _in_order(self, check: FieldTest, pattern: Pattern) -> bool:
        """Whether the term speaks of earlier fields only, as CLIPS needs it within one pattern."""
        later = {name for position, name in pattern.shares if position > check.position} - self.known.keys()
        return later.isdisjoint(check.term.variables)

    def _heads(self) -> Iterator[str]:
        for kind, terms in self.plan.heads:
            slots = " ".join(f"(f{at} {self._term(term)})" for at, term in enumerate(terms, 1))
            yield f"(assert ({self.clips.kinds[kind]} {slots}))"

    def _body(self, late: list[tuple[str, str, Term]]) -> str:
        """The numbers, then what depends on them, then the conclusions."""
        binds, tests = [], []
        for number in self.plan.numbers:
            name = f"?n{number.slot}"
            binds.append(self._number(number, name))
            self.known.update({variable: name for _, variable in number.result.shares if variable not in self.known})
            for _, variable in number.result.shares:
                tests.append(f"(eq {name} {self.known[variable]})")
            for check in (*number.result.literals, *number.result.comparisons):
                tests.append(self._comparison(name, check.operator, check.term))
        tests += [self._comparison(*test) for test in late]
        tests += [f"(not (any-factp {self._query(pattern)}))" for pattern in self.plan.absent]
        return f"{' '.join(binds)} (if (and TRUE {' '.join(tests)}) then {' '.join(self._heads())})"

    def _number(self, number: Number, name: str) -> str:
        add = "1" if number.summed is None else f"?fact:f{number.summed}"
        return f"(bind {name} 0) (do-for-all-facts {self._query(number.of)} (bind {name} (+ {name} {add})))"

    def _query(self, pattern: Pattern) -> str:
        own: dict[str, str] = {}
        tests = []
        for position, name in pattern.shares:
            value = f"?fact:f{position}"
            tests += [f"(eq {value} {self.known.get(name) or own[name]})"] if name in self.known or name in own else []
            own.setdefault(name, value)
        self.known, before = {**own, **self.known}, self.known
        for check in (*pattern.literals, *pattern.comparisons):
            value = f"?fact:f{check.position}"
            if check.among:
                tests.append(f"(or {' '.join(f'(eq {value} {_text(one)})' for one in check.among)})")
            else:
                tests += [f"(neq {value} nil)"] * check.unknown + [self._comparison(value, check.operator, check.term)]
        self.known = before
        return f"((?fact {self.clips.kinds[pattern.kind]})) (and TRUE {' '.join(tests)})"


def _symbol(value: Value) -> object:
    return clips.Symbol(_text(value)) if value is None or isinstance(value, bool) else value


def _text(value: object) -> str:
    if value is None or isinstance(value, bool):
        return "nil" if value is None else str(value).upper()
    if isinstance(value, int):
        return str(value)
    return '"' + str(value).replace("\\", "\\\\").replace('"', '\\"') + '"'


def _value(value: object) -> Value:
    if isinstance(value, clips.Symbol):
        return {"nil": None, "TRUE": True, "FALSE": False}[str(value)]
    return value  # type: ignore[return-value]
