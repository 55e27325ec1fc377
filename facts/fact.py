"""Facts as plain tuples: the kind first, then one value for each field, in the order of the vocabulary."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain
from typing import TypeAlias

Value: TypeAlias = str | int | bool | None
"""A seat, side, suit, card or word is a string; None stands only in a field declared as possibly unknown."""

Fact: TypeAlias = tuple[Value, ...]
"""``("won", 5, "W", "EW")`` is the fact ``won: {trick: 5, hand: W, side: EW}``."""


class FactBase(tuple[Fact, ...]):
    """Facts that are given, those of one kind together; an engine need not sort them again."""

    kinds: Mapping[Value, list[Fact]]
    """The facts of each kind; not to be changed."""

    @staticmethod
    def of(kinds: Mapping[Value, list[Fact]]) -> FactBase:
        ground = FactBase(chain.from_iterable(kinds.values()))
        ground.kinds = kinds
        return ground


def by_kind(facts: Iterable[Fact]) -> Mapping[Value, list[Fact]]:
    """The facts of each kind; not to be changed."""
    if isinstance(facts, FactBase):
        return facts.kinds
    kinds: dict[Value, list[Fact]] = {}
    for fact in facts:
        kinds.setdefault(fact[0], []).append(fact)
    return kinds


def order_key(fact: Fact) -> tuple[tuple[bool, bool, Value], ...]:
    """A key that orders facts of one kind by their values, the unknown first, then numbers."""
    return tuple([(value is not None, isinstance(value, str), value) for value in fact])
