"""What must hold of the rules beyond the shape of their files.

A check is a function, called with what it looks at, that gives the faults in it. Its id is its name with hyphens, and
its docstring its page in ``docs/checks.md``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any, Final, TypeAlias

from facts.errors import Fault
from kb.language.checks.of_editions import circular, contradictions, encoding, lost_law, never_fires, references
from kb.language.checks.of_rules import (
    because,
    belongings,
    conclusions,
    limits,
    places,
    types,
    unbound,
    unknown_joins,
    unused,
)
from kb.language.checks.of_tables import events, finding_values, impossible, table_facts, table_names
from kb.language.checks.of_vocabulary import relied_on, says, unused_words
from kb.language.model import Edition
from kb.language.rule import Rule
from kb.language.vocabulary import Vocabulary

Check: TypeAlias = Callable[..., Iterator[Fault]]

OF_A_RULE: Final[tuple[Check, ...]] = (
    *(unbound, unused, unknown_joins, because),
    *(places, conclusions, limits, types, belongings),
)
"""Called with a rule and the vocabulary."""
OF_AN_EDITION: Final[tuple[Check, ...]] = (
    *(encoding, references, lost_law, circular, never_fires, contradictions),
    *(events, relied_on, says),
)
OF_A_TABLE: Final[tuple[Check, ...]] = (table_names, table_facts, impossible, finding_values)
"""Called with the table of a matter and the vocabulary."""
OF_ALL_EDITIONS: Final[tuple[Check, ...]] = (unused_words,)
"""Called with the vocabulary and all editions."""


def rule_faults(rule: Rule, vocabulary: Vocabulary) -> Iterator[Fault]:
    """What the checks find wrong with a rule; nothing where a part of it could not be read, as is told already."""
    if rule.whole:
        yield from found_by(OF_A_RULE, rule, vocabulary)


def edition_faults(edition: Edition) -> Iterator[Fault]:
    """Every fault that the checks find."""
    for rule in edition.rules:
        yield from rule_faults(rule, edition.vocabulary)
    yield from found_by(OF_AN_EDITION, edition)
    for table in edition.table.every:
        yield from found_by(OF_A_TABLE, table, edition.vocabulary)


def found_by(checks: Iterable[Check], *arguments: Any) -> Iterator[Fault]:
    """What these checks find, each fault with the id of its check."""
    for check in checks:
        for fault in check(*arguments):
            yield replace(fault, check=id_of(check))


def id_of(check: Check) -> str:
    """The name by which a fault tells what has found it."""
    return check.__name__.replace("_", "-")
