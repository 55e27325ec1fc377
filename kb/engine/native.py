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
from dataclasses import replace
from itertools import chain
from operator import itemgetter
from typing import Any, Literal, TypeAlias

from facts.errors import EngineError
from facts.fact import Fact
from facts.form import NOWHERE
from kb.engine.bounds import LARGEST
from kb.engine.proof import Program
from kb.engine.sets import asked, components, numbered
from kb.language.rule import Condition, Operator, Rule, Tally, Test
from kb.language.strata import bound
from kb.language.terms import Sum, Term, Variable


def concluded(rules: Iterable[Rule]) -> frozenset[str]:
    """The kinds that these rules conclude."""
    return frozenset(then.kind for rule in rules for then in rule.then)


def stages(rules: Sequence[Rule]) -> list[list[list[int]]]:
    """The numbers of the rules in as few stages as can be, those of a circle together: whatever a rule reads is
    complete after the stages before its own, but for what its own circle concludes."""
    of_kind: dict[str, int] = {}
    found: list[list[list[int]]] = []
    for component in components(rules):
        some = [rules[number] for number in component]
        stage = max((of_kind.get(one.kind, 0) for rule in some for one in rule.conditions()), default=0)
        if stage == len(found):
            found.append([])
        found[stage].append(component)
        of_kind.update({kind: max(stage + 1, of_kind.get(kind, 0)) for kind in concluded(some)})
    return found


Json: TypeAlias = Any
Task: TypeAlias = Literal["conclude", "ask", "count"]
_Ref: TypeAlias = tuple[int, int]
"""A field: the number of the pattern in its rule, and the position."""
_Homes: TypeAlias = Mapping[str, _Ref]
"""Where each variable gets its value."""
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
        self.program = program
        kinds = program.vocabulary.kinds.values()
        self.index: dict[str, Mapping[str, int]] = {kind.name: kind.index for kind in kinds}
        """Kind, hidden ones too -> the positions of its fields."""
        self.unknown = {(kind.name, field.name) for kind in kinds for field in kind.fields if field.unknown}
        """Kind and name of each field that may be unknown."""
        self.tallies: dict[str, Tally] = {}
        """Kind of the hidden facts that ask for a number -> what is asked."""
        self.kinds: dict[str, str] = {}
        """Kind -> property that marks its facts."""
        self.flags: dict[tuple[str, Test], str] = {}
        """Kind and test made in Python -> property of a fact that passes."""
        self._rules: dict[int, tuple[NativeRule, ...]] = {}

    def rules(self, number: int) -> tuple[NativeRule, ...]:
        """The native rules that a rule becomes; made when first asked for."""
        if number not in self._rules:
            self._rules[number] = tuple(self._of(number))
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

    def _of(self, number: int) -> Iterator[NativeRule]:
        """A rule is one native rule; each number it asks for adds two, and a condition on the fact that answers."""
        rule = self.program.rules[number]
        wanted = {slot: item for slot, item in enumerate(rule.when) if isinstance(item, Condition)}
        for slot, tally in numbered(rule):
            key = [Variable(name) for name in sorted(asked(tally) & bound(rule).keys())]
            answer = f"{number}:{slot}"
            question = f"{answer}?"
            self.tallies[question] = tally
            self.index[question] = {str(one): at for at, one in enumerate(key, 1)}
            self.index[answer] = {tally.number.field: 1, **{str(one): at for at, one in enumerate(key, 2)}}
            of_key = [Test(str(one), "=", one, NOWHERE) for one in key]
            asks = Condition(question, tuple(of_key), NOWHERE)
            yield NativeRule(self, number, "ask", answer, _in_order(wanted), [(question, key)])
            yield NativeRule(self, number, "count", f"{answer}:of", [asks, tally.of], [])
            wanted[slot] = Condition(answer, (tally.number, *of_key), NOWHERE)
        heads = [(then.kind, [then.terms[name] for name in self.index[then.kind]]) for then in rule.then]
        yield NativeRule(self, number, "conclude", str(number), _in_order(wanted), heads, rule.unless)


def _in_order(wanted: Mapping[int, Condition]) -> list[Condition]:
    return [wanted[slot] for slot in sorted(wanted)]


def _fits(rules: Collection[NativeRule]) -> bool:
    """Whether these rules may stand in one ruleset."""
    of_kind = Counter(item.kind for rule in rules for item in rule.items)
    most = max(of_kind.values(), default=0)
    return most <= MOST_OF_A_KIND and len(of_kind) <= MOST_KINDS and sum(rule.waits for rule in rules) <= MOST_WAITING


