"""A ruling in one line."""

from __future__ import annotations

from kb.explain.say import Speaker
from kb.explain.sayings import in_words, told
from kb.language.texts import fill
from kb.ruling.headline import RANGE, Sentence
from kb.ruling.headline import headline as sentences
from kb.ruling.report import Report
from kb.ruling.ruling import Ruling


def headline(ruling: Ruling, speaker: Speaker) -> str:
    """The ruling in one line; without a revoke as the sayings of the rules name it, where one of them does."""
    if ruling.says_more:
        named = next((one.head for one in told(Report(ruling), speaker) if one.head), "")
        if named:
            return f"{named}."
    return " ".join(_said(one, speaker) for one in sentences(ruling))


def between(least: int, most: int, to: str, speaker: Speaker) -> str:
    """How many tricks may go to a side, in words: «no trick or one», «one or two tricks», «up to four tricks»."""
    places = {"least": in_words(least, speaker), "most": str(most), "to": to}
    if not least:
        key = "head-none-or-one" if most == 1 else "head-up-to"
    else:
        key = "head-range" if most == least + 1 else "head-between"
    said = fill(speaker.words.phrases[key][speaker.lang], places, number=lambda number: in_words(number, speaker))
    return speaker.capital(said)


def _said(one: Sentence, speaker: Speaker) -> str:
    side = "" if one.side is None else speaker.value(one.side, "side")
    if one.says == RANGE:
        return f"{between(one.least, one.tricks, side, speaker)}."
    places = {"tricks": speaker.tricks(one.tricks), "least": one.least, "to": side, "side": side}
    if one.revoke is None:
        return speaker.capital(speaker.phrase(one.says, **places))
    hand = speaker.value(one.revoke.hand, "seat")
    return speaker.capital(speaker.phrase(one.says, hand=hand, trick=speaker.value(one.revoke.trick, "trick")))
