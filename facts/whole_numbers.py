"""Numbers that texts of any origin write."""

from __future__ import annotations

from typing import Final

MOST_DIGITS: Final = 15
"""Nothing that is counted at a table, or reckoned by rules, has more; what has thousands is slow to read."""


def whole(text: str) -> int | None:
    """What these digits come to; None for what is anything else than 1 to 15 of the digits 0 to 9."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS else None
