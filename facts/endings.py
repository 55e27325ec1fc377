"""Endings: a deal of fewer than thirteen cards a hand. Trick n of one of k cards is trick 13 - k + n of the board, and
so it is called everywhere; a file counts from its first trick on, and is read and written so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from facts.incident import Event, Finding, Incident, RevokeNamed
from facts.play import PlayRecord, Trick

WHOLE_HAND: Final = 13


def of_the_board(incident: Incident) -> Incident:
    """An incident as a file counts it, with the numbers of the board. A trick that the ending does not have, such as
    the twelfth of three, is already called as on the board.
    """
    size = WHOLE_HAND if incident.deal is None else incident.deal.size
    tricks = () if incident.play is None else incident.play.tricks
    if not 0 < size < WHOLE_HAND or len(tricks) > size:
        return incident
    missing = (Trick("N", ()),) * (WHOLE_HAND - size)
    renumbered = _renumbered(incident, lambda trick: trick + WHOLE_HAND - size if trick <= size else trick)
    return replace(renumbered, play=PlayRecord((*missing, *tricks)) if tricks else None)


def as_in_a_file(incident: Incident) -> Incident:
    """The same with the numbers of the file."""
    size = WHOLE_HAND if incident.deal is None else incident.deal.size
    tricks = () if incident.play is None else incident.play.tricks
    if not 0 < size < WHOLE_HAND or (tricks and tricks[0].cards):
        return incident
    tricks_before = WHOLE_HAND - size
    renumbered = _renumbered(incident, lambda trick: trick - tricks_before if trick > tricks_before else trick)
    return replace(renumbered, play=PlayRecord(tricks[tricks_before:]) if tricks else None)


def _renumbered(incident: Incident, number: Callable[[int], int]) -> Incident:
    """Every trick that is named, called anew."""

    def renumbered_values(stated: Mapping[str, Any]) -> dict[str, Any]:
        return {
            name: replace(value, trick=number(value.trick))
            if isinstance(value, RevokeNamed)
            else number(value)
            if name == "trick" and value is not None
            else value
            for name, value in stated.items()
        }

    def renumbered_event(event: Event) -> Event:
        after_card = None if event.after is None else (number(event.after[0]), event.after[1])
        return replace(event, after=after_card, said=renumbered_values(event.said))

    def renumbered_revoke(revoke: Finding) -> Finding:
        return revoke if revoke.trick is None else replace(revoke, trick=number(revoke.trick))

    return replace(
        incident,
        events=tuple(map(renumbered_event, incident.events)),
        revokes=tuple(map(renumbered_revoke, incident.revokes)),
        marked=tuple((number(trick), hand) for trick, hand in incident.marked),
    )
