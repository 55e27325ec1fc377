"""What can be said of one finding: each of its answers, and each value that no answer says, to be tapped."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from facts.cards import DECK
from facts.table import FindingKind, numbers, written
from kb.explain.say import Speaker
from kb.space.choices import domain, values_of
from kb.space.completions import Completions
from kb.space.layout import Key


@dataclass(frozen=True, slots=True)
class Saying:
    """One way to state a finding."""

    words: str
    written: str
    """As a change of the incident states it."""
    values: frozenset[Any]
    """What it leaves possible."""


def every_value(ways: Completions, key: Key) -> list[Any]:
    """The values that a finding may have wherever the revoke may have been, in their order."""
    kind, places = ways.table.findings[key[1]], (given for given, _ in ways.places(key[0]))
    return list(DECK) if kind.type.name == "card" else list(domain(kind, places, ways.table))


def answers(
    ways: Completions, key: Key, speaker: Speaker, wanted: Iterable[Any], possible: Iterable[Any]
) -> list[Saying]:
    """The answers that say some of the wanted values and, of those that are possible, no other; in their order."""
    kind, can_be, all_wanted = ways.table.findings[key[1]], set(possible), set(wanted)
    found = []
    for answer in kind.answers.values():
        meant = {value for given, _ in ways.places(key[0]) for value in values_of(answer, given, ways.table)} & can_be
        if meant and meant <= all_wanted:
            found.append(Saying(answer.says[speaker.lang], _written(answer.id, kind), frozenset(meant)))
    order = every_value(ways, key)
    return sorted(found, key=lambda one: min(map(order.index, one.values)))


def values(ways: Completions, key: Key, speaker: Speaker, wanted: Iterable[Any]) -> list[Saying]:
    """Each of these values by itself."""
    kind = ways.table.findings[key[1]]
    return [Saying(value_words(one, kind, speaker), _written(one, kind), frozenset([one])) for one in wanted]


def value_words(value: Any, kind: FindingKind, speaker: Speaker) -> str:
    """A value by itself: a seat, a suit or a number as it is, a word by the answer that says it."""
    if isinstance(value, tuple):
        return ", ".join(speaker.value(seat, "seat") for seat in value) or speaker.phrase("nobody")
    named = written(value)
    if named in kind.answers:
        return kind.answers[named].says[speaker.lang]
    if len(several := numbers(value)) > 1:
        return speaker.phrase("from-to", least=several[0], most=several[-1])
    if kind.type.name != "words":
        return speaker.value(named, kind.type.name)
    said = next((one.says for one in kind.answers.values() if value in one.values), None)
    return speaker.value(named, "seat") if said is None else said[speaker.lang]


def _written(value: Any, kind: FindingKind) -> str:
    text = ",".join(value) if isinstance(value, tuple) else written(value)
    return {"yes": "true", "no": "false"}[text] if kind.type.name == "yes-no" else text
