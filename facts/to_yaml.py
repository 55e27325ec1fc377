"""An incident as the plain data of an incident file: what a reader of such a file makes the same incident from."""

from __future__ import annotations

import re
from datetime import date
from typing import Any, Final

import yaml

from facts.cards import Card
from facts.contract import Contract
from facts.endings import as_in_a_file
from facts.errors import Place
from facts.form import keys_of
from facts.incident import Event, Finding, Incident
from facts.play import PlayRecord, Trick
from facts.table import REVOKE
from facts.yaml_reader import Mapping, Node, Scalar, Sequence

_OTHERWISE: Final = ("auction", "deal", "play", "events", "revokes", "irregularities")
"""Written in a way of their own."""


def numbered(incident: Incident, number: int) -> str:
    """How a change names a finding: «revoke-2», «irregularity-1»."""
    revoke = incident.revokes[number].of == REVOKE
    alike = [one for one in incident.revokes[:number] if (one.of == REVOKE) == revoke]
    return f"{'revoke' if revoke else 'irregularity'}-{len(alike) + 1}"


def plain(incident: Incident) -> dict[str, Any]:
    """Keys and values of an incident file; what is not stated is left out, and so is what no file can state."""
    incident = as_in_a_file(incident)
    stated = _stated(incident)
    stated |= {
        "auction": None if incident.auction is None else str(incident.auction),
        "deal": None if incident.deal is None else incident.deal.to_pbn(),
        "play": None if incident.play is None else rows(incident.play),
        "events": [_event(event) for event in incident.events],
        "revokes": [_finding(found) for found in incident.revokes if found.of == REVOKE],
        "irregularities": [{"of": one.of, **_finding(one)} for one in incident.revokes if one.of != REVOKE],
    }
    return {key: value for key, value in stated.items() if value not in (None, "", [])}


def without_law(incident: Incident) -> dict[str, Any]:
    """The same without the law that it is to be ruled by."""
    return {key: value for key, value in plain(incident).items() if key not in ("edition", "elections")}


def as_yaml(incident: Incident) -> str:
    """What happened as the text of an incident file."""
    return yaml_text(without_law(incident))


class _Dumper(yaml.SafeDumper):
    """Quotes also what only YAML 1.2, which editors read, takes for a number."""


_Dumper.add_implicit_resolver(
    "tag:yaml.org,2002:float",
    re.compile(r"(?:[-+]?(\.\d+|\d+(\.\d*)?)([eE][-+]?\d+)?|0o[0-7]+)\Z"),  # all of it: a clause is no number
    list("-+.0123456789"),
)


def yaml_text(value: Any, *, flow: bool | None = None, width: float = 100) -> str:
    """Plain data as YAML; ``flow``: all of it in one line, or none; else what holds only single values."""
    text: str = yaml.dump(
        value, Dumper=_Dumper, sort_keys=False, default_flow_style=flow, width=width, allow_unicode=True
    )
    return text


def rows(play: PlayRecord) -> list[str]:
    """One row a trick: the leader, then the cards clockwise, ``-`` for one not recorded."""
    return [_row(trick) for trick in play.tricks if trick.cards]


def _row(trick: Trick) -> str:
    return " ".join([trick.leader, *(str(card or "-") for card in trick.cards)])


def node_of(value: Any, place: Place) -> Node:
    """Plain data as a reader takes it from a file, all of it at one place."""
    if isinstance(value, dict):
        return Mapping({key: node_of(item, place) for key, item in value.items()}, dict.fromkeys(value, place), place)
    if isinstance(value, list):
        return Sequence(tuple(node_of(item, place) for item in value), place)
    return Scalar(value, place, quoted=isinstance(value, str))


def _event(event: Event) -> dict[str, Any]:
    timing = {} if event.after is None else {"after": f"{event.after[0]}.{event.after[1]}"}
    return {**timing, event.name: {key: _value(value) for key, value in event.said.items()}}


def _finding(revoke: Finding) -> dict[str, Any]:
    stated = {"hand": revoke.hand, "player": revoke.player, "trick": revoke.trick, "cards": revoke.cards, **revoke.said}
    return {key: _value(value) for key, value in stated.items() if value is not None}


def _stated(thing: Any) -> dict[str, Any]:
    """The fields of a part that say something."""
    values = {key: getattr(thing, key.replace("-", "_")) for key in keys_of(type(thing))}
    return {key: _value(value) for key, value in values.items() if value is not None and key not in _OTHERWISE}


def _value(value: Any) -> Any:
    if isinstance(value, Card | Contract):
        return str(value)
    if isinstance(value, Trick):
        return _row(value)
    if isinstance(value, tuple):
        return [_value(item) for item in value]
    if isinstance(value, date):
        return value.isoformat()
    return value if isinstance(value, str | int) else _stated(value)
