"""Words for what nobody has said: whose card it was, at which trick, and which card."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kb.explain.words import Words
from kb.ruling.ruling import Ruling


class Standing:
    """What is said instead of seats, sides and tricks that are not known, in one language."""

    def __init__(self, ruling: Ruling, words: Words, lang: str) -> None:
        unsaid = ruling.unsaid
        self.names = {
            (kind, value): words.name("standing", part, lang)
            for kind, parts in (("seat", unsaid.seats), ("side", unsaid.sides))
            for value, part in parts.items()
        }
        """Type and value -> the words for it."""
        one_of = "standing-trick" if len(unsaid.tricks) == 1 else "standing-trick-of"
        written = [words.phrase(one_of, lang, n=trick, number=unsaid.tricks[trick]) for trick in sorted(unsaid.tricks)]
        rules = [
            *written,
            *(words.phrase("standing-next", lang, n=trick) for trick in sorted(unsaid.following)),
            words.phrase("standing-seat", lang) if self.names else "",
            words.phrase("standing-card", lang),
        ]
        self._rules = [rule for text in rules for rule in _rules(text)]

    def smooth(self, text: str) -> str:
        """The sentence with tricks and cards that nobody has named in words for them."""
        for pattern, words in self._rules:
            text = pattern.sub(words, text)
        return text[:1].upper() + text[1:]


def _rules(text: str) -> Iterator[tuple[re.Pattern[str], str]]:
    """«this|that; …» as patterns with what takes their place."""
    for pair in text.split(";"):
        this, _, that = pair.strip().partition("|")
        if this:
            begins = r"(?<!\w)" if this[0].isalnum() else ""
            yield re.compile(rf"{begins}{re.escape(this)}(?!\w)"), that
