"""Which edition of the law is in force on which day and where, and what its authorities have chosen in it, as the files
of editions and elections say it; and the law of the day that an incident names.

An edition is in force from its first day to its last, or until the next one of its game is. Where only a year or a
month is known, whether it is in force is not known of the days in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import lru_cache
from pathlib import Path

from facts.dates import NOT_YET_IN_FORCE, Span, span
from facts.errors import Faults, InputError, Place, brief, did_you_mean
from facts.form import form_of
from facts.incident import Incident
from facts.yaml_reader import Node, read_text, read_yaml
from kb.language.folders import EDITION, elections
from kb.language.model import EditionForm, ElectionForm


@dataclass(frozen=True)
class Calendar:
    """The editions of some folders that have days, the earliest first, and all elections there."""

    editions: tuple[EditionForm, ...]
    known: Mapping[str, ElectionForm] = field(default_factory=dict)
    """The elections by their ids."""
    offers: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    """What each edition offers, also one without days."""

    @property
    def jurisdictions(self) -> tuple[str, ...]:
        """Every jurisdiction that something is known of."""
        adopting = (name for edition in self.editions for name in edition.adopted)
        return tuple(sorted({*(election.jurisdiction for election in self.known.values()), *adopting} - {""}))

    def of(self, edition: str) -> EditionForm | None:
        """The edition of that id; None where it has no days."""
        return next((form for form in self.editions if form.edition == edition), None)

    def in_force(self, edition: EditionForm, day: date, jurisdiction: str = "") -> bool | None:
        """Whether an edition is in force; None where that is not known."""
        later = [form for form in self.editions[self.editions.index(edition) + 1 :] if form.game == edition.game]
        begun = begins(edition, jurisdiction).begun(day)
        over = [begins(form, jurisdiction).begun(day) for form in later]
        over += [span(edition.until).over(day)] if edition.until else []
        if begun is False or True in over:
            return False
        return None if begun is None or None in over else True

    def perhaps(self, day: date, jurisdiction: str = "") -> tuple[EditionForm, ...]:
        """The editions of which one is in force, for all that is known: one, if it is known which."""
        return tuple(edition for edition in self.editions if self.in_force(edition, day, jurisdiction) is not False)

    def elections(self, offers: Mapping[str, Iterable[str]], jurisdiction: str) -> tuple[ElectionForm, ...]:
        """What a jurisdiction has chosen of what an edition offers."""
        names = dict.fromkeys(name for offered in offers.values() for name in offered)
        forms = (self.known[name] for name in names if name in self.known)
        return tuple(form for form in forms if form.jurisdiction == jurisdiction != "")


def begins(edition: EditionForm, jurisdiction: str = "") -> Span:
    """The first day of an edition that has one, in a jurisdiction where that may be another."""
    return span(edition.adopted.get(jurisdiction) or edition.in_force)


def calendar_of(root: Path, *laid: Path) -> Calendar:
    """The calendar of the editions under a root; one whose file cannot be read has no days.

    ``laid``: the folders of an edition, each over that before it; what a draft among them says is known too.
    """
    drafts = [folder for folder in laid if folder.parent != root]
    files = [*elections(root, *drafts).values(), *sorted(root.glob(f"*/{EDITION}"))]
    files += (draft / EDITION for draft in drafts)
    return _read(tuple((file, file.stat().st_mtime_ns) for file in files))


@lru_cache(8)
def _read(files: tuple[tuple[Path, int], ...]) -> Calendar:
    election_forms: dict[str, ElectionForm] = {}
    editions: list[EditionForm] = []
    offers: dict[str, Mapping[str, tuple[str, ...]]] = {}
    for file, _ in files:
        if file.name != EDITION:
            election_forms[file.stem] = replace(form_of(ElectionForm).read(_node(file), Faults()), election=file.stem)
            continue
        form: EditionForm = form_of(EditionForm).read(_node(file), Faults())
        edition = replace(form, edition=form.edition or file.parent.name)
        offers[edition.edition] = edition.offers
        if form.in_force not in ("", NOT_YET_IN_FORCE):
            editions.append(edition)
    return Calendar(tuple(sorted(editions, key=lambda form: begins(form).first)), election_forms, offers)


def _node(file: Path) -> Node:
    """What the file holds; nothing where it cannot be read, of which whoever loads the edition is told."""
    try:
        return read_yaml(read_text(file), str(file))
    except InputError:
        return read_yaml("{}", str(file))


def dated(incident: Incident, folders: Sequence[Path]) -> Incident:
    """The incident, by the law of its day unless it names one; InputError where that or its jurisdiction is unknown."""
    if incident.date is None and not incident.jurisdiction:
        return incident
    check_jurisdiction(incident, folders)
    return incident if "edition" in incident.places else by_its_day(incident, folders[0])


def check_jurisdiction(incident: Incident, folders: Sequence[Path]) -> None:
    """InputError for a jurisdiction of which nothing is known; ``folders``: those of the edition, the root first."""
    jurisdictions = calendar_of(*folders).jurisdictions
    if incident.jurisdiction and incident.jurisdiction not in jurisdictions:
        problem = f"nothing is known of a jurisdiction {brief(incident.jurisdiction)}"
        mend = f"leave it out, or {did_you_mean(incident.jurisdiction, jurisdictions)}"
        raise InputError.of(_place(incident, "jurisdiction"), problem, mend)


def by_its_day(incident: Incident, root: Path) -> Incident:
    """The incident to be ruled on by the law of its day in its jurisdiction, or where it has no day by the usual one.

    Elections that it states itself stay. InputError, at its date, where it is not known which law was in force.
    """
    calendar = calendar_of(root)
    edition = incident.edition if incident.date is None else _edition_of_the_day(incident, calendar)
    chosen = calendar.elections(calendar.offers.get(edition, {}), incident.jurisdiction)
    elected = incident.elections or tuple(election.election for election in chosen)
    return replace(incident, edition=edition, elections=elected)


def _edition_of_the_day(incident: Incident, calendar: Calendar) -> str:
    assert incident.date is not None
    candidates = calendar.perhaps(incident.date, incident.jurisdiction)
    if len(candidates) == 1 and calendar.in_force(candidates[0], incident.date, incident.jurisdiction):
        return candidates[0].edition
    listing = "; ".join(
        f"{form.edition} from {form.adopted.get(incident.jurisdiction) or form.in_force} "
        + (f"until {form.until}" if form.until else "on")
        for form in candidates or calendar.editions
    )
    problem = f"it is not known which law was in force on {incident.date}: {listing or 'no edition has days'}"
    raise InputError.of(_place(incident, "date"), problem, "name it, as with edition: duplicate-1997")


def _place(incident: Incident, key: str) -> Place:
    return incident.places.get(key, incident.place)
