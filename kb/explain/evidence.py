"""What double dummy says of each revoke it was asked about, in words."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from facts.cards import SIDE, Side
from facts.equity import AGREES_WITH_PLAY, Evidence, LegalCard, NotComputed
from kb.explain.page import Line, Part, part
from kb.explain.say import Voice
from kb.ruling.ruling import RevokeRuled, Ruling


def evidence_part(ruling: Ruling, voice: Voice) -> tuple[Part, ...]:
    """The legal cards with their tricks, beside what the ruling gives; nothing where double dummy was not asked."""
    asked = (
        _line(ruling, voice, revoke, ruling.evidence[revoke.play])
        for revoke in ruling.revokes
        if revoke.play in ruling.evidence
    )
    return part(voice.phrase("evidence"), asked)


def measured(trick: int) -> tuple[int, int]:
    """The latest trick up to this one for which it was measured how often double dummy is right, and in per cent."""
    latest = max(number for number in AGREES_WITH_PLAY if number <= trick)
    return latest, AGREES_WITH_PLAY[latest]


def proves(voice: Voice, trick: int) -> str:
    """How much double dummy proves at that trick."""
    latest, share = measured(trick)
    return voice.phrase("evidence-proves", trick=latest, share=share)


def why_not(voice: Voice, found: NotComputed) -> str:
    """Why something was not computed, and what can be done."""
    return voice.words.name("not-computed", found.why, voice.lang)


def summary(voice: Voice, revoke: RevokeRuled, found: Evidence | NotComputed) -> str:
    """«North, trick 5: 10 tricks for East-West before the card, 8 tricks after it», without a full stop."""
    named = {"hand": voice.value(revoke.hand, "seat"), "trick": revoke.trick}
    if isinstance(found, NotComputed):
        return voice.phrase("evidence-not-computed", **named, why=why_not(voice, found))
    before = voice.tricks(found.low)
    if found.low < found.high:
        before = voice.phrase("evidence-range", least=found.low, most=found.high)
    side, card = voice.value(found.side, "side"), voice.value(revoke.card, "card")
    after = voice.tricks(found.after_revoke)
    return voice.phrase("evidence-line", **named, before=before, side=side, card=card, after=after)


def replayed(voice: Voice, card: LegalCard) -> str:
    """How far the record could be followed after another card, and to how many tricks that leads."""
    key = "evidence-replay-end" if card.to_the_end else "evidence-replay" if card.followed else "evidence-replay-none"
    return voice.phrase(key, n=card.followed, tricks=voice.tricks(card.replay))


def _line(ruling: Ruling, voice: Voice, revoke: RevokeRuled, found: Evidence | NotComputed) -> Line:
    said = summary(voice, revoke, found)
    if isinstance(found, NotComputed):
        return Line(said)
    ruled = _ruled(ruling, found.side)
    given = "" if ruled is None else voice.phrase("evidence-ruled", ruled=voice.tricks(ruled))
    return Line(f"{said}{given}.", (), (*_cards(voice, found), Line(proves(voice, revoke.trick))))


def _cards(voice: Voice, found: Evidence) -> Iterator[Line]:
    """Legal cards that come to the same stand together."""
    for _, same in groupby(found.cards, key=lambda one: (one.tricks, one.replay, one.followed, one.to_the_end)):
        cards = tuple(same)
        named = ", ".join(voice.value(one.card.text, "card") for one in cards)
        key = "evidence-forced" if found.forced else "evidence-cards"
        tricks, replay = voice.tricks(cards[0].tricks), replayed(voice, cards[0])
        yield Line(f"{voice.phrase(key, cards=named, tricks=tricks)}; {replay}.")


def _ruled(ruling: Ruling, side: Side) -> int | None:
    result = ruling.result
    if result is None or result.tricks_ruled is None:
        return None
    return result.tricks_ruled if SIDE[result.declarer] == side else 13 - result.tricks_ruled
