"""The four hands at one moment, drawn for the terminal as on paper: North above, South below, the trick between."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from facts.cards import CLOCKWISE, SUITS, Seat
from facts.equity import Position
from kb.explain.say import Voice


def diagram(position: Position, voice: Voice) -> Table:
    """The cards still held, and those of the trick in progress with who played them."""
    drawn = Table.grid(padding=(0, 3))
    for _ in range(3):
        drawn.add_column(no_wrap=True)
    hands = {seat: _hand(position, voice, seat) for seat in CLOCKWISE["N"]}
    drawn.add_row("", hands["N"], "")
    drawn.add_row(hands["W"], _trick(position, voice), hands["E"])
    drawn.add_row("", hands["S"], "")
    return drawn


def _hand(position: Position, voice: Voice, seat: Seat) -> Text:
    held = sorted(position.hand(seat))
    mark = " *" if seat == position.to_play else ""
    lines = [f"{voice.value(seat, 'seat')}{mark}"]
    for suit in SUITS:
        ranks = " ".join(voice.value(card.text, "card")[1:] for card in held if card.suit == suit)
        lines.append(f"{voice.words.name('symbol', suit, voice.lang)} {ranks or '–'}")
    return Text("\n".join(lines))


def _trick(position: Position, voice: Voice) -> Text:
    played = zip(CLOCKWISE[position.leader], position.table, strict=False)
    return Text(
        "\n".join(["", *(f"{voice.value(seat, 'seat')} {voice.value(card.text, 'card')}" for seat, card in played)])
    )
