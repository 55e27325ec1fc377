"""Text of any origin: the numbers in it, and the text made fit for a terminal."""

from __future__ import annotations

import json
import re
from typing import Final

MOST_DIGITS: Final = 15
"""Nothing that is counted at a table, or reckoned by rules, has more; what has thousands is slow to read."""


def whole(text: str) -> int | None:
    """What these digits come to; None for what is anything else than 1 to 15 of the digits 0 to 9."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS else None


_STRANGE: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters but for tab and line feed, what turns the direction of writing, and halves of characters."""


def printable(text: str) -> str:
    """The text with what would move a terminal's cursor, change its colours or hide something written out.

    It is written as JSON does, so that JSON stays JSON and means the same.
    """
    return _STRANGE.sub(lambda match: json.dumps(match[0])[1:-1], text)
