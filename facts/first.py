"""The first of what is never empty."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")


def first_of(some: Iterable[T]) -> T:
    """The first; ValueError where there is none, and not what ends the loop or the generator around it, as ``next``
    does without a default."""
    for one in some:
        return one
    raise ValueError("there is none, where there is always one")
