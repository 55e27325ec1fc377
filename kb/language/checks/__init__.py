"""What must hold of the rules beyond the shape of their files.

A check is a function with an id, and its docstring is its page in ``docs/checks.md``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from facts.errors import Fault
from kb.language.checks import of_editions, of_rules, of_tables, of_vocabulary  # noqa: F401 - the checks in them
from kb.language.checks.registry import Check, Checks, of_a_rule, of_all_editions, of_an_edition, rule_faults
from kb.language.model import Edition
from kb.language.vocabulary import Vocabulary

REGISTERED: Final[dict[str, Checks]] = {
    "a rule": of_a_rule,
    "an edition": of_an_edition,
    "the vocabulary and all editions": of_all_editions,
}
"""What they look at -> the checks."""


def edition_faults(edition: Edition) -> Iterator[Fault]:
    """Every fault that the checks find."""
    for rule in edition.rules:
        yield from rule_faults(rule, edition.vocabulary)
    for one in of_an_edition:
        yield from one(edition)


def vocabulary_faults(vocabulary: Vocabulary, editions: Iterable[Edition]) -> Iterator[Fault]:
    """What only all editions together can show."""
    for check in of_all_editions:
        yield from check(vocabulary, editions)


def every_check() -> dict[str, Check]:
    """Id -> check, by what they look at."""
    return {check.id: check for checks in REGISTERED.values() for check in checks}


def pages() -> str:
    """The pages of all checks, Markdown."""
    return "\n".join(
        f"## Of {of}\n\n" + "\n".join(f"### {check.id}\n\n{check.page}\n" for check in checks)
        for of, checks in REGISTERED.items()
    )
