"""Incident files: YAML becomes an Incident, or an InputError that names every fault with its place.

What cannot have been meant is a fault of the file: a card that does not exist, a hand of 14, a card in two hands, a
fifth card in a trick, a fourteenth trick, an event after a card that is not there. What may have happened at a table,
however oddly, is read as it stands: a card the hand did not hold, a card played twice, a lead from the wrong hand.
Findings and events are read each as it is declared.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from collections.abc import Mapping as MappingType
from functools import lru_cache
from reprlib import repr
from typing import Annotated, Any, Final, Literal, TypeAlias, get_args

from facts.auction import denied
from facts.cards import PARTNER, SEATS, Seat, Side, Suit
from facts.contract import vulnerable_on
from facts.endings import of_the_board
from facts.errors import Fault, Faults, InputError, MisreadError, Place
from facts.form import (
    AsItStands,
    FileKey,
    Form,
    List,
    ReadBy,
    Record,
    between,
    demand_keys,
    form_of,
    in_the_form,
    read_keys,
    refused,
    unknown,
)
from facts.incident import FROM_FIRST, SAME_TRICK, CardText, Event, Finding, Incident, Player, RevokeNamed, TrickNumber
from facts.play import PlayRecord, Trick
from facts.readers.records import read_calls, read_rows, read_trick
from facts.table import NOTHING, REVOKE, UNKNOWN, FindingKind, Formula, Table, Type, numbers
from facts.templates import evaluated
from facts.yaml_reader import Mapping, Node, Scalar, Sequence, place_at, read_yaml

Point: TypeAlias = tuple[int, int]
"""A trick and a place in it."""

MOST_EVENTS: Final = 100
"""Events of one board; there are 52 cards, and what happened to each is weighed against the rest."""
_POINT: Final = re.compile(r"^([1-9]|1[0-3])\.([1-4])$")
_LIST: Final = List(AsItStands())
_MEND_ITEM: Final = "write such as - attention: {by: S}, or - play-ended"


def read_events(node: Node, play: PlayRecord | None, table: Table, faults: Faults) -> tuple[Event, ...]:
    """The events; a fault is added for each that cannot be read or stands after a card that was not played."""
    items = _LIST.read(node, faults)
    read = [(event, item) for item in items if (event := _event(item, table, faults)) is not None]
    last: Point = (0, 0)
    names: set[str] = set()
    for event, item in read:
        wanted = table.events[event.name].answers
        if wanted and names.isdisjoint(wanted):
            problem = f"{event.name} answers nothing: there is no {' or '.join(wanted)} before it"
            faults.add(item.place, problem, f"add {wanted[0]} before it, or leave it out")
        if event.after is not None and event.after < last:
            problem = f"this is after card {_dotted(event.after)}, but an event above it is after card {_dotted(last)}"
            faults.add(place_at(item, ("after",)), problem, "put the events in the order of time")
        names.add(event.name)
        last = max(last, event.after or last)
    if len(read) > MOST_EVENTS:
        mend = "leave out those that changed nothing in the end"
        faults.add(read[MOST_EVENTS][1].place, f"there are more than {MOST_EVENTS} events", mend)
    if play is not None:
        faults += _not_in_play(read, play)
    return tuple(event for event, _ in read)


def _event(item: Node, table: Table, faults: Faults) -> Event | None:
    if isinstance(item, Scalar):
        item = Mapping({str(item.value): Scalar("", item.place)}, {str(item.value): item.place}, item.place)
    names = [name for name in item.entries if name != "after"]
    unknown = [name for name in names if name not in table.events]
    for name in unknown:
        faults.demand("event", name, item.keys[name], (*table.events, "after"))
    if len(names) != 1 and not unknown:
        faults.add(item.place, "this is not one event", _MEND_ITEM)
    after_card = AFTER.read(item.entries["after"], faults) if "after" in item.entries else None
    if len(names) != 1 or unknown:
        return None
    kind, node = table.events[names[0]], item.entries[names[0]]
    if isinstance(node, Scalar) and node.value == "":
        node = Mapping({}, {}, node.place)
    if not isinstance(node, Mapping):
        faults.append(refused(node, "write its fields, such as {by: S}"))
        return None
    faults_before = len(faults)
    fields = {name: FileKey(name, _form(type_), needed) for name, (type_, needed) in kind.fields.items()}
    demand_keys(fields, node, faults)
    values = read_keys(fields, node, faults)
    if kind.one_of and len(values.keys() & set(kind.one_of)) != 1:
        problem = f"a {' or a '.join(kind.one_of)} is required, not both and not neither"
        faults.add(node.place, problem, "give one of them")
    ends_play = table.of_a_board.get(kind.ends_play or "", 0)
    return Event(kind.id, values, after_card, ends_play) if len(faults) == faults_before else None


def point(value: object) -> Point:
    match = _POINT.fullmatch(str(value))
    if match is None:
        shown = "this" if isinstance(value, list | dict) else repr(str(value))
        mend = 'write the trick, a point and the number of the card in it, such as after: "5.3"'
        raise MisreadError(f"{shown} is no point in the play", mend)
    return int(match[1]), int(match[2])


AFTER: Final = ReadBy(point, in_the_form(_POINT.pattern))
"""The card after which an event was."""


def _not_in_play(read: list[tuple[Event, Node]], play: PlayRecord) -> Iterator[Fault]:
    """Events after a card that is not there, and cards taken back that had not been played by that side.

    Of cards taken back nothing is known where a card was not recorded.
    """
    plays = {(trick, nth): (card, hand) for trick, nth, hand, card in play.plays()}
    end = _dotted(max(plays, default=(0, 0)))
    played = dict(plays.values())
    for event, item in read:
        if event.after is not None and event.after not in plays:
            problem = f"there is no card {_dotted(event.after)} in the play, which ends with {end}"
            yield Fault(place_at(item, ("after",)), problem, "name a card that was played, or leave after out")
        if not event.takes_back or None in played:
            continue
        key = "withdrawn" if "withdrawn" in event.said else "card"
        (taken_back, played_instead), by = event.takes_back, event.said["by"]
        if taken_back not in played:
            place = place_at(item, (event.name, key))
            yield Fault(place, f"{taken_back} was not played", "name the card that stands in the play")
        elif played[taken_back] not in (by, PARTNER[by]):
            problem = f"{taken_back} was played by {played[taken_back]}, not by {by}"
            yield Fault(place_at(item, (event.name, "by")), problem, "name the hand whose card it was")
        played[played_instead] = played.get(taken_back, by)


def _dotted(point: Point) -> str:
    return f"{point[0]}.{point[1]}"


def findings_faults(node: Node, stated: MappingType[str, Any], table: Table) -> Iterator[Fault]:
    """Findings that contradict themselves, each other, the play or the tricks; ``stated`` by the names of Incident."""
    found: tuple[Finding, ...] = stated.get("revokes", ())
    revokes = [one for one in found if one.of == REVOKE]
    for number, one in enumerate(revokes):
        if number == 0 and one.player in FROM_FIRST:
            problem = f"{one.player} is as seen from an earlier revoke, and there is none"
            yield Fault(
                place_at(node, ("revokes", 0)), problem, "write player: declarer, dummy or defender, or the hand"
            )
        played_after = one.known.get("played-after", ())
        if one.hand is not None and isinstance(played_after, tuple) and one.hand in played_after:
            place = place_at(node, ("revokes", number, "played-after"))
            yield Fault(
                place, f"{one.hand} is the hand that revoked", "name the hands that played to the trick after it"
            )
        identity = one.hand, one.trick, one.card
        if one.card and one.trick and identity in [(two.hand, two.trick, two.card) for two in found[:number]]:
            problem = f"{one.hand}'s revoke at trick {one.trick} with {one.card} is already listed"
            yield Fault(place_at(node, ("revokes", number)), problem, "list each revoke once")
        yield from _not_as_played(node, number, one, stated)
    others = found[len(revokes) :]
    names = [one.named(table.about(one.of).names) for one in others]
    for number in (number for number, named in enumerate(names) if None not in named and named in names[:number]):
        problem = f"this {others[number].of} is already listed"
        yield Fault(place_at(node, ("irregularities", number)), problem, "list each once, with all that is known of it")


def _not_as_played(node: Node, number: int, revoke: Finding, stated: MappingType[str, Any]) -> Iterator[Fault]:
    """A card, suit or winner that a trick does not have, and that did not come there by a later change."""
    changes = [event.takes_back for event in stated.get("events", ()) if event.takes_back]
    contract, path, play = stated.get("contract"), ("revokes", number), stated.get("play")
    if revoke.hand is None:
        return
    lay = [] if revoke.cards is None else [(revoke.cards, "cards")]
    if play is not None and revoke.trick is not None and revoke.trick <= len(play.tricks):
        lay.append((play.tricks[revoke.trick - 1], "play"))
    for trick, key in lay:
        which = f"trick {revoke.trick}" if revoke.trick else "the trick"
        played = trick.card_of(revoke.hand)
        if revoke.card and played not in (None, revoke.card) and revoke.card not in [new for _, new in changes]:
            problem = f"{revoke.hand} played {played} to {which}, not {revoke.card}"
            yield Fault(place_at(node, (*path, "card")), problem, f"mend this card, or the {key}")
        if changes:
            return
        suit, won_by = revoke.known.get("suit"), revoke.known.get("won-by")
        to_follow = revoke.known.get("failed-to", "follow-suit") == "follow-suit"
        if key == "cards" and to_follow and played and played.suit == trick.led:
            problem = f"{revoke.hand} followed suit with {played}: these cards show no revoke"
            yield Fault(
                place_at(node, (*path, key)), problem, "mend them, or say with failed-to what else he failed to do"
            )
        if suit and to_follow and trick.led not in (None, suit):
            problem = f"{trick.led} was led to {which}, not {suit}"
            yield Fault(place_at(node, (*path, "suit")), problem, f"mend this suit, or the {key}")
        winner = contract and trick.winner(contract.trump)
        if won_by in SEATS and winner and won_by != winner:
            problem = f"by the cards {which} was won by {winner}, not by {won_by}"
            yield Fault(place_at(node, (*path, "won-by")), problem, f"mend this hand, or the {key}")


def weights_faults(node: Node, stated: MappingType[str, Any]) -> Iterator[Fault]:
    """Weights that are not the whole, and outcomes whose score cannot be known; ``stated`` by the names of Incident."""
    outcomes = stated.get("weights", ())
    if not outcomes:
        return
    place = place_at(node, ("weights",))
    total = sum(outcome.weight for outcome in outcomes)
    if total != 100:
        mend = "give each outcome its share in per cent, all of them together 100"
        yield Fault(place, f"the weights sum to {total}", mend)
    implied = {"contract": all(entry.contract for entry in outcomes), "vulnerable": vulnerable_on(stated.get("board"))}
    for key in ("contract", "vulnerable", "declarer"):
        if not {**implied, **stated}.get(key):
            yield Fault(place, f"the scores depend on {key}, which is not stated", f"add {key}:")


TrickText: TypeAlias = Annotated[Trick, ReadBy(read_trick, in_the_form(r"^\s*[NESWnesw](\s+\S+){1,4}\s*$"))]
OF: Final = "of"
NAMING: Final[MappingType[str, Any]] = {"hand": Seat, "player": Player, "trick": TrickNumber}
"""The keys of a finding that say which revoke is meant."""
UNDECLARED: Final[MappingType[str, Any]] = {**NAMING, "cards": TrickText}
"""The keys of a finding that every edition has."""
_NAMING_KEYS: Final = {name: FileKey(name, form_of(kind), False) for name, kind in UNDECLARED.items()}
MOST_REVOKES: Final = 48
"""Revokes on one board: no hand can revoke more than twelve times."""
_PLAIN: Final[MappingType[str, Any]] = {
    "seat": Seat,
    "side": Side,
    "suit": Suit,
    "card": CardText,
    "yes-no": bool,
    "revoke": RevokeNamed,
}


def annotation(kind: Type) -> Any:
    """What a value of a type is in Python."""
    if kind.name == "number":
        return Annotated[int, between(_bound(kind.least), _bound(kind.most))]
    single: Any = Literal.__getitem__(kind.words) if kind.name == "words" else _PLAIN[kind.name]
    return tuple.__class_getitem__((single, ...)) if kind.many else single


def read_findings(node: Node, table: Table, faults: Faults) -> tuple[Finding, ...]:
    """The revokes of an incident; faults are added."""
    return tuple(one for item in _items(node, faults) if (one := _finding(item, table, faults)) is not None)


def read_irregularities(node: Node, table: Table, faults: Faults) -> tuple[Finding, ...]:
    """What else was found, each of its matter; faults are added."""
    read = list[Finding]()
    for item in _items(node, faults):
        named = item.entries.get(OF) if isinstance(item, Mapping) else None
        matter = str(named.plain()) if named is not None else ""
        if named is None:
            faults.add(item.place, "of what matter this is, is not said", f"add of: {' or '.join(table.matters)}")
        elif matter not in table.matters:
            faults.demand("matter", matter, named.place, table.matters)
        elif finding := _finding(item, table.about(matter), faults, (OF,)):
            read.append(finding)
    return tuple(read)


def _items(node: Node, faults: Faults) -> list[Node]:
    items = [*_LIST.read(node, faults)]
    if len(items) > MOST_REVOKES:
        faults.add(items[MOST_REVOKES].place, f"there are more than {MOST_REVOKES} of these", "list each once")
        return []
    return items


def _finding(node: Node, table: Table, faults: Faults, keys: tuple[str, ...] = ()) -> Finding | None:
    if not isinstance(node, Mapping):
        faults.append(refused(node, "write its fields, such as {hand: W, trick: 5}"))
        return None
    faults_before = len(faults)
    faults += unknown(node.keys, (*keys, *UNDECLARED, *table.findings))
    naming = read_keys(_NAMING_KEYS, node, faults)
    if {"hand", "player"} <= naming.keys() and naming["player"] != SAME_TRICK:  # which says the trick as well
        faults.add(node.keys["player"], "the hand says whose card it was", "leave player out")
    stated = [(table.findings[key], value) for key, value in node.entries.items() if key in table.findings]
    values = {
        kind.id: _value(kind, value, faults)
        for kind, value in stated
        if kind.not_stated != NOTHING or not isinstance(value, Scalar) or value.value != UNKNOWN  # or it is left out
    }
    return Finding(**naming, said=values, of=table.of) if len(faults) == faults_before else None


def _value(kind: FindingKind, node: Node, faults: Faults) -> Any:
    """The value, the name of an answer that is no value itself, or ``unknown``."""
    if isinstance(node, Scalar) and node.value == UNKNOWN:
        return UNKNOWN
    if isinstance(node, Scalar) and node.value in kind.answers and node.value not in words_of(kind.type):
        return node.value
    if kind.type.name == "words" and isinstance(node, Sequence):
        # a list of words is the one word that stands for all of them, in the order in which they are declared
        place = {word: position for position, word in enumerate(kind.type.words)}
        words = [str(item.value) if isinstance(item, Scalar) else "a list" for item in node.items]
        node = Scalar(" ".join(sorted(words, key=lambda word: place.get(word, -1))), node.place, quoted=True)
    if kind.type.name == "number" and isinstance(node, Scalar) and ".." in str(node.value):
        among, can_be = numbers(node.value), range(_bound(kind.type.least), _bound(kind.type.most) + 1)
        if not among or not {among[0], among[-1]} <= set(can_be):
            problem = f"{node.value} is no range within {can_be[0]}..{can_be[-1]}"
            faults.add(node.place, problem, "write the least and the most, such as 2..4")
        return str(node.value)
    return _form(kind.type).read(node, faults)


def words_of(kind: Type) -> tuple[Any, ...]:
    """The words that are values of a type."""
    plain = _PLAIN.get(kind.name)
    return kind.words if kind.name == "words" else get_args(plain) if plain in (Seat, Side, Suit) else ()


@lru_cache(maxsize=500)
def _form(kind: Type) -> Form:
    return form_of(annotation(kind))


def _bound(bound: Formula | None) -> int:
    """The widest that a bound can be."""
    values = [evaluated(bound, {"trick": trick}, _NO_TABLE) for trick in (1, 13)]
    return max(value for value in values if isinstance(value, int))


_NO_TABLE: Final = Table()


_FILE: Final = Record(Incident)
Tables: TypeAlias = Callable[[str | None], Table]
"""What can be said under the edition that a file names, if it names one."""


def read_incident(text: str, file: str, tables: Tables) -> Incident:
    """The incident in the text of a YAML file; InputError with every fault in it."""
    return incident_of(read_yaml(text, file), tables)


def incident_of(node: Node, tables: Tables) -> Incident:
    """The incident that a part of a YAML file holds, such as the ``incident`` of a case; InputError as above."""
    if not isinstance(node, Mapping):
        problem = "an incident is a list of keys with their values"
        raise InputError.of(node.place, problem, "write such as contract: 4S and declarer: S")
    edition = node.entries.get("edition")
    edition_id = str(edition.value) if isinstance(edition, Scalar) else None
    table = tables(edition_id)
    faults = Faults()
    stated = _FILE.stated(node, faults)
    if faults:
        stated = {}
    if "play" in node.entries:
        stated["play"] = read_rows(node.entries["play"], faults)
    if "auction" in node.entries:
        stated |= _called(node, stated, faults)
    if "events" in node.entries:
        stated["events"] = read_events(node.entries["events"], stated.get("play"), table, faults)
    if "revokes" in node.entries:
        stated["revokes"] = read_findings(node.entries["revokes"], table, faults)
    if "irregularities" in node.entries:
        others = read_irregularities(node.entries["irregularities"], table, faults)
        stated |= {"revokes": (*stated.get("revokes", ()), *others), "irregularities": ()}
    faults += findings_faults(node, stated, table)
    faults += weights_faults(node, stated)
    if faults:
        raise InputError(sorted(faults))
    incident: Incident = table.of_its_day(of_the_board(Incident(place=node.place, places=_places(node), **stated)))
    return incident


def _called(node: Mapping, stated: MappingType[str, Any], faults: Faults) -> dict[str, Any]:
    """The auction, with the contract and the declarer that the calls made; a fault where others are stated."""
    # a dealer that cannot be read is a fault already
    dealer = stated.get("dealer", "N") if "dealer" in node.entries else None
    auction, play = read_calls(node.entries["auction"], dealer, faults), stated.get("play")
    if auction is None:
        return {}
    contract, declarer = auction.made(play is not None and bool(play.tricks))
    for key, what in denied((contract, declarer), (stated.get("contract"), stated.get("declarer"))):
        mend = f"mend this {key}, or the calls; AP stands for the passes that end them"
        faults.add(node.entries[key].place, what, mend)
    made = {"auction": auction, "contract": contract, "declarer": declarer}
    return {key: value for key, value in made.items() if value is not None}


def _places(node: Mapping) -> dict[str, Place]:
    places = {key: value.place for key, value in node.entries.items()}
    parts = {key: getattr(node.entries.get(key), "items", ()) for key in ("revokes", "irregularities", "events")}
    found = (*parts["revokes"], *parts["irregularities"])  # counted on
    for key, items in (("revokes", found), ("events", parts["events"])):
        for number, item in enumerate(items, 1):
            places[f"{key}.{number}"] = item.place
            if key == "revokes" and isinstance(item, Mapping):
                places |= {f"{key}.{number}.{name}": place for name, place in item.keys.items()}
    return places
