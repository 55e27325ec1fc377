"""The checked rules of an edition as data: the text, the vocabulary, and each rule with its conditions and conclusions.

Nothing of the model is lost but the places in the files; ``kb/schemas/lawbook.py`` has the schema.
"""

from __future__ import annotations

from typing import Any

from kb.language.model import Clause, Conclusion, Condition, Edition, Note, Rule, Tally, Test
from kb.language.terms import Constant, Sum, Term, Variable
from kb.language.vocabulary import Field, Kind

FORM = 1
"""Grows when what is written changes its meaning."""


def as_data(edition: Edition) -> dict[str, Any]:
    """The edition, amendments and elections applied."""
    vocabulary = edition.vocabulary
    return {
        "form": FORM,
        "edition": edition.id,
        "digest": edition.digest,
        "title": {**edition.title},
        "authority": edition.authority,
        "in-force": edition.in_force,
        "until": edition.until,
        "lineage": [*edition.lineage],
        "elections": [*edition.elections],
        "offers": {ref: [*names] for ref, names in edition.offers.items()},
        "scored": edition.scored,
        "languages": [*vocabulary.languages],
        "words": {name: [*words] for name, words in vocabulary.words.items()},
        "kinds": {name: _kind(kind) for name, kind in vocabulary.kinds.items()},
        "laws": {number: {**title} for number, title in edition.laws.items()},
        "clauses": [_clause(clause) for clause in edition.clauses.values()],
    }


def _kind(kind: Kind) -> dict[str, Any]:
    return {
        "fields": [_field(field) for field in kind.fields],
        "says": {**kind.says},
        "stated-by": kind.stated_by,
        "one-per": None if kind.one_per is None else [*kind.one_per],
        "section": kind.section,
        "shows": {**kind.shows},
        "cites": kind.cites,
        "first": sorted(kind.first),
        "asks": {**kind.asks},
        "happened": {**kind.happened},
        "untold": kind.untold,
    }


def _field(field: Field) -> dict[str, Any]:
    bounds = None if field.bounds is None else [*field.bounds]
    return {"name": field.name, "type": field.type, "unknown": field.unknown, "bounds": bounds}


def _clause(clause: Clause) -> dict[str, Any]:
    return {
        "ref": clause.ref,
        "law": clause.law,
        "says": {**clause.says},
        "encoded-as": clause.encoded_as,
        "reason": {**clause.reason},
        "source": {
            "recalled": clause.source.recalled,
            "in": clause.source.in_,
            "page": clause.source.page,
            "link": clause.source.link,
        },
        "minutes": [_note(one) for one in clause.minutes],
        "notes": [_note(one) for one in clause.notes],
        "rules": [_rule(rule) for rule in clause.rules],
    }


def _note(note: Note) -> dict[str, Any]:
    return {"says": {**note.says}, "by": note.by, "date": note.date, "link": note.link}


def _rule(rule: Rule) -> dict[str, Any]:
    return {
        "id": rule.id,
        "when": [_item(item) for item in rule.when],
        "unless": [_condition(condition) for condition in rule.unless],
        "then": [_conclusion(conclusion) for conclusion in rule.then],
        "because": {**rule.because},
        "once-with": [*rule.once_with],
    }


def _item(item: Condition | Tally) -> dict[str, Any]:
    if isinstance(item, Condition):
        return _condition(item)
    compared = {"operator": item.operator, "term": _term(item.term)}
    return {item.how: _condition(item.of), **({"field": item.field} if item.field is not None else {}), "is": compared}


def _condition(condition: Condition) -> dict[str, Any]:
    return {"kind": condition.kind, "tests": [*map(_test, condition.tests)]}


def _test(test: Test) -> dict[str, Any]:
    if test.among:
        return {"field": test.field, "among": [*test.among]}
    return {"field": test.field, "operator": test.operator, "term": _term(test.term)}


def _conclusion(conclusion: Conclusion) -> dict[str, Any]:
    return {"kind": conclusion.kind, "fields": {name: _term(term) for name, term in conclusion.terms.items()}}


def _term(term: Term) -> dict[str, Any]:
    match term:
        case Constant(value):
            return {"constant": value}
        case Variable(name):
            return {"variable": name}
        case Sum(left, right):
            return {"sum": [_term(left), _term(right)]}
