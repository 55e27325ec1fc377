"""The calendar of a folder of rules, read off its editions and elections, and the law of the day that it names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

from facts.calendar import NOT_YET, Calendar, DatedEdition, DatedElection, Span, span
from facts.errors import Faults, InputError, Place
from facts.form import read_form
from facts.incident import Incident
from facts.suggestions import brief, did_you_mean
from facts.yaml_reader import Node, read_text, read_yaml
from kb.language.folders import EDITION, ELECTIONS
from kb.language.model import EditionForm, ElectionForm


def calendar_of(root: Path, *laid: Path) -> Calendar:
    """The calendar of the editions under a root; one whose file cannot be read has no days.

    ``laid``: the folders of an edition, each over that before it; a draft among them offers what that before it does.
    """
    own = [folder for folder in laid if folder.parent != root]
    files = [*sorted((root / ELECTIONS).glob("*.yaml")), *sorted(root.glob(f"*/{EDITION}"))]
    for folder in own:
        files += [*sorted((folder / ELECTIONS).glob("*.yaml")), folder / EDITION]
    below = tuple((folder, under) for under, folder in pairwise(laid) if folder in own)
    return _read(tuple((file, file.stat().st_mtime_ns) for file in files), below)


@lru_cache(8)
def _read(files: tuple[tuple[Path, int], ...], below: tuple[tuple[Path, Path], ...]) -> Calendar:
    elections: dict[str, DatedElection] = {}
    for file in (file for file, _ in files if file.parent.name == ELECTIONS):
        made: ElectionForm = read_form(ElectionForm, _node(file), Faults())
        days = _span(made.in_force), _span(made.until)
        elections[file.stem] = DatedElection(file.stem, made.title, made.jurisdiction, *days)
    editions: list[DatedEdition] = []
    offered: dict[str, tuple[DatedElection, ...]] = {}
    ids: dict[Path, str] = {}
    for file in (file for file, _ in files if file.name == EDITION):
        said: EditionForm = read_form(EditionForm, _node(file), Faults())
        names = dict.fromkeys(one.value for offer in said.offers.values() for one in offer)
        kept = [one for folder, under in below if folder == file.parent for one in offered.get(ids[under], ())]
        id = ids[file.parent] = said.edition or file.parent.name
        offered[id] = (*kept, *(elections[one] for one in names if one in elections))
        if (begins := _span(said.in_force)) is not None:
            adopted = {name: known for name, text in said.adopted.items() if (known := _span(text))}
            ends = _span(said.until)
            editions.append(DatedEdition(id, said.title, begins, ends, adopted, said.game))
    return Calendar(tuple(sorted(editions, key=lambda one: one.begins.first)), offered)


def _node(file: Path) -> Node:
    """What the file holds; nothing where it cannot be read, of which whoever loads the edition is told."""
    try:
        return read_yaml(read_text(file), str(file))
    except InputError:
        return read_yaml("{}", str(file))


def _span(text: str) -> Span | None:
    return span(text) if text and text != NOT_YET else None


def check_jurisdiction(incident: Incident, folders: Sequence[Path]) -> None:
    """InputError for a jurisdiction of which nothing is known; ``folders``: those of the edition, the root first."""
    known = calendar_of(*folders).jurisdictions
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
