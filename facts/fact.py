"""One fact as every evaluator takes it: its kind and its values."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeAlias, cast

Value: TypeAlias = str | int | bool | None
"""A seat, side, suit, card or word is a string; None stands only in a field declared as possibly unknown."""
Fact: TypeAlias = tuple[Value, ...]
"""Its kind, then one value for each field, in the order of the vocabulary: ``("won", 5, "W", "EW")`` is the fact
``won: {trick: 5, hand: W, side: EW}``."""
STANDS_FOR: Final = "?"
"""What the name of something begins with that nobody has named; the number of the finding follows."""


def by_kind(facts: Iterable[Fact]) -> dict[str, dict[Fact, None]]:
    """The facts of each kind, each once."""
    kinds: dict[str, dict[Fact, None]] = {}
    for fact in facts:
        kinds.setdefault(cast(str, fact[0]), {})[fact] = None
    return kinds


def order_key(fact: Fact) -> tuple[tuple[bool, bool, Value], ...]:
    """A key that orders facts of one kind by their values, the unknown first, then numbers."""
    return tuple([(value is not None, isinstance(value, str), value) for value in fact])
