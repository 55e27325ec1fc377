"""The calendar of a folder of rules, read off its editions and elections, and the law of the day that it names."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Final, TypeAlias

from facts.calendar import DATE_PATTERN, Calendar, DatedEdition, DatedElection, Span, span
from facts.errors import InputError, MisreadError, Place
from facts.form import Entries, FromFile, ReadBy, in_the_form, no_entries
from facts.incident import Incident
from facts.readers.bare_values import plain_text
from facts.readers.form import read_form
from facts.suggestions import brief, did_you_mean
from facts.yaml_nodes import Node
from facts.yaml_reader import read_text, read_yaml

NOT_YET: Final = "not yet"
"""When a draft comes into force."""
EDITION: Final = "edition.yaml"
ELECTIONS: Final = "elections"


def _date(given: object) -> str:
    if isinstance(given, int):
        raise MisreadError(f"{str(given).lower()} is not text", "put it in quotes")
    text = plain_text(given)
    span(text)
    return text


def _date_or_not_yet(given: object) -> str:
    if given == NOT_YET:
        return NOT_YET
    if isinstance(given, int):
        return _date(given)
    try:
        return _date(given)
    except MisreadError as error:
        what, mend = error.wrong[0]
        raise MisreadError(what, f'{mend}, or "{NOT_YET}"') from None


DateText: TypeAlias = Annotated[str, ReadBy(_date, in_the_form(DATE_PATTERN), lambda _: "")]
"""As much of a date as is known."""
InForce: TypeAlias = Annotated[
    str, ReadBy(_date_or_not_yet, {"anyOf": [in_the_form(DATE_PATTERN), {"enum": [NOT_YET]}]}, lambda _: "")
]


@dataclass(frozen=True, kw_only=True)
class ElectionDays(FromFile):
    """What the file of an election says of where and when it holds."""

    title: dict[str, str] = field(default_factory=dict)
    jurisdiction: str = ""
    in_force: DateText = ""
    until: DateText = ""
    rest: Entries[Any] = field(default_factory=no_entries)


@dataclass(frozen=True, kw_only=True)
class EditionDays(FromFile):
    """What ``edition.yaml`` says of when and where it is in force."""

    title: dict[str, str] = field(default_factory=dict)
    in_force: InForce = ""
    until: DateText = ""
    game: str = ""
    adopted: dict[str, DateText] = field(default_factory=dict)
    offers: dict[str, tuple[str, ...]] = field(default_factory=dict)
    rest: Entries[Any] = field(default_factory=no_entries)


def calendar_of(root: Path) -> Calendar:
    """The calendar of the editions under a root; one whose file cannot be read has no days."""
    files = (*sorted(root.glob(f"*/{EDITION}")), *sorted((root / ELECTIONS).glob("*.yaml")))
    return _read(tuple((file, file.stat().st_mtime_ns) for file in files))


@lru_cache(8)
def _read(files: tuple[tuple[Path, int], ...]) -> Calendar:
    paths = [file for file, _ in files]
    elections = {file.stem: _election(file) for file in paths if file.parent.name == ELECTIONS}
    editions = (_edition(file, elections) for file in paths if file.name == EDITION)
    return Calendar(tuple(sorted((one for one in editions if one), key=lambda one: one.begins.first)))


def _election(file: Path) -> DatedElection:
    said: ElectionDays = read_form(ElectionDays, _node(file), [])
    return DatedElection(file.stem, said.title, said.jurisdiction, _span(said.in_force), _span(said.until))


def _edition(file: Path, elections: dict[str, DatedElection]) -> DatedEdition | None:
    said: EditionDays = read_form(EditionDays, _node(file), [])
    begins = _span(said.in_force)
    if begins is None:
        return None
    adopted = {name: known for name, text in said.adopted.items() if (known := _span(text))}
    offered = dict.fromkeys(one for offer in said.offers.values() for one in offer if one in elections)
    made = tuple(elections[one] for one in offered)
    return DatedEdition(file.parent.name, said.title, begins, _span(said.until), adopted, made, said.game)


def _node(file: Path) -> Node:
    """What the file holds; nothing where it cannot be read, of which whoever loads the edition is told."""
    try:
        return read_yaml(read_text(file), str(file))
    except InputError:
        return read_yaml("{}", str(file))


def _span(text: str) -> Span | None:
    return span(text) if text and text != NOT_YET else None


def check_jurisdiction(incident: Incident, root: Path) -> None:
    """InputError for a jurisdiction of which nothing is known."""
    known = calendar_of(root).jurisdictions
    if incident.jurisdiction and incident.jurisdiction not in known:
        what = f"nothing is known of a jurisdiction {brief(incident.jurisdiction)}"
        mend = f"leave it out, or {did_you_mean(incident.jurisdiction, known)}"
        raise InputError.of(_place(incident, "jurisdiction"), what, mend)


def by_its_day(incident: Incident, root: Path) -> Incident:
    """The incident to be ruled on by the law of its day in its jurisdiction, or where it has no day by the usual one.

    Elections that it states itself stay. InputError, at its date, where it is not known which law was in force.
    """
    calendar, edition = calendar_of(root), incident.edition
    chosen: tuple[str, ...] = ()
    if incident.date is not None:
        edition = _edition_of_the_day(incident, calendar)
    if incident.jurisdiction:
        chosen = tuple(one.id for one in calendar.elections(edition, incident.jurisdiction, incident.date))
    return replace(incident, edition=edition, elections=incident.elections or chosen)


def _edition_of_the_day(incident: Incident, calendar: Calendar) -> str:
    assert incident.date is not None
    found = calendar.perhaps(incident.date, incident.jurisdiction)
    if len(found) == 1 and calendar.in_force(found[0], incident.date, incident.jurisdiction):
        return found[0].id
    near = found or tuple(calendar.nearest(incident.date))
    told = " and ".join(_told(one, incident.jurisdiction) for one in near)
    what = f"it is not known which law was in force on {incident.date}: {told}"
    if not found:
        what = f"there is no law here that was in force on {incident.date}; the nearest: {told or 'none'}"
    names = " or ".join(f"edition: {one.id}" for one in near) or "edition:"
    raise InputError.of(_place(incident, "date"), what, f"name it: {names}")


def _told(edition: DatedEdition, jurisdiction: str) -> str:
    """«duplicate-2007 is in force from 2008 on»."""
    ends = f" until {_days(edition.ends)}" if edition.ends else " on"
    return f"{edition.id} from {_days(edition.begins_in(jurisdiction))}{ends}"


def _days(span: Span) -> str:
    """As much of the date as is known."""
    if span.first == span.last:
        return str(span.first)
    return str(span.first)[: 4 if span.last.month - span.first.month else 7]


def _place(incident: Incident, key: str) -> Place:
    return incident.places.get(key, incident.place)
