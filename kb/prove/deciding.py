"""Which clauses decide nothing: without any of their rules every ruling would be the same."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Final

from kb.cases.cases import Case, evidence_of
from kb.engine.sets import Sets
from kb.language.known import EVIDENCE
from kb.language.model import Edition
from kb.ruling.law import Law
from kb.ruling.rule import rounds
from kb.ruling.ruling import Ruling
from kb.space.outcome import EditionRun, different

_WORD: Final = re.compile(r"\w+")


class Deciding:
    """Whether clauses of an edition decide anything; the rules without each are made ready once."""

    def __init__(self, edition: Edition, sets: Sets) -> None:
        self.edition, self.sets = edition, sets
        self._without: dict[str, Sets] = {}

    def decides(self, run: EditionRun, ref: str) -> bool:
        """Whether a clause makes a difference in some situation of a run."""
        fires = run.clauses.get(ref, 0)
        return bool(fires and fires & different(run.ruled, run.amended(self.without(ref)).ruled))

    def without(self, ref: str) -> Sets:
        """The rules without those of a clause."""
        if ref not in self._without:
            rules = [rule for rule in self.edition.rules if rule.clause != ref]
            self._without[ref] = Sets(self.edition.vocabulary, rules, self.sets)
        return self._without[ref]

    def idle_in(self, cases: Sequence[Case], refs: Collection[str]) -> list[str]:
        """The clauses among some that decide nothing in any case; those are looked at first in which a ruling is
        expected to name one of them."""
        law, left, others = Law(self.edition, engine="quick"), [*refs], list[Case]()

        def after(case: Case) -> list[str]:
            shown = EditionRun(self.edition, ruled_anyway(law, case).situations, self.sets)
            return [ref for ref in left if not self.decides(shown, ref)]

        for case in cases:
            if _named(case).isdisjoint(left):
                others.append(case)
            else:
                left = after(case)
        for case in others:
            left = after(case) if left else left
        return left


def ruled_anyway(law: Law, case: Case) -> Ruling:
    """The ruling on a case with its evidence, even if the rules contradict each other."""
    ruling = next(rounds(law, replace(case.incident, edition=law.edition.id)))
    if case.evidence and EVIDENCE in law.program.kinds:
        return replace(ruling, proof=law.engine.run(ruling.proof.ground | {*evidence_of(case, ruling)}))
    return ruling


def _named(case: Case) -> set[str]:
    """The laws, among other words, that a case expects a ruling to name, or that its reason names."""
    return {*_WORD.findall(case.why), *(word for one in case.expect for word in _words(vars(one)))}


def _words(*parts: object) -> Iterator[str]:
    for part in parts:
        if isinstance(part, str):
            yield part
        elif isinstance(part, dict):
            yield from _words(*part.values())
        elif isinstance(part, list | tuple):
            yield from _words(*part)
