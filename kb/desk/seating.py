"""The players of an interview in the seats of this table: the questions only know declarer, a defender and the like."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

from facts.cards import OTHER_SIDE, PARTNER, SEATS, Seat, Side
from facts.errors import Fault, InputError, Place
from facts.incident import Incident
from facts.plain import node_of, plain
from facts.readers.incident import incident_of
from kb.ruling.ruling import Ruling

OF_SEATS: Final = ("hand", "won-by", "asked-by", "played-after", "declarer")
OF_SIDES: Final = ("next-board-call-by",)


@dataclass(frozen=True)
class Table:
    """Who sat where, and what was played; texts as they were entered, empty where nothing was."""

    revoker: str
    declarer: str
    contract: str = ""
    board: str = ""


def seats(incident: Incident) -> tuple[Seat, Seat] | None:
    """Whose card it was and who is declarer, where it makes sense to name other seats: of findings without cards."""
    if not incident.revokes or incident.play or incident.deal or incident.events or incident.declarer is None:
        return None
    return incident.revokes[0].hand, incident.declarer


def seated(incident: Incident, table: Table) -> Incident:
    """The same with everybody in his seat; InputError where declarer and the wrong card do not go together."""
    now = seats(incident)
    if now is None or table.revoker not in SEATS or table.declarer not in SEATS:
        raise _refused("these seats cannot be named here", "choose two of the seats offered")
    quarters = (SEATS.index(table.revoker) - SEATS.index(now[0])) % 4
    data = _turned(plain(incident), quarters)
    usual = data["declarer"]
    defends = now[0] not in (now[1], PARTNER[now[1]])
    if table.declarer != usual and not (defends and table.declarer == PARTNER[cast(Seat, usual)]):
        raise _refused("by the answers declarer sat elsewhere", "look at whose card it was, or change that answer")
    data["declarer"] = table.declarer
    data |= {key: text.strip() for key, text in (("contract", table.contract), ("board", table.board)) if text.strip()}
    return incident_of(node_of(data, Place("table", 1)))


def alike(before: Ruling, after: Ruling) -> bool:
    """Whether two rulings differ in nothing but the seats."""
    return before.cited == after.cited and _essence(before) == _essence(after)


def _essence(ruling: Ruling) -> list[tuple[object, ...]]:
    return [(one.status, one.automatic_tricks, one.exempt_by, one.trick) for one in ruling.revokes]


def _turned(said: Any, quarters: int, key: str = "") -> Any:
    """Plain data with every seat and side so many places on."""
    if isinstance(said, Mapping):
        return {name: _turned(one, quarters, name) for name, one in said.items()}
    if isinstance(said, list):
        return [_turned(one, quarters, key) for one in said]
    if key in OF_SEATS:
        return SEATS[(SEATS.index(said) + quarters) % 4]
    if key in OF_SIDES:
        return OTHER_SIDE[cast(Side, said)] if quarters % 2 else said
    return said


def _refused(what: str, mend: str) -> InputError:
    return InputError([Fault(Place("table", 1), what, mend)])
