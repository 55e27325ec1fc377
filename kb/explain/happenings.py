"""What happened at a moment, in words."""

from __future__ import annotations

from dataclasses import fields
from typing import Final

from facts.cards import Card
from facts.events import Event
from facts.moments import Moment
from kb.explain.say import Voice

_TYPES: Final = {"by": "seat", "of": "seat", "suit": "suit", "how": "how", "kind": "degree", "answer": "reply"}
"""The type of each field of an event that is not a card."""


def moment_words(voice: Voice, moment: Moment) -> str:
    """«East plays ♠6 to trick 5», «South draws attention to a revoke»."""
    if moment.event is not None:
        return event_words(voice, moment.event)
    if moment.stage is not None:
        hand = voice.value(moment.hand, "seat")
        return voice.words.names["stage"][moment.stage][voice.lang].format(hand=hand, trick=moment.trick)
    if moment.trick is None:
        return voice.phrase("unfold-end")
    card = voice.value(None if moment.card is None else moment.card.text, "card")
    return voice.phrase("unfold-card", hand=voice.value(moment.hand, "seat"), card=card, trick=moment.trick)


def event_words(voice: Voice, event: Event) -> str:
    """What an event is, with its players and cards."""
    values = {one.name: getattr(event.what, one.name) for one in fields(event.what)}
    places = {name: _value(voice, name, value) for name, value in values.items() if value is not None}
    places["what"] = places.get("card") or places.get("suit", "")
    return voice.words.names["event"][event.name][voice.lang].format(**places)


def _value(voice: Voice, name: str, value: object) -> str:
    if isinstance(value, Card):
        return voice.value(value.text, "card")
    return voice.value(str(value), _TYPES.get(name, "text"))
