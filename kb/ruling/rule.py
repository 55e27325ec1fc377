"""From an incident to its ruling."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import Final

from facts.cards import Seat
from facts.errors import BoundsError, Fault, InputError
from facts.fact import Value
from facts.incident import Incident
from facts.observe import observe
from facts.observe.observe import denied, of_a_record, settled
from kb.engine.proof import Proof, one_per
from kb.language.known import AT, HAND, NONE_YET, REFUSED, REVOKE, TRICK
from kb.ruling.certain import Certainty
from kb.ruling.law import Law
from kb.ruling.opening import Opening
from kb.ruling.ruling import Ruling
from kb.space.completions import completions
from kb.space.outcome import EditionRun


def rule(law: Law, incident: Incident) -> Ruling:
    """The ruling, without a result that a record's own cards deny; InputError when the incident contradicts itself or
    comes to more than any board does, EngineError when the engine fails."""
    *_, ruling = rounds(law, incident)
    return ruling


def rounds(law: Law, incident: Incident) -> Iterator[Ruling]:
    """The ruling comes last: where the law refuses changes of cards, it is asked again about the cards without them.

    Errors as of ``rule``.
    """
    while True:
        try:
            ruling = ruled_once(law, incident)
        except BoundsError as error:
            raise InputError.of(incident.place, error.what, error.mend) from None
        except InputError:
            stands = _by_its_cards(law, incident)  # the result may be that of the cards without a change refused
            if stands == incident and denied(incident):
                stands = replace(incident, tricks=None)
            if stands == incident:
                raise
        else:
            yield ruling
            stands = _without(incident, refused_at(ruling.proof))
            if stands == incident:
                refuse_contradictions(ruling)
                return
        incident = stands


def _by_its_cards(law: Law, incident: Incident) -> Incident:
    """The incident without the changes of cards that are refused whatever was found out and agreed."""
    alone = replace(incident, revokes=(), tricks=None)
    return _without(incident, refused_at(law.engine.run(observe(alone, law.edition.table, law.shown))))


def ruled_once(law: Law, incident: Incident) -> Ruling:
    """The ruling as long as every change of cards stands, even of a draft whose rules contradict each other."""
    stated, incident = incident, settled(incident, law.edition.table)
    return _opened(law, stated, of_a_record(incident, _shown(law, incident)))


def _opened(law: Law, stated: Incident, whole: Incident) -> Ruling:
    """The ruling on an incident, with what its record shows as findings, in all ways of filling in what is not said."""
    ways = completions(whole, law.sayable)
    run = EditionRun(law.edition, ways.situations, law.sets)
    certain = Certainty(law, run, ways.possible)
    return Ruling(stated, law.edition, certain.proof, Opening(ways, certain))


SUPPOSED: Final[Mapping[str, Mapping[str, str]]] = {
    "now": {"noticed": "before-next-trick"},
    "played-on": {"next-trick": "played", "noticed": "during-play"},
}
"""What may come of a revoke that nobody has noticed yet, where the record stops with its trick."""


def supposed(ruling: Ruling) -> Mapping[str, Ruling]:
    """The rulings if attention is drawn now, and once that side has played on; none where they do not arise."""
    incident, opening = ruling.incident, ruling.opening
    waits = [(one.trick, one.hand) for one in ruling.revokes if one.status == NONE_YET]
    stops = incident.play is not None and {trick for trick, _ in waits} == {len(incident.play.tricks)}
    if opening is None or incident.revokes or incident.over or incident.rest is not None or not stops:
        return {}
    law = opening.certain.law
    return {how: _opened(law, incident, of_a_record(incident, waits, said)) for how, said in SUPPOSED.items()}


def _shown(law: Law, incident: Incident) -> list[tuple[int, Seat]]:
    """The revokes that the cards show beside those found out."""
    if incident.play is None:
        return []
    alone = replace(incident, revokes=())
    facts = law.engine.run(observe(alone, law.edition.table, law.shown)).read(REVOKE, TRICK, HAND)
    return [(trick, hand) for trick, hand in facts]


def refused_at(proof: Proof) -> frozenset[Value]:
    """The moments of the changes of cards that rules refuse."""
    vocabulary = proof.program.vocabulary
    return frozenset(vocabulary.field(fact, AT) for fact, _, _ in proof.firings if fact[0] == REFUSED)


def _without(incident: Incident, refused: Collection[Value]) -> Incident:
    """The incident in which what was done at these moments is refused."""
    if not refused:
        return incident
    events = tuple(
        replace(placed.event, refused=placed.event.refused or placed.at in refused)
        for placed in incident.timeline.events
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
