"""Cases: incidents with the rulings expected of them, what comes of ruling on them, and which clauses they reach."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

from facts.cards import OTHER_SIDE, SIDE, Seat
from facts.errors import Fault, Faults, InputError, MisreadError, Place, RulesError, brief, did_you_mean
from facts.fact import Fact
from facts.form import TEXT, Described, FromFile, ReadBy, cannot_stand, form_of, plain_text
from facts.incident import Incident, TrickNumber, Tricks
from facts.readers.incident_file import incident_of
from facts.table import Table
from facts.to_yaml import yaml_text
from facts.yaml_reader import Sequence as Items
from facts.yaml_reader import is_file, is_folder, read_text, read_yaml
from kb.language.folders import CASES, EDITION, apart, edition_folder, edition_ids, elections
from kb.language.model import Clause, Edition
from kb.ruling.laws import Law, Laws
from kb.ruling.make_ruling import rule
from kb.ruling.ruling import Ruling
from kb.ruling.verdict import verdict
from kb.ruling.with_equity import stated, with_facts

JsonEntry: TypeAlias = dict[str, Any]


def _entry(value: Any) -> JsonEntry:
    """An entry of a ruling; laws in a list of them may be bare numbers."""
    if not isinstance(value, dict):
        raise MisreadError(*cannot_stand(value, "write keys with their values"))
    laws = value.get("law")
    return {**value, "law": list(map(str, laws))} if isinstance(laws, list) else value


def _law(value: Any) -> str:
    """The number of a clause, a bare number where it has no letters."""
    return str(value) if type(value) is int else plain_text(value)


_Entry: TypeAlias = Annotated[JsonEntry, ReadBy(_entry)]
_Law: TypeAlias = Annotated[str, ReadBy(_law, {"anyOf": [TEXT, {"type": "integer"}]})]


@dataclass(frozen=True)
class Expectation(FromFile):
    """What is expected under one edition; what is None is not checked."""

    edition: str
    place: Place = field(compare=False)
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
    parts: dict[str, tuple[Annotated[_Entry, Described("own-part")], ...]] = field(default_factory=dict)
    """Of a part of the ruling that the vocabulary adds, what is expected in it."""
    result: Annotated[JsonEntry, ReadBy(_entry, {"type": "object"})] = field(default_factory=dict)
    remarks: tuple[Annotated[_Entry, Described("remarks")], ...] = ()
    only: tuple[
        Literal["cited", "rectifications", "director", "open", "options", "points", "remarks", "parts"], ...
    ] = ()
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
class Case(FromFile):
    """One incident and what is expected of it under each edition named."""

    id: str
    source: str
    title: str
    incident: Annotated[Incident, Described("incident", lambda node, _: node)]
    """As the file has it while the file is read."""
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


def read_cases(folder: Path, table: Table) -> tuple[Case, ...]:
    """Every case under a folder, by files; InputError with every fault. ``table``: what can be said in them."""
    cases: list[Case] = []
    faults = Faults()
    for file in sorted(folder.rglob("*.yaml")):
        try:
            node = read_yaml(read_text(file), str(file))
        except InputError as error:
            faults += error.faults
            continue
        for item in node.items if isinstance(node, Items) else (node,):
            case = form_of(Case).read(item, faults)
            try:
                if "incident" in item.entries:
                    cases.append(replace(case, incident=incident_of(case.incident, lambda _: table)))
            except InputError as error:
                faults += error.faults
    first: dict[str, Case] = {}
    for case in cases:
        if first.setdefault(case.id, case) is not case:
            faults.append(Fault(case.place, f"there is another case {case.id}", "name one of them otherwise"))
    if faults:
        raise InputError(faults)
    return tuple(cases)


def unmet_expectations(expected: Expectation, ruling: JsonEntry) -> Iterator[str]:
    """What a ruling (as JSON) lacks of what is expected, each as a sentence."""
    if expected.revokes is not None:
        yield from _revokes(expected.revokes, ruling["revokes"])
    if expected.transfer is not None and dict(expected.transfer) != ruling["transfer"]:
        yield f"transfer is {_written(ruling['transfer'])}, expected {_written(dict(expected.transfer))}"
    hints = {law: f"; expect it under director: [{{law: {law}}}]" for item in ruling["director"] for law in item["law"]}
    yield from (f"{law} is not cited{hints.get(law, '')}" for law in expected.cited if law not in ruling["cited"])
    yield from (f"{law} is cited" for law in expected.not_cited if law in ruling["cited"])
    if "cited" in expected.only:
        yield from (f"{law} is cited, and not expected" for law in ruling["cited"] if law not in expected.cited)
    for section in ("rectifications", "director", "open", "points", "options", "remarks"):
        wanted: tuple[JsonEntry, ...] | None = getattr(expected, section)
        if wanted is not None or section in expected.only:
            yield from _entries(section, wanted or (), ruling.get(section, []), section in expected.only)
    for section, entries in expected.parts.items():
        there = ruling.get("parts", {}).get(section, [])
        yield from _entries(section, entries, there, not entries or "parts" in expected.only)
    for key, value in expected.result.items():
        wanted = None if value == "null" else value  # null: there is to be none
        if ruling["result"].get(key) != wanted:
            yield f"result: {key} is {_written(ruling['result'].get(key))}, expected {_written(wanted)}"


def _written(value: Any) -> str:
    """As a case file writes it."""
    return yaml_text(value, flow=True, width=inf).removesuffix("\n...\n").strip()


def _revokes(wanted: tuple[JsonEntry, ...], ruled: list[JsonEntry]) -> Iterator[str]:
    if len(wanted) != len(ruled):
        yield f"there are {len(ruled)} revokes, expected {len(wanted)}: {', '.join(map(_called, ruled))}"
    rest = list(ruled)
    for entry in wanted:
        same = [row for row in rest if all(entry.get(key) in (None, row[key]) for key in ("hand", "trick", "card"))]
        if not same:
            yield f"no {_called(entry)}"
            continue
        rest.remove(same[0])
        for key, value in entry.items():
            if same[0].get(key) != value:
                yield f"{_called(entry)}: {key} is {_written(same[0].get(key))}, expected {_written(value)}"


def _called(revoke: JsonEntry) -> str:
    """«revoke by W at trick 5», as far as that is said."""
    naming = {"by": revoke.get("hand"), "at trick": revoke.get("trick")}
    return " ".join(["revoke", *(f"{how} {value}" for how, value in naming.items() if value is not None)])


def _entries(section: str, wanted: tuple[JsonEntry, ...], ruled: list[JsonEntry], only: bool) -> Iterator[str]:
    if not wanted and section in ("points", "options", "open") and ruled:
        yield f"{section}: {_written(ruled)}, expected none"
    for entry in wanted:
        if not any(entry_fits(entry, ruled_entry) for ruled_entry in ruled):
            yield f"{section}: {_written(entry)} is missing"
    if only and len(ruled) != len(wanted) > 0:
        yield f"{section}: there are {len(ruled)}, expected {len(wanted)}"
    for ruled_entry in ruled if only else ():
        met = [entry.get("law") for entry in wanted if entry_fits(entry, ruled_entry)]
        # where a list of laws is named, these are all; a single law may be one of several
        if not any(not isinstance(laws, list) or {str(law) for law in laws} == set(ruled_entry["law"]) for laws in met):
            yield f"{section}: {_written(ruled_entry)} is not expected"


def entry_fits(wanted: JsonEntry, ruled: JsonEntry) -> bool:
    """Whether an entry of a ruling has all that is wanted of it, these laws among others."""
    rest = {key: value for key, value in wanted.items() if key != "law"}
    laws = wanted.get("law", [])
    wanted_laws = {str(law) for law in (laws if isinstance(laws, list) else [laws])}
    return wanted_laws <= {*ruled.get("law", ())} and all(ruled.get(key) == value for key, value in rest.items())


@dataclass(frozen=True)
class Outcome:
    """What came of one expectation of one case."""

    case: Case
    expected: Expectation
    ruling: Ruling | None
    """Under the edition of the expectation; None where there can be none."""
    differences: tuple[str, ...] = ()
    """Empty when the ruling is the one expected."""


@dataclass(frozen=True)
class Hearing(Outcome):
    """That of a case on which there is a ruling."""

    ruling: Ruling


def cases_of(*editions: Edition, read: Callable[[Path, Table], tuple[Case, ...]] = read_cases) -> tuple[Case, ...]:
    """The cases beside these editions or drafts and beside what all of them amend, each once; ``read``: how those of a
    folder are had."""
    first = editions[0].folders[:0:-1]
    basis = [folder for folder in first if all(folder in edition.folders for edition in editions)]
    tables = {**dict.fromkeys(basis, editions[0].table), **{edition.folders[-1]: edition.table for edition in editions}}
    cases = {case.id: case for folder, table in tables.items() for case in read(folder / CASES, table)}
    return tuple(cases.values())


class Trial:
    """Rules on cases; ``draft`` is the folder of the draft that cases name by its own id."""

    def __init__(self, laws: Laws, draft: Path | None = None) -> None:
        self.laws = laws
        self.draft = draft
        self._faulty: dict[tuple[str | Path, tuple[str, ...]], RulesError] = {}

    def cases(self, folder: Path) -> tuple[Case, ...]:
        """Every case under a folder, in which all may be said that its edition or the draft declares; InputError."""
        return read_cases(folder, self.laws.table(str(self.draft or folder.parent.name)))

    def misnamed(self, cases: Iterable[Case]) -> Iterator[Fault]:
        """What expectations name and there is not, editions, elections and clauses; and those that expect nothing."""
        for case, expected in ((listed, expected) for listed in cases for expected in listed.expect):
            try:
                self._law(case, expected)
            except InputError as error:
                yield from error.faults

    def run(self, cases: Iterable[Case]) -> Iterator[Outcome]:
        """The outcome of every expectation, in order."""
        for case, expected in ((listed, expected) for listed in cases for expected in listed.expect):
            try:
                yield self.hear(case, expected)
            except InputError as error:
                yield Outcome(case, expected, None, tuple(map(str, error.faults)))

    def hear(self, case: Case, expected: Expectation) -> Hearing:
        """The ruling under the edition of an expectation; InputError when there can be none."""
        ruling = rule_case(self._law(case, expected), case, expected)
        return Hearing(case, expected, ruling, tuple(unmet_expectations(expected, verdict(ruling))))

    def _of(self, edition: str | Path, elections: tuple[str, ...] = ()) -> Law:
        """The law of an edition; its faults are kept, as it would be read anew for each of its cases."""
        if fault := self._faulty.get((edition, elections)):
            raise fault
        try:
            return self.laws.of(edition, elections)
        except RulesError as error:
            self._faulty[edition, elections] = error
            raise

    def _law(self, case: Case, expected: Expectation) -> Law:
        """By which an expectation is ruled on; InputError where it names what there is not, or expects nothing."""
        paths: dict[str, str | Path] = {name: name for name in edition_ids(self.laws.root)}
        if self.draft is not None:
            tried = self._of(self.draft).edition
            paths = {**dict(zip(tried.lineage, reversed(tried.folders), strict=False)), tried.id: self.draft, **paths}
        edition_id, elected = apart(expected.edition)
        if expected.edition not in paths:
            in_two = f"write edition: {edition_id}, elections: [{', '.join(elected)}]"
            mend = in_two if elected else did_you_mean(edition_id, paths)
            raise InputError([Fault(expected.place, f"there is no edition {expected.edition}", mend)])
        if expected == Expectation(expected.edition, expected.place, expected.elections):
            problem = f"of {expected.edition} nothing is expected"
            raise InputError([Fault(expected.place, problem, "say what, or take it away")])
        offered, under = elections(self.laws.root, *([] if self.draft is None else [self.draft])), case.under(expected)
        if missing := [election for election in under.elections if election not in offered]:
            problem = f"there is no election {missing[0]}"
            raise InputError([Fault(expected.place, problem, did_you_mean(missing[0], offered))])
        law = self._of(paths[expected.edition], under.elections)
        clauses = {*law.edition.clauses}
        of_draft = () if self.draft is None else (*self._of(self.draft).edition.folders[1:-1], self.draft)
        # what is new or taken away may be expected not to be cited
        for folder in (*law.edition.folders[1:-1], *of_draft):
            clauses |= {*self._of(folder.name if folder.parent == self.laws.root else folder).edition.clauses}
        faults = [
            Fault(expected.place, f"{expected.edition} has no clause {ref}", did_you_mean(ref, clauses))
            for ref in (*expected.cited, *expected.not_cited)
            if ref not in clauses
        ]
        if faults:
            raise InputError(faults)
        return law


def tried(laws: Laws, names: Sequence[str]) -> Iterator[Outcome]:
    """What comes of the cases of editions, drafts and plain folders; of every edition when none is named."""
    shipped, places = laws.editions, list[tuple[Path, Path | None]]()
    for name in names or [name for name in shipped if (laws.root / name / CASES).is_dir()]:
        folder = Path(name)
        if name in shipped:
            places.append((laws.root / name / CASES, None))
        elif is_file(folder / EDITION):
            places.append((folder / CASES, folder))
        elif is_folder(folder):
            places.append((folder, None))
        else:
            problem = "there is no such edition or folder"
            raise InputError.of(brief(name), problem, f"choose {', '.join(shipped)}")
    for place, draft in places:
        trial = Trial(laws, draft)
        yield from trial.run(trial.cases(place))


def rule_case(law: Law, case: Case, expected: Expectation) -> Ruling:
    """The ruling on a case with its evidence; errors as of ``rule``."""
    ruling = rule(law, replace(case.under(expected), edition=law.edition.id))
    return with_facts(law, ruling, evidence_of(case, ruling)) if case.evidence else ruling


def evidence_of(case: Case, ruling: Ruling) -> Iterator[Fact]:
    """The facts of a case's evidence; InputError where it speaks of what is no revoke."""
    for evidence in case.evidence:
        plays = [ruled.play for ruled in ruling.revokes if (ruled.hand, ruled.trick) == (evidence.hand, evidence.trick)]
        if not plays:
            problem = f"there is evidence on {evidence.hand} in trick {evidence.trick}, and no revoke"
            raise InputError.of(case.place, problem, "name the hand and trick of a revoke")
        replays = (evidence.least, evidence.most) if evidence.replay is None else (evidence.replay, evidence.replay)
        yield from stated(plays[0], OTHER_SIDE[SIDE[evidence.hand]], evidence.least, evidence.most, replays)


