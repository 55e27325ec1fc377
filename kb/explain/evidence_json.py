"""What double dummy says of each revoke it was asked about, for other programs."""

from __future__ import annotations

from typing import Any

from facts.cards import SEATS
from facts.double_dummy import NotComputed, Position
from facts.equity import Evidence, LegalCard
from kb.explain.evidence import measured, proves, why_not
from kb.explain.say import Speaker
from kb.ruling.ruling import RevokeRuled, Ruling


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
        "cards": [_card(card) for card in found.cards],
        "position": _position(found.position),
        "agrees-with-play": {"trick": trick, "per-cent": share},
        "text": proves(speaker, revoke.trick),
    }


def _card(card: LegalCard) -> dict[str, Any]:
    return {
        "card": card.card.text,
        "tricks": card.tricks,
        "replay": card.replay,
        "followed": card.followed,
        "to-the-end": card.to_the_end,
    }


def _position(position: Position) -> dict[str, Any]:
    hands = {seat: [card.text for card in sorted(position.hand(seat))] for seat in SEATS}
    return {"hands": hands, "leader": position.leader, "table": [card.text for card in position.table]}
