"""What double dummy says of each revoke it was asked about, in words and for other programs."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from facts.cards import SIDE
from facts.equity import AGREES_WITH_PLAY, Evidence, NotComputed
from kb.explain.page import Line, Part, part
from kb.explain.words import Speaker
from kb.ruling.ruling import RevokeRuled, Ruling


def evidence_part(ruling: Ruling, speaker: Speaker) -> tuple[Part, ...]:
    """The legal cards with their tricks, beside what the ruling gives; nothing where double dummy was not asked."""
    return part(speaker.phrase("evidence"), (_line(ruling, speaker, *asked) for asked in _asked(ruling)))


def evidence_json(ruling: Ruling, speaker: Speaker) -> list[dict[str, Any]]:
    """An object for each revoke; tricks are those of ``side``, in all."""
    return [_object(speaker, *asked) for asked in _asked(ruling)]


def _asked(ruling: Ruling) -> Iterator[tuple[RevokeRuled, Evidence | NotComputed]]:
    return ((revoke, ruling.evidence[revoke.play]) for revoke in ruling.revokes if revoke.play in ruling.evidence)


def proves(speaker: Speaker, trick: int) -> tuple[int, int, str]:
    """How often double dummy is right, in per cent, at the latest trick up to this one for which it was measured."""
    latest = max(number for number in AGREES_WITH_PLAY if number <= trick)
    share = AGREES_WITH_PLAY[latest]
    return latest, share, speaker.phrase("evidence-proves", trick=latest, share=share)


def not_computed_words(speaker: Speaker, failure: NotComputed) -> str:
    """Why something was not computed, and what can be done."""
    return speaker.words.name("not-computed", failure.why, speaker.lang)


def _line(ruling: Ruling, speaker: Speaker, revoke: RevokeRuled, evidence: Evidence | NotComputed) -> Line:
    """«North, trick 5: 10 tricks for East-West before the card, 8 tricks after it», then the legal cards."""
    places = {"hand": speaker.value(revoke.hand, "seat"), "trick": revoke.trick}
    if isinstance(evidence, NotComputed):
        return Line(speaker.phrase("evidence-not-computed", **places, why=not_computed_words(speaker, evidence)))
    tricks_before = speaker.tricks(evidence.low)
    if evidence.low < evidence.high:
        tricks_before = speaker.phrase("evidence-range", least=evidence.low, most=evidence.high)
    side, card = speaker.value(evidence.side, "side"), speaker.value(revoke.card, "card")
    tricks_after = speaker.tricks(evidence.after_revoke)
    sentence = speaker.phrase("evidence-line", **places, before=tricks_before, side=side, card=card, after=tricks_after)
    result, as_ruled, lines = ruling.result, "", list[Line]()
    if result is not None and result.tricks_ruled is not None:
        ruled = result.tricks_ruled if SIDE[result.declarer] == evidence.side else 13 - result.tricks_ruled
        as_ruled = speaker.phrase("evidence-ruled", ruled=speaker.tricks(ruled))
    for _, same in groupby(evidence.cards, key=lambda play: (play.tricks, play.replay, play.followed, play.to_the_end)):
        first, *others = same  # legal cards that come to the same stand together
        cards = ", ".join(speaker.value(legal.card.text, "card") for legal in (first, *others))
        key = "evidence-forced" if evidence.forced else "evidence-cards"
        how = "evidence-replay" if first.followed else "evidence-replay-none"
        how = "evidence-replay-end" if first.to_the_end else how
        replay = speaker.phrase(how, n=first.followed, tricks=speaker.tricks(first.replay))
        lines.append(Line(f"{speaker.phrase(key, cards=cards, tricks=speaker.tricks(first.tricks))}; {replay}."))
    return Line(f"{sentence}{as_ruled}.", (), (*lines, Line(proves(speaker, revoke.trick)[-1])))


def _object(speaker: Speaker, revoke: RevokeRuled, evidence: Evidence | NotComputed) -> dict[str, Any]:
    naming = {"hand": revoke.hand, "trick": revoke.trick, "card": revoke.card}
    if isinstance(evidence, NotComputed):
        return {
            **naming,
            "not-computed": evidence.why.value,
            "detail": evidence.detail,
            "text": not_computed_words(speaker, evidence),
        }
    trick, share, says = proves(speaker, revoke.trick)
    return {
        **naming,
        "side": evidence.side,
        "least": evidence.low,
        "most": evidence.high,
        "after-revoke": evidence.after_revoke,
        "out-of": evidence.out_of,
        "cards": [
            {
                "card": legal.card.text,
                "tricks": legal.tricks,
                "replay": legal.replay,
                "followed": legal.followed,
                "to-the-end": legal.to_the_end,
            }
            for legal in evidence.cards
        ],
        "agrees-with-play": {"trick": trick, "per-cent": share},
        "text": says,
    }
