"""Short ids of what is said."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

LENGTH = 16
"""Hexadecimal digits of a digest."""


def digest(lines: Iterable[str]) -> str:
    """The id of some lines of text."""
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:LENGTH]
