"""The hands, sides and the card of a revoke, as a sentence about it names them."""

from __future__ import annotations

from collections.abc import Mapping

from facts.cards import CLOCKWISE, OTHER_SIDE, PARTNER, SIDE
from kb.explain.say import Speaker
from kb.ruling.ruling import RevokeRuled, Ruling


def names(revoke: RevokeRuled, ruling: Ruling, speaker: Speaker) -> Mapping[str, str]:
    """The hands and sides of a revoke, as a sentence names them."""
    hand, declarer, card = revoke.hand, ruling.incident.declarer, revoke.card
    _, left, partner, _ = CLOCKWISE[hand]
    hands = {"hand": hand, "left": left, "partner": partner}
    if declarer is not None:
        hands |= {"declarer": declarer, "dummy": PARTNER[declarer]}
    sides = {"side": SIDE[hand], "other-side": OTHER_SIDE[SIDE[hand]]}
    said = {name: speaker.value(seat, "seat") for name, seat in hands.items()}
    said |= {name: speaker.value(side, "side") for name, side in sides.items()}
    return {**said, "card": speaker.phrase("class-card") if card is None else speaker.value(card, "card")}
