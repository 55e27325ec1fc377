"""From an incident to its ruling."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from facts.errors import Fault, InputError
from facts.ground import Value
from facts.incident import Incident
from facts.observe import observe
from facts.observe.timeline import Timeline
from kb.engine import EngineName
from kb.engine.consistency import one_per
from kb.engine.proof import Proof
from kb.language.edition import editions, load_edition
from kb.language.model import Edition
from kb.language.names import did_you_mean
from kb.ruling.law import Law
from kb.ruling.ruling import Ruling

ALWAYS_SHOWN = frozenset({"won", "role", "table"})
"""Kinds of fact that every ruling shows, whether or not a rule reads them."""

REFUSED = "change-refused"
"""The kind of fact by which rules say that a change of cards does not stand; it ends with the moment."""


def rule(law: Law, incident: Incident) -> Ruling:
    """The ruling; InputError when the incident contradicts itself, EngineError when the engine fails."""
    *_, ruling = rounds(law, incident)
    return ruling


def rounds(law: Law, incident: Incident) -> Iterator[Ruling]:
    """The ruling comes last: where the law refuses changes of cards, it is asked again about the cards without them.

    Errors as of ``rule``.
    """
    while True:
        facts = observe(incident, law.program.kinds | ALWAYS_SHOWN)
        ruling = Ruling(incident, law.edition, law.engine.run(facts))
        stands = _without(incident, refused_at(ruling.proof))
        if stands == incident:
            refuse_contradictions(ruling)
            yield ruling
            return
        yield ruling
        incident = stands


def refused_at(proof: Proof) -> frozenset[Value]:
    """The moments of the changes of cards that rules refuse."""
    return frozenset(fact[-1] for fact, _, _ in proof.firings if fact[0] == REFUSED)


def _without(incident: Incident, refused: Collection[Value]) -> Incident:
    """The incident in which what was done at these moments is refused."""
    if not refused:
        return incident
    events = tuple(
        replace(placed.event, refused=placed.event.refused or placed.at in refused)
        for placed in Timeline.of(incident).events
    )
    return replace(incident, events=events)


def refuse_contradictions(ruling: Ruling) -> None:
    """InputError if the incident says different things of what can be only one way; RulesError if the rules do."""
    vocabulary = ruling.edition.vocabulary
    faults: list[Fault] = []
    for clash in one_per(vocabulary, ruling.proof):
        told = " and ".join(
            ", ".join(f"{name} {fact[at]}" for name, at in vocabulary.kinds[clash.kind].index.items())
            for fact in clash.facts
        )
        if clash.steps:
            rules = " and ".join(step.rule.id for step in clash.steps)
            faults.append(
                Fault(
                    clash.steps[0].rule.place,
                    f"{rules} conclude two things of {clash.kind}: {told}",
                    "let one give way",
                )
            )
        else:
            faults.append(
                Fault(ruling.incident.place, f"this says two things of {clash.kind}: {told}", "say only one of them")
            )
    if faults:
        raise InputError(faults)


class Laws:
    """The editions under one root, each loaded when first needed, by ``load`` if given."""

    def __init__(self, root: Path, engine: EngineName, load: Callable[..., Edition] = load_edition) -> None:
        self.root = root
        self.engine = engine
        self._load = load
        self._loaded: dict[tuple[str, tuple[str, ...]], Law] = {}

    def of(self, edition: str | Path, elections: Sequence[str] = ()) -> Law:
        """The law of that edition with those elections; RulesError if there is none or it is faulty."""
        key = (str(edition), tuple(sorted(elections)))
        if key not in self._loaded:
            self._loaded[key] = Law(self._load(self.root, edition, elections), self.engine)
        return self._loaded[key]

    def for_incident(self, incident: Incident) -> Law:
        """The law an incident names; InputError at its place if there is none, RulesError if its rules are faulty."""
        known = editions(self.root)
        if incident.edition not in known and not Path(incident.edition).is_dir():
            place = incident.places.get("edition", incident.place)
            mend = did_you_mean(incident.edition, known)
            raise InputError([Fault(place, f"there is no edition {incident.edition}", mend)])
        return self.of(incident.edition, incident.elections)
