"""The ``events`` of an incident file: everything that is not a card played, in time order."""

from __future__ import annotations

import re
from reprlib import repr
from typing import Any, Final, TypeAlias

from facts.cards import PARTNER, Card
from facts.errors import Fault
from facts.events import HAPPENINGS, Corrected, Event, Happening, Required, Withdrawn
from facts.nodes import Mapping, Node, Scalar, Sequence
from facts.play import PlayRecord
from facts.readers.mending import nearest
from facts.readers.shapes import read_shape

Point: TypeAlias = tuple[int, int]
"""A trick and a place in it."""

MOST_CHANGES: Final = 100
"""Cards taken back on one board; there are 52 cards."""
_POINT: Final = re.compile(r"([1-9]|1[0-3])\.([1-4])")
_MEND_ITEM: Final = "write such as - attention: {by: S}, or - play-ended"


def read_events(node: Node, play: PlayRecord | None, faults: list[Fault]) -> tuple[Event, ...]:
    """The events; a fault is added for each that cannot be read or stands after a card that was not played."""
    if not isinstance(node, Sequence):
        faults.append(Fault(node.place, "the events are not a list", _MEND_ITEM))
        return ()
    events = tuple(event for item in node.items if (event := _event(item, faults)) is not None)
    by_place = {item.place: item for item in node.items}
    _check_order(events, by_place, faults)
    _check_changes(events, by_place, faults)
    if play is not None:
        _check_points(events, play, by_place, faults)
        _check_cards(events, play, by_place, faults)
    return events


def _event(item: Node, faults: list[Fault]) -> Event | None:
    if isinstance(item, Scalar):
        item = Mapping({str(item.value): Scalar("", item.place)}, {str(item.value): item.place}, item.place)
    if not isinstance(item, Mapping):
        faults.append(Fault(item.place, "this is not an event", _MEND_ITEM))
        return None
    names = [name for name in item.entries if name != "after"]
    unknown = [name for name in names if name not in HAPPENINGS]
    for name in unknown:
        faults.append(Fault(item.keys[name], f"{repr(name)} is no event", nearest(name, (*HAPPENINGS, "after"))))
    if len(names) != 1 and not unknown:
        wrong = f"two events stand in one item ({', '.join(names)})" if names else "the item names no event"
        faults.append(Fault(item.place, wrong, f"give each event an item of its own: {_MEND_ITEM}"))
    after = _after(item.entries["after"], faults) if "after" in item.entries else None
    if len(names) != 1 or unknown:
        return None
    what = _happening(names[0], item.entries[names[0]], faults)
    return None if what is None else Event(names[0], what, after, item.place)


def _after(node: Node, faults: list[Fault]) -> Point | None:
    point = _POINT.fullmatch(str(node.value)) if isinstance(node, Scalar) else None
    if point is None:
        shown = repr(str(node.value)) if isinstance(node, Scalar) else "this"
        mend = 'write the trick, a point and the number of the card in it, such as after: "5.3"'
        faults.append(Fault(node.place, f"{shown} is no point in the play", mend))
        return None
    return int(point[1]), int(point[2])


def _happening(name: str, node: Node, faults: list[Fault]) -> Happening | None:
    if isinstance(node, Scalar) and node.value == "":
        node = Mapping({}, {}, node.place)
    happening = read_shape(HAPPENINGS[name], node, faults)
    if isinstance(happening, Required) and (happening.suit is None) == (happening.card is None):
        faults.append(Fault(node.place, "a suit or a card is required, not both and not neither", "give one of them"))
        return None
    return happening


def _check_order(events: tuple[Event, ...], items: dict[Any, Node], faults: list[Fault]) -> None:
    last: Point = (0, 0)
    for event in events:
        if event.after is not None and event.after < last:
            what = f"this is after card {_dotted(event.after)}, but an event above it is after card {_dotted(last)}"
            faults.append(Fault(items[event.place].place_at(("after",)), what, "put the events in the order of time"))
        last = max(last, event.after or last)


def _check_changes(events: tuple[Event, ...], items: dict[Any, Node], faults: list[Fault]) -> None:
    """Each change is weighed against each other one, so there cannot be any number of them."""
    changes = [event for event in events if isinstance(event.what, Corrected | Withdrawn)]
    if len(changes) > MOST_CHANGES:
        what = f"more than {MOST_CHANGES} cards are taken back"
        mend = "leave out those that changed nothing in the end"
        faults.append(Fault(items[changes[MOST_CHANGES].place].place, what, mend))


def _check_points(events: tuple[Event, ...], play: PlayRecord, items: dict[Any, Node], faults: list[Fault]) -> None:
    played = {(trick, nth) for trick, nth, _, _ in play.plays()}
    end = _dotted(max(played, default=(0, 0)))
    for event in events:
        if event.after is not None and event.after not in played:
            what = f"there is no card {_dotted(event.after)} in the play, which ends with {end}"
            mend = "name a card that was played, or leave after out"
            faults.append(Fault(items[event.place].place_at(("after",)), what, mend))


def _check_cards(events: tuple[Event, ...], play: PlayRecord, items: dict[Any, Node], faults: list[Fault]) -> None:
    """A card can only be taken back once it has been played; nothing is known where a card was not recorded."""
    played = {card: hand for _, _, hand, card in play.plays()}
    if None in played:
        return
    for event in events:
        if not isinstance(event.what, Corrected | Withdrawn):
            continue
        key, item = "withdrawn" if isinstance(event.what, Corrected) else "card", items[event.place]
        taken_back: Card = getattr(event.what, key)
        if taken_back not in played:
            place = item.place_at((event.name, key))
            faults.append(Fault(place, f"{taken_back} was not played", "name the card that stands in the play"))
        elif played[taken_back] not in (event.what.by, PARTNER[event.what.by]):
            what = f"{taken_back} was played by {played[taken_back]}, not by {event.what.by}"
            faults.append(Fault(item.place_at((event.name, "by")), what, "name the hand whose card it was"))
        played[event.what.played] = played.get(taken_back, event.what.by)


def _dotted(point: Point) -> str:
    return f"{point[0]}.{point[1]}"
