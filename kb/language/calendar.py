"""Which edition of the law is in force on which day and where, and what its authorities have chosen in it, as the files
of editions and elections say it; and the law of the day that an incident names.

An edition is in force from its first day to its last, or until the next one of its game is. Where only a year or a
month is known, whether it is in force is not known of the days in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property, lru_cache
from itertools import pairwise
from pathlib import Path

from facts.dates import NOT_YET, Span, span
from facts.errors import Faults, InputError, Place
from facts.form import read_form
from facts.incident import Incident
from facts.suggestions import brief, did_you_mean
from facts.yaml_reader import Node, read_text, read_yaml
from kb.language.folders import EDITION, ELECTIONS
from kb.language.model import EditionForm, ElectionForm


@dataclass(frozen=True)
class Calendar:
    """The editions under one root that have days, the earliest first."""

    editions: tuple[EditionForm, ...]
    offered: Mapping[str, tuple[ElectionForm, ...]] = field(default_factory=dict)
    """By an edition, be it that it has no days."""

    @cached_property
    def jurisdictions(self) -> tuple[str, ...]:
        """Every jurisdiction that something is known of."""
        chosen = (one.jurisdiction for offered in self.offered.values() for one in offered)
        adopting = (name for edition in self.editions for name in edition.adopted)
        return tuple(sorted({*chosen, *adopting} - {""}))

    def of(self, edition: str) -> EditionForm | None:
        """The edition of that id; None where it has no days."""
        return next((one for one in self.editions if one.edition == edition), None)

    def in_force(self, edition: EditionForm, day: date, jurisdiction: str = "") -> bool | None:
        """Whether an edition is in force; None where that is not known."""
        later = [one for one in self.editions[self.editions.index(edition) + 1 :] if one.game == edition.game]
        begun = begins(edition, jurisdiction).begun(day)
        over = [begins(one, jurisdiction).begun(day) for one in later]
        over += [span(edition.until).over(day)] if edition.until else []
        if begun is False or True in over:
            return False
        return None if begun is None or None in over else True

    def perhaps(self, day: date, jurisdiction: str = "") -> tuple[EditionForm, ...]:
        """The editions of which one is in force, for all that is known: one, if it is known which."""
        return tuple(one for one in self.editions if self.in_force(one, day, jurisdiction) is not False)

    def nearest(self, day: date) -> Iterator[EditionForm]:
        """The last edition before a day on which none is in force, and the first after it."""
        before = [one for one in self.editions if begins(one).first <= day]
        yield from (*before[-1:], *self.editions[len(before) :][:1])

    def elections(self, edition: str, jurisdiction: str, day: date | None = None) -> tuple[ElectionForm, ...]:
        """What a jurisdiction has chosen in an edition, for all that is known of the day."""
        chosen = (one for one in self.offered.get(edition, ()) if one.jurisdiction == jurisdiction)
        return tuple(
            one
            for one in chosen
            if day is None
            or not (
                (one.in_force and span(one.in_force).begun(day) is False)
                or (one.until and span(one.until).over(day) is True)
            )
        )


def begins(edition: EditionForm, jurisdiction: str = "") -> Span:
    """The first day of an edition that has one, in a jurisdiction where that may be another."""
    return span(edition.adopted.get(jurisdiction) or edition.in_force)


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
    elections: dict[str, ElectionForm] = {}
    for file in (file for file, _ in files if file.parent.name == ELECTIONS):
        elections[file.stem] = replace(read_form(ElectionForm, _node(file), Faults()), election=file.stem)
    editions: list[EditionForm] = []
    offered: dict[str, tuple[ElectionForm, ...]] = {}
    ids: dict[Path, str] = {}
    for file in (file for file, _ in files if file.name == EDITION):
        said: EditionForm = read_form(EditionForm, _node(file), Faults())
        names = dict.fromkeys(one for offer in said.offers.values() for one in offer)
        kept = [one for folder, under in below if folder == file.parent for one in offered.get(ids[under], ())]
        id = ids[file.parent] = said.edition or file.parent.name
        offered[id] = (*kept, *(elections[one] for one in names if one in elections))
        if said.in_force not in ("", NOT_YET):
            editions.append(replace(said, edition=id))
    return Calendar(tuple(sorted(editions, key=lambda one: begins(one).first)), offered)


def _node(file: Path) -> Node:
    """What the file holds; nothing where it cannot be read, of which whoever loads the edition is told."""
    try:
        return read_yaml(read_text(file), str(file))
    except InputError:
        return read_yaml("{}", str(file))


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
        chosen = tuple(one.election for one in calendar.elections(edition, incident.jurisdiction, incident.date))
    return replace(incident, edition=edition, elections=incident.elections or chosen)


def _edition_of_the_day(incident: Incident, calendar: Calendar) -> str:
    assert incident.date is not None
    found = calendar.perhaps(incident.date, incident.jurisdiction)
    if len(found) == 1 and calendar.in_force(found[0], incident.date, incident.jurisdiction):
        return found[0].edition
    near = found or tuple(calendar.nearest(incident.date))
    told = " and ".join(_told(one, incident.jurisdiction) for one in near)
    what = f"it is not known which law was in force on {incident.date}: {told}"
    if not found:
        what = f"there is no law here that was in force on {incident.date}; the nearest: {told or 'none'}"
    names = " or ".join(f"edition: {one.edition}" for one in near) or "edition:"
    raise InputError.of(_place(incident, "date"), what, f"name it: {names}")


def _told(edition: EditionForm, jurisdiction: str) -> str:
    """«duplicate-2007 is in force from 2008 on»."""
    ends = f" until {edition.until}" if edition.until else " on"
    return f"{edition.edition} from {edition.adopted.get(jurisdiction) or edition.in_force}{ends}"


def _place(incident: Incident, key: str) -> Place:
    return incident.places.get(key, incident.place)
