"""What an edition's rules say, as a short id: places in files and sentences do not matter."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator

from kb.language.model import Conclusion, Condition, Edition, Rule, Tally, Test

LENGTH = 16
"""Hexadecimal digits of a digest."""


def digest(lines: Iterable[str]) -> str:
    """The id of some lines of text."""
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:LENGTH]


def edition_digest(edition: Edition) -> str:
    """The id of an edition's rules and elections."""
    return digest([edition.id, *edition.elections, *(line for rule in edition.rules for line in _rule(rule))])


def rule_digest(rule: Rule) -> str:
    """The id of what one rule says."""
    return digest(_rule(rule))


def _rule(rule: Rule) -> Iterator[str]:
    yield f"rule {rule.id} of {rule.clause}"
    for item in rule.when:
        yield f"when {_item(item)}"
    for item in rule.unless:
        yield f"unless {_item(item)}"
    for conclusion in rule.then:
        yield f"then {_conclusion(conclusion)}"


def _item(item: Condition | Tally) -> str:
    if isinstance(item, Tally):
        return f"{item.how} {_item(item.of)} {item.field} {item.operator} {item.term!r}"
    return f"{item.kind} {' '.join(map(_test, item.tests))}"


def _test(test: Test) -> str:
    return f"{test.field} {test.operator} {test.term!r} {test.among!r}"


def _conclusion(conclusion: Conclusion) -> str:
    return f"{conclusion.kind} {sorted((name, repr(term)) for name, term in conclusion.terms.items())}"
