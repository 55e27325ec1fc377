"""The play stepped through: what was on the table at each moment, and the ruling as it then was."""

from __future__ import annotations

import json
from collections.abc import Iterator
from html import escape
from typing import Any

from facts.cards import SEATS
from facts.events import Event
from kb.explain.happenings import moment_words
from kb.explain.headline import headline
from kb.explain.html.pieces import Pieces
from kb.explain.unfold import turn_lines
from kb.ruling.unfold import Turn, Unfolding


def stepper(unfolding: Unfolding, pieces: Pieces) -> Iterator[str]:
    """Buttons, a table with the trick in progress if cards are recorded, the ruling so far; only where scripts run."""
    yield pieces.opening("steps", "html-steps", "stepper", hidden=True)
    yield f'<div class="stage" tabindex="0" role="group" aria-label="{pieces.phrase("html-steps-how")}">'
    if unfolding.last.incident.play is not None:
        yield from _felt(pieces)
    yield '<div class="told"><p class="moment" data-moment aria-live="polite"></p>'
    yield '<p class="lead" data-says></p><ul data-lines></ul></div></div>'
    yield from _controls(len(unfolding.turns), pieces)
    data = json.dumps(list(_turns(unfolding, pieces)), ensure_ascii=False).replace("<", "\\u003c")
    yield f'<script type="application/json" data-turns>{data}</script></section>'


def _felt(pieces: Pieces) -> Iterator[str]:
    yield '<div class="felt">'
    for seat in SEATS:
        name = escape(pieces.speaker.value(seat, "seat"))
        yield f'<div class="seat {seat}"><b>{name}</b><span data-seat="{seat}"></span></div>'
    yield f'<div class="number"><span>{pieces.phrase("html-trick")}</span> <b data-trick-number></b></div></div>'


def _controls(count: int, pieces: Pieces) -> Iterator[str]:
    yield '<div class="controls">'
    for step, sign in (("first", "|◀"), ("back", "◀"), ("on", "▶"), ("last", "▶|")):
        label = pieces.phrase(f"html-{step}")
        yield f'<button type="button" data-go="{step}" aria-label="{label}" title="{label}">{sign}</button>'
    yield f'<button type="button" data-go="change" class="wide">{pieces.phrase("html-change")}</button>'
    last, label = count - 1, pieces.phrase("html-steps")
    yield f'<input type="range" min="0" max="{last}" value="{last}" aria-label="{label}"></div>'


def _turns(unfolding: Unfolding, pieces: Pieces) -> Iterator[dict[str, Any]]:
    on_table: dict[str, str] = {}
    gone: list[str] = []
    number: int | None = None
    told, speaker = set(unfolding.changes()), pieces.speaker
    for nth, turn in enumerate(unfolding.turns):
        moment = turn.moment
        if moment.event is None and moment.stage is None and moment.trick is not None:
            if moment.trick != number:
                on_table, number = {}, moment.trick
            text = "" if moment.card is None else moment.card.text
            on_table = {**on_table, str(moment.hand): text}
            gone = [*gone, text]
        elif moment.event is not None:
            on_table, gone = _taken_back(moment.event, on_table, gone)
        yield {
            "moment": moment_words(moment, unfolding.last, speaker),
            "trick": number,
            "cards": {seat: _card(text, pieces) for seat, text in on_table.items()},
            "gone": gone,
            "says": headline(turn.ruling, speaker) if _spoken(turn) else "",
            "lines": [line.text for line in turn_lines(turn, speaker)],
            "change": nth in told,
        }


def _taken_back(event: Event, on_table: dict[str, str], gone: list[str]) -> tuple[dict[str, str], list[str]]:
    """The table after a card has been taken back and another played."""
    if event.takes_back is None:
        return on_table, gone
    back, played = (card.text for card in event.takes_back)
    changed = {seat: played if text == back else text for seat, text in on_table.items()}
    return changed, [*(text for text in gone if text != back), played]


def _spoken(turn: Turn) -> bool:
    """Whether there is anything to rule on yet; before a revoke there is not."""
    return bool(turn.ruling.revokes) or turn.moment.trick is None


def _card(text: str, pieces: Pieces) -> list[str]:
    """Suit letter and label; the label is what is seen and read."""
    return [text[:1], pieces.speaker.value(text, "card")] if text else ["", "–"]
