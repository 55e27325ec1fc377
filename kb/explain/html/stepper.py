"""The play stepped through: what was on the table at each moment, and the ruling as it then was."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from facts.incident import Event
from kb.explain.happenings import moment_words
from kb.explain.headline import headline
from kb.explain.say import Speaker
from kb.explain.unfold import turn_lines
from kb.ruling.unfold import Turn, Unfolding


def turns(unfolding: Unfolding, speaker: Speaker) -> Iterator[dict[str, Any]]:
    """What the page's script shows of each moment: its words, cards by seat, cards gone from the hands, the ruling."""
    on_table: dict[str, str] = {}
    gone: list[str] = []
    number: int | None = None
    told = set(unfolding.changes())
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
            "cards": {seat: _card(text, speaker) for seat, text in on_table.items()},
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


def _card(text: str, speaker: Speaker) -> list[str]:
    """Suit letter and label; the label is what is seen and read."""
    return [text[:1], speaker.value(text, "card")] if text else ["", "–"]
