"""Incident files: YAML becomes an Incident, or an InputError that names every fault with its place.

What cannot have been meant is a fault of the file: a card that does not exist, a hand of 14, a card in two hands, a
fifth card in a trick, a fourteenth trick, an event after a card that is not there. What may have happened at a table,
however oddly, is read as it stands: a card the hand did not hold, a card played twice, a lead from the wrong hand.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, PlainValidator, ValidationError

from facts.cards import Seat
from facts.contract import Contract
from facts.deal import Deal
from facts.errors import Fault, InputError, Place
from facts.events import Tricks, hyphenated
from facts.incident import Finding, Incident, Vulnerable, WeightedOutcome
from facts.readers.events import read_events
from facts.readers.findings import findings_faults
from facts.readers.mending import faults_in
from facts.readers.rows import read_rows
from facts.readers.weights import weights_faults
from facts.source import Mapping, Node, Sequence, Steps, read_yaml


class IncidentFile(BaseModel):
    """The keys of an incident file. ``play`` and ``events`` are read by readers of their own."""

    model_config = ConfigDict(extra="forbid", alias_generator=hyphenated, arbitrary_types_allowed=True)

    edition: str = ""
    elections: tuple[str, ...] = ()
    board: Annotated[str, BeforeValidator(lambda board: str(board) if type(board) is int else board)] = ""
    dealer: Seat | None = None
    vulnerable: Vulnerable | None = None
    contract: Annotated[Contract | None, PlainValidator(Contract.from_text)] = None
    declarer: Seat | None = None
    deal: Annotated[Deal | None, PlainValidator(Deal.from_pbn)] = None
    play: Any = None
    tricks: Tricks | None = None
    equity_tricks: Tricks | None = None
    weights: tuple[WeightedOutcome, ...] = ()
    events: Any = None
    revokes: tuple[Finding, ...] = ()


def read_incident(text: str, file: str) -> Incident:
    """The incident in the text of a YAML file; InputError with every fault in it."""
    return incident_of(read_yaml(text, file))


def incident_of(node: Node) -> Incident:
    """The incident that a part of a YAML file holds, such as the ``incident`` of a case; InputError as above."""
    if not isinstance(node, Mapping):
        what = "an incident is a list of keys with their values"
        raise InputError([Fault(node.place, what, "write such as contract: 4S and declarer: S")])
    faults: list[Fault] = []
    stated: dict[str, Any] = {}
    try:
        file = IncidentFile.model_validate(node.plain())
        stated = {name: getattr(file, name) for name in file.model_fields_set}
    except ValidationError as error:
        faults += faults_in(error, node, _keys_at)
    if "play" in node.entries:
        stated["play"] = read_rows(node.entries["play"], faults)
    if "events" in node.entries:
        stated["events"] = read_events(node.entries["events"], stated.get("play"), faults)
    faults += findings_faults(node, stated)
    faults += weights_faults(node, stated)
    if faults:
        raise InputError(sorted(faults))
    return Incident(place=node.place, places=_places(node), **stated)


def _keys_at(path: Steps) -> list[str]:
    listed = {"revokes": Finding, "weights": WeightedOutcome}
    shape = listed.get(str(path[0])) if path else None
    names = list(IncidentFile.model_fields) if shape is None else [one.name for one in fields(shape)]
    return [hyphenated(name) for name in names]


def _places(node: Mapping) -> dict[str, Place]:
    places = {key: value.place for key, value in node.entries.items()}
    for key in ("play", "revokes"):
        part = node.entries.get(key)
        for number, item in enumerate(part.items if isinstance(part, Sequence) else (), 1):
            places[f"{key}.{number}"] = item.place
    return places
