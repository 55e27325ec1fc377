"""A ruling in one line."""

from __future__ import annotations

from kb.explain.say import Speaker
from kb.ruling.headline import Sentence
from kb.ruling.headline import headline as sentences
from kb.ruling.ruling import Ruling


def headline(ruling: Ruling, speaker: Speaker) -> str:
    """The ruling in one line."""
    return " ".join(_said(one, speaker) for one in sentences(ruling))


def _said(one: Sentence, speaker: Speaker) -> str:
    side = "" if one.side is None else speaker.value(one.side, "side")
    places = {"tricks": speaker.tricks(one.tricks), "least": one.least, "to": side, "side": side}
    if one.revoke is None:
        return speaker.capital(speaker.phrase(one.says, **places))
    hand = speaker.value(one.revoke.hand, "seat")
    return speaker.capital(speaker.phrase(one.says, hand=hand, trick=speaker.value(one.revoke.trick, "trick")))
