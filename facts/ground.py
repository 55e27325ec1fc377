"""Facts as plain tuples: the kind first, then one value for each field, in the order of the vocabulary."""

from __future__ import annotations

from typing import TypeAlias

Value: TypeAlias = str | int | bool | None
"""A seat, side, suit, card or word is a string; None stands only in a field declared as possibly unknown."""

Fact: TypeAlias = tuple[Value, ...]
"""``("won", 5, "W", "EW")`` is the fact ``won: {trick: 5, hand: W, side: EW}``."""
