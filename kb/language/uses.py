"""Every use of a variable in a rule, as the checks need it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from facts.errors import Place
from kb.language.model import Condition, Rule, Tally
from kb.language.terms import Term
from kb.language.vocabulary import Field, Vocabulary


@dataclass(frozen=True, slots=True)
class Use:
    """One variable in one place of a rule."""

    name: str
    place: Place
    part: str
    """``when``, ``is`` (the number of a tally), ``of`` (what a tally counts), ``unless`` or ``then``."""
    item: int
    """Number of the item within its part."""
    bare: bool
    """Whether the field simply equals the variable: not compared, not part of a sum."""
    type: str | None
    """The type that the variable must have here; None when the field is not known."""
    field: Field | None
    """The field it stands in."""

    @property
    def binds(self) -> bool:
        """Whether this use gives the variable its value."""
        return self.bare and self.part in ("when", "is")


def uses(rule: Rule, vocabulary: Vocabulary) -> Iterator[Use]:
    """Every use, in the order of the file."""
    for item, condition in enumerate(rule.when):
        if isinstance(condition, Tally):
            yield from _in_condition(condition.of, "of", item, vocabulary)
            number = Field("is", "integer")
            yield from _in_term(condition.term, condition.number_place, "is", item, condition.operator == "=", number)
        else:
            yield from _in_condition(condition, "when", item, vocabulary)
    for item, condition in enumerate(rule.unless):
        yield from _in_condition(condition, "unless", item, vocabulary)
    for item, conclusion in enumerate(rule.then):
        for name, term in conclusion.terms.items():
            place = conclusion.place_of(name)
            yield from _in_term(term, place, "then", item, True, field_of(vocabulary, conclusion.kind, name))


def bound(rule: Rule) -> dict[str, int]:
    """The variables that ``when`` gives a value, each with the number of the tally that does; -1: a condition does."""
    found: dict[str, int] = {}
    for item, condition in enumerate(rule.when):
        if isinstance(condition, Tally):
            if name := condition.number.binds:
                found.setdefault(name, item)
        else:
            found.update({name: -1 for test in condition.tests if (name := test.binds)})
    return found


def field_of(vocabulary: Vocabulary, kind: str, name: str) -> Field | None:
    """The field of that name; None when kind, field or type is not known."""
    known = vocabulary.kinds.get(kind)
    field = known.field_named(name) if known and name in known.index else None
    return field if field and field.type else None


def _in_condition(condition: Condition, part: str, item: int, vocabulary: Vocabulary) -> Iterator[Use]:
    for test in condition.tests:
        field = field_of(vocabulary, condition.kind, test.field)
        yield from _in_term(test.term, test.place, part, item, test.operator == "=", field)


def _in_term(term: Term, place: Place, part: str, item: int, bare: bool, field: Field | None) -> Iterator[Use]:
    for name in term.variables:
        type_ = (field.type if field else None) if term.alone else "integer"
        yield Use(name, place, part, item, bare and term.alone is not None, type_, field)
