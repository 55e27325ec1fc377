"""A sentence that names what its kind, or its event, does not have."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from facts.errors import Fault, Place
from facts.suggestions import did_you_mean
from facts.table import Table
from kb.language.model import Texts, Vocabulary
from kb.language.texts import each, holes, stray_brace


def check(vocabulary: Vocabulary) -> Iterator[Fault]:
    """``{field}`` in ``says`` and ``asks`` is a field of the kind."""
    for kind in vocabulary.kinds.values():
        for key, texts in (("says", kind.says), ("asks", kind.asks)):
            yield from _named(texts, key, kind.name, kind.index, kind.place)


def of_events(table: Table) -> Iterator[Fault]:
    """``{field}`` in ``says`` is a field of the event."""
    for event in table.events.values():
        yield from _named(event.says, "says", event.id, event.fields, event.place)


def _named(texts: Texts, key: str, of: str, names: Collection[str], default: Place) -> Iterator[Fault]:
    for _, text, place in each(texts, default):
        for name in dict.fromkeys(holes(text)):
            if name not in names:
                yield Fault(place, f"{key} names {{{name}}}, which {of} has not", did_you_mean(name, names))
        if stray_brace(text):
            yield Fault(place, f"a brace in {key} belongs to no {{field}}", "write {field} with the name of a field")
