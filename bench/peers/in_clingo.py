"""The rules of a program in clingo: one rule of answer set programming for each conclusion."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import clingo

from bench.peers.plan import FieldTest, Number, Pattern, Plan, plans
from facts.fact import Fact, Value
from kb.engine.proof import Program
from kb.language.terms import Sum, Term, Variable


class Clingo:
    """A program text; every run grounds and solves it anew, since clingo forgets nothing."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.kinds = {name: f"k{number}" for number, name in enumerate(program.vocabulary.kinds)}
        self.names = {name: kind for kind, name in self.kinds.items()}
        self.words: dict[Value, clingo.Symbol] = {}
        read = (f"#external {self._anything(kind)} : #false." for kind in sorted(program.kinds))
        self.text = "\n".join([*read, *(rule for plan in plans(program) for rule in self._rules(plan))])

    def derive(self, facts: Iterable[Fact]) -> set[Fact]:
        """The facts that follow."""
        ground = [fact for fact in facts if fact[0] in self.program.kinds]
        control = clingo.Control(["--warn=none"])
        control.add("base", [], self.text)
        with control.backend() as backend:
            for fact in ground:
                symbol = clingo.Function(self.kinds[str(fact[0])], [self._symbol(value) for value in fact[1:]])
                backend.add_rule([backend.add_atom(symbol)])
        control.ground([("base", [])])
        found: set[Fact] = set()

        def on_model(model: clingo.Model) -> None:
            for symbol in model.symbols(atoms=True):
                if symbol.name in self.names:
                    found.add((self.names[symbol.name], *map(_value, symbol.arguments)))

        control.solve(on_model=on_model)
        return found - set(ground)

    def _symbol(self, value: Value) -> clingo.Symbol:
        key = (type(value), value)
        symbol = self.words.get(key)  # type: ignore[call-overload]
        if symbol is None:
            symbol = clingo.parse_term(_text(value))
            self.words[key] = symbol
        return symbol

    def _anything(self, kind: str) -> str:
        arguments = ",".join("0" for _ in self.program.vocabulary.kinds[kind].fields)
        return f"{self.kinds[kind]}({arguments})" if arguments else self.kinds[kind]

    def _rules(self, plan: Plan) -> Iterator[str]:
        body = []
        for number, pattern in enumerate(plan.patterns.values()):
            body += self._pattern(pattern, f"P{number}")
        for tally in plan.numbers:
            body += self._number(tally)
        for number, pattern in enumerate(plan.absent):
            atom, *tests = self._pattern(pattern, f"N{number}")
            fields = ", ".join(["0", *self._fields(pattern, f"N{number}")])
            body.append(f"#count {{ {fields} : {', '.join([atom, *tests])} }} = 0")
        for kind, terms in plan.heads:
            arguments = ",".join(map(_term, terms))
            head = f"{self.kinds[kind]}({arguments})" if arguments else self.kinds[kind]
            yield f"{head}{' :- ' if body else ''}{', '.join(body)}."

    def _fields(self, pattern: Pattern, own: str) -> list[str]:
        """A variable for each field: the rule's own where it is shared."""
        names: dict[int, str] = {position: _variable(name) for position, name in reversed(pattern.shares)}
        fields = range(1, len(self.program.vocabulary.kinds[pattern.kind].fields) + 1)
        return [names.get(at, f"{own}F{at}") for at in fields]

    def _pattern(self, pattern: Pattern, own: str) -> list[str]:
        """The atom, then its tests."""
        fields = self._fields(pattern, own)
        atom = f"{self.kinds[pattern.kind]}({','.join(fields)})" if fields else self.kinds[pattern.kind]
        checks = (*pattern.literals, *pattern.comparisons)
        return [atom, *(test for check in checks for test in _tests(check, fields[check.position - 1]))]

    def _number(self, number: Number) -> list[str]:
        own = f"T{number.slot}"
        atom, *tests = self._pattern(number.of, own)
        fields = self._fields(number.of, own)
        summed = "1" if number.summed is None else fields[number.summed - 1]
        result = f"R{number.slot}"
        tests_of_it = [f"{result} = {_variable(name)}" for _, name in number.result.shares]
        for check in (*number.result.literals, *number.result.comparisons):
            tests_of_it += _tests(check, result)
        return [f"{result} = #sum {{ {', '.join([summed, *fields])} : {', '.join([atom, *tests])} }}", *tests_of_it]


def _tests(check: FieldTest, value: str) -> list[str]:
    if check.among:
        return [f"{value} = ({'; '.join(map(_text, check.among))})"]
    unknown = [f"{value} != unknown"] if check.unknown and check.operator != "=" else []
    return [*unknown, f"{value} {check.operator} {_term(check.term)}"]


def _term(term: Term) -> str:
    if isinstance(term, Sum):
        return f"{_term(term.left)} + {_term(term.right)}"
    return _variable(term.name) if isinstance(term, Variable) else _text(term.value)


def _variable(name: str) -> str:
    return "V" + "".join(letter if letter.isalnum() else "_" for letter in name)


def _text(value: object) -> str:
    if value is None or isinstance(value, bool):
        return "unknown" if value is None else str(value).lower()
    return str(value) if isinstance(value, int) else '"' + str(value).replace("\\", "\\\\").replace('"', '\\"') + '"'


def _value(symbol: clingo.Symbol) -> Value:
    if symbol.type is clingo.SymbolType.Number:
        return symbol.number
    if symbol.type is clingo.SymbolType.String:
        return symbol.string
    return {"unknown": None, "true": True, "false": False}[symbol.name]
