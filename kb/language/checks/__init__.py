"""What must hold of the rules beyond the shape of their files: one small file a check, each with its reason."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from facts.errors import Fault, Place
from kb.language.checks import (
    because,
    circular,
    conclusions,
    contradictions,
    declared,
    definitions,
    encoding,
    identity,
    limits,
    never_fires,
    sayable,
    self_feeding,
    types,
    unbound,
    unknown_joins,
    unused,
    unused_words,
    wording,
)
from kb.language.model import Edition

OF_A_RULE = (types.check, unknown_joins.check, contradictions.check, limits.check)
OF_A_WHOLE_RULE = (unbound.check, unused.check, because.check, conclusions.check)
"""These say nothing about a rule of which a part could not be read."""
OF_AN_EDITION = (
    encoding.check,
    identity.check,
    definitions.check,
    circular.check,
    self_feeding.check,
    never_fires.check,
    sayable.check,
    declared.check,
)
vocabulary_use = unused_words.check


def edition_faults(edition: Edition, unread: Collection[Place] = ()) -> Iterator[Fault]:
    """Every fault that the checks find; the rules at the places ``unread`` could not be read whole."""
    yield from wording.check(edition.vocabulary)
    yield from wording.of_events(edition.table)
    for rule in edition.rules:
        for rule_check in OF_A_RULE if rule.place in unread else OF_A_RULE + OF_A_WHOLE_RULE:
            yield from rule_check(rule, edition.vocabulary)
    for edition_check in OF_AN_EDITION:
        yield from edition_check(edition)
