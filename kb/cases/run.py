"""Cases ruled on: the ruling on each, how it differs from what is expected, and those that hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from facts.cards import OTHER_SIDE, SIDE
from facts.errors import Fault, InputError
from facts.fact import Fact
from facts.opening import is_file, is_folder
from facts.suggestions import brief
from facts.table import Table
from kb.cases.cases import Case, Expectation, differences, read_cases
from kb.language.folders import EDITION, edition_folder, editions
from kb.language.model import Edition
from kb.ruling.equity import restated, stated
from kb.ruling.law import Law
from kb.ruling.laws import Laws
from kb.ruling.rule import rule
from kb.ruling.ruling import Ruling
from kb.ruling.verdict import verdict

CASES = "cases"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one expectation of one case."""

    case: Case
    expected: Expectation
    differences: tuple[str, ...]
    """Empty when the ruling is the one expected."""

    @property
    def edition(self) -> str:
        """Under which it was ruled on."""
        return self.expected.edition


@dataclass(frozen=True, slots=True)
class CaseFolder:
    """A folder of cases."""

    path: Path
    draft: Path | None
    """The folder of the draft whose cases they are."""


def case_folders(root: Path, names: Sequence[str]) -> tuple[CaseFolder, ...]:
    """Where the cases of editions, drafts and plain folders lie; of every edition when none is named."""
    return tuple(_folder(root, name) for name in names or editions(root) if names or (root / name / CASES).is_dir())


def _folder(root: Path, name: str) -> CaseFolder:
    if name in editions(root):
        return CaseFolder(root / name / CASES, None)
    folder = Path(name)
    if is_file(folder / EDITION):
        return CaseFolder(folder / CASES, folder)
    if is_folder(folder):
        return CaseFolder(folder, None)
    raise InputError.of(brief(name), "there is no such edition or folder", f"choose {', '.join(editions(root))}")


def cases_of(*editions: Edition, read: Callable[[Path, Table], tuple[Case, ...]] = read_cases) -> tuple[Case, ...]:
    """The cases beside these editions or drafts and beside what all of them amend, each once; ``read``: how those of a
    folder are had."""
    first = editions[0].folders[:0:-1]
    common = [one for one in first if all(one in edition.folders for edition in editions)]
    tables = {**dict.fromkeys(common, editions[0].table), **{one.folders[-1]: one.table for one in editions}}
    cases = {case.id: case for folder, table in tables.items() for case in read(folder / CASES, table)}
    return tuple(cases.values())


class Trial:
    """Rules on cases; ``draft`` is the folder of the draft that cases name by its own id."""

    def __init__(self, laws: Laws, draft: Path | None = None) -> None:
        self.laws = laws
        self.draft = draft

    def cases(self, folder: Path) -> tuple[Case, ...]:
        """Every case under a folder, in which all may be said that the draft declares; InputError with every fault."""
        return read_cases(folder, None if self.draft is None else self.laws.of(self.draft).edition.table)

    def run(self, cases: Iterable[Case]) -> Iterator[Outcome]:
        """The outcome of every expectation, in order."""
        for case in cases:
            for expected in case.expect:
                yield Outcome(case, expected, tuple(self._differences(case, expected)))

    def ruling(self, case: Case, expected: Expectation) -> Ruling:
        """The ruling under the edition of an expectation; InputError when there can be none."""
        law = self.laws.of(self._edition(expected.edition), case.under(expected).elections)
        return ruled(law, case, expected)

    def _differences(self, case: Case, expected: Expectation) -> Iterator[str]:
        try:
            ruling = self.ruling(case, expected)
        except InputError as error:
            yield from map(str, error.faults)
            return
        yield from differences(expected, verdict(ruling))

    def _edition(self, edition: str) -> str | Path:
        if self.draft is None or edition in editions(self.laws.root):
            return edition
        tried = self.laws.of(self.draft).edition
        return dict(zip(tried.lineage, reversed(tried.folders), strict=False)).get(edition, self.draft)


def ruled(law: Law, case: Case, expected: Expectation) -> Ruling:
    """The ruling on a case with its evidence; errors as of ``rule``."""
    ruling = rule(law, replace(case.under(expected), edition=law.edition.id))
    return restated(law, ruling, evidence_of(case, ruling)) if case.evidence else ruling


def evidence_of(case: Case, ruling: Ruling) -> Iterator[Fact]:
    """The facts of a case's evidence; InputError where it speaks of what is no revoke."""
    for one in case.evidence:
        plays = [revoke.play for revoke in ruling.revokes if (revoke.hand, revoke.trick) == (one.hand, one.trick)]
        if not plays:
            what = f"there is evidence on {one.hand} in trick {one.trick}, and no revoke"
            raise InputError.of(case.place, what, "name the hand and trick of a revoke")
        replays = (one.least, one.most) if one.replay is None else (one.replay, one.replay)
        yield from stated(plays[0], OTHER_SIDE[SIDE[one.hand]], one.least, one.most, replays)


@dataclass(frozen=True, slots=True)
class Hearing:
    """A case, what is expected of it under one edition, and the ruling."""

    case: Case
    expected: Expectation
    ruling: Ruling
    differences: tuple[str, ...] = ()
    """Empty when the ruling is the one expected."""


def hearings(laws: Laws, edition: str | Path, folders: Iterable[Path] = ()) -> tuple[Hearing, ...]:
    """As ``every_hearing``; InputError for a case that cannot be ruled on, or whose ruling is not the one expected:
    nothing can be learned from it."""
    heard, faults = every_hearing(laws, edition, folders)
    if faults:
        raise InputError(faults)
    return heard


def every_hearing(
    laws: Laws, edition: str | Path, folders: Iterable[Path] = ()
) -> tuple[tuple[Hearing, ...], tuple[Fault, ...]]:
    """Every case that expects something under an edition, or under a draft in a folder of the editor's own, and what is
    wrong with them: a case that cannot be ruled on is among the faults only.

    The cases lie beside the rules, those of a draft beside the draft, and in ``folders``.
    """
    home = edition_folder(laws.root, edition)
    shipped = home.parent.resolve() == laws.root.resolve()
    homes = [laws.root / one for one in editions(laws.root)] if shipped else [home]
    known = laws.of(edition).edition.id
    trial = Trial(laws, None if shipped else home)
    cases = [case for folder in [*(one / CASES for one in homes), *folders] for case in trial.cases(folder)]
    asked = [(case, one) for case in cases for one in case.expect if one.edition == known]
    heard, faults = list[Hearing](), list[Fault]()
    for case, expected in asked:
        try:
            ruling = trial.ruling(case, expected)
        except InputError as error:
            faults += error.faults
            continue
        found = tuple(differences(expected, verdict(ruling)))
        heard.append(Hearing(case, expected, ruling, found))
        faults += (Fault(case.place, f"{case.id}: {one}", "let revoke test pass first") for one in found)
    return tuple(heard), tuple(faults)
