"""The conclusions of a proof, sorted into the parts of a ruling as the vocabulary says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from facts.fact import Fact
from kb.engine.proof import Proof
from kb.language.vocabulary import Kind, Vocabulary
from kb.ruling.citations import Citations


@dataclass(frozen=True, slots=True)
class Item:
    """One entry of a part of the ruling."""

    fact: Fact
    law: tuple[str, ...]
    values: Mapping[str, Any]
    """What it shows, unknown values left out; ``if.withdraws`` is a mapping within."""


class Sections:
    """The parts of one ruling."""

    def __init__(self, vocabulary: Vocabulary, proof: Proof, citations: Citations) -> None:
        self.proof = proof
        self.citations = citations
        self.kinds: dict[str, list[Kind]] = {}
        for kind in vocabulary.kinds.values():
            if kind.section is not None and (kind.name in proof.program.concluded or proof.facts(kind.name)):
                self.kinds.setdefault(kind.section, []).append(kind)

    def facts(self, section: str) -> tuple[Fact, ...]:
        """The facts of a part, kinds in the order of the vocabulary."""
        return tuple(fact for kind in self.kinds.get(section, ()) for fact in self.proof.facts(kind.name))

    def items(self, section: str) -> tuple[Item, ...]:
        """The facts of a part as entries, each once: facts that show the same become one, with the laws of all."""
        merged: dict[str, Item] = {}
        for kind in self.kinds.get(section, ()):
            for fact in self.proof.facts(kind.name):
                values = _shown(kind, fact)
                law = self.citations.laws(fact)
                first = merged.get(repr(values))
                if first is None:
                    merged[repr(values)] = Item(fact, law, values)
                else:
                    merged[repr(values)] = Item(first.fact, self.citations.sort((*first.law, *law)), values)
        return tuple(merged.values())


def _shown(kind: Kind, fact: Fact) -> dict[str, Any]:
    shown: dict[str, Any] = {}
    for key, what in kind.shows.items():
        value = fact[kind.index[what[1:]]] if isinstance(what, str) and what.startswith("$") else what
        if value is not None:
            outer, _, inner = key.partition(".")
            if inner:
                shown.setdefault(outer, {})[inner] = value
            else:
                shown[outer] = value
    return shown
