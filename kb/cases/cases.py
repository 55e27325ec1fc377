"""Cases: incidents with the rulings expected of them, written beside the rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

from facts.cards import Seat
from facts.errors import Fault, Faults, InputError, MisreadError, Place
from facts.form import TEXT, Described, FromFile, ReadBy, cannot_stand, plain_text, read_form
from facts.incident import Incident, TrickNumber, Tricks
from facts.readers.incident import incident_of
from facts.table import Table
from facts.yaml_reader import Node, Sequence, read_text, read_yaml

Entry: TypeAlias = dict[str, Any]


def _entry(given: Any) -> Entry:
    """An entry of a ruling; laws in a list of them may be bare numbers."""
    if not isinstance(given, dict):
        raise MisreadError(*cannot_stand(given, "write keys with their values"))
    laws = given.get("law")
    return {**given, "law": list(map(str, laws))} if isinstance(laws, list) else given


def _law(given: Any) -> str:
    """The number of a clause, a bare number where it has no letters."""
    return str(given) if type(given) is int else plain_text(given)


_Entry: TypeAlias = Annotated[Entry, ReadBy(_entry)]
_Law: TypeAlias = Annotated[str, ReadBy(_law, {"anyOf": [TEXT, {"type": "integer"}]})]


@dataclass(frozen=True)
class Expectation(FromFile):
    """What is expected under one edition; what is None is not checked."""

    edition: str
    elections: tuple[str, ...] | None = None
    """None: those of the incident."""
    revokes: tuple[Annotated[_Entry, Described("ruled-revoke")], ...] | None = None
    transfer: dict[Literal["NS", "EW"], int] | None = None
    cited: tuple[_Law, ...] = ()
    not_cited: tuple[_Law, ...] = ()
    rectifications: tuple[Annotated[_Entry, Described("rectifications")], ...] = ()
    director: tuple[Annotated[_Entry, Described("director")], ...] = ()
    open: tuple[Annotated[_Entry, Described("open")], ...] | None = None
    points: tuple[Annotated[_Entry, Described("points")], ...] | None = None
    options: tuple[Annotated[_Entry, Described("options")], ...] | None = None
    parts: dict[str, tuple[_Entry, ...]] = field(default_factory=dict)
    """Of a part of the ruling that the vocabulary adds, what is expected in it."""
    result: Annotated[Entry, ReadBy(_entry, {"type": "object"})] = field(default_factory=dict)
    remarks: tuple[Annotated[_Entry, Described("remarks")], ...] = ()
    only: tuple[Literal["cited", "rectifications", "director", "open", "options", "points", "remarks"], ...] = ()
    """Parts of the ruling in which nothing may stand that is not expected, nor by another law than a list names."""


@dataclass(frozen=True)
class StatedEvidence(FromFile):
    """What double dummy would say of one revoke, so that a case needs no solver: tricks of the side against it."""

    hand: Seat
    trick: TrickNumber
    least: Tricks
    most: Tricks
    replay: Tricks | None = None
    """With the cards as they were played; None: no more and no fewer than by double dummy."""


@dataclass(frozen=True)
class CaseFile(FromFile):
    """The keys of a case."""

    id: str
    source: str
    title: str
    incident: Annotated[Node, Described("incident")]
    expect: tuple[Expectation, ...]
    why: str
    evidence: tuple[StatedEvidence, ...] = ()


@dataclass(frozen=True)
class Case:
    """One incident and what is expected of it under each edition named."""

    id: str
    source: str
    title: str
    incident: Incident
    expect: tuple[Expectation, ...]
    why: str
    place: Place
    evidence: tuple[StatedEvidence, ...] = ()

    def under(self, expected: Expectation) -> Incident:
        """The incident under the edition of an expectation."""
        elections = self.incident.elections if expected.elections is None else expected.elections
        if expected.elections is None and expected.edition != self.incident.edition:
            elections = ()
        return replace(self.incident, edition=expected.edition, elections=elections)


def read_cases(folder: Path, table: Table | None = None) -> tuple[Case, ...]:
    """Every case under a folder, in the order of files; InputError with every fault.

    ``table``: what can be said in them, if it is not just what the shipped rules declare.
    """
    cases: list[Case] = []
    faults = Faults()
    for file in sorted(folder.rglob("*.yaml")):
        try:
            cases += _of_file(file, table)
        except InputError as error:
            faults += error.faults
    first: dict[str, Case] = {}
    for case in cases:
        if first.setdefault(case.id, case) is not case:
            faults.append(Fault(case.place, f"there is another case {case.id}", "name one of them otherwise"))
    if faults:
        raise InputError(faults)
    return tuple(cases)


def _of_file(file: Path, table: Table | None) -> Iterator[Case]:
    node = read_yaml(read_text(file), str(file))
    for one in node.items if isinstance(node, Sequence) else (node,):
        yield _case(one, table)


def _case(node: Node, table: Table | None) -> Case:
    faults = Faults()
    file: CaseFile = read_form(CaseFile, node, faults)
    if faults:
        raise InputError(faults)
    incident = incident_of(file.incident, None if table is None else lambda _: table)
    return Case(file.id, file.source, file.title, incident, file.expect, file.why, node.place, file.evidence)


def differences(expected: Expectation, ruling: Entry) -> Iterator[str]:
    """What a ruling (as JSON) lacks of what is expected, each as a sentence."""
    if expected.revokes is not None:
        yield from _revokes(expected.revokes, ruling["revokes"])
    if expected.transfer is not None and dict(expected.transfer) != ruling["transfer"]:
        yield f"transfer is {ruling['transfer']}, expected {dict(expected.transfer)}"
    yield from (f"{law} is not cited" for law in expected.cited if law not in ruling["cited"])
    yield from (f"{law} is cited" for law in expected.not_cited if law in ruling["cited"])
    if "cited" in expected.only:
        yield from (f"{law} is cited, and not expected" for law in ruling["cited"] if law not in expected.cited)
    for section in ("rectifications", "director", "open", "points", "options", "remarks"):
        wanted: tuple[Entry, ...] | None = getattr(expected, section)
        if wanted is not None or section in expected.only:
            yield from _entries(section, wanted or (), ruling.get(section, []), section in expected.only)
    for section, entries in expected.parts.items():
        yield from _entries(section, entries, ruling.get("parts", {}).get(section, []), only=not entries)
    for key, value in expected.result.items():
        if ruling["result"].get(key) != value:
            yield f"result: {key} is {ruling['result'].get(key)}, expected {value}"


def _revokes(wanted: tuple[Entry, ...], ruled: list[Entry]) -> Iterator[str]:
    if len(wanted) != len(ruled):
        yield f"there are {len(ruled)} revokes, expected {len(wanted)}: {[_name(one) for one in ruled]}"
    left = list(ruled)
    for one in wanted:
        same = [other for other in left if _name(other) == _name(one) and one.get("card") in (None, other["card"])]
        if not same:
            yield f"no revoke by {one['hand']} at trick {one['trick']}"
            continue
        left.remove(same[0])
        for key, value in one.items():
            if same[0].get(key) != value:
                yield f"revoke by {one['hand']} at trick {one['trick']}: {key} is {same[0].get(key)}, expected {value}"


def _name(revoke: Entry) -> tuple[object, object]:
    return revoke["hand"], revoke["trick"]


def _entries(section: str, wanted: tuple[Entry, ...], ruled: list[Entry], only: bool) -> Iterator[str]:
    if not wanted and section in ("points", "options", "open") and ruled:
        yield f"{section}: {ruled}, expected none"
    for one in wanted:
        if not any(fits(one, other) for other in ruled):
            yield f"{section}: {one} is missing"
    if only and len(ruled) != len(wanted) > 0:
        yield f"{section}: there are {len(ruled)}, expected {len(wanted)}"
    for other in ruled if only else ():
        if not any(fits(one, other) and _by_no_other_law(one, other) for one in wanted):
            yield f"{section}: {other} is not expected"


def fits(wanted: Entry, ruled: Entry) -> bool:
    """Whether an entry of a ruling has all that is wanted of it."""
    return all(
        _law_fits(value, ruled.get(key)) if key == "law" else ruled.get(key) == value for key, value in wanted.items()
    )


def _by_no_other_law(wanted: Entry, ruled: Entry) -> bool:
    """Whether the laws are those named, where a list of them is; a single law may be one of several."""
    laws = wanted.get("law")
    return not isinstance(laws, list) or {str(one) for one in laws} == set(ruled["law"])


def _law_fits(wanted: object, ruled: object) -> bool:
    laws = [str(one) for one in wanted] if isinstance(wanted, list) else [str(wanted)]
    return isinstance(ruled, list) and all(law in ruled for law in laws)
