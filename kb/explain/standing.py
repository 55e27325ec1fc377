"""Words for what nobody has said: whose card it was, at which trick, and which card."""

from __future__ import annotations

from collections.abc import Mapping

from kb.explain.words import Words
from kb.language.texts import StandsFor
from kb.ruling.unsaid import Unsaid


def standing(unsaid: Unsaid, words: Words, lang: str) -> Mapping[tuple[str, str], StandsFor]:
    """Type and value -> what is said instead of the seats, sides and tricks that nobody has named, in one language."""
    one = "trick-of" if len(unsaid.tricks) > 1 else "trick"
    tricks = {trick: stands_for(one, words, lang, number) for trick, number in unsaid.tricks.items()}
    tricks |= dict.fromkeys(unsaid.following, stands_for("next-trick", words, lang))
    return {
        **{("seat", seat): stands_for(part, words, lang) for seat, part in unsaid.seats.items()},
        **{("side", side): stands_for(part, words, lang) for side, part in unsaid.sides.items()},
        **{("trick", str(trick)): said for trick, said in tricks.items()},
    }


def stands_for(what: str, words: Words, lang: str, number: int = 1) -> StandsFor:
    """What is said for a part somebody plays, a card or a trick, and the words that go with the one before it.

    «the next trick; trick: the next trick»: alone, and in place of that word.
    """
    text = words.name("standing", what, lang).replace("{number}", str(number))
    alone, *others = text.split("; ")
    return StandsFor(alone, dict(one.split(": ", 1) for one in others), known=what not in _LEFT_OUT)


_LEFT_OUT = ("card", "trick", "trick-of", "next-trick", "any-trick")
"""What is left out of a sentence where it can be; the part that somebody plays is said."""
