"""Values and variables that do not fit their fields."""

from __future__ import annotations

from collections.abc import Iterator

from facts.errors import Fault, Place
from facts.fact import Value
from facts.suggestions import did_you_mean
from kb.language.checks.registry import of_a_rule
from kb.language.model import Condition, Rule, Tally, Test
from kb.language.terms import Constant, Sum, Term
from kb.language.uses import field_of, uses
from kb.language.vocabulary import NUMBERS, Field, Vocabulary

_ORDERED = ("<", "<=", ">", ">=")
_BEYOND = {"<": ("less than", 0), ">": ("more than", 1)}
"""What is said of it, and the end of the range beyond which there is nothing."""


@of_a_rule("types")
def types(rule: Rule, vocabulary: Vocabulary) -> Iterator[Fault]:
    """A value is of its field's type, and a variable has one type in the whole rule, so a seat is never a side.

    Only integers are added, totalled, and compared with `<` and `>`. A value of another type would never be met, and
    the rule would say nothing without anybody noticing; nor would a number out of range, as of a fourteenth trick. In

        - revoke: {trick: $t, hand: NS}

    `NS` is a side, where `hand` is a seat.
    """
    for condition in rule.when:
        if isinstance(condition, Tally):
            yield from _tally(condition, vocabulary)
        yield from _condition(condition.condition, vocabulary)
    for condition in rule.unless:
        yield from _condition(condition, vocabulary)
    for conclusion in rule.then:
        for name, term in conclusion.terms.items():
            if field := field_of(vocabulary, conclusion.kind, name):
                yield from _term(field, term, conclusion.place_of(name), vocabulary)
    yield from _one_type_each(rule, vocabulary)


def _condition(condition: Condition, vocabulary: Vocabulary) -> Iterator[Fault]:
    for test in condition.tests:
        if field := field_of(vocabulary, condition.kind, test.field):
            yield from _test(field, test, vocabulary)


def _test(field: Field, test: Test, vocabulary: Vocabulary) -> Iterator[Fault]:
    if test.operator in _ORDERED and not field.is_number:
        what = f"{test.operator} compares integers, but {field.name} is a {field.type}"
        yield Fault(test.place, what, "write a value, a list of values, or not and a value")
        return
    if test.among:
        for value in test.among:
            yield from _term(field, Constant(value), test.place, vocabulary)
    else:
        yield from _term(field, test.term, test.place, vocabulary)
        yield from _beyond(field, test)


def _beyond(field: Field, test: Test) -> Iterator[Fault]:
    """More than the most that a number can be, or less than the least."""
    if field.bounds and isinstance(test.term, Constant) and test.operator in _BEYOND:
        than, end = _BEYOND[test.operator]
        least, most = field.bounds
        if test.term.value == field.bounds[end]:
            what = f"{field.name} can never be {than} {test.term.value}"
            yield Fault(test.place, what, f"compare it with another number from {least} to {most}")


def _term(field: Field, term: Term, place: Place, vocabulary: Vocabulary) -> Iterator[Fault]:
    if isinstance(term, Sum):
        if not field.is_number:
            yield Fault(
                place, f"a sum is an integer, but {field.name} is a {field.type}", "write a value or a variable"
            )
    elif isinstance(term, Constant) and not fits(term.value, field.type, vocabulary):
        what = f"{shown(term.value)} is not {_article(field.type)}"
        yield Fault(place, what, _mend(term.value, field.type, vocabulary))
    elif isinstance(term, Constant) and field.bounds and isinstance(term.value, int):
        least, most = field.bounds
        if not least <= term.value <= most:
            yield Fault(place, f"{field.name} can never be {term.value}", f"write a number from {least} to {most}")


def _tally(tally: Tally, vocabulary: Vocabulary) -> Iterator[Fault]:
    yield from _term(Field("is", "integer"), tally.term, tally.number_place, vocabulary)
    summed = field_of(vocabulary, tally.of.kind, tally.field or "")
    if summed and (not summed.is_number or summed.unknown):
        what = f"{summed.name} cannot be totalled: it is a {summed.type}" + (
            " that may be unknown" if summed.unknown else ""
        )
        yield Fault(tally.place, what, "name an integer field")


def _one_type_each(rule: Rule, vocabulary: Vocabulary) -> Iterator[Fault]:
    first: dict[str, tuple[str, Place]] = {}
    for use in uses(rule, vocabulary):
        if use.type is None:
            continue
        type_, place = first.setdefault(use.name, (use.type, use.place))
        if not _alike(type_, use.type):
            what = f"${use.name} is {_article(use.type)} here, but {_article(type_)} elsewhere in the rule"
            yield Fault(use.place, what, "use two variables", ((place, f"{_article(type_)} here"),))


def _alike(one: str, other: str) -> bool:
    """Whether a variable may stand for both types: a number may be any time, but a trick is never a moment."""
    if one in NUMBERS and other in NUMBERS:
        return "integer" in (one, other) or (one == "trick") == (other == "trick")
    return one == other


def fits(value: Value, type_: str, vocabulary: Vocabulary) -> bool:
    """Whether a literal is of the type; anything is of a type that is not known."""
    if type_ in NUMBERS:
        return isinstance(value, int) and not isinstance(value, bool)
    if type_ == "yes-no":
        return isinstance(value, bool)
    words = vocabulary.values_of(type_)
    return isinstance(value, str) and (not words or value in words)


def shown(value: Value) -> str:
    """A literal as the file writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) and value.lstrip("-").isdigit() else str(value)


def _article(type_: str) -> str:
    return f"an {type_}" if type_[0] in "aeiou" else f"a {type_}"


def _mend(value: Value, type_: str, vocabulary: Vocabulary) -> str:
    mend = {
        **dict.fromkeys(NUMBERS, "write a whole number without quotes"),
        "yes-no": "write true or false",
        "card": "write suit and rank, as SA or D9",
        "text": "put it in quotes",
    }.get(type_)
    return mend or did_you_mean(shown(value), [str(word) for word in vocabulary.values_of(type_)])
