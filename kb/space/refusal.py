"""The completions of an incident, or which of its statements cannot stand together where there is no way at all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

from facts.errors import Fault, InputError
from facts.incident import Incident
from kb.space.completions import Completions
from kb.space.layout import Key
from kb.space.sayable import Sayable


def completions(incident: Incident, sayable: Sayable) -> Completions:
    """Those of an incident; presumptions that yield are let go where something stated contradicts them.

    InputError, at the statements that cannot stand together, when there is none.
    """
    found = Completions(incident, sayable)
    if found.possible:
        return found
    free = let_go(found)
    if free is None:
        raise refusal(found)
    return Completions(incident, sayable, free)


def let_go(found: Completions) -> frozenset[Key] | None:
    """The presumptions that must not be made: all those that alone would help, or else pairs; None if none helps.

    InputError when without one of them there would be too many ways.
    """
    for many in (1, 2):
        if helps := [*_helping(found, many)]:
            return frozenset().union(*helps)
    return None


def _helping(found: Completions, many: int) -> Iterator[frozenset[Key]]:
    """Presumptions, so many at a time, without which there is a way."""
    yielding = [key for key, one in found.choices.items() if one.how == "presumed" and one.kind.yields]
    for free in map(frozenset, combinations(yielding, many)):
        if not _without_way(found, free) and Completions(found.incident, found.sayable, free).possible:
            yield free


def _without_way(found: Completions, findings: frozenset[Key]) -> bool:
    """Whether there is no way whatever is said of some findings, and of all that depend on these."""
    kinds, more = found.table.findings.values(), findings
    while more:
        findings |= more
        more = (
            frozenset((number, kind.id) for number, name in findings for kind in kinds if name in kind.depends_on)
            - findings
        )
    left = found.whole
    for one in found.excluded:
        if one.looks_at.isdisjoint(findings):
            left &= ~one.where
            if not left:
                return True
    return False


def refusal(found: Completions) -> InputError:
    """The statements that cannot stand together, each at its place: those without which the rest could be."""
    incident = found.incident
    faults = []
    because = "; ".join(_reasons(found))
    for name, fewer in without_one(incident):
        if _possible(fewer, found):
            place, (of, _, last) = incident.places.get(name, incident.place), name.partition(".")
            told = incident.events[int(last) - 1].name if of == "events" else name.rpartition(".")[2]
            what = f"{told} cannot stand beside the rest: {because}"
            faults.append(Fault(place, what, "mend it, or what it contradicts"))
    return InputError(
        sorted(faults) or [Fault(incident.place, f"this cannot be: {because}", "mend one of the statements")]
    )


def _reasons(found: Completions) -> Iterator[str]:
    """Why there is no way at all: the fewest reasons that together leave none."""
    left = found.whole
    while left:
        most = max(found.excluded, key=lambda one: (one.where & left).bit_count())
        yield most.because
        left &= ~most.where


def _possible(incident: Incident, found: Completions) -> bool:
    try:
        fewer = Completions(incident, found.sayable)
        return bool(fewer.possible) or any(True for many in (1, 2) for _ in _helping(fewer, many))
    except InputError:  # more ways than are laid out: some of them will do
        return True


def without_one(incident: Incident) -> Iterator[tuple[str, Incident]]:
    """The incident without one of its statements, and its name."""
    for number, one in enumerate(incident.revokes):
        for name in one.said:
            fewer = replace(one, said={key: value for key, value in one.said.items() if key != name})
            revokes = (*incident.revokes[:number], fewer, *incident.revokes[number + 1 :])
            yield f"revokes.{number + 1}.{name}", replace(incident, revokes=revokes)
        if one.trick is not None:
            revokes = (*incident.revokes[:number], replace(one, trick=None), *incident.revokes[number + 1 :])
            yield f"revokes.{number + 1}.trick", replace(incident, revokes=revokes)
    for number in range(len(incident.events)):
        events = (*incident.events[:number], *incident.events[number + 1 :])
        yield f"events.{number + 1}", replace(incident, events=events)
    if incident.tricks is not None:
        yield "tricks", replace(incident, tricks=None)
    if incident.contract is not None:
        yield "contract", replace(incident, contract=None)
