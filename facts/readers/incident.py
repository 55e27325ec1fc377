"""Incident files: YAML becomes an Incident, or an InputError that names every fault with its place.

What cannot have been meant is a fault of the file: a card that does not exist, a hand of 14, a card in two hands, a
fifth card in a trick, a fourteenth trick, an event after a card that is not there. What may have happened at a table,
however oddly, is read as it stands: a card the hand did not hold, a card played twice, a lead from the wrong hand.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Annotated, TypeAlias

from facts.cards import Seat
from facts.days import DAY_PATTERN, day
from facts.deal import Deal
from facts.errors import Faults, InputError, Place
from facts.events import ContractText, Tricks
from facts.form import TEXT, Described, FromFile, ReadBy, in_the_form, plain_text, stated_in
from facts.incident import Incident, Vulnerable, WeightedOutcome
from facts.readers.events import read_events
from facts.readers.findings import findings_faults, weights_faults
from facts.readers.rows import read_rows
from facts.readers.said import read_findings
from facts.table import Table
from facts.yaml_reader import Mapping, Node, Scalar, Sequence, read_yaml
from kb.language.table import shipped_table


def _board(given: object) -> str:
    """Text, in quotes or not where it is a number."""
    return str(given) if type(given) is int else plain_text(given)


def _day(given: object) -> date:
    return day(_board(given))


@dataclass(frozen=True, slots=True, kw_only=True)
class IncidentFile(FromFile):
    """The keys of an incident file. ``play``, ``events`` and ``revokes`` are read by readers of their own."""

    edition: str = ""
    elections: tuple[str, ...] = ()
    date: Annotated[date | None, ReadBy(_day, in_the_form(DAY_PATTERN))] = None
    jurisdiction: str = ""
    board: Annotated[str, ReadBy(_board, {"anyOf": [TEXT, {"type": "integer"}]})] = ""
    dealer: Seat | None = None
    vulnerable: Vulnerable | None = None
    contract: ContractText | None = None
    declarer: Seat | None = None
    deal: Annotated[Deal, ReadBy(Deal.from_pbn, in_the_form(r"^\s*[NESWnesw]:"))] | None = None
    play: Annotated[Node | None, Described("play")] = None
    tricks: Tricks | None = None
    equity_tricks: Tricks | None = None
    weights: tuple[WeightedOutcome, ...] = ()
    events: Annotated[Node | None, Described("events")] = None
    revokes: Annotated[Node | None, Described("revokes")] = None


Tables: TypeAlias = Callable[[str | None], Table]
"""What can be said under the edition that a file names, if it names one."""


def read_incident(text: str, file: str, tables: Tables | None = None) -> Incident:
    """The incident in the text of a YAML file; InputError with every fault in it."""
    return incident_of(read_yaml(text, file), tables)


def incident_of(node: Node, tables: Tables | None = None) -> Incident:
    """The incident that a part of a YAML file holds, such as the ``incident`` of a case; InputError as above.

    ``tables``: what can be said, if it is not just what the shipped rules declare.
    """
    if not isinstance(node, Mapping):
        what = "an incident is a list of keys with their values"
        raise InputError.of(node.place, what, "write such as contract: 4S and declarer: S")
    table = shipped_table() if tables is None else tables(_edition(node))
    faults = Faults()
    stated = stated_in(IncidentFile, node, faults)
    if "play" in node.entries:
        stated["play"] = read_rows(node.entries["play"], faults)
    if "events" in node.entries:
        stated["events"] = read_events(node.entries["events"], stated.get("play"), table, faults)
    if "revokes" in node.entries:
        stated["revokes"] = read_findings(node.entries["revokes"], table, faults)
    faults += findings_faults(node, stated)
    faults += weights_faults(node, stated)
    if faults:
        raise InputError(sorted(faults))
    incident = Incident(place=node.place, places=_places(node), **stated)
    if incident.date is None and not incident.jurisdiction:
        return incident
    from facts.readers.calendar import by_its_day, check_jurisdiction  # noqa: PLC0415 - few say when or where it was

    check_jurisdiction(incident, Path(table.root))
    return incident if "edition" in stated else by_its_day(incident, Path(table.root))


def _edition(node: Mapping) -> str | None:
    named = node.entries.get("edition")
    return str(named.value) if isinstance(named, Scalar) else None


def _places(node: Mapping) -> dict[str, Place]:
    places = {key: value.place for key, value in node.entries.items()}
    for key in ("play", "revokes", "events"):
        part = node.entries.get(key)
        for number, item in enumerate(part.items if isinstance(part, Sequence) else (), 1):
            places[f"{key}.{number}"] = item.place
            if key == "revokes" and isinstance(item, Mapping):
                places |= {f"{key}.{number}.{name}": place for name, place in item.keys.items()}
    return places
