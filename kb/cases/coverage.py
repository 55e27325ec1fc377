"""Coverage: clause by clause of an edition, which cases reach it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from kb.cases.cases import Hearing
from kb.language.model import Clause, Edition
from kb.space.outcome import EditionRun
from kb.space.universe import Universe, observed


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
    situations: int = 0
    """In how many situations of the interview it has a part in what is concluded."""

    @property
    def orphan(self) -> bool:
        """Whether the clause has rules that no case ever needs."""
        return self.own and bool(self.clause.rules and self.clause.law) and not (self.cited_by or self.pointed_to_by)


def coverage(edition: Edition, heard: Sequence[Hearing], universe: Universe | None = None) -> tuple[Reach, ...]:
    """The reach of every clause, in the order of the book; definitions, which are never cited, are left out.

    ``universe``: the situations to be counted, if there are any."""
    fires = {} if universe is None else EditionRun(edition, observed(universe)).clauses
    read = {item.kind for rule in edition.rules for item in rule.wanted}
    stopping = {item.kind for rule in edition.rules for item in rule.unless} - read  # which nothing can cite
    by_case: list[tuple[str, set[str], set[str]]] = []
    for hearing in heard:
        ruling, cited = hearing.ruling, {*hearing.ruling.cited}
        named = {law for section in ruling.parts for item in ruling.entries(section) for law in item.law}
        named |= {step.rule.clause for step in ruling.proof.steps if step.fact[0] in stopping}
        by_case.append((hearing.case.id, cited, named - cited))
    found: list[Reach] = []
    for clause in (one for one in edition.clauses.values() if one.law):
        cited_by = dict.fromkeys(case for case, cited, _ in by_case if clause.ref in cited)
        only_named = dict.fromkeys(case for case, _, named in by_case if clause.ref in named)
        own = Path(clause.place.file).parent == Path(edition.place.file).parent
        situations = fires.get(clause.ref, 0).bit_count()
        found.append(Reach(clause, own, tuple(cited_by), tuple(only_named), situations))
    return tuple(found)
