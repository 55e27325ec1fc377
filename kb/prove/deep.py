"""Every fault of an edition's files; deep, also what is claimed of it and does not hold, and what is never reached."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from facts.errors import Fault, InputError
from facts.fact import Fact, Value
from kb.cases.cases import Case, Trial, cases_of, evidence_of, read_cases
from kb.cases.mutation import known_survivors
from kb.engine.sets import Bits
from kb.explain.words import load_words
from kb.language.checks.of_editions import idle
from kb.language.edition import checked
from kb.language.folders import CASES, MATTERS, MEASURES, PROPERTIES, TABLE, VOCABULARY, edition_ids, matter_folder
from kb.language.model import Edition
from kb.language.relied_on import EVIDENCE
from kb.prove.properties import property_files
from kb.prove.prove import Proving, Verdict, provings
from kb.ruling.laws import Law, Laws
from kb.ruling.make_ruling import rounds
from kb.ruling.ruling import Ruling
from kb.space.bits import union
from kb.space.measures import load_measures, of_matters
from kb.space.outcomes import EditionRun
from kb.space.read_interview import INTERVIEW, load_interview

BASE_FILES = (VOCABULARY, TABLE)
"""Files on which all others rest: while something is wrong with them, what is wrong elsewhere may follow from it."""


@dataclass(frozen=True, slots=True)
class Checked:
    faults: tuple[Fault, ...]
    """Those in the files that were asked about first; then those in what a draft amends, which is right without it."""
    remarks: tuple[Fault, ...] = ()
    """What does nothing, and is no fault."""


def every_fault(root: Path, named: str | Path | None = None, deep: bool = False, laws: Laws | None = None) -> Checked:
    """Of one edition or draft, or of all; ``deep``: with whatever is claimed of it, and not only what it claims itself,
    and what shows when every situation and case is ruled on; ``laws``: those under the root, if there are any already.
    InputError where there is no such folder.
    """
    try:
        return _every_fault(root, named, deep, laws or Laws(root, "quick"))
    except InputError as error:
        if isinstance(named, Path) and not named.exists():
            raise
        return Checked(tuple(error.faults))


def _every_fault(root: Path, named: str | Path | None, deep: bool, laws: Laws) -> Checked:
    """The same, or an InputError where something cannot be read at all."""
    faults, loaded = checked(root, named)
    all_faults, plain = {*faults}, [edition for edition in loaded if not edition.elections]
    if not any(Path(fault.place.file).name in BASE_FILES for fault in faults):
        usable: Laws | None = laws  # and a draft that has just been read; by one with faults nothing can be ruled
        if isinstance(named, Path):
            usable = None if faults else laws.knowing({edition.elections: edition for edition in loaded}, named)
        all_faults |= {fault for edition in plain for fault in _beside_its_law(root, edition, usable)}
    readable = not all_faults
    remarks: list[Fault] = []
    for edition in plain if readable else ():
        if deep or (_says_otherwise(edition) if isinstance(named, Path) else property_files(edition)):
            proofs = provings(root, edition)
            for proving in proofs:
                all_faults |= {*_as_claimed(proving, deep)}
            if deep:
                remarks += _never_fired(proofs)
        if edition.amends and isinstance(named, Path):
            base = edition.folders[-2]
            remarks += idle(edition, laws.of(base.name if base.parent == root else base).edition)
    folders = [edition.folders[-1].resolve() for edition in loaded]

    def within(fault: Fault) -> bool:
        file = Path(fault.place.file).resolve()
        return any(folder in (file, *file.parents) for folder in folders)

    mine = {fault for fault in all_faults if named is None or within(fault)}
    return Checked((*sorted(mine), *sorted(all_faults - mine)), tuple(sorted(remarks)))


def _as_claimed(proving: Proving, deep: bool) -> Iterator[Fault]:
    """What does not hold of a draft as it claims itself; deep: of what is claimed at all, or concludes two things."""
    shipped = proving.edition.id in edition_ids(proving.root)
    if names := [*proving.claimed.properties] if deep else [] if shipped else own_claims(proving):
        yield from (_fault(one, proving) for one in proving.verdicts(names) if one.fails)
    if deep:
        yield from _two_things(proving)


def _says_otherwise(draft: Edition) -> bool:
    """Whether a draft may say of itself, or change, what is claimed; else that can be read as what it amends has it."""
    return any((draft.folders[-1] / name).exists() for name in (*BASE_FILES, INTERVIEW, PROPERTIES, MATTERS))


def _beside_its_law(root: Path, edition: Edition, laws: Laws | None) -> Iterator[Fault]:
    """What is wrong with what is read of an edition besides its law, each by itself."""
    steps: list[Callable[[], object]] = [lambda: load_words(root, edition.vocabulary)]
    if (root / MEASURES).is_file():
        steps.append(lambda: load_measures(root, edition.vocabulary, of_matters(edition)))
    if (root / INTERVIEW).is_file():
        steps += [partial(load_interview, root, edition, wider=True, of=of) for of in edition.matters]
    steps += [lambda: _cases(root, edition, laws), lambda: known_survivors(edition.folders[-1])]
    for step in steps:
        try:
            step()
        except InputError as error:
            yield from error.faults


def _cases(root: Path, edition: Edition, laws: Laws | None) -> None:
    """InputError with whatever is wrong with the cases beside it, as far as they are not ruled on."""
    folder = edition.folders[-1]
    cases = read_cases(folder / CASES, edition.table)
    trial = laws and Trial(laws, None if folder.parent == root else folder)
    if faults := [*trial.misnamed(cases)] if trial else ():
        raise InputError(faults)


def _two_things(proving: Proving) -> Iterator[Fault]:
    """Where rules conclude two facts though there can be one, as no ruling can be given there, or two rules conclude
    the same fact of a kind that is counted or added up, as it counts once."""
    edition, fired = proving.edition, proving.run.run.fired
    counted = {tally.of.kind for rule in edition.rules for tally in rule.tallies}
    rivals: dict[tuple[Value, ...], dict[Fact | int, dict[int, Bits]]] = {}
    for number, by_fact in fired.items():
        for fact, bits in by_fact.items():
            kind = edition.vocabulary.kind_of(fact)
            if kind.one_per is not None:
                key = (f"two things of {kind.name}", *(fact[kind.index[name]] for name in kind.one_per))
                rivals.setdefault(key, {}).setdefault(fact, {})[number] = bits
            if kind.name in counted:
                key = (f"the same {kind.name}, which counts once", *fact)
                rivals.setdefault(key, {})[number] = {number: bits}
    for (doubled, *_), either in rivals.items():
        once = twice = 0
        for concluded in either.values():
            bits = union(concluded.values())
            twice |= once & bits
            once |= bits
        if twice:
            example = proving.universe.plainest(twice)
            numbers = {
                number for concluded in either.values() for number, bits in concluded.items() if bits >> example & 1
            }
            rules = [edition.rules[number] for number in sorted(numbers)]
            when = proving.universe.unusual(example, edition.vocabulary.languages[0])
            names = " and ".join(rule.id for rule in rules)
            others = tuple((rule.place, "the other rule") for rule in rules[1:])
            mend = "let one give way to the other"
            yield Fault(rules[0].place, f"{names} conclude {doubled}, for instance when {when}", mend, others)


def _never_fired(proofs: Sequence[Proving]) -> Iterator[Fault]:
    """The rules of an edition's own that no situation of any matter and no case reaches."""
    edition, sets, law = proofs[0].edition, proofs[0].run.sets, Law(proofs[0].edition, engine="quick")
    cases = [case for case in cases_of(edition) if {one.of for one in case.incident.revokes} <= {*edition.matters}]
    runs = [proving.run.run for proving in proofs]
    runs += [EditionRun(edition, _ruled_anyway(law, case).situations, sets).run for case in cases]
    fired = {number for run in runs for number in run.fired}
    kinds = {kind for run in runs for kind, facts in run.facts.items() if facts}
    tried = f"{sum(len(proving.universe) for proving in proofs)} situations and {len(cases)} cases"
    folder = edition.folders[-1].resolve()
    for rule in (rule for number, rule in enumerate(edition.rules) if number not in fired):
        if folder in Path(rule.place.file).resolve().parents:
            missing = ", ".join(dict.fromkeys(item.kind for item in rule.wanted if item.kind not in kinds))
            why = f"; none of them gives a fact {missing}" if missing else ""
            problem = f"rule {rule.id} fires in none of {tried}{why}"
            yield Fault(rule.place, problem, "write a case that reaches it, or take it away")