def hearings(laws: Laws, edition: str | Path) -> tuple[Hearing, ...]:
    """As ``every_hearing``; InputError for a case that cannot be ruled on, or whose ruling is not the one expected:
    nothing can be learned from it."""
    heard, faults = every_hearing(laws, edition)
    if faults:
        raise InputError(faults)
    return heard


def every_hearing(laws: Laws, edition: str | Path) -> tuple[tuple[Hearing, ...], tuple[Fault, ...]]:
    """Every case that expects something under an edition, or under a draft in a folder of the editor's own, and what is
    wrong with them: a case that cannot be ruled on is among the faults only.

    The cases lie beside the rules, those of a draft beside the draft.
    """
    home = edition_folder(laws.root, edition)
    shipped = home.parent.resolve() == laws.root.resolve()
    homes = [laws.root / name for name in edition_ids(laws.root)] if shipped else [home]
    edition_id = laws.of(edition).edition.id
    trial = Trial(laws, None if shipped else home)
    cases = [case for folder in homes for case in trial.cases(folder / CASES)]
    heard, faults = list[Hearing](), list[Fault]()
    for case, expected in ((listed, each) for listed in cases for each in listed.expect if each.edition == edition_id):
        try:
            heard.append(trial.hear(case, expected))
        except InputError as error:
            faults += error.faults
            continue
        unmet = heard[-1].differences
        faults += (Fault(case.place, f"{case.id}: {difference}", "let revoke test pass first") for difference in unmet)
    return tuple(heard), tuple(faults)


