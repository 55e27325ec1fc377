"""A rule in the JSON of durable-rules, inside the narrow subset in which its C engine is exact.

* Every pattern starts with its kind as the name of a property, holds one test in each object, and ends in that kind
  again if it joins: a join that stands last reads past the end of the engine's memory.
* A rule with an ``unless`` starts with the receipt that ends the first batch: all it may not find is there by then.
* ``dist: 0``: one fact may stand for two conditions. Never ``any``, ``$or``, ``$div``, retraction or ``pri``.
* Lists of values and fields that may be unknown are tested in Python and become properties: the C engine takes
  1, "1" and true for equal. So a field only ever holds values of one type.
* It has no ``count`` or ``total``: of a rule with one it finds the facts for the other conditions, no more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from operator import itemgetter
from typing import Any, TypeAlias

from facts.errors import EngineError
from facts.form import NOWHERE
from kb.engine.bounds import LARGEST
from kb.language.rule import Operator, Rule, Test
from kb.language.terms import Sum, Term, Variable
from kb.language.vocabulary import Vocabulary

RuleJson: TypeAlias = Any
Flags: TypeAlias = dict[tuple[str, Test], str]
"""Kind and test made in Python -> property of a fact that passes."""
_Ref: TypeAlias = tuple[int, int]
"""A field: the number of the pattern in its rule, and the position."""
_Homes: TypeAlias = Mapping[str, _Ref]
"""Where each variable gets its value."""
_Ranked: TypeAlias = tuple[int, RuleJson]

RECEIPT = "end"
"""The property of the receipts that stand last in each batch of facts, 1 in the first batch, then 2."""
MOST_OF_A_KIND = 56
"""Patterns on one kind in one ruleset; the C engine gives up at 64."""
MOST_AT_RECEIPT = 250
"""Rules of one ruleset that start with the receipt; from 256 on it fires wrongly."""
MOST_KINDS = 400
"""First tests in one ruleset; from 511 on the C engine hangs."""
_NATIVE = {"!=": "$neq", "<": "$lt", "<=": "$lte", ">": "$gt", ">=": "$gte"}
_TURNED: dict[Operator, Operator] = {"=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


def rulesets(rules: Iterable[NativeRule]) -> Iterator[list[NativeRule]]:
    """The rules in as few rulesets as the limits of the C engine allow."""
    chosen: list[NativeRule] = []
    for rule in rules:
        more = [*chosen, rule]
        of_kind = Counter(item.kind for native in more for item in native.items)
        too_many = max(of_kind.values(), default=0) > MOST_OF_A_KIND or len(of_kind) > MOST_KINDS
        if chosen and (too_many or sum(native.waits for native in more) > MOST_AT_RECEIPT):
            yield chosen
            more = [rule]
        chosen = more
    yield chosen


class NativeRule:
    """One rule of a ruleset.

    A comparison stands with the last pattern it speaks of, turned round if need be, since the C engine only looks back.
    """

    def __init__(self, vocabulary: Vocabulary, rule: Rule, number: int, flags: Flags) -> None:
        """``number``: its own in the program; ``flags``: those known of other rules, to which its own are added."""
        self.rule, self.number = rule, number
        absent = () if rule.tallies else rule.unless  # which may ask for the number
        self.items = [*rule.wanted, *absent]
        """The condition behind each pattern, absences last."""
        self.waits = bool(absent or not rule.wanted)
        """Whether it starts with the first receipt."""
        self.fields: set[tuple[str, int]] = set()
        """Kind and position of each field that a pattern reads."""
        wanted = len(rule.wanted)
        self.labels = [f"p{place}" for place in range(wanted)] + [f"n{place}$not" for place in range(len(absent))]
        self._kinds = [vocabulary.kinds[item.kind] for item in self.items]
        self._constants: list[list[RuleJson]] = [[] for _ in self.items]
        self._joins: list[list[_Ranked]] = [[] for _ in self.items]
        self.homes = homes = self._homes(range(wanted), {})
        """Where each variable of its conditions gets its value."""
        for place, item in enumerate(self.items):
            own_homes = homes if place < wanted else self._homes([place], homes)  # those of an absence are its own
            for test in item.tests:
                self._translate(place, test, own_homes, flags)
        patterns = [{"g": {"$and": [{RECEIPT: 1}]}}] if self.waits else []
        for label, item, constants, joins in zip(self.labels, self.items, self._constants, self._joins, strict=True):
            kind = {marked(item.kind): 1}
            tests: list[RuleJson] = [kind, *constants, *(json for _, json in sorted(joins, key=itemgetter(0)))]
            if joins:
                tests.append({"$and": [kind]})
            patterns.append({label: {"$and": tests}})
        self.json: RuleJson = {"dist": 0, "all": patterns}

    def _homes(self, places: Iterable[int], outer: _Homes) -> _Homes:
        """Where each variable gets its value: in the first field that simply is it."""
        homes = dict(outer)
        for place in places:
            for test in self.items[place].tests:
                if name := test.binds:
                    homes.setdefault(name, (place, self._kinds[place].index[test.field]))
        return homes

    def _translate(self, place: int, test: Test, homes: _Homes, flags: Flags) -> None:
        kind = self._kinds[place]
        subject = place, kind.index[test.field]
        refs = [homes[name] for name in test.term.variables if name in homes]
        if test.among or (not test.term.variables and kind.field_named(test.field).unknown):
            flag = kind.name, replace(test, place=NOWHERE)
            self._constants[place].append({flags.setdefault(flag, f"c{len(flags)}"): 1})
        elif not test.term.variables:
            compared = {self._read(subject): native_value(test.term.value_in({}))}
            self._constants[place].append(compared if test.operator == "=" else {_NATIVE[test.operator]: compared})
        elif test.binds:
            if refs != [subject]:
                self._test(subject, "=", refs, self._operand(refs[0], place))
        elif len(refs) == len(test.term.variables):  # else it asks for a number
            self._compare(subject, test, refs, homes)

    def _compare(self, subject: _Ref, test: Test, refs: list[_Ref], homes: _Homes) -> None:
        """``subject operator term``, or the same said of the last pattern that the term speaks of."""
        here = max([subject, *refs])[0]
        if here == subject[0]:
            self._test(subject, test.operator, refs, self._term(test.term, homes, here))
            return
        last = [ref for ref in refs if ref[0] == here][0]
        others = [subject, *refs]
        others.remove(last)
        value = self._operand(subject, here)
        if isinstance(test.term, Sum):
            rest = test.term.right if homes[test.term.left.name] == last else test.term.left
            value = {"$sub": {"$l": value, "$r": self._term(rest, homes, here)}}
        self._test(last, _TURNED[test.operator], others, value)

    def _test(self, subject: _Ref, operator: Operator, others: Iterable[_Ref], value: RuleJson) -> None:
        """Adds a test: those within one fact first, then unequal joins, then equal ones.

        An equal join is looked up by hash before there is a fact, so it must not speak of that fact: it becomes two.
        """
        joins, compared = self._joins[subject[0]], {self._read(subject): value}
        same_fact = [ref[0] == subject[0] for ref in others]
        if operator != "=":
            joins.append((0 if all(same_fact) else 1, {_NATIVE[operator]: compared}))
        elif any(same_fact) and not all(same_fact):
            joins += [(1, {"$lte": compared}), (1, {"$gte": compared})]
        else:
            joins.append((0 if all(same_fact) else 2, compared))

    def _term(self, term: Term, homes: _Homes, here: int) -> RuleJson:
        if isinstance(term, Variable):
            return self._operand(homes[term.name], here)
        if isinstance(term, Sum):
            return {"$add": {"$l": self._term(term.left, homes, here), "$r": self._term(term.right, homes, here)}}
        return term.value

    def _operand(self, ref: _Ref, here: int) -> RuleJson:
        return {"$m" if ref[0] == here else self.labels[ref[0]]: self._read(ref)}

    def _read(self, ref: _Ref) -> str:
        """The property that holds a field."""
        place, position = ref
        self.fields.add((self.items[place].kind, position))
        return f"f{position}"


def marked(kind: str) -> str:
    """The property that marks facts of a kind."""
    return f"k-{kind}"


def native_value(value: object) -> str | int:
    """A value as the C engine gets it: yes and no as 1 and 0, unknown (never compared there) as a word of its own."""
    if value is None:
        return "\ue000"
    if isinstance(value, int):
        if abs(value) > LARGEST:
            raise EngineError(f"{value} is beyond what durable-rules can hold")
        return int(value)
    return str(value)
