"""The ``events`` of an incident file: everything that is not a card played, in time order."""

from __future__ import annotations

import re
from reprlib import repr
from typing import Any, Final, TypeAlias

from facts.cards import PARTNER
from facts.errors import Fault, Faults
from facts.events import Event
from facts.play import PlayRecord
from facts.readers.said import read_event
from facts.suggestions import did_you_mean
from facts.table import Table
from facts.yaml_reader import Mapping, Node, Scalar, Sequence

Point: TypeAlias = tuple[int, int]
"""A trick and a place in it."""

MOST_CHANGES: Final = 100
"""Cards taken back on one board; there are 52 cards."""
_POINT: Final = re.compile(r"([1-9]|1[0-3])\.([1-4])")
_MEND_ITEM: Final = "write such as - attention: {by: S}, or - play-ended"


def read_events(node: Node, play: PlayRecord | None, table: Table, faults: Faults) -> tuple[Event, ...]:
    """The events; a fault is added for each that cannot be read or stands after a card that was not played."""
    if not isinstance(node, Sequence):
        faults.append(Fault(node.place, "the events are not a list", _MEND_ITEM))
        return ()
    events = tuple(event for item in node.items if (event := _event(item, table, faults)) is not None)
    by_place = {item.place: item for item in node.items}
    _check_answers(events, table, by_place, faults)
    _check_order(events, by_place, faults)
    _check_changes(events, by_place, faults)
    if play is not None:
        _check_points(events, play, by_place, faults)
        _check_cards(events, play, by_place, faults)
    return events


def _event(item: Node, table: Table, faults: Faults) -> Event | None:
    if isinstance(item, Scalar):
        item = Mapping({str(item.value): Scalar("", item.place)}, {str(item.value): item.place}, item.place)
    if not isinstance(item, Mapping):
        faults.append(Fault(item.place, "this is not an event", _MEND_ITEM))
        return None
    names = [name for name in item.entries if name != "after"]
    unknown = [name for name in names if name not in table.events]
    for name in unknown:
        faults.append(Fault(item.keys[name], f"{repr(name)} is no event", did_you_mean(name, (*table.events, "after"))))
    if len(names) != 1 and not unknown:
        wrong = f"two events stand in one item ({', '.join(names)})" if names else "the item names no event"
        faults.append(Fault(item.place, wrong, f"give each event an item of its own: {_MEND_ITEM}"))
    after = _after(item.entries["after"], faults) if "after" in item.entries else None
    if len(names) != 1 or unknown:
        return None
    said = _said(names[0], item.entries[names[0]], table, faults)
    return None if said is None else Event(names[0], said, after, item.place, table.events[names[0]].ends_play)


def _after(node: Node, faults: Faults) -> Point | None:
    point = _POINT.fullmatch(str(node.value)) if isinstance(node, Scalar) else None
    if point is None:
        shown = repr(str(node.value)) if isinstance(node, Scalar) else "this"
        mend = 'write the trick, a point and the number of the card in it, such as after: "5.3"'
        faults.append(Fault(node.place, f"{shown} is no point in the play", mend))
        return None
    return int(point[1]), int(point[2])


def _said(name: str, node: Node, table: Table, faults: Faults) -> dict[str, Any] | None:
    if isinstance(node, Scalar) and node.value == "":
        node = Mapping({}, {}, node.place)
    if not isinstance(node, Mapping):
        faults.append(Fault(node.place, "the fields of the event belong here", "write its fields, such as {by: S}"))
        return None
    return read_event(table.events[name], node, faults)


def _check_answers(events: tuple[Event, ...], table: Table, items: dict[Any, Node], faults: Faults) -> None:
    """What answers something comes after it."""
    for number, event in enumerate(events):
        wanted = table.events[event.name].answers
        if wanted and not any(before.name in wanted for before in events[:number]):
            what = f"{event.name} answers nothing: there is no {' or '.join(wanted)} before it"
            faults.append(Fault(items[event.place].place, what, f"add {wanted[0]} before it, or leave it out"))


def _check_order(events: tuple[Event, ...], items: dict[Any, Node], faults: Faults) -> None:
    last: Point = (0, 0)
    for event in events:
        if event.after is not None and event.after < last:
            what = f"this is after card {_dotted(event.after)}, but an event above it is after card {_dotted(last)}"
            faults.append(Fault(items[event.place].place_at(("after",)), what, "put the events in the order of time"))
        last = max(last, event.after or last)


def _check_changes(events: tuple[Event, ...], items: dict[Any, Node], faults: Faults) -> None:
    """Each change is weighed against each other one, so there cannot be any number of them."""
    changes = [event for event in events if event.takes_back]
    if len(changes) > MOST_CHANGES:
        what = f"more than {MOST_CHANGES} cards are taken back"
        mend = "leave out those that changed nothing in the end"
        faults.append(Fault(items[changes[MOST_CHANGES].place].place, what, mend))


def _check_points(events: tuple[Event, ...], play: PlayRecord, items: dict[Any, Node], faults: Faults) -> None:
    played = {(trick, nth) for trick, nth, _, _ in play.plays()}
    end = _dotted(max(played, default=(0, 0)))
    for event in events:
        if event.after is not None and event.after not in played:
            what = f"there is no card {_dotted(event.after)} in the play, which ends with {end}"
            mend = "name a card that was played, or leave after out"
            faults.append(Fault(items[event.place].place_at(("after",)), what, mend))


def _check_cards(events: tuple[Event, ...], play: PlayRecord, items: dict[Any, Node], faults: Faults) -> None:
    """A card can only be taken back once it has been played; nothing is known where a card was not recorded."""
    played = {card: hand for _, _, hand, card in play.plays()}
    if None in played:
        return
    for event in events:
        if not event.takes_back:
            continue
        key, item = "withdrawn" if "withdrawn" in event.said else "card", items[event.place]
        (taken_back, played_instead), by = event.takes_back, event.said["by"]
        if taken_back not in played:
            place = item.place_at((event.name, key))
            faults.append(Fault(place, f"{taken_back} was not played", "name the card that stands in the play"))
        elif played[taken_back] not in (by, PARTNER[by]):
            what = f"{taken_back} was played by {played[taken_back]}, not by {by}"
            faults.append(Fault(item.place_at((event.name, "by")), what, "name the hand whose card it was"))
        played[played_instead] = played.get(taken_back, by)


def _dotted(point: Point) -> str:
    return f"{point[0]}.{point[1]}"
