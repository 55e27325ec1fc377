"""Which clauses decide nothing: without any of their rules every ruling would be the same."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from kb.cases.cases import Case
from kb.cases.run import evidence_of
from kb.cases.situations import Exhibits
from kb.engine.sets import Sets
from kb.language.known import EVIDENCE
from kb.ruling.law import Law
from kb.ruling.rule import rounds
from kb.ruling.ruling import Ruling
from kb.space.edition_run import EditionRun
from kb.space.outcome import different


def undecided(run: EditionRun, refs: Collection[str], cases: Sequence[Case]) -> list[str]:
    """The clauses that decide nothing in the situations of a run, nor in any case; those that expect a ruling to name
    such a clause are looked at first."""
    edition, law = run.edition, Law(run.edition, engine="python")
    left = [ref for ref in refs if not decides(run, ref)]
    for case in sorted(cases, key=lambda case: _named(case).isdisjoint(left)):
        if not left:
            break
        shown = EditionRun(edition, Exhibits([ruled_anyway(law, case)]).situations, run.sets)
        left = [ref for ref in left if not decides(shown, ref)]
    return left


def decides(run: EditionRun, ref: str) -> bool:
    """Whether a clause makes a difference in some situation of a run."""
    fires = run.clauses.get(ref, 0)
    return bool(fires and fires & different(run.ruled, run.amended(_without(run, ref)).ruled))


def _without(run: EditionRun, ref: str) -> Sets:
    rules = [rule for rule in run.edition.rules if rule.clause != ref]
    return Sets(run.edition.vocabulary, rules, run.sets)


def ruled_anyway(law: Law, case: Case) -> Ruling:
    """The ruling on a case with its evidence, even if the rules contradict each other."""
    ruling = next(rounds(law, replace(case.incident, edition=law.edition.id)))
    if case.evidence and EVIDENCE in law.program.kinds:
        return replace(ruling, proof=law.engine.run(ruling.proof.ground | {*evidence_of(case, ruling)}))
    return ruling


def _named(case: Case) -> set[str]:
    """The laws, among other words, that a case expects a ruling to name."""
    return {word for expected in case.expect for word in _words(vars(expected))}


def _words(*parts: object) -> Iterator[str]:
    for part in parts:
        if isinstance(part, str):
            yield part
        elif isinstance(part, dict):
            yield from _words(*part.values())
        elif isinstance(part, list | tuple):
            yield from _words(*part)
