"""A sentence of the vocabulary that names what its kind does not have."""

from __future__ import annotations

from collections.abc import Iterator

from facts.errors import Fault
from kb.language.model import Kind, Vocabulary
from kb.language.names import did_you_mean
from kb.language.texts import each, holes, stray_brace


def check(vocabulary: Vocabulary) -> Iterator[Fault]:
    """``{field}`` in ``says`` and ``asks`` is a field of the kind."""
    for kind in vocabulary.kinds.values():
        yield from _texts(kind)


def _texts(kind: Kind) -> Iterator[Fault]:
    for key, texts in (("says", kind.says), ("asks", kind.asks)):
        for _, text, place in each(texts, kind.place):
            for name in dict.fromkeys(holes(text)):
                if name not in kind.index:
                    yield Fault(
                        place, f"{key} names {{{name}}}, which {kind.name} has not", did_you_mean(name, kind.index)
                    )
            if stray_brace(text):
                yield Fault(
                    place, f"a brace in {key} belongs to no {{field}}", "write {field} with the name of a field"
                )
