"""Which clauses make a difference between two editions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, TypeAlias

from facts.errors import RulesError
from kb.engine.sets import Bits, Sets
from kb.language.model import Edition
from kb.language.vocabulary import Kind
from kb.space.bits import merged, parts
from kb.space.outcome import EditionRun, different

Clauses: TypeAlias = tuple[str, ...]
"""Clauses that make a difference together, in the order of the book."""
What: TypeAlias = Literal["ruling", "judgement"]


@dataclass(frozen=True, slots=True)
class Cause:
    """A difference between two editions, and what makes it."""

    what: What
    """Whether the ruling differs, or only what is left to the director."""
    clauses: tuple[Clauses, ...]
    """Each of these, put into the first edition as the second has it, gives the second's outcome: one clause each, or,
    when no single one does, one set of which every clause is needed. Definitions that must change along with clauses
    are not named. Empty where the editions have no clause in common."""


def changed_clauses(a: Edition, b: Edition) -> Clauses:
    """The clauses, definitions included, whose rules differ, in the order of the book; words alone do not count."""

    def digest(edition: Edition, ref: str) -> str:
        clause = edition.clauses.get(ref)
        return replace(edition, id="", elections=(), clauses={ref: clause}).digest if clause and clause.rules else ""

    merged_refs = dict.fromkeys([*a.clauses, *b.clauses])
    return tuple(ref for ref in merged_refs if digest(a, ref) != digest(b, ref))


def with_clauses(a: Edition, b: Edition, refs: Iterable[str]) -> Edition:
    """Edition ``a`` with some clauses as they stand in ``b``, or without them where ``b`` has none."""
    taken = frozenset(refs)
    clauses = {
        ref: (b if ref in taken else a).clauses[ref]
        for ref in dict.fromkeys([*a.clauses, *b.clauses])
        if ref in (b if ref in taken else a).clauses
    }
    return replace(a, clauses=clauses)


class Substitution:
    """Two editions, and the first with clauses of the second."""

    def __init__(self, a: Edition, b: Edition, sets: Sets | None = None) -> None:
        """``sets``: the rules of the first, if they are ready."""
        self.a, self.b = a, b
        self.changed = changed_clauses(a, b)
        self.related = bool({*a.lineage} & {*b.lineage})
        """Whether one amends the other, or both the same; else clauses cannot be put from one into the other."""
        self.vocabulary = replace(a.vocabulary, kinds={**b.vocabulary.kinds, **a.vocabulary.kinds})
        """That of the first, with the kinds of fact that only the second knows."""
        self.with_both = replace(a, vocabulary=self.vocabulary)
        """The first, able to say what only the second says."""

        def known_as(kind: Kind) -> object:
            return [field.name for field in kind.fields], kind.section, kind.shows

        others = b.vocabulary.kinds
        self.alike = all(
            name in others and known_as(kind) == known_as(others[name]) for name, kind in a.vocabulary.kinds.items()
        )
        """Whether the second knows each kind of fact of the first, and as the first does: what it takes over from the
        first then concludes the same."""
        self._taken_over = b
        if self.alike:  # the rules that say what those of the first say are the very same
            known = {(rule.id, *rule.said): rule for rule in a.rules}
            same = {
                ref: tuple(known.get((rule.id, *rule.said), rule) for rule in clause.rules)
                for ref, clause in b.clauses.items()
            }
            clauses = {ref: replace(clause, rules=same[ref]) for ref, clause in b.clauses.items()}
            self._taken_over = replace(b, clauses=clauses)
        first = sets or Sets(a.vocabulary, a.rules)
        self.sets = first, Sets(b.vocabulary, self._taken_over.rules, first if self.alike else None)
        self._exchanged: dict[frozenset[str], Sets | None] = {}

    def beside(self, run: EditionRun) -> Differences:
        """The differences in the situations of a run of one of the editions."""
        edition, sets = (self.b, self.sets[1]) if run.edition is self.a else (self.a, self.sets[0])
        other = EditionRun(edition, run.situations, sets, run.run if self.alike else None)
        return Differences(self, *((run, other) if run.edition is self.a else (other, run)))

    def exchanged(self, refs: frozenset[str]) -> Sets | None:
        """The rules of the first edition with these clauses of the second; None if they cannot stand together."""
        if refs not in self._exchanged:
            try:
                rules = with_clauses(self.a, self._taken_over, refs).rules
                self._exchanged[refs] = Sets(self.vocabulary, rules, self.sets[0])
            except RulesError:
                self._exchanged[refs] = None
        return self._exchanged[refs]

    def named(self, refs: Clauses) -> Clauses:
        """The clauses of the book among these; the definitions when there are only such."""
        known = [(ref, edition.clauses.get(ref)) for ref in refs for edition in (self.a, self.b)]
        return tuple(dict.fromkeys(ref for ref, clause in known if clause and clause.law)) or refs


class Differences:
    """Where two editions differ, and the clauses behind each difference."""

    def __init__(self, by: Substitution, a: EditionRun, b: EditionRun) -> None:
        self.by, self.a, self.b = by, a, b
        self._given: dict[frozenset[str], Mapping[What, Bits]] = {}

    @cached_property
    def _busy(self) -> Mapping[str, Bits]:
        """Where each changed clause has a part in what either edition concludes."""
        return {ref: self.a.clauses.get(ref, 0) | self.b.clauses.get(ref, 0) for ref in self.by.changed}

    def causes(self) -> dict[Cause, Bits]:
        """What makes the difference, and where; nothing where there is none."""
        if self.by.alike and self.a.concluded == self.b.concluded:
            return {}
        ruling = different(self.a.ruling, self.b.ruling)
        judgement = different(self.a.judgement, self.b.judgement) & ~ruling
        return merged([*self._causes("ruling", ruling), *self._causes("judgement", judgement)])

    def _causes(self, what: What, where: Bits) -> Iterator[tuple[Cause, Bits]]:
        if not self.by.related:
            yield from [(Cause(what, ()), where)] if where else ()
            return
        alone = {ref: where & busy & self._gives((ref,), what) for ref, busy in self._busy.items() if where & busy}
        for refs, part in parts(where, alone):
            if refs:
                singles = [self.by.named((ref,)) for ref in self.by.changed if ref in refs]
                yield Cause(what, tuple(dict.fromkeys(singles))), part
                continue
            for busy, piece in parts(part, self._busy):  # sets of clauses of which none can be spared
                likely = tuple(ref for ref in self.by.changed if ref in busy)
                enough = piece & self._gives(likely, what)
                for needed, found in (
                    *self._needed(what, likely, likely, enough),
                    *self._needed(what, self.by.changed, self.by.changed, piece & ~enough),
                ):
                    yield Cause(what, (self.by.named(needed),)), found

    def _needed(self, what: What, needed: Clauses, left: Clauses, where: Bits) -> Iterator[tuple[Clauses, Bits]]:
        """What remains needed once each clause ``left`` has been taken away where it can be spared."""
        if not where:
            return
        if not left:
            yield needed, where
            return
        rest = tuple(ref for ref in needed if ref != left[0])
        spared = where & self._gives(rest, what)
        yield from self._needed(what, rest, left[1:], spared)
        yield from self._needed(what, needed, left[1:], where & ~spared)

    def _gives(self, refs: Clauses, what: What) -> Bits:
        """Where these clauses of the second edition give its outcome when put into the first."""
        key = frozenset(refs)
        if key not in self._given:
            sets = self.by.exchanged(key)
            near = self.b if self.by.alike and key.issuperset(self.by.changed) else self.a
            self._given[key] = {}
            if sets is not None:
                run = EditionRun(self.by.with_both, self.a.situations, sets, near.run)
                everything = run.situations.everything
                self._given[key] = {
                    "ruling": everything & ~different(run.ruling, self.b.ruling),
                    "judgement": everything & ~different(run.judgement, self.b.judgement),
                }
        return self._given[key].get(what, 0)
