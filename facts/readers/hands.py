"""Hands and cards as LIN files and handviewer addresses write them: a suit's letter, then its ranks."""

from __future__ import annotations

import re
from collections.abc import Iterable
from reprlib import repr
from typing import Final

from facts.cards import CLOCKWISE, SUITS, SYMBOLS, Card, Seat
from facts.deal import Deal
from facts.errors import MisreadError

_CARD: Final = re.compile(r"([SHDC♠♥♦♣♤♡♢♧])(10|[2-9TJQKA])|([\s,]+)|.", re.DOTALL)
_SUIT_OF: Final = {symbol: suit for suit in SUITS for symbol in SYMBOLS[suit]}


def deal_of(first: Seat, hands: Iterable[str]) -> Deal | None:
    """The deal of four hands such as ``SK74HJ6DT543CQ432``, clockwise from ``first``; empty for a hand not known.

    None when no hand is known; MisreadError names what is wrong.
    """
    given = [hand.strip() for hand in hands]
    if not any(given):
        return None
    return Deal.from_pbn(f"{first}:" + " ".join(_dotted(seat, hand) for seat, hand in _seated(first, given)))


def cards_of(text: str) -> list[Card]:
    """Cards one after the other, such as ``CQC6c8D10``; MisreadError for anything else."""
    cards = []
    for part in _CARD.finditer(text.upper()):
        suit, rank, space = part.groups()
        if suit is not None:
            cards.append(Card.from_text(suit + rank))
        elif space is None:
            shown = repr(text[part.start() : part.start() + 4])
            raise MisreadError(f"{shown} is no card", "write a card as its suit and then its rank, such as ST or H9")
    return cards


def _seated(first: Seat, hands: list[str]) -> Iterable[tuple[Seat, str]]:
    return zip(CLOCKWISE[first], hands, strict=True)


def _dotted(seat: Seat, hand: str) -> str:
    """The hand as PBN writes it."""
    if not hand:
        return "-"
    ranks: dict[str, str] = dict.fromkeys(SUITS, "")
    suit = ""
    for letter in hand.upper().replace("10", "T"):
        if letter in _SUIT_OF:
            suit = _SUIT_OF[letter]
        elif not suit or not letter.isalnum():
            raise MisreadError(
                f"{seat}'s hand {repr(hand)} is no hand", "write each suit and its ranks, as in SK74HJ6DT54CQ4"
            )
        else:
            ranks[suit] += letter
    return ".".join(ranks.values())
