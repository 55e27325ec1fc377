"""From an incident to its ruling."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from facts.errors import Fault, InputError
from facts.incident import Incident
from facts.observe import observe
from kb.engine.consistency import one_per
from kb.ruling.law import EngineName, Law
from kb.ruling.ruling import Ruling

ALWAYS_SHOWN = frozenset({"won", "role", "table"})
"""Kinds of fact that every ruling shows, whether or not a rule reads them."""


def rule(law: Law, incident: Incident) -> Ruling:
    """The ruling; InputError when the incident contradicts itself, EngineError when the engine fails."""
    facts = observe(incident, law.program.kinds | ALWAYS_SHOWN)
    ruling = Ruling(incident, law.edition, law.engine.run(facts))
    refuse_contradictions(ruling)
    return ruling


def refuse_contradictions(ruling: Ruling) -> None:
    """InputError if two facts say different things of what can only be one way."""
    kinds = ruling.edition.vocabulary.kinds
    faults = [
        Fault(
            ruling.incident.place,
            f"this says two things of {kinds[clash.kind].name}: {' and '.join(map(str, clash.facts))}",
            "say only one of them",
        )
        for clash in one_per(ruling.edition.vocabulary, ruling.proof)
    ]
    if faults:
        raise InputError(faults)


class Laws:
    """The editions under one root, each loaded when first needed."""

    def __init__(self, root: Path, engine: EngineName) -> None:
        self.root = root
        self.engine = engine
        self._loaded: dict[tuple[str, tuple[str, ...]], Law] = {}

    def of(self, edition: str | Path, elections: Sequence[str] = ()) -> Law:
        """The law of that edition with those elections; RulesError if there is none or it is faulty."""
        key = (str(edition), tuple(sorted(elections)))
        if key not in self._loaded:
            self._loaded[key] = Law.load(self.root, edition, elections, self.engine)
        return self._loaded[key]


__all__ = ["Laws", "rule"]
