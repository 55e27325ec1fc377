"""What happened at a moment, in words."""

from __future__ import annotations

from typing import Any

from facts.cards import Card
from facts.history import Moment
from facts.incident import Event
from facts.table import EventKind, Formula, Table, written
from kb.explain.say import Speaker
from kb.language.texts import StandsFor, fill, holes
from kb.language.vocabulary import Vocabulary
from kb.ruling.ruling import Ruling


def moment_words(moment: Moment, ruling: Ruling, speaker: Speaker) -> str:
    """«East plays ♠6 to trick 5», «South draws attention to a revoke».

    ``ruling``: the one on the whole incident; ``speaker``: one that has words for what nobody said of it.
    """
    if moment.event is not None:
        return event_words(moment.event, ruling.edition.table, speaker)
    if moment.stage is not None:
        return speaker.capital(_stage(moment, ruling, speaker))
    if moment.trick is None:
        return speaker.phrase("unfold-end")
    card = speaker.value(None if moment.card is None else moment.card.text, "card")
    return speaker.phrase("unfold-card", hand=speaker.value(moment.hand, "seat"), card=card, trick=moment.trick)


def event_words(event: Event, table: Table, speaker: Speaker) -> str:
    """What an event is, as it is declared to be told, with its players and cards."""
    kind = table.events[event.name]
    sentence = (kind.says or kind.means)[speaker.lang]
    return fill(sentence, {name: _field(event.said.get(name), name, kind, speaker) for name in holes(sentence)})


def _field(value: Any, name: str, kind: EventKind, speaker: Speaker) -> str:
    if value is None:
        return StandsFor("…", {})
    declared = kind.fields[name][0].name
    said_as = {"words": _as_in_a_fact(name, kind, speaker.vocabulary), "yes-no": "reply"}.get(declared, declared)
    return speaker.value(value.text if isinstance(value, Card) else written(value), said_as)


def _as_in_a_fact(name: str, kind: EventKind, vocabulary: Vocabulary) -> str:
    """The type that a word of an event has in the facts that it states."""
    taken = Formula(((1, (f"${name}",)),))
    found = ((one.kind, field) for one in kind.states for field, term in one.terms if term == taken)
    return next((vocabulary.kinds[of].field_named(field).type for of, field in found), "text")


def named(number: int, ruling: Ruling) -> tuple[Any, Any]:
    """Hand and trick of a finding; what stands for them where they are not stated."""
    assert ruling.opening is not None
    values = ruling.opening.completions.values
    return next(iter(values[number, "hand"])), next(iter(values[number, "trick"]))


def _stage(moment: Moment, ruling: Ruling, speaker: Speaker) -> str:
    """A stage of a finding; what stands for something not stated has words of its own."""
    assert moment.finding is not None and moment.stage is not None
    hand, trick = named(moment.finding, ruling)
    told = speaker.words.names["stage"][moment.stage][speaker.lang]
    return fill(told, {"hand": speaker.value(hand, "seat"), "trick": speaker.value(trick, "trick")})
