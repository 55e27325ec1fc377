"""How the law that a ruling goes by stands to the day and the jurisdiction of its incident."""

from __future__ import annotations

from dataclasses import dataclass

from facts.calendar import Calendar, DatedEdition, DatedElection
from facts.incident import Incident
from facts.readers.calendar import calendar_of
from kb.language.model import Edition


@dataclass(frozen=True, slots=True)
class OfItsDay:
    """What is known of the law on the day of an incident, and of what its jurisdiction had chosen."""

    in_force: bool | None
    """Whether the edition was in force; None where that is not known, or nothing was asked."""
    instead: DatedEdition | None = None
    """The one that was, if it was another."""
    chosen: tuple[DatedElection, ...] = ()
    """The elections of the jurisdiction that the ruling does not go by."""


def of_its_day(incident: Incident, edition: Edition) -> OfItsDay:
    """Of an edition that has no days, such as a draft, nothing is known."""
    if incident.date is None and not incident.jurisdiction:
        return OfItsDay(None)
    calendar = calendar_of(edition.folders[0])
    chosen = calendar.elections(edition.id, incident.jurisdiction, incident.date) if incident.jurisdiction else ()
    in_force, instead = _in_force(incident, edition, calendar)
    return OfItsDay(in_force, instead, tuple(one for one in chosen if one.id not in edition.elections))


def _in_force(incident: Incident, edition: Edition, calendar: Calendar) -> tuple[bool | None, DatedEdition | None]:
    dated, day = calendar.of(edition.id), incident.date
    if dated is None or day is None:
        return None, None
    in_force = calendar.in_force(dated, day, incident.jurisdiction)
    others = calendar.perhaps(day, incident.jurisdiction)
    return in_force, others[0] if in_force is False and len(others) == 1 else None
