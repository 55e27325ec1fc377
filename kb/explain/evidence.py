"""What double dummy says of each revoke it was asked about, in words and for other programs."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from facts.cards import SIDE
from facts.equity import AGREES_WITH_PLAY, Evidence, NotComputed
from kb.explain.page import Line, Part, part
from kb.explain.say import Speaker
from kb.ruling.ruling import RevokeRuled, Ruling


def evidence_part(ruling: Ruling, speaker: Speaker) -> tuple[Part, ...]:
    """The legal cards with their tricks, beside what the ruling gives; nothing where double dummy was not asked."""
    asked = (
        _line(ruling, speaker, revoke, ruling.evidence[revoke.play])
        for revoke in ruling.revokes
        if revoke.play in ruling.evidence
    )
    return part(speaker.phrase("evidence"), asked)


def measured(trick: int) -> tuple[int, int]:
    """The latest trick up to this one for which it was measured how often double dummy is right, and in per cent."""
    latest = max(number for number in AGREES_WITH_PLAY if number <= trick)
    return latest, AGREES_WITH_PLAY[latest]


def proves(speaker: Speaker, trick: int) -> str:
    """How much double dummy proves at that trick."""
    latest, share = measured(trick)
    return speaker.phrase("evidence-proves", trick=latest, share=share)


def why_not(speaker: Speaker, found: NotComputed) -> str:
    """Why something was not computed, and what can be done."""
    return speaker.words.name("not-computed", found.why, speaker.lang)


def _line(ruling: Ruling, speaker: Speaker, revoke: RevokeRuled, found: Evidence | NotComputed) -> Line:
    """«North, trick 5: 10 tricks for East-West before the card, 8 tricks after it», then the legal cards."""
    named = {"hand": speaker.value(revoke.hand, "seat"), "trick": revoke.trick}
    if isinstance(found, NotComputed):
        return Line(speaker.phrase("evidence-not-computed", **named, why=why_not(speaker, found)))
    before = speaker.tricks(found.low)
    if found.low < found.high:
        before = speaker.phrase("evidence-range", least=found.low, most=found.high)
    side, card = speaker.value(found.side, "side"), speaker.value(revoke.card, "card")
    after = speaker.tricks(found.after_revoke)
    said = speaker.phrase("evidence-line", **named, before=before, side=side, card=card, after=after)
    result, given, lines = ruling.result, "", list[Line]()
    if result is not None and result.tricks_ruled is not None:
        ruled = result.tricks_ruled if SIDE[result.declarer] == found.side else 13 - result.tricks_ruled
        given = speaker.phrase("evidence-ruled", ruled=speaker.tricks(ruled))
    for _, same in groupby(found.cards, key=lambda one: (one.tricks, one.replay, one.followed, one.to_the_end)):
        first, *others = same  # legal cards that come to the same stand together
        cards = ", ".join(speaker.value(one.card.text, "card") for one in (first, *others))
        key = "evidence-forced" if found.forced else "evidence-cards"
        how = (
            "evidence-replay-end"
            if first.to_the_end
            else "evidence-replay"
            if first.followed
            else "evidence-replay-none"
        )
        replay = speaker.phrase(how, n=first.followed, tricks=speaker.tricks(first.replay))
        lines.append(Line(f"{speaker.phrase(key, cards=cards, tricks=speaker.tricks(first.tricks))}; {replay}."))
    return Line(f"{said}{given}.", (), (*lines, Line(proves(speaker, revoke.trick))))


def evidence_json(ruling: Ruling, speaker: Speaker) -> list[dict[str, Any]]:
    """An object for each revoke; tricks are those of ``side``, in all."""
    asked = (revoke for revoke in ruling.revokes if revoke.play in ruling.evidence)
    return [_revoke(speaker, revoke, ruling.evidence[revoke.play]) for revoke in asked]


def _revoke(speaker: Speaker, revoke: RevokeRuled, found: Evidence | NotComputed) -> dict[str, Any]:
    named = {"hand": revoke.hand, "trick": revoke.trick, "card": revoke.card}
    if isinstance(found, NotComputed):
        return {**named, "not-computed": found.why.value, "detail": found.detail, "text": why_not(speaker, found)}
    trick, share = measured(revoke.trick)
    return {
        **named,
        "side": found.side,
        "least": found.low,
        "most": found.high,
        "after-revoke": found.after_revoke,
        "out-of": found.out_of,
        "cards": [
            {
                "card": one.card.text,
                "tricks": one.tricks,
                "replay": one.replay,
                "followed": one.followed,
                "to-the-end": one.to_the_end,
            }
            for one in found.cards
        ],
        "agrees-with-play": {"trick": trick, "per-cent": share},
        "text": proves(speaker, revoke.trick),
    }
