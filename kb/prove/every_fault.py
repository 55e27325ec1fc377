"""Everything that is wrong with rules at once: law, words, interview, measures, cases, mutants, and what is claimed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from facts.errors import Fault, InputError
from kb.cases.cases import CASES, cases_of, read_cases
from kb.cases.mutation import known_survivors, mutants_of, rule_of
from kb.explain.words import load_words
from kb.language.edition import checked
from kb.language.folders import TABLE, VOCABULARY, editions
from kb.language.model import Edition
from kb.prove.claim_faults import claim_faults, own_claims
from kb.prove.prove import Proving
from kb.prove.read_properties import property_files
from kb.space.burden import MEASURES, load_measures
from kb.space.read_interview import INTERVIEW, load_interview

FIRST = (VOCABULARY, TABLE)
"""Files on which all others rest: while something is wrong with them, what is wrong elsewhere may follow from it."""


@dataclass(frozen=True, slots=True)
class Found:
    """What is wrong."""

    own: tuple[Fault, ...]
    """In the files that were asked about."""
    beside: tuple[Fault, ...]
    """In those that a draft amends, which are right without it: they follow from what is wrong with the draft."""

    @property
    def all(self) -> tuple[Fault, ...]:
        """Both, the editor's own first."""
        return (*self.own, *self.beside)


def every_fault(root: Path, named: str | Path | None = None, deep: bool = False) -> Found:
    """Of one edition or draft, or of all; ``deep``: with whatever is claimed of it, and not only what it claims itself.

    RulesError where there is no such edition.
    """
    faults, loaded = checked(root, named)
    found = {*faults}
    if not any(Path(fault.place.file).name in FIRST for fault in faults):
        for step in (step for edition in loaded if not edition.elections for step in _steps(root, edition)):
            found |= {*_faults(step)}
    if not found:
        found = {fault for edition in loaded if not edition.elections for fault in _claims(root, edition, deep)}
    own = [edition.folders[-1].resolve() for edition in loaded]
    mine = {one for one in found if named is None or _within(one, own)}
    return Found(tuple(sorted(mine)), tuple(sorted(found - mine)))


def _steps(root: Path, edition: Edition) -> Iterator[Callable[[], object]]:
    """What is read of an edition besides its law, each by itself."""
    yield lambda: load_words(root, edition.vocabulary)
    if (root / MEASURES).is_file():
        yield lambda: load_measures(root, edition.vocabulary)
    if (root / INTERVIEW).is_file():
        yield lambda: load_interview(root, edition, wider=True)
    yield lambda: read_cases(edition.folders[-1] / CASES, edition.table)
    yield lambda: _stale(edition)


def _faults(step: Callable[[], object]) -> Iterable[Fault]:
    try:
        step()
    except InputError as error:
        return error.faults
    return ()


def _stale(edition: Edition) -> None:
    """InputError for explanations of changes that cannot be made to the rules as they are now."""
    known = known_survivors(edition.folders[-1])
    named = {rule_of(name) for name in known}
    rules = [rule for rule in edition.rules if rule.id in named]
    names = {mutant.name for rule in rules for mutant in mutants_of(rule, edition.vocabulary)}
    gone = [
        Fault(place, f"{name}: there is no such mutant", "take it from the list")
        for name, (_, place) in known.items()
        if name not in names
    ]
    if gone:
        raise InputError(gone)


def _claims(root: Path, edition: Edition, deep: bool) -> Iterable[Fault]:
    """What is claimed of an edition and does not hold: of a draft what it claims itself, or ``deep``, everything."""
    if not property_files(edition):
        return ()
    proving = Proving(root, edition, lambda: cases_of(edition))
    own = () if edition.id in editions(root) else own_claims(proving)
    return claim_faults(proving, [*proving.claimed.properties] if deep else own)


def _within(fault: Fault, folders: Iterable[Path]) -> bool:
    file = Path(fault.place.file).resolve()
    return any(folder in (file, *file.parents) for folder in folders)
