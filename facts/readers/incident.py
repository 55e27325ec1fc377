"""Incident files: YAML becomes an Incident, or an InputError that names every fault with its place.

What cannot have been meant is a fault of the file: a card that does not exist, a hand of 14, a card in two hands, a
fifth card in a trick, a fourteenth trick, an event after a card that is not there. What may have happened at a table,
however oddly, is read as it stands: a card the hand did not hold, a card played twice, a lead from the wrong hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, PlainValidator, ValidationError

from facts.cards import SIDE, Seat
from facts.contract import Contract
from facts.deal import Deal
from facts.errors import Fault, InputError, Place
from facts.events import Tricks, hyphenated
from facts.incident import Finding, Incident, Vulnerable
from facts.readers.events import read_events
from facts.readers.mending import faults_in
from facts.readers.rows import read_rows
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
    faults += _not_revokes(node, stated.get("revokes", ()))
    faults += _too_many_tricks(node, stated)
    if faults:
        raise InputError(sorted(faults))
    return Incident(place=node.place, places=_places(node), **stated)


def _keys_at(path: Steps) -> list[str]:
    names = [one.name for one in fields(Finding)] if path[:1] == ("revokes",) else list(IncidentFile.model_fields)
    return [hyphenated(name) for name in names]


def _not_revokes(node: Node, findings: tuple[Finding, ...]) -> list[Fault]:
    return [
        Fault(
            node.place_at(("revokes", number, "card")),
            f"{finding.card} is of the suit that had to be played",
            "give the card that was played instead, or the right suit",
        )
        for number, finding in enumerate(findings)
        if finding.card and finding.card.suit == finding.suit and finding.failed_to == "follow-suit"
    ]


def _too_many_tricks(node: Node, stated: dict[str, Any]) -> Iterator[Fault]:
    """Findings that give a side more tricks than are left, or than it was agreed to have won in all."""
    declarer, tricks = stated.get("declarer"), stated.get("tricks")
    for number, found in enumerate(stated.get("revokes", ())):
        if found.later_tricks is None:
            continue
        place = node.place_at(("revokes", number, "later-tricks"))
        if found.later_tricks > 13 - found.trick:
            what = f"{found.later_tricks} tricks are more than come after trick {found.trick}"
            yield Fault(place, what, "give the tricks that the revoker's side won after it")
        elif declarer is not None and tricks is not None:
            side = SIDE[found.hand]
            in_all = tricks if side == SIDE[declarer] else 13 - tricks
            won = found.later_tricks + (found.won_by is not None and SIDE[found.won_by] == side)
            if won > in_all:
                what = f"{side} cannot have won {won} tricks from trick {found.trick} on, with {in_all} in all"
                yield Fault(place, what, "mend this number, or tricks")


def _places(node: Mapping) -> dict[str, Place]:
    places = {key: value.place for key, value in node.entries.items()}
    for key in ("play", "revokes"):
        part = node.entries.get(key)
        for number, item in enumerate(part.items if isinstance(part, Sequence) else (), 1):
            places[f"{key}.{number}"] = item.place
    return places
