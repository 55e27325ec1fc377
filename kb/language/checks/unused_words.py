"""Parts of the vocabulary that nothing uses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from facts.errors import Fault
from kb.language.model import Edition, Vocabulary
from kb.language.nodes import entries, items


def check(vocabulary: Vocabulary, editions: Iterable[Edition]) -> Iterator[Fault]:
    """A kind is read by a rule of some edition or by what is impossible, or concluded as part of the ruling; a list of
    words is the type of a field. Anything else is a name that has changed in one place only.
    """
    read: set[str] = set()
    concluded: set[str] = set()
    for edition in editions:
        for rule in edition.rules:
            read |= {condition.kind for condition in rule.conditions()}
            concluded |= {conclusion.kind for conclusion in rule.then}
        for one in edition.table.impossible:
            read |= {kind for item in (*items(one.facts), *items(one.unless)) for kind in entries(item)}
    for kind in vocabulary.kinds.values():
        if kind.name not in read and not (kind.section and kind.name in concluded):
            what = f"no rule concludes {kind.name}" if kind.section else f"no rule reads {kind.name}"
            yield Fault(kind.place, what, "take the kind away, or write the rule that needs it")
    types = {field.type for kind in vocabulary.kinds.values() for field in kind.fields}
    for name, place in vocabulary.word_places.items():
        if name not in types:
            yield Fault(place, f"no field is a {name}", "take the list of words away, or use it")
