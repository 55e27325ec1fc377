"""Changes of an incident, as they are written on the command line.

won-by=W                          a key of the incident or, if there is one finding, of that
revoke-2.won-by=W                 a key of the second finding; ``revoke-2=`` drops the finding
event-2.by=N                      a field of the second event; ``event-2=`` drops the event
card-5.3=H7                       the third card of trick 5, in the order of play; ``-`` for not recorded
+attention:by=S,after=5.3         one more event; without ``after`` it comes last
+revoke:hand=W,trick=5,suit=H     one more finding
declarer=                         nothing is stated of it any more

Contract and declarer follow from calls that are changed; calls that made others are not known any more.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, TypeAlias, cast

from facts.cards import SEATS, Seat
from facts.errors import InputError, MisreadError, Place, did_you_mean
from facts.form import keys_of
from facts.incident import Incident
from facts.printable import whole
from facts.readers.incident_file import UNDECLARED, Tables, incident_of, point
from facts.table import Table
from facts.to_yaml import node_of, plain

_KEY: Final = re.compile(r"(?:(revoke|irregularity|event|card)-(\d+)(?:\.(\S+))?)|([a-z-]+)")
INCIDENT_KEYS: Final = keys_of(Incident)
_GIVES_WAY: Final[Mapping[str, Sequence[str]]] = {
    "auction": ("contract", "declarer"),
    "dealer": ("declarer",),
    "contract": ("auction",),
    "declarer": ("auction",),
}
"""Beside an auction: what is not stated any more where something is changed."""
LISTS: Final = {"revoke": "revokes", "irregularity": "irregularities"}
"""The keys under which findings stand."""
Data: TypeAlias = dict[str, Any]
"""What a file would hold."""


def all_changed(incident: Incident, changes: Sequence[str], tables: Tables) -> Incident:
    """The incident with the changes made, one after the other; InputError, at the change, when one cannot be understood
    or cannot be.
    """
    for change in changes:
        place = Place(change, 1)
        data = plain(incident)
        table = tables(incident.edition)
        try:
            if change.startswith("+"):
                _add(data, change[1:], table)
            else:
                _change(data, change, table)
        except MisreadError as error:
            raise InputError(error.at(place)) from None
        new = incident_of(node_of(data, place), tables)
        incident = replace(new, place=incident.place, places=incident.places, marked=incident.marked)
    return incident


def _change(data: Data, change: str, table: Table) -> None:
    """Changes what is there: a card, a finding or an event by its number, or a key."""
    key, equals, value = change.partition("=")
    match = _KEY.fullmatch(key.strip())
    if not equals or match is None:
        raise MisreadError(f"{change!r} is no change", "write such as won-by=W, event-2= or +attention:by=S")
    part, number, field, name = match.groups()
    nth = whole(number or "") or 0
    if part == "card":
        _change_card(data.get("play", []), nth, field, value)
    elif part:
        _change_item(data.get(LISTS.get(part, "events"), []), part, nth, field, value, table)
    elif name in INCIDENT_KEYS:
        called = value if name == "auction" else "auction" in data
        for key in _GIVES_WAY.get(name, ()) if called else ():
            data.pop(key, None)
        _put(data, name, value, table)
    elif name not in (keys := (*UNDECLARED, *(one for each in table.every for one in each.findings))):
        mend = did_you_mean(name, (*INCIDENT_KEYS, *keys))
        raise MisreadError(f"{name!r} is no key of an incident or a finding", mend)
    elif len(findings := [*data.get("revokes", []), *data.get("irregularities", [])]) != 1:
        problem = f"{name} is a key of a finding, and the incident has {len(findings) or 'none'}"
        which = "revoke" if name in (*UNDECLARED, *table.findings) else "irregularity"
        mend = f"say which: {which}-1.{name}={value}" if findings else "change a card instead, such as card-5.3=H7"
        raise MisreadError(problem, mend)
    else:
        _put(findings[0], name, value, _about(findings[0], table))


def _change_item(items: list[Data], part: str, number: int, field: str | None, value: str, table: Table) -> None:
    if not 1 <= number <= len(items):
        there = f"there are {len(items)}" if items else "there is none"
        raise MisreadError(f"there is no {part} {number}", f"number them from 1; {there}")
    item = items[number - 1]
    if field is None:
        if value:
            mend = f"name its field: {part}-{number}.…={value}"
            raise MisreadError(f"{part}-{number} cannot be given a value", mend)
        del items[number - 1]
    elif part == "event" and field != "after":
        _put(item[[key for key in item if key != "after"][0]], field, value, table)
    else:
        _put(item, field, value, _about(item, table))


def _about(item: Data, table: Table) -> Table:
    """What can be said of the matter that a finding is."""
    return table.matters.get(str(item.get("of", "")), table)


def _change_card(play: list[str], trick: int, nth: str | None, value: str) -> None:
    row = play[trick - 1].split() if 1 <= trick <= len(play) else []
    if nth not in ("1", "2", "3", "4") or int(nth) >= len(row):
        raise MisreadError("there is no such card in the play", "name trick and place of a card played: card-5.3=H7")
    for later in range(trick, len(play)):
        cards = play[later].split()
        if value in cards[1:] and _hand(cards, cards.index(value)) == _hand(row, int(nth)):
            cards[cards.index(value)] = row[int(nth)]
            play[later] = " ".join(cards)
    row[int(nth)] = value
    play[trick - 1] = " ".join(row)


def _add(data: Data, text: str, table: Table) -> None:
    """One more finding, or an event in its place in time: before the first that comes after a later card."""
    name, _, rest = text.partition(":")
    stated: Data = {}
    for pair in filter(None, re.split(r",(?=[a-z-]+(?:\.[a-z]+)?=)", rest)):
        key, _, value = pair.partition("=")
        _put(stated, key.strip(), value, _about(stated, table))
    if name in LISTS:
        data.setdefault(LISTS[name], []).append(stated)
        return
    if name not in table.events:
        raise MisreadError(f"there is no event {name}", did_you_mean(name, (*table.events, *LISTS)))
    event = {"after": stated.pop("after")} if "after" in stated else {}
    events = data.setdefault("events", [])
    position = len(events)
    if event:
        timed = [(n, point(earlier["after"])) for n, earlier in enumerate(events) if "after" in earlier]
        later = [n for n, after_card in timed if after_card > point(event["after"])]
        position = min(later, default=position)
    events.insert(position, {**event, name: stated})


def _put(into: Data, key: str, text: str, table: Table) -> None:
    """Sets ``key``, or what stands under it as in ``to.hand``; an empty text takes it away."""
    outer, dot, inner = key.partition(".")
    kind = table.findings.get(key)
    if dot:
        _put(into.setdefault(outer, {}), inner, text, table)
    elif not text:
        into.pop(key, None)
    elif key == "elections" or (kind is not None and kind.type.many and text not in kind.answers):
        into[key] = text.strip("[]").replace(",", " ").split()
    elif text in ("true", "false"):
        into[key] = text == "true"
    else:
        number = None if key in ("board", "after") else whole(text)
        into[key] = text if number is None else number


def _hand(row: Sequence[str], nth: int) -> str:
    """Whose card stands there in a row."""
    return SEATS[(SEATS.index(cast(Seat, row[0])) + nth - 1) % 4]
