"""The trick of a revoke, as it lay on the table: a card at each seat, as far as the cards are known."""

from __future__ import annotations

from dataclasses import dataclass

from facts.cards import SEATS, Card, Seat
from facts.play import Trick
from kb.explain.say import Speaker
from kb.ruling.ruling import Ruling


@dataclass(frozen=True, slots=True)
class DrawnCard:
    """One seat of the trick."""

    seat: Seat
    suit: str
    """Empty where the card is not known."""
    card: str
    """As it is said."""
    marks: tuple[str, ...]
    """Of «led», «won» and «wrong», those that fit."""


def drawn(ruling: Ruling, speaker: Speaker) -> tuple[DrawnCard, ...]:
    """The trick of the first revoke; nothing where no card of it is known."""
    trick = _trick(ruling)
    cards = _cards(ruling, trick)
    if not cards:
        return ()
    first = ruling.revokes[0]
    at = {"led": trick and trick.leader, "won": first.won_by, "wrong": first.hand}
    return tuple(
        _drawn(seat, cards.get(seat), [mark for mark, who in at.items() if who == seat], speaker) for seat in SEATS
    )


def _trick(ruling: Ruling) -> Trick | None:
    """The trick, by the play or as it was stated."""
    play, found = ruling.incident.play, ruling.incident.revokes
    if ruling.revokes and play is not None and ruling.revokes[0].trick <= len(play.tricks):
        return play.tricks[ruling.revokes[0].trick - 1]
    return found[0].cards if ruling.revokes and found else None


def _cards(ruling: Ruling, trick: Trick | None) -> dict[Seat, Card]:
    """The cards that were given; of a revoke whose seat nobody named, none."""
    if trick is not None:
        return {seat: card for seat, card in trick.items() if card is not None}
    stated = ruling.incident.revokes[0] if ruling.revokes and ruling.incident.revokes else None
    return {} if stated is None or stated.hand is None or stated.card is None else {stated.hand: stated.card}


def _drawn(seat: Seat, card: Card | None, marks: list[str], speaker: Speaker) -> DrawnCard:
    said = "" if card is None else speaker.value(card.text, "card")
    return DrawnCard(seat, "" if card is None else card.suit, said, tuple(marks))
