"""Endings: a deal of fewer than thirteen cards a hand. Trick n of one of k cards is trick 13 - k + n of the board, and
so it is called everywhere; a file counts from its first trick on, and is read and written so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from facts.incident import Event, Finding, Incident, RevokeNamed
from facts.play import PlayRecord, Trick

WHOLE: Final = 13


def of_the_board(incident: Incident) -> Incident:
    """An incident as a file counts it, with the numbers of the board. A trick that the ending does not have, such as
    the twelfth of three, is already called as on the board.
    """
    size = WHOLE if incident.deal is None else incident.deal.size
    tricks = () if incident.play is None else incident.play.tricks
    if not 0 < size < WHOLE or len(tricks) > size:
        return incident
    missing = (Trick("N", ()),) * (WHOLE - size)
    renumbered = _renumbered(incident, lambda trick: trick + WHOLE - size if trick <= size else trick)
    return replace(renumbered, play=PlayRecord((*missing, *tricks)) if tricks else None)


def as_in_a_file(incident: Incident) -> Incident:
    """The same with the numbers of the file."""
    size = WHOLE if incident.deal is None else incident.deal.size
    tricks = () if incident.play is None else incident.play.tricks
    if not 0 < size < WHOLE or (tricks and tricks[0].cards):
        return incident
    before = WHOLE - size
    renumbered = _renumbered(incident, lambda trick: trick - before if trick > before else trick)
    return replace(renumbered, play=PlayRecord(tricks[before:]) if tricks else None)


def _renumbered(incident: Incident, number: Callable[[int], int]) -> Incident:
    """Every trick that is named, called anew."""

    def said(stated: Mapping[str, Any]) -> dict[str, Any]:
        return {
            name: replace(value, trick=number(value.trick))
            if isinstance(value, RevokeNamed)
            else number(value)
            if name == "trick" and value is not None
            else value
            for name, value in stated.items()
        }

    def event(one: Event) -> Event:
        after = None if one.after is None else (number(one.after[0]), one.after[1])
        return replace(one, after=after, said=said(one.said))

    def finding(one: Finding) -> Finding:
        return one if one.trick is None else replace(one, trick=number(one.trick))

    return replace(
        incident,
        events=tuple(map(event, incident.events)),
        revokes=tuple(map(finding, incident.revokes)),
        marked=tuple((number(trick), hand) for trick, hand in incident.marked),
    )
