"""What double dummy says of each revoke it was asked about, in words and for other programs."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from facts.cards import SIDE
from facts.equity import AGREES_WITH_PLAY, Evidence, NotComputed
from kb.explain.page import Line, Part, part
from kb.explain.say import Speaker
from kb.ruling.ruling import RevokeRuled, Ruling


def evidence_part(ruling: Ruling, speaker: Speaker) -> tuple[Part, ...]:
    """The legal cards with their tricks, beside what the ruling gives; nothing where double dummy was not asked."""
    return part(speaker.phrase("evidence"), (_line(ruling, speaker, *one) for one in _asked(ruling)))


def evidence_json(ruling: Ruling, speaker: Speaker) -> list[dict[str, Any]]:
    """An object for each revoke; tricks are those of ``side``, in all."""
    return [_object(speaker, *one) for one in _asked(ruling)]


def _asked(ruling: Ruling) -> Iterator[tuple[RevokeRuled, Evidence | NotComputed]]:
    return ((one, ruling.evidence[one.play]) for one in ruling.revokes if one.play in ruling.evidence)


def proves(speaker: Speaker, trick: int) -> tuple[int, int, str]:
    """How often double dummy is right, in per cent, at the latest trick up to this one for which it was measured."""
    latest = max(number for number in AGREES_WITH_PLAY if number <= trick)
    share = AGREES_WITH_PLAY[latest]
    return latest, share, speaker.phrase("evidence-proves", trick=latest, share=share)


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
        how = "evidence-replay" if first.followed else "evidence-replay-none"
        how = "evidence-replay-end" if first.to_the_end else how
        replay = speaker.phrase(how, n=first.followed, tricks=speaker.tricks(first.replay))
        lines.append(Line(f"{speaker.phrase(key, cards=cards, tricks=speaker.tricks(first.tricks))}; {replay}."))
    return Line(f"{said}{given}.", (), (*lines, Line(proves(speaker, revoke.trick)[-1])))


def _object(speaker: Speaker, revoke: RevokeRuled, found: Evidence | NotComputed) -> dict[str, Any]:
    named = {"hand": revoke.hand, "trick": revoke.trick, "card": revoke.card}
    if isinstance(found, NotComputed):
        return {**named, "not-computed": found.why.value, "detail": found.detail, "text": why_not(speaker, found)}
    trick, share, says = proves(speaker, revoke.trick)
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
        "text": says,
    }