def _ruled_anyway(law: Law, case: Case) -> Ruling:
    """The ruling on a case with its evidence, even if the rules contradict each other."""
    ruling = next(rounds(law, replace(case.incident, edition=law.edition.id)), None)
    assert ruling is not None, "there is one, or an error"
    if case.evidence and EVIDENCE in law.program.kinds:
        return replace(ruling, proved=law.engine.run(ruling.proof.ground | {*evidence_of(case, ruling)}))
    return ruling


def own_claims(proving: Proving) -> list[str]:
    """The names of the properties that an edition's own file states or changes."""
    folder = matter_folder(Path(proving.edition.place.file).parent, proving.of)
    claimed = proving.claimed.properties.items()
    return [name for name, claim in claimed if Path(claim.place.file).parent == folder]


def _fault(verdict: Verdict, proving: Proving) -> Fault:
    one, edition = verdict.claim, proving.edition
    lang, own = edition.vocabulary.languages[0], matter_folder(Path(edition.place.file).parent, proving.of) / PROPERTIES
    inherited = Path(one.place.file) != own
    match verdict.standing:
        case "empty":
            problem = f"{one.id} says nothing: there is no situation of which it could be true or false"
            return Fault(one.place, problem, "mend its conditions, or take it away")
        case "needless":
            needless = [each.expected for each in verdict.excepted if not each.times][0]
            mend = (
                f"name {one.id} in {own} with the exceptions that are left" if inherited else "take the exception away"
            )
            return Fault(needless.place, f"{one.id} holds without this exception", mend)
    example, witness = "", verdict.witness
    if witness is not None:
        unusual = (witness.universe.unusual(number, lang) for number in witness.situations)
        example = f", for instance when {', and then when '.join(unusual)}"
    problem = f"{one.id} does not hold in {verdict.refuted} of {verdict.tried}{example}"
    mend = "mend the rules, or write the exception and its reason under expected"
    if inherited:
        mend = f"mend the rules, or write {one.id}: {{dropped: true}} in {own}, or the exception and its reason there"
    return Fault(one.place, problem, mend)
