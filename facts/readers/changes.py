"""Changes of an incident, as they are written on the command line.

won-by=W                          a key of the incident or, if there is one finding, of that
revoke-2.won-by=W                 a key of the second finding; ``revoke-2=`` drops the finding
event-2.by=N                      a field of the second event; ``event-2=`` drops the event
card-5.3=H7                       the third card of trick 5, in the order of play; ``-`` for not recorded
+attention:by=S,after=5.3         one more event; without ``after`` it comes last
+revoke:hand=W,trick=5,suit=H     one more finding
declarer=                         nothing is stated of it any more
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, cast

from facts.cards import SEATS, Seat
from facts.errors import InputError, Place
from facts.form import keys_of
from facts.incident import Incident
from facts.readers.incident import UNDECLARED, Tables, incident_of
from facts.suggestions import did_you_mean
from facts.table import Table
from facts.texts import whole
from facts.to_yaml import node_of, plain
from kb.language.table import shipped_table

_KEY: Final = re.compile(r"(?:(revoke|event|card)-(\d+)(?:\.(\S+))?)|([a-z-]+)")
INCIDENT_KEYS: Final = keys_of(Incident)


def changed(incident: Incident, change: str, tables: Tables | None = None) -> Incident:
    """The incident with the change made; InputError, at the change, when it cannot be understood or cannot be."""
    place = Place(change, 1)
    data = plain(incident)
    table = shipped_table() if tables is None else tables(incident.edition)
    _Editor(data, change, place, table).apply()
    new = incident_of(node_of(data, place), tables)
    return replace(new, place=incident.place, places=incident.places, marked=incident.marked)


def all_changed(incident: Incident, changes: Sequence[str], tables: Tables | None = None) -> Incident:
    """The incident with every change made, one after the other."""
    for change in changes:
        incident = changed(incident, change, tables)
    return incident


class _Editor:
    """Makes one change in the plain data of an incident."""

    def __init__(self, data: dict[str, Any], change: str, place: Place, table: Table) -> None:
        self.data = data
        self.table = table
        self.keys = (*UNDECLARED, *table.findings)
        self.lists = {"elections", *(name for name, one in table.findings.items() if one.type.many)}
        self.change = change
        self.place = place

    def apply(self) -> None:
        if self.change.startswith("+"):
            self._add(self.change[1:])
            return
        key, equals, value = self.change.partition("=")
        found = _KEY.fullmatch(key.strip())
        if not equals or found is None:
            raise self._fault(f"{self.change!r} is no change", "write such as won-by=W, event-2= or +attention:by=S")
        part, number, field, name = found.groups()
        nth = whole(number or "") or 0
        if part == "card":
            self._card(nth, field, value)
        elif part:
            self._item(part, nth, field, value)
        else:
            self._key(name, value)

    def _key(self, name: str, value: str) -> None:
        """A key of the incident, or of its one finding."""
        if name in INCIDENT_KEYS:
            self.put(self.data, name, value)
            return
        if name not in self.keys:
            raise self._fault(
                f"{name!r} is no key of an incident or a finding", did_you_mean(name, (*INCIDENT_KEYS, *self.keys))
            )
        findings = self.data.get("revokes", [])
        if len(findings) != 1:
            what = f"{name} is a key of a finding, and the incident has {len(findings) or 'none'}"
            mend = f"say which: revoke-1.{name}={value}" if findings else "change a card instead, such as card-5.3=H7"
            raise self._fault(what, mend)
        self.put(findings[0], name, value)

    def _item(self, part: str, number: int, field: str | None, value: str) -> None:
        """A finding or an event, by its number."""
        items = self.data.get("revokes" if part == "revoke" else "events", [])
        if not 1 <= number <= len(items):
            there = f"there are {len(items)}" if items else "there is none"
            raise self._fault(f"there is no {part} {number}", f"number them from 1; {there}")
        if field is None:
            if value:
                raise self._fault(
                    f"{part}-{number} cannot be given a value", f"name its field: {part}-{number}.…={value}"
                )
            del items[number - 1]
        elif part == "event" and field != "after":
            name = next(key for key in items[number - 1] if key != "after")
            self.put(items[number - 1][name], field, value)
        else:
            self.put(items[number - 1], field, value)

    def _card(self, trick: int, nth: str | None, value: str) -> None:
        play = self.data.get("play", [])
        row = play[trick - 1].split() if 1 <= trick <= len(play) else []
        if nth not in ("1", "2", "3", "4") or int(nth) >= len(row):
            raise self._fault("there is no such card in the play", "name trick and place of a card played: card-5.3=H7")
        for later in range(trick, len(play)):
            cards = play[later].split()
            if value in cards[1:] and _hand(cards, cards.index(value)) == _hand(row, int(nth)):
                cards[cards.index(value)] = row[int(nth)]
                play[later] = " ".join(cards)
        row[int(nth)] = value
        play[trick - 1] = " ".join(row)

    def _add(self, text: str) -> None:
        """One more event or finding."""
        name, _, rest = text.partition(":")
        stated: dict[str, Any] = {}
        for one in filter(None, re.split(r",(?=[a-z-]+(?:\.[a-z]+)?=)", rest)):
            key, _, value = one.partition("=")
            self.put(stated, key.strip(), value)
        if name == "revoke":
            self.data.setdefault("revokes", []).append(stated)
        elif name in self.table.events:
            after = stated.pop("after", None)
            self._insert({**({} if after is None else {"after": after}), name: stated})
        else:
            raise self._fault(f"{name!r} is no event", did_you_mean(name, (*self.table.events, "revoke")))

    def _insert(self, event: dict[str, Any]) -> None:
        """The event in its place in time: before the first that comes after a later card."""
        events = self.data.setdefault("events", [])
        at = len(events)
        if "after" in event:
            later = [n for n, one in enumerate(events) if _point(one.get("after")) > _point(event["after"])]
            at = min(later, default=at)
        events.insert(at, event)

    def put(self, into: dict[str, Any], key: str, text: str) -> None:
        """Sets ``key``, or what stands under it as in ``to.hand``; an empty text takes it away."""
        outer, dot, inner = key.partition(".")
        if dot:
            self.put(into.setdefault(outer, {}), inner, text)
        elif not text:
            into.pop(key, None)
        elif key in self.lists and not (key in self.table.findings and text in self.table.findings[key].answers):
            into[key] = text.strip("[]").replace(",", " ").split()
        else:
            into[key] = _scalar(key, text)

    def _fault(self, what: str, mend: str) -> InputError:
        return InputError.of(self.place, what, mend)


def _hand(row: Sequence[str], nth: int) -> str:
    """Whose card stands there in a row."""
    return SEATS[(SEATS.index(cast(Seat, row[0])) + nth - 1) % 4]


def _point(after: str | None) -> tuple[int, ...]:
    """Trick and place; nothing comes before the first."""
    return tuple(number for part in after.split(".") if (number := whole(part)) is not None) if after else (0,)


def _scalar(key: str, text: str) -> str | int | bool:
    if text in ("true", "false"):
        return text == "true"
    number = None if key in ("board", "after") else whole(text)
    return text if number is None else number