@dataclass(frozen=True, slots=True)
class Reach:
    """How far the cases of an edition reach one clause."""

    clause: Clause
    own: bool
    """Whether the edition gives the clause itself, rather than taking it over from the one it amends."""
    cited_by: tuple[str, ...]
    """Ids of the cases whose ruling cites it."""
    pointed_to_by: tuple[str, ...]
    """Ids of the cases whose ruling only names it, as left to the director or open, or in which it only kept others
    from applying."""

    @property
    def orphan(self) -> bool:
        """Whether the clause has rules that no case ever needs."""
        return self.own and bool(self.clause.rules and self.clause.law) and not (self.cited_by or self.pointed_to_by)


def coverage(edition: Edition, heard: Sequence[Hearing]) -> tuple[Reach, ...]:
    """The reach of every clause, in the order of the book; definitions, which are never cited, are left out."""
    stopping = {item.kind for rule in edition.rules for item in rule.unless}  # what is stopped cites nothing
    by_case: list[tuple[str, set[str], set[str]]] = []
    for hearing in heard:
        ruling, cited = hearing.ruling, {*hearing.ruling.cited}
        mentioned = {law for section in ruling.parts for item in ruling.entries(section) for law in item.law}
        mentioned |= {step.rule.clause for step in ruling.proof.steps if step.fact[0] in stopping}
        by_case.append((hearing.case.id, cited, mentioned - cited))
    reaches: list[Reach] = []
    for clause in (clause for clause in edition.clauses.values() if clause.law):
        cited_by = dict.fromkeys(case for case, cited, _ in by_case if clause.ref in cited)
        only_named = dict.fromkeys(case for case, _, mentioned in by_case if clause.ref in mentioned)
        is_own = Path(clause.place.file).parent == Path(edition.place.file).parent
        reaches.append(Reach(clause, is_own, tuple(cited_by), tuple(only_named)))
    return tuple(reaches)