class NativeRule:
    """One rule of a ruleset.

    A comparison stands with the last pattern it speaks of, turned round if need be, since the C engine only looks back.
    """

    def __init__(
        self,
        native: Native,
        number: int,
        task: Task,
        name: str,
        wanted: Sequence[Condition],
        heads: Sequence[tuple[str, Sequence[Term]]],
        absent: Sequence[Condition] = (),
    ) -> None:
        """``number``: that of the rule it is made of; ``task``: what its firings are for: to conclude, to ask for a
        number, or to find the facts to be counted for it; ``name``: its own in the ruleset; ``heads``: kind and terms
        of each fact that it gives."""
        self.number, self.task, self.name = number, task, name
        self.items = [*wanted, *absent]
        """The condition behind each pattern, absences last."""
        self.waits = bool(absent or task == "ask" or not wanted)
        """Whether it starts with the first receipt."""
        self.fields: set[tuple[str, int]] = set()
        """Kind and position of each field that a pattern reads."""
        self.flags: set[tuple[str, Test]] = set()
        """Kind and test of each that is made in Python."""
        self.labels = [f"p{place}" for place in range(len(wanted))] + [f"n{place}$not" for place in range(len(absent))]
        self._index = [native.index[item.kind] for item in self.items]
        self._constants: list[list[Json]] = [[] for _ in self.items]
        self._joins: list[list[_Ranked]] = [[] for _ in self.items]
        homes = self._homes(range(len(wanted)), {})
        for place, item in enumerate(self.items):
            own = homes if place < len(wanted) else self._homes([place], homes)  # those of an absence are its own
            for test in item.tests:
                self._translate(native, place, test, own)
        patterns = [{"g": {"$and": [{RECEIPT: 1}]}}] if self.waits else []
        for label, item, constants, joins in zip(self.labels, self.items, self._constants, self._joins, strict=True):
            kind = {native.kinds.setdefault(item.kind, f"k{len(native.kinds)}"): 1}
            tests: list[Json] = [kind, *constants, *(json for _, json in sorted(joins, key=itemgetter(0)))]
            if joins:
                tests.append({"$and": [kind]})
            patterns.append({label: {"$and": tests}})
        self.json: Json = {"dist": 0, "all": patterns}
        self._values = [(kind, [_value(term, homes) for term in terms]) for kind, terms in heads]

    def facts(self, found: Found) -> Iterator[Fact]:
        """What a firing concludes, or asks."""
        return ((kind, *[value(found) for value in values]) for kind, values in self._values)

    def _homes(self, places: Iterable[int], before: _Homes) -> _Homes:
        """Where each variable gets its value: in the first field that simply is it."""
        homes = dict(before)
        for place in places:
            for test in self.items[place].tests:
                if name := test.binds:
                    homes.setdefault(name, (place, self._index[place][test.field]))
        return homes

    def _translate(self, native: Native, place: int, test: Test, homes: _Homes) -> None:
        kind, subject = self.items[place].kind, (place, self._index[place][test.field])
        refs = [homes[name] for name in test.term.variables if name in homes]
        if test.among or (not test.term.variables and (kind, test.field) in native.unknown):
            flag = kind, replace(test, place=NOWHERE)
            self.flags.add(flag)
            self._constants[place].append({native.flags.setdefault(flag, f"c{len(native.flags)}"): 1})
        elif not test.term.variables:
            compared = {self._read(subject): native_value(test.term.value_in({}))}
            self._constants[place].append(compared if test.operator == "=" else {_NATIVE[test.operator]: compared})
        elif test.binds:
            if refs != [subject]:
                self._test(subject, "=", refs, self._operand(refs[0], place))
        elif len(refs) == len(test.term.variables):  # else it waits for a number that is still asked for
            self._compare(subject, test, refs, homes)

    def _compare(self, subject: _Ref, test: Test, refs: list[_Ref], homes: _Homes) -> None:
        """``subject operator term``, or the same said of the last pattern that the term speaks of."""
        here = max([subject, *refs])[0]
        if here == subject[0]:
            self._test(subject, test.operator, refs, self._term(test.term, homes, here))
            return
        last = next(ref for ref in refs if ref[0] == here)
        others = [subject, *refs]
        others.remove(last)
        value = self._operand(subject, here)
        if isinstance(test.term, Sum):
            rest = test.term.right if homes[test.term.left.name] == last else test.term.left
            value = {"$sub": {"$l": value, "$r": self._term(rest, homes, here)}}
        self._test(last, _TURNED[test.operator], others, value)

    def _test(self, subject: _Ref, operator: Operator, others: Iterable[_Ref], value: Json) -> None:
        """Adds a test: those within one fact first, then unequal joins, then equal ones.

        An equal join is looked up by hash before there is a fact, so it must not speak of that fact: it becomes two.
        """
        joins, compared = self._joins[subject[0]], {self._read(subject): value}
        own = [other[0] == subject[0] for other in others]
        if operator != "=":
            joins.append((0 if all(own) else 1, {_NATIVE[operator]: compared}))
        elif any(own) and not all(own):
            joins += [(1, {"$lte": compared}), (1, {"$gte": compared})]
        else:
            joins.append((0 if all(own) else 2, compared))

    def _term(self, term: Term, homes: _Homes, here: int) -> Json:
        if isinstance(term, Variable):
            return self._operand(homes[term.name], here)
        if isinstance(term, Sum):
            return {"$add": {"$l": self._term(term.left, homes, here), "$r": self._term(term.right, homes, here)}}
        return term.value

    def _operand(self, ref: _Ref, here: int) -> Json:
        return {"$m" if ref[0] == here else self.labels[ref[0]]: self._read(ref)}

    def _read(self, ref: _Ref) -> str:
        """The property that holds a field."""
        place, position = ref
        self.fields.add((self.items[place].kind, position))
        return f"f{position}"


def _value(term: Term, homes: _Homes) -> Callable[[Found], Any]:
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
