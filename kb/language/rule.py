"""Reading one rule: its conditions, its exceptions and its conclusions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, cast

from facts.errors import Place
from facts.readers.bare_values import cannot_stand
from facts.suggestions import did_you_mean
from facts.yaml_reader import Mapping, Node, Scalar, Sequence
from kb.language.faults import Faults
from kb.language.model import Conclusion, Condition, Rule, Tally, Test
from kb.language.read_terms import read_term, read_test
from kb.language.terms import Term
from kb.language.texts import read_texts
from kb.language.vocabulary import Kind, Vocabulary

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
    misnamed: int = 0
    """How many of the faults are names only: everything around them could be read."""

    def read(self, form: RuleForm, clause: str, number: int) -> Rule:
        """The rule of a file, the ``number``-th of its clause."""
        rule = self.bare(form, form.id or f"{clause}.{number}", clause, form.place_of("id"))
        because = read_texts(form.because, self.vocabulary.languages, self.faults)
        return replace(rule, because=because, once_with=tuple(one.value for one in form.once_with))

    def bare(self, form: BareRuleForm, id: str, clause: str, place: Place) -> Rule:
        """A rule without what is said at the table."""
        before = len(self.faults) - self.misnamed
        when = tuple(self.when(form.when))
        unless = tuple(self.unless(form.unless))
        then = tuple(self._then(form.then))
        if len(self.faults) - self.misnamed > before or not when or not then:
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
            self.misnamed += 1
            self.faults.add(place, f"unknown kind {name}", did_you_mean(name, self.vocabulary.kinds))
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
            self.misnamed += 1
            self.faults.add(place, f"{kind.name} has no field {name}", did_you_mean(name, kind.index))
