"""The deal: which hand held which cards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from reprlib import repr
from typing import Final, TypeAlias, cast

from facts.cards import BY_TEXT, CLOCKWISE, DECK, DECK_ORDER, SEATS, SUITS, Card, Seat
from facts.errors import MisreadError

Hand: TypeAlias = tuple[Card, ...]

_SEAT_NUMBER: Final = {seat: number for number, seat in enumerate(SEATS)}


@dataclass(frozen=True)
class Deal:
    """The hands before the first trick of the record; a whole deal, or an ending of fewer than 13 cards each."""

    hands: tuple[Hand | None, ...]
    """In the order N E S W; None for a hand not known."""

    def __getitem__(self, seat: Seat) -> Hand | None:
        return self.hands[_SEAT_NUMBER[seat]]

    @cached_property
    def holder(self) -> Mapping[Card, Seat]:
        """Who held each card that is known."""
        return {card: seat for seat, hand in zip(SEATS, self.hands, strict=True) for card in hand or ()}

    @property
    def size(self) -> int:
        """Cards in each hand: 13 unless the deal is an ending."""
        return max((len(hand) for hand in self.hands if hand is not None), default=13)

    @staticmethod
    def from_pbn(text: object) -> Deal:
        """The deal written ``N:K74.J6.T543.Q432 962.Q8.AKQJ96.A7 - -``; a ``-`` is a hand not known.

        A suit may have its letter before it, as in ``SK74.HJ6.DT543.CQ432``. A fourth hand is known from the other
        three when they are whole. Each hand is sorted from the spades down. MisreadError names everything wrong.
        """
        first, colon, rest = str(text).strip().partition(":")
        groups = rest.split()
        if not colon or first.upper() not in SEATS or len(groups) != 4:
            mend = "write a seat, a colon and four hands as in PBN, - for one not known"
            raise MisreadError(f"{repr(str(text))} is no deal", mend)
        seats = CLOCKWISE[cast(Seat, first.upper())]
        wrong: list[tuple[str, str]] = []
        hands = {seat: _hand(seat, group, wrong) for seat, group in zip(seats, groups, strict=True)}
        wrong += _impossible(hands)
        if wrong:
            (problem, mend), *more = wrong
            raise MisreadError(problem, mend, *more)
        unknown = [seat for seat, hand in hands.items() if hand is None]
        seen = {card for hand in hands.values() for card in hand or ()}
        if len(unknown) == 1 and len(seen) == 39:
            hands[unknown[0]] = tuple(card for card in DECK if card not in seen)
        return Deal((hands["N"], hands["E"], hands["S"], hands["W"]))

    def to_pbn(self) -> str:
        """The deal in the form that ``from_pbn`` reads, beginning with North."""
        return "N:" + " ".join("-" if hand is None else _dotted(hand) for hand in self.hands)


def _dotted(hand: Hand) -> str:
    return ".".join("".join(card.text[1] for card in sorted(hand) if card.suit == suit) for suit in SUITS)


def _hand(seat: Seat, group: str, wrong: list[tuple[str, str]]) -> Hand | None:
    """None where a hand is not known or cannot be read."""
    if group == "-":
        return None
    suits = group.split(".")
    if len(suits) != 4 or len(group) > 60:
        wrong.append((f"{seat}'s hand {repr(group)} is no hand", "write spades.hearts.diamonds.clubs"))
        return None
    cards: list[Card] = []
    for suit, ranks in zip(SUITS, suits, strict=True):
        plain = ranks.upper().removeprefix(suit)  # some programs write the suit before its ranks
        for rank in plain.replace("10", "T"):
            if suit + rank not in BY_TEXT:
                problem = f"{seat}'s hand {repr(group)} holds {rank!r}, which is no rank"
                wrong.append((problem, "use AKQJT98765432"))
                return None
            cards.append(BY_TEXT[suit + rank])
    return tuple(sorted(cards, key=DECK_ORDER.__getitem__))


def _impossible(hands: Mapping[Seat, Hand | None]) -> Iterator[tuple[str, str]]:
    known_hands = {seat: hand for seat, hand in hands.items() if hand is not None}
    holders: dict[Card, Seat] = {}
    for seat, hand in known_hands.items():
        for card in hand:
            first = holders.setdefault(card, seat)
            if first != seat:
                yield f"{card} is in the hands of {first} and {seat}", "take it out of one of them"
        for card in sorted({card for card in hand if hand.count(card) > 1}) if len(set(hand)) < len(hand) else ():
            yield f"{card} is twice in the hand of {seat}", "take it out once"
    longest = max((len(hand) for hand in known_hands.values()), default=0)
    for seat, hand in known_hands.items():
        if len(hand) > 13:
            yield f"{seat} has {len(hand)} cards", "a hand has 13"
        elif len(hand) < min(longest, 13):
            problem = f"{seat} has {len(hand)} cards, another hand {min(longest, 13)}"
            yield problem, "give all its cards, or - for unknown"
