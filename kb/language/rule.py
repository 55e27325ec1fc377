"""One rule: its conditions, its exceptions and its conclusions, as they are read and as they are checked and run.

Everything is immutable and carries its place in the YAML, so that a proof or an error can point at the line. The value
of a field is a literal, a list of them, ``$t``, ``> $t``, ``not $h`` or ``$t + 1``; ``$p.trick`` is what belongs to
``$p``, and stands for itself once ``belonging`` has completed the rule.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator
from collections.abc import Mapping as MappingType
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import Annotated, Any, ClassVar, Final, Literal, Self, TypeAlias, cast

from facts.errors import Faults, Place, did_you_mean
from facts.fact import Value
from facts.form import MEND_KEYS, AsItStands, Described, FileKey, FromFile, Names, Texts, demand_keys, refused
from facts.yaml_reader import Mapping, Node, Scalar, Sequence
from kb.language.cache import digest
from kb.language.terms import NO_TERM, Constant, Sum, Term, Variable

Operator: TypeAlias = Literal["=", "!=", "<", "<=", ">", ">="]
COMPARE: Final[MappingType[Operator, Callable[[Any, Any], bool]]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


@dataclass(frozen=True, slots=True)
class Test:
    """What a condition demands of one field: compared with a term, or one of several literals."""

    field: str
    operator: Operator
    term: Term
    place: Place
    among: tuple[Value, ...] = ()
    """Not empty: the field is one of these, and operator and term (``=`` and no value) say nothing."""

    __test__ = False  # not a pytest class

    @property
    def binds(self) -> str | None:
        """The variable that the field simply is: neither compared nor part of a sum."""
        return self.term.alone if self.operator == "=" else None

    @property
    def is_value(self) -> bool:
        """Whether it demands one value, as it stands there or as a variable."""
        return self.operator == "=" and not self.among and not isinstance(self.term, Sum)

    @property
    def exactly(self) -> str:
        """The one value that it demands, as it stands in the file; empty where there may be several."""
        return str(self.term) if self.operator == "=" and not self.among else ""

    @property
    def inclusive(self) -> tuple[Operator, int] | None:
        """«more than 1» as «at least 2», of a number that stands there; None where it cannot be said so."""
        if self.operator not in ("<", ">") or self.term.variables:
            return None
        number = self.term.value_in({})
        if not isinstance(number, int):
            return None
        return (">=", number + 1) if self.operator == ">" else ("<=", number - 1)

    @property
    def demand(self) -> str:
        """What is demanded, as it stands in the file."""
        if self.among:
            return f"[{', '.join(map(str, self.among))}]"
        return {"=": "", "!=": "not "}.get(self.operator, f"{self.operator} ") + str(self.term)

    @property
    def said(self) -> str:
        """What a digest is made of: neither places nor sentences matter."""
        return f"{self.field} {self.operator} {self.term!r} {self.among!r}"

    def __str__(self) -> str:
        """The test as it stands in the file."""
        return f"{self.field}: {self.demand}"


@dataclass(frozen=True, slots=True)
class Condition:
    """A fact of this kind that passes every test."""

    kind: str
    tests: tuple[Test, ...]
    place: Place

    @property
    def condition(self) -> Condition:
        """What says which facts are read, as of a tally."""
        return self

    @property
    def terms(self) -> Iterator[Term]:
        """The terms it compares fields with."""
        return (test.term for test in self.tests)

    def variable(self, field: str) -> str | None:
        """The variable that a field simply is."""
        return next((test.binds for test in self.tests if test.field == field), None)

    def gives(self, test: Test) -> bool:
        """Whether the test gives its variable a value: ``$p.hand`` only as the hand of what ``$p`` is."""
        owner, _, part = (test.binds or "").partition(".")
        return not part or (test.field == part and any(other.binds == owner for other in self.tests))

    @property
    def said(self) -> str:
        """What a digest is made of."""
        return f"{self.kind} {' '.join(test.said for test in self.tests)}"


@dataclass(frozen=True, slots=True)
class Tally:
    """``count`` or ``total`` over the facts that fit ``of``; 0 when none does."""

    how: Literal["count", "total"]
    of: Condition
    field: str | None
    """The integer field summed by ``total``; None for ``count``."""
    number: Test
    """What is demanded of the number; ``=`` and a variable found nowhere else binds it."""
    place: Place

    @property
    def condition(self) -> Condition:
        """What says which facts are read."""
        return self.of

    @property
    def terms(self) -> Iterator[Term]:
        """The terms it compares fields and its number with."""
        return chain(self.of.terms, [self.number.term])

    @property
    def said(self) -> str:
        """What a digest is made of."""
        return f"{self.how} {self.of.said} {self.field} {self.number.operator} {self.number.term!r}"


@dataclass(frozen=True, slots=True)
class Conclusion:
    """A fact to be concluded; every field of its kind has a term."""

    kind: str
    terms: MappingType[str, Term]
    place: Place
    places: MappingType[str, Place] = field(default_factory=dict, compare=False)
    """Where the value of each field stands."""

    def place_of(self, name: str) -> Place:
        """Where the value of a field stands, or else the conclusion."""
        return self.places.get(name, self.place)

    @property
    def said(self) -> str:
        """What a digest is made of."""
        return f"{self.kind} {sorted((name, repr(term)) for name, term in self.terms.items())}"


_COMPARED = re.compile(r"(<=|>=|<|>|not(?=\s))\s*(.*)", re.DOTALL)
_NAME = r"\$([A-Za-z][A-Za-z0-9_]*(?:\.[a-z][a-z0-9-]*)?)"
_VARIABLE = re.compile(_NAME)
_SUM = re.compile(rf"{_NAME}\s*\+\s*(?:{_NAME}|(\d{{1,15}}))")
_INTEGER = re.compile(r"-?(0|[1-9]\d{0,14})")
_FORMS = 'a value, a list of values, $t, "> $t", "not $h" or "$t + 1"'


def read_test(field: str, node: Node, faults: Faults) -> Test | None:
    """What a condition demands of a field; None, and a fault, when it cannot be read."""
    if isinstance(node, Sequence):
        values = _values(node, faults)
        return Test(field, "=", NO_TERM, node.place, values) if values else None
    if not isinstance(node, Scalar):
        faults.add(node.place, "a mapping stands where the value of a field belongs", f"write {_FORMS}")
        return None
    operator: Operator = "="
    rest: Value = node.value
    if isinstance(rest, str) and (compared := _COMPARED.fullmatch(rest.strip())):
        operator = "!=" if compared[1] == "not" else cast(Operator, compared[1])
        rest = compared[2]
        if _INTEGER.fullmatch(rest):
            rest = int(rest)
        elif rest in ("true", "false"):
            rest = rest == "true"
    term = _term(rest, node.place, faults)
    return None if term is None else Test(field, operator, term, node.place)


def _values(node: Sequence, faults: Faults) -> tuple[Value, ...]:
    """Those of a list."""
    values: list[Value] = []
    for item in node.items:
        text = item.value if isinstance(item, Scalar) and isinstance(item.value, str) else ""
        if not isinstance(item, Scalar) or "$" in text or _COMPARED.fullmatch(text):
            faults.add(item.place, "a list may hold values only", "take variables and comparisons out of it")
        elif item.value in values:
            faults.add(item.place, f"{item.value} stands twice in the list", "keep one of the two")
        else:
            values.append(item.value)
    if not node.items:
        mend = "write the values that are allowed, or leave the field out"
        faults.add(node.place, "the list is empty: no value can be in it", mend)
    return tuple(values)


def _term(value: Value, place: Place, faults: Faults) -> Term | None:
    if not isinstance(value, str):
        return None if value is None else Constant(value)
    text = value.strip()
    if variable := _VARIABLE.fullmatch(text):
        return Variable(variable[1])
    if match := _SUM.fullmatch(text):
        return Sum(Variable(match[1]), Variable(match[2]) if match[2] else Constant(int(match[3])))
    if "$" in text or text[:1] in ("<", ">", "=", "!"):
        faults.add(place, f"{text} is not a value that the rule language knows", f"write {_FORMS}")
        return None
    if text == "":
        faults.add(place, "the value is missing", f"write {_FORMS}")
        return None
    return Constant(text)


_TALLIES: Final = {
    how: {key: FileKey(key, AsItStands(), True) for key in keys}
    for how, keys in (("total", ("of", "field", "is")), ("count", ("of", "is")))
}
"""What is taken of all facts that fit, with the keys that each must have."""
_BESIDE: Final = ("unless", "then", "because")


def read_when(node: Node, faults: Faults) -> tuple[Condition | Tally, ...]:
    """The conditions that a list or a mapping holds."""
    conditions: list[Condition | Tally] = []
    for kind, key, value in _kinds(node, faults):
        if kind in _BESIDE:
            problem = f"{kind} stands beside when, and this is an item of it"
            faults.add(key, problem, f"put {kind}: below when:, in its column")
        elif kind in _TALLIES:
            conditions += _tally(cast(Literal["total", "count"], kind), key, value, faults)
        else:
            conditions.append(_condition(kind, key, value, faults))
    return tuple(conditions)


def read_unless(node: Node, faults: Faults) -> tuple[Condition, ...]:
    """The exceptions, which are conditions without tallies; an empty list is none at all."""
    if isinstance(node, Sequence) and not node.items:
        return ()
    return tuple(_condition(*item, faults) for item in _kinds(node, faults))


def _read_then(node: Node, faults: Faults) -> tuple[Conclusion, ...]:
    return tuple(_conclusion(*item, faults) for item in _kinds(node, faults))


Conditions: TypeAlias = Annotated[tuple[Condition | Tally, ...], Described("conditions", read_when)]
Exceptions: TypeAlias = Annotated[tuple[Condition, ...], Described("exceptions", read_unless)]
Conclusions: TypeAlias = Annotated[tuple[Conclusion, ...], Described("conclusions", _read_then)]


@dataclass(frozen=True)
class Rule(FromFile):
    """When every condition of ``when`` holds and none of ``unless``, conclude ``then``."""

    unstated: ClassVar[frozenset[str]] = frozenset({"id", "clause", "written"})

    place: Place
    when: Conditions
    then: Conclusions
    because: Texts
    """What is said at the table; ``{t}`` is the value of ``$t``."""
    unless: Exceptions = ()
    whole: bool = field(default=True, compare=False)
    """Whether all of it could be read: what else is missing in it says nothing otherwise."""
    id: str = ""
    """``7A1.1``: the clause and the number of the rule in it."""
    clause: str = ""
    written: Rule | None = field(default=None, compare=False)
    """The rule as it stands in the file, where this is one completed."""

    def texts(self) -> tuple[Texts, ...]:
        """All that is said of it."""
        return (self.because,)

    def reworded(self, change: Callable[[Texts], Texts]) -> Self:
        """The rule with its texts changed."""
        return replace(self, because=change(self.because))

    def numbered(self, clause: str, number: int) -> Self:
        """The rule, as it has been read, of this number in a clause."""
        whole = self.whole and bool(self.when and self.then)
        return replace(self, id=f"{clause}.{number}", clause=clause, whole=whole)

    def items(self) -> tuple[Condition | Tally, ...]:
        """All that it reads, in the order of the file."""
        return (*self.when, *self.unless)

    def conditions(self) -> Iterator[Condition]:
        """What says which facts are read, in the order of the file: what tallies count is among it."""
        return (item.condition for item in self.items())

    def terms(self) -> Iterator[Term]:
        """Every term, in the order of the file."""
        for item in self.items():
            yield from item.terms
        for conclusion in self.then:
            yield from conclusion.terms.values()

    @cached_property
    def wanted(self) -> tuple[Condition, ...]:
        """The conditions of ``when`` that want a fact each: all but tallies."""
        return tuple(item for item in self.when if isinstance(item, Condition))

    @property
    def tallies(self) -> tuple[Tally, ...]:
        """The conditions of ``when`` that want a number."""
        return tuple(item for item in self.when if isinstance(item, Tally))

    @property
    def said(self) -> Iterator[str]:
        """What a digest is made of, line by line."""
        yield f"rule {self.id} of {self.clause}"
        yield from (f"when {item.said}" for item in self.when)
        yield from (f"unless {item.said}" for item in self.unless)
        yield from (f"then {conclusion.said}" for conclusion in self.then)

    @cached_property
    def digest(self) -> str:
        """A short id of what it says."""
        return digest(self.said)


@dataclass(frozen=True)
class BareRule(Rule):
    """A rule of which nothing is said at the table."""

    unstated: ClassVar[frozenset[str]] = Rule.unstated | {"because"}

    because: Texts = field(default_factory=dict)


@dataclass(frozen=True)
class SpokenRule(BareRule):
    """A sentence or two that a director says to the players wherever its conditions hold; it concludes nothing."""

    unstated: ClassVar[frozenset[str]] = BareRule.unstated | {"then"}

    then: Conclusions = ()
    says: Texts = field(default_factory=dict)
    """Empty: it only gives the ruling its name."""
    head: Texts = field(default_factory=dict)
    """The ruling in a few words, if it is told by this; may be empty."""
    perhaps: bool = False
    """Whether it tells what is not certain but may be so: its conditions may be met by such facts, and one must be."""

    def texts(self) -> tuple[Texts, ...]:
        return (self.because, self.says, self.head)

    def reworded(self, change: Callable[[Texts], Texts]) -> Self:
        return replace(self, because=change(self.because), says=change(self.says), head=change(self.head))


@dataclass(frozen=True)
class SpokenRules(FromFile):
    """spoken.yaml: all that a director says, in the order in which he says it."""

    unspoken: Names = ()
    """Kinds of fact of which players are told nothing: what comes of them later is in the written ruling."""
    sayings: tuple[SpokenRule, ...] = ()

    @cached_property
    def kinds(self) -> frozenset[str]:
        """Kinds of fact of which it is settled what is said."""
        kinds = (item.kind for saying in self.sayings for item in saying.wanted)
        return frozenset(self.unspoken).union(kinds)


def _kinds(node: Node, faults: Faults) -> Iterator[tuple[str, Place, Node]]:
    """The kinds of fact that a list names, one in each item, or a mapping."""
    listed = isinstance(node, Sequence)
    for item in node.items if listed and node.items else (node,):
        if not isinstance(item, Mapping) or not item.entries:
            faults.add(item.place, "no kind of fact is named here", "write kind: {field: value}")
        elif listed and len(item.entries) > 1:
            second = list(item.keys.values())[1]
            faults.add(second, "two kinds stand in one item of the list", "begin each with a dash of its own")
        for kind, value in item.entries.items():
            yield kind, item.keys[kind], value


def _condition(name: str, place: Place, node: Node, faults: Faults) -> Condition:
    tests = [read_test(field, value, faults) for field, value in _fields(name, place, node, faults).items()]
    return Condition(name, tuple(filter(None, tests)), place)


def _conclusion(name: str, place: Place, node: Node, faults: Faults) -> Conclusion:
    terms: dict[str, Term] = {}
    places: dict[str, Place] = {}
    for name_of, value in _fields(name, place, node, faults).items():
        test = read_test(name_of, value, faults)
        if test and (test.among or test.operator != "="):
            faults.add(value.place, "a conclusion must give one value for a field", 'write a value, $t or "$t + 1"')
        elif test:
            terms[name_of], places[name_of] = test.term, value.place
    return Conclusion(name, terms, place, places)


def _fields(name: str, place: Place, node: Node, faults: Faults) -> dict[str, Node]:
    """What is said of the fields of a kind; a kind or a field that is not known leaves the rest readable."""
    kinds = faults.kinds
    if name in _TALLIES:
        faults.add(place, f"{name} cannot stand here", "name a kind of fact: a number is demanded under when alone")
        return {}
    if kinds is not None and name not in kinds:
        faults.aside(place, f"unknown kind {name}", did_you_mean(name, kinds))
    if not isinstance(node, Mapping):
        fields = ", ".join(kinds[name] if kinds is not None and name in kinds else ["field"])
        mend = f"write {name}: {{}} for any at all, or name fields ({fields})"
        faults.add(node.place, f"the fields of {name} are missing", mend)
    for key, key_place in node.keys.items():
        demand_field(name, key, key_place, faults)
    return node.entries


def demand_field(kind: str, name: str, place: Place, faults: Faults) -> None:
    """A fault where a kind that is known has no field of that name."""
    fields = None if faults.kinds is None else faults.kinds.get(kind)
    if fields is not None and name not in fields:
        faults.aside(place, f"{kind} has no field {name}", did_you_mean(name, fields))


def _tally(how: Literal["total", "count"], place: Place, node: Node, faults: Faults) -> Iterator[Tally]:
    if not isinstance(node, Mapping):
        faults.append(refused(node, MEND_KEYS))
        return
    demand_keys(_TALLIES[how], node, faults)
    entries = node.entries
    if "of" not in entries or "is" not in entries:
        return
    counted = [_condition(*item, faults) for item in _kinds(Sequence((entries["of"],), entries["of"].place), faults)]
    number = read_test("is", entries["is"], faults)
    if number and number.among:
        faults.add(number.place, "a number cannot be one of a list here", "write one value or a comparison")
    elif counted and number:
        field = entries.get("field") if how == "total" else None
        summed = str(field.value) if isinstance(field, Scalar) else "" if how == "total" else None
        if field is not None:
            demand_field(counted[0].kind, str(summed), field.place, faults)
        yield Tally(how, counted[0], summed, number, place)
