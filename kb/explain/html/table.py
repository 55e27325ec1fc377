"""The deal and the tricks, drawn as directors draw them."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from facts.cards import SEATS, SUITS, Card, Seat, Suit
from facts.play import Trick
from kb.explain.html.pieces import Pieces
from kb.ruling.ruling import Ruling


def deal(ruling: Ruling, pieces: Pieces) -> Iterator[str]:
    """The four hands around the table; nothing when no hand is known."""
    hands = ruling.incident.deal
    if hands is None:
        return
    yield pieces.opening("deal", "html-deal")
    yield '<div class="deal">'
    for seat in SEATS:
        yield f'<div class="hand {seat}"><h3>{_seat(ruling, pieces, seat)}</h3><ul>'
        yield from (_suit(hands[seat], suit, pieces) for suit in SUITS)
        yield "</ul></div>"
    yield "</div></section>"


def tricks(ruling: Ruling, pieces: Pieces) -> Iterator[str]:
    """One row a trick: who led, the four cards, who won; the cards that were revokes are marked."""
    play = ruling.incident.play
    if play is None:
        return
    revoked = {(revoke.trick, revoke.hand) for revoke in ruling.revokes}
    yield pieces.opening("tricks", "html-tricks")
    yield f'<p class="key">{pieces.phrase("html-key")}</p>'
    yield '<table class="tricks"><thead><tr>'
    yield f'<th scope="col">{pieces.phrase("html-trick")}</th>'
    yield from (f'<th scope="col">{escape(pieces.speaker.value(seat, "seat"))}</th>' for seat in SEATS)
    yield "</tr></thead><tbody>"
    for number, trick in enumerate(play.tricks, 1):
        winner = ruling.winner(number)
        yield f'<tr data-trick="{number}"><th scope="row">{number}</th>'
        yield from (_cell(trick, seat, winner, (number, seat) in revoked, pieces) for seat in SEATS)
        yield "</tr>"
    yield "</tbody></table></section>"


def card(one: Card | None, pieces: Pieces) -> str:
    """A card with its suit in colour; the suit is read out by name."""
    if one is None:
        return "–"
    symbol, rank = pieces.speaker.value(one.text, "card")[0], pieces.speaker.value(one.text, "card")[1:]
    return (
        f'<span class="card"><span class="s{one.suit}" aria-hidden="true">{symbol}</span>'
        f'<span class="read">{escape(pieces.speaker.value(one.suit, "suit"))} </span>{escape(rank)}</span>'
    )


def _cell(trick: Trick, seat: Seat, winner: Seat | None, revoked: bool, pieces: Pieces) -> str:
    played = trick.nth_of(seat) <= len(trick.cards)
    if not played:
        return "<td></td>"
    marks = [name for name, so in (("led", trick.leader == seat), ("won", winner == seat), ("wrong", revoked)) if so]
    read = "".join(f' <span class="read">({pieces.phrase(f"html-{mark}")})</span>' for mark in marks)
    classes = f' class="{" ".join(marks)}"' if marks else ""
    return f"<td{classes}>{card(trick.card_of(seat), pieces)}{read}</td>"


def _seat(ruling: Ruling, pieces: Pieces, seat: Seat) -> str:
    role = ruling.role(seat)
    name = escape(pieces.speaker.value(seat, "seat"))
    return name if role in (None, "defender") else f"{name} <small>{escape(pieces.speaker.value(role, 'role'))}</small>"


def _suit(hand: tuple[Card, ...] | None, suit: Suit, pieces: Pieces) -> str:
    """A suit of a hand; a card that was played can be struck out by its ``data-card``."""
    symbol = pieces.speaker.words.name("symbol", suit, pieces.speaker.lang)
    name = escape(pieces.speaker.value(suit, "suit"))
    cards = [] if hand is None else [one for one in sorted(hand) if one.suit == suit]
    ranks = " ".join(
        f'<span data-card="{one.text}">{escape(pieces.speaker.value(one.text, "card")[1:])}</span>' for one in cards
    )
    unknown = "?" if hand is None else "–"
    read = f'<span class="s{suit}" aria-hidden="true">{symbol}</span><span class="read">{name}:</span>'
    return f"<li>{read} {ranks or unknown}</li>"
