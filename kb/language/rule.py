"""Reading one rule: its conditions, its exceptions and its conclusions.

The value of a field is a literal, a list of them, ``$t``, ``> $t``, ``not $h`` or ``$t + 1``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, cast

from facts.errors import Faults, Place
from facts.fact import Value
from facts.form import cannot_stand
from facts.suggestions import did_you_mean
from facts.yaml_reader import Mapping, Node, Scalar, Sequence
from kb.language.model import Conclusion, Condition, Operator, Rule, Tally, Test
from kb.language.terms import NOTHING, Constant, Sum, Term, Variable
from kb.language.vocabulary import Kind, Vocabulary

_COMPARED = re.compile(r"(<=|>=|<|>|not(?=\s))\s*(.*)", re.DOTALL)
_NAME = r"\$([A-Za-z][A-Za-z0-9_]*)"
_VARIABLE = re.compile(_NAME)
_SUM = re.compile(rf"{_NAME}\s*\+\s*(?:{_NAME}|(\d{{1,15}}))")
_INTEGER = re.compile(r"-?(0|[1-9]\d{0,14})")
_FORMS = 'a value, a list of values, $t, "> $t", "not $h" or "$t + 1"'


@dataclass(frozen=True, slots=True)
class Written:
    """The value of a field, read without regard to what kind of fact it belongs to."""

    operator: Operator
    term: Term
    among: tuple[Value, ...]
    place: Place


def read_test(node: Node, faults: Faults) -> Written | None:
    """What a condition demands of a field; None, and a fault, when it cannot be read."""
    if isinstance(node, Sequence):
        return _one_of(node, faults)
    if not isinstance(node, Scalar):
        faults.add(node.place, "a mapping stands where the value of a field belongs", f"write {_FORMS}")
        return None
    operator: Operator = "="
    rest: Value = node.value
    if isinstance(rest, str) and (compared := _COMPARED.fullmatch(rest.strip())):
        operator = "!=" if compared[1] == "not" else cast(Operator, compared[1])
        rest = _bare(compared[2])
    term = _term(rest, node.place, faults)
    return None if term is None else Written(operator, term, (), node.place)


def read_term(node: Node, faults: Faults) -> Term | None:
    """What a conclusion gives a field; None, and a fault, when it cannot be read."""
    if isinstance(node, Scalar) and isinstance(node.value, str) and _COMPARED.fullmatch(node.value.strip()):
        what = f"{node.value} compares, but a conclusion must give one value"
        faults.add(node.place, what, 'write a value, $t or "$t + 1"')
        return None
    if not isinstance(node, Scalar):
        faults.add(node.place, "a conclusion must give one value for a field", 'write a value, $t or "$t + 1"')
        return None
    return _term(node.value, node.place, faults)


def _one_of(node: Sequence, faults: Faults) -> Written | None:
    values: list[Value] = []
    for item in node.items:
        if not isinstance(item, Scalar) or (isinstance(item.value, str) and _looks_like_term(item.value)):
            faults.add(item.place, "a list may hold values only", "take variables and comparisons out of it")
        elif item.value in values:
            faults.add(item.place, f"{item.value} stands twice in the list", "keep one of the two")
        else:
            values.append(item.value)
    if not node.items:
        mend = "write the values that are allowed, or leave the field out"
        faults.add(node.place, "the list is empty: no value can be in it", mend)
    return Written("=", NOTHING, tuple(values), node.place) if values else None


def _looks_like_term(text: str) -> bool:
    return "$" in text or _COMPARED.fullmatch(text) is not None


def _bare(text: str) -> Value:
    if _INTEGER.fullmatch(text):
        return int(text)
    return text == "true" if text in ("true", "false") else text


def _term(value: Value, place: Place, faults: Faults) -> Term | None:
    if not isinstance(value, str):
        return None if value is None else Constant(value)
    text = value.strip()
    if variable := _VARIABLE.fullmatch(text):
        return Variable(variable[1])
    if found := _SUM.fullmatch(text):
        return Sum(Variable(found[1]), Variable(found[2]) if found[2] else Constant(int(found[3])))
    if "$" in text or text[:1] in ("<", ">", "=", "!"):
        faults.add(place, f"{text} is not a value that the rule language knows", f"write {_FORMS}")
        return None
    if text == "":
        faults.add(place, "the value is missing", f"write {_FORMS}")
        return None
    return Constant(text)


if TYPE_CHECKING:
    from kb.language.forms import BareRuleForm, RuleForm  # a ruling reads conditions of the table, and no file

_TALLIES = ("total", "count")


@dataclass
class RuleReader:
    """Reads rules against a vocabulary and gathers what is wrong with them."""

    vocabulary: Vocabulary
    faults: Faults
    unread: set[Place] = field(default_factory=set)
    """The rules of which something could not be read, so that what else is missing in them says nothing."""

    def read(self, form: RuleForm, clause: str, number: int) -> Rule:
        """The rule of a file, the ``number``-th of its clause."""
        rule = self.bare(form, form.id or f"{clause}.{number}", clause, form.place_of("id"))
        return replace(rule, because=form.because, once_with=tuple(one.value for one in form.once_with))

    def bare(self, form: BareRuleForm, id: str, clause: str, place: Place) -> Rule:
        """A rule without what is said at the table."""
        before = len(self.faults) - self.faults.beside
        when = tuple(self.when(form.when))
        unless = tuple(self.unless(form.unless))
        then = tuple(self._then(form.then))
        if len(self.faults) - self.faults.beside > before or not when or not then:
            self.unread.add(place)
        return Rule(id, clause, when, unless, then, {}, place)

    def when(self, node: Node | None) -> Iterator[Condition | Tally]:
        """The conditions of a list; faults are added."""
        if isinstance(node, Scalar | Mapping):
            self.faults.add(node.place, *cannot_stand(node.plain(), "write a list"))
        for item in node.items if node else ():
            for kind, key, value in self._named(item):
                if kind in _TALLIES:
                    yield from self._tally(cast(Literal["total", "count"], kind), key, value)
                else:
                    yield self._condition(kind, key, value)
        if isinstance(node, Sequence) and not node.items:
            self.faults.add(node.place, "there is no condition: the rule would always hold", "write a condition")

    def unless(self, node: Node | None) -> Iterator[Condition]:
        """The exceptions of a list or a mapping; faults are added."""
        if isinstance(node, Scalar):
            self.faults.add(node.place, "a value stands where conditions belong", "write - kind: {field: value}")
        nodes = node.items if node else ()
        pairs = self._pairs(node) if isinstance(node, Mapping) else (p for i in nodes for p in self._named(i))
        for kind, key, value in pairs:
            if kind in _TALLIES:
                mend = f"put {kind} under when, with what it must be"
                self.faults.add(key, f"{kind} cannot stand under unless", mend)
            else:
                yield self._condition(kind, key, value)

    def _then(self, node: Node | None) -> Iterator[Conclusion]:
        if isinstance(node, Scalar) or (node is not None and not (node.entries or node.items)):
            self.faults.add(node.place, "nothing is concluded", "write kind: {field: value}")
        nodes = (node,) if isinstance(node, Mapping) else node.items if node else ()
        for item in nodes:
            for kind, key, value in self._pairs(item):
                yield self._conclusion(kind, key, value)

    def _named(self, item: Node) -> Iterator[tuple[str, Place, Node]]:
        """The one kind that an item of a list names."""
        found = list(self._pairs(item))
        if len(found) > 1:
            self.faults.add(found[1][1], "two kinds stand in one item of the list", "begin each with a dash of its own")
        yield from found

    def _pairs(self, item: Node) -> Iterator[tuple[str, Place, Node]]:
        if not isinstance(item, Mapping) or not item.entries:
            self.faults.add(item.place, "no kind of fact is named here", "write kind: {field: value}")
            return
        for kind, value in item.entries.items():
            yield kind, item.keys[kind], value

    def _condition(self, name: str, place: Place, node: Node) -> Condition:
        kind = self._kind(name, place)
        tests = []
        for field_name, key, value in self._fields(kind, name, node):
            self._known_field(kind, field_name, key)
            if (written := read_test(value, self.faults)) is not None:
                tests.append(Test(field_name, written.operator, written.term, written.place, written.among))
        return Condition(name, tuple(tests), place)

    def _conclusion(self, name: str, place: Place, node: Node) -> Conclusion:
        if name in _TALLIES:
            self.faults.add(place, f"{name} cannot be concluded", f"conclude a kind of fact, and read it with {name}")
        kind = None if name in _TALLIES else self._kind(name, place)
        terms: dict[str, Term] = {}
        places: dict[str, Place] = {}
        for field_name, key, value in self._fields(kind, name, node):
            self._known_field(kind, field_name, key)
            if (term := read_term(value, self.faults)) is not None:
                terms[field_name], places[field_name] = term, value.place
        return Conclusion(name, terms, place, places)

    def _tally(self, how: Literal["total", "count"], place: Place, node: Node) -> Iterator[Tally]:
        at = node.entries
        wanted = ("of", "field", "is") if how == "total" else ("of", "is")
        self._keys(how, place, node, wanted)
        if "of" not in at or "is" not in at:
            return
        of = [
            self._condition(kind, key, value) for kind, key, value in self._named(at["of"]) if self._no_tally(kind, key)
        ]
        written = read_test(at["is"], self.faults)
        if written and written.among:
            self.faults.add(written.place, "a number cannot be one of a list here", "write one value or a comparison")
        elif of and written:
            field = at.get("field") if how == "total" else None
            name = str(field.value) if isinstance(field, Scalar) else ""
            summed = self.summed(of[0], name, field.place) if field else name if how == "total" else None
            yield Tally(how, of[0], summed, written.operator, written.term, place, written.place)

    def _keys(self, how: str, place: Place, node: Node, wanted: tuple[str, ...]) -> None:
        if not isinstance(node, Mapping):
            mend = f"write {how}: {{{', '.join(f'{key}: …' for key in wanted)}}}"
            self.faults.add(place, f"{how} does not say of what", mend)
            return
        for key in node.entries:
            if key not in wanted:
                self.faults.add(node.keys[key], f"{how} knows no {key}", did_you_mean(key, wanted))
        for key in wanted:
            if key not in node.entries:
                self.faults.add(place, f"{how} lacks {key}", f"add {key}:")

    def _no_tally(self, kind: str, place: Place) -> bool:
        if kind in _TALLIES:
            self.faults.add(place, f"a {kind} cannot be taken of another", "name a kind of fact")
        return kind not in _TALLIES

    def summed(self, of: Condition, name: str, place: Place) -> str:
        """The field of which a total is taken; a fault if there is none of that name."""
        kind = self.vocabulary.kinds.get(of.kind)
        if kind is not None:
            self._known_field(kind, name, place)
        return name

    def _kind(self, name: str, place: Place) -> Kind | None:
        found = self.vocabulary.kinds.get(name)
        if found is None:
            self.faults.aside(place, f"unknown kind {name}", did_you_mean(name, self.vocabulary.kinds))
        return found

    def _fields(self, kind: Kind | None, name: str, node: Node) -> Iterator[tuple[str, Place, Node]]:
        if not isinstance(node, Mapping):
            known = ", ".join(kind.index) if kind else "field"
            mend = f"write {name}: {{}} for any at all, or name fields ({known})"
            self.faults.add(node.place, f"the fields of {name} are missing", mend)
            return
        for field_name, value in node.entries.items():
            yield field_name, node.keys[field_name], value

    def _known_field(self, kind: Kind | None, name: str, place: Place) -> None:
        if kind is not None and name not in kind.index:
            self.faults.aside(place, f"{kind.name} has no field {name}", did_you_mean(name, kind.index))
