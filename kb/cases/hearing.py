"""The cases of an edition, each ruled on once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from facts.errors import Fault, InputError
from kb.cases.cases import Case, Expectation, differences, read_cases
from kb.cases.run import CASES, Trial
from kb.language.folders import EDITION, edition_folder, editions
from kb.ruling.laws import Laws
from kb.ruling.ruling import Ruling
from kb.ruling.verdict import verdict


@dataclass(frozen=True, slots=True)
class Hearing:
    """A case, what is expected of it under one edition, and the ruling."""

    case: Case
    expected: Expectation
    ruling: Ruling


def hearings(laws: Laws, edition: str | Path, folders: Iterable[Path] = ()) -> tuple[Hearing, ...]:
    """Every case that expects something under an edition, or under a draft in a folder of the editor's own.

    The cases lie beside the rules, those of a draft beside the draft, and in ``folders``. InputError for a case that
    cannot be ruled on, or whose ruling is not the one expected: nothing can be learned from it.
    """
    home = edition_folder(laws.root, edition)
    shipped = home.parent.resolve() == laws.root.resolve()
    homes = [laws.root / one for one in editions(laws.root)] if shipped else [home]
    known = laws.of(edition).edition.id
    trial = Trial(laws, None if shipped else home)
    cases = [case for folder in [*(one / CASES for one in homes), *folders] for case in read_cases(folder)]
    return tuple(_heard(trial, cases, known))


def _heard(trial: Trial, cases: Iterable[Case], edition: str) -> Iterator[Hearing]:
    faults: list[Fault] = []
    for case in cases:
        for expected in case.expect:
            if expected.edition == edition:
                ruling = trial.ruling(case, expected)
                for difference in differences(expected, verdict(ruling)):
                    faults.append(Fault(case.place, f"{case.id}: {difference}", "let revoke test pass first"))
                yield Hearing(case, expected, ruling)
    if faults:
        raise InputError(faults)


__all__ = ["EDITION", "Hearing", "hearings"]
