"""A short id of a ruling: the same law on the same facts always gives the same one."""

from __future__ import annotations

from collections.abc import Iterable

from facts.fact import Fact, order_key
from kb.language.digest import digest
from kb.language.model import Edition


def receipt(edition: Edition, facts: Iterable[Fact]) -> str:
    """The id over the edition's rules, its elections and the ground facts."""
    return digest([edition.digest, *map(repr, sorted(facts, key=order_key))])
