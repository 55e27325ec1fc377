"""The hands, sides and the card of a revoke, as a sentence about it names them."""

from __future__ import annotations

from collections.abc import Mapping

from facts.cards import CLOCKWISE, OTHER_SIDE, PARTNER, SIDE, Seat
from kb.explain.say import Speaker
from kb.ruling.ruling import RevokeRuled, Ruling


def names(revoke: RevokeRuled, ruling: Ruling, speaker: Speaker) -> Mapping[str, str]:
    """The hands and sides of a revoke, and its card, as a sentence names them."""
    card = revoke.card
    said = speaker.phrase("class-card") if card is None else speaker.value(card, "card")
    return {**seen_from(revoke.hand, ruling.incident.declarer, speaker), "card": said}


def seen_from(hand: Seat, declarer: Seat | None, speaker: Speaker) -> Mapping[str, str]:
    """The hands and sides around one, as a sentence names them."""
    _, left, partner, right = CLOCKWISE[hand]
    hands = {"hand": hand, "left": left, "partner": partner, "right": right}
    if declarer is not None:
        hands |= {"declarer": declarer, "dummy": PARTNER[declarer]}
    sides = {"side": SIDE[hand], "other-side": OTHER_SIDE[SIDE[hand]]}
    said = {name: speaker.value(seat, "seat") for name, seat in hands.items()}
    return {**said, **{name: speaker.value(side, "side") for name, side in sides.items()}}
