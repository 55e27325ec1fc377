"""The four hands at one moment, drawn for the terminal as on paper: North above, South below, the trick between."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from facts.cards import CLOCKWISE, SUITS, Seat
from facts.double_dummy import Position
from kb.explain.say import Speaker


def diagram(position: Position, speaker: Speaker) -> Table:
    """The cards still held, and those of the trick in progress with who played them."""
    drawn = Table.grid(padding=(0, 3))
    for _ in range(3):
        drawn.add_column(no_wrap=True)
    hands = {seat: _hand(position, speaker, seat) for seat in CLOCKWISE["N"]}
    drawn.add_row("", hands["N"], "")
    drawn.add_row(hands["W"], _trick(position, speaker), hands["E"])
    drawn.add_row("", hands["S"], "")
    return drawn


def _hand(position: Position, speaker: Speaker, seat: Seat) -> Text:
    held = sorted(position.hand(seat))
    mark = " *" if seat == position.to_play else ""
    lines = [f"{speaker.value(seat, 'seat')}{mark}"]
    for suit in SUITS:
        ranks = " ".join(speaker.value(card.text, "card")[1:] for card in held if card.suit == suit)
        lines.append(f"{speaker.words.name('symbol', suit, speaker.lang)} {ranks or '–'}")
    return Text("\n".join(lines))


def _trick(position: Position, speaker: Speaker) -> Text:
    played = zip(CLOCKWISE[position.leader], position.table, strict=False)
    return Text(
        "\n".join(["", *(f"{speaker.value(seat, 'seat')} {speaker.value(card.text, 'card')}" for seat, card in played)])
    )
