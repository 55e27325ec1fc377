"""Which clauses make the difference between two editions: those of one are put into the other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, TypeAlias

from facts.errors import RulesError
from facts.ground import Fact
from kb.engine.program import Program
from kb.engine.proof import RawStep
from kb.engine.python import PythonEngine
from kb.language.digest import edition_digest
from kb.language.model import Edition
from kb.study.outcome import Effect, Outcome, OutcomeReader

Clauses: TypeAlias = tuple[str, ...]
"""Clauses that make a difference together, in the order of the book."""
What: TypeAlias = Literal["ruling", "judgement"]


@dataclass(frozen=True, slots=True)
class Cause:
    """A difference between two editions in one situation, and what makes it."""

    what: What
    """Whether the ruling differs, or only what is left to the director."""
    clauses: tuple[Clauses, ...]
    """Each of these, put into the first edition as the second has it, gives the second's outcome: one clause each, or,
    when no single one does, one set of which every clause is needed. Definitions that must change along with clauses
    are not named. Empty where the editions have no clause in common."""
    before: Effect
    after: Effect


class Ruler:
    """One edition, run on facts without its proof."""

    def __init__(self, edition: Edition) -> None:
        self.edition = edition
        self.reader = OutcomeReader(edition.vocabulary)
        self.engine = PythonEngine(Program(edition.vocabulary, edition.rules))
        self._clauses = [rule.clause for rule in edition.rules]

    def __reduce__(self) -> tuple[type[Ruler], tuple[Edition]]:
        return Ruler, (self.edition,)

    def run(self, facts: Iterable[Fact]) -> tuple[Outcome, Sequence[RawStep]]:
        """The outcome, and what fired."""
        firings = list(self.engine.run(facts).firings)
        return self.reader.read(firings), firings

    def fired(self, firings: Iterable[RawStep]) -> frozenset[str]:
        """The clauses that had a part in it."""
        return frozenset(self._clauses[number] for _, number, _ in firings)


def changed_clauses(a: Edition, b: Edition) -> Clauses:
    """The clauses, definitions included, whose rules differ, in the order of the book; words alone do not count."""
    merged = dict.fromkeys([*a.clauses, *b.clauses])
    return tuple(ref for ref in merged if _digest(a, ref) != _digest(b, ref))


def _digest(edition: Edition, ref: str) -> str:
    if ref not in edition.clauses or not edition.clauses[ref].rules:
        return ""
    return edition_digest(replace(edition, id="", elections=(), clauses={ref: edition.clauses[ref]}))


def with_clauses(a: Edition, b: Edition, refs: Iterable[str]) -> Edition:
    """Edition ``a`` with some clauses as they stand in ``b``, or without them where ``b`` has none."""
    taken = frozenset(refs)
    merged = {
        ref: (b if ref in taken else a).clauses[ref]
        for ref in dict.fromkeys([*a.clauses, *b.clauses])
        if ref in (b if ref in taken else a).clauses
    }
    return replace(a, clauses=merged)


class Substitution:
    """Finds the clauses behind each difference between two editions."""

    def __init__(self, a: Edition, b: Edition) -> None:
        self.a, self.b = a, b
        self.changed = changed_clauses(a, b)
        self.related = bool({*a.lineage} & {*b.lineage})
        """Whether one amends the other, or both the same; else clauses cannot be put from one into the other."""
        self._rulers: dict[frozenset[str], Ruler | None] = {}

    @cached_property
    def rulers(self) -> tuple[Ruler, Ruler]:
        """The two editions, ready to rule."""
        return Ruler(self.a), Ruler(self.b)

    def cause(self, ground: tuple[Fact, ...]) -> Cause | None:
        """What makes the difference on these facts; None when there is none."""
        (before, fired_a), (after, fired_b) = (ruler.run(ground) for ruler in self.rulers)
        if before == after:
            return None
        what: What = "ruling" if before.ruling != after.ruling else "judgement"
        if not self.related:
            return Cause(what, (), before.effect, after.effect)
        a, b = self.rulers
        busy = a.fired(fired_a) | b.fired(fired_b)
        likely = tuple(ref for ref in self.changed if ref in busy)
        target: object = getattr(after, what)
        singles = tuple((ref,) for ref in likely if self._gives({ref}, ground, what, target))
        sets = singles or (self._needed(likely, ground, what, target),)
        return Cause(what, tuple(dict.fromkeys(map(self._named, sets))), before.effect, after.effect)

    def _named(self, refs: Clauses) -> Clauses:
        """The clauses of the book among these; the definitions when there are only such."""
        return tuple(ref for ref in refs if self._of_book(ref)) or refs

    def _of_book(self, ref: str) -> bool:
        return any(bool(edition.clauses[ref].law) for edition in (self.a, self.b) if ref in edition.clauses)

    def _needed(self, likely: Clauses, ground: tuple[Fact, ...], what: What, target: object) -> Clauses:
        """A set of clauses that makes the difference and of which none can be spared."""
        needed = likely if self._gives(set(likely), ground, what, target) else self.changed
        for ref in needed:
            rest = tuple(other for other in needed if other != ref)
            if self._gives(set(rest), ground, what, target):
                needed = rest
        return needed

    def _gives(self, refs: set[str], ground: tuple[Fact, ...], what: What, target: object) -> bool:
        """Whether these clauses of the second edition give its outcome when put into the first."""
        key = frozenset(refs)
        if key not in self._rulers:
            try:
                self._rulers[key] = Ruler(with_clauses(self.a, self.b, key))
            except RulesError:  # these clauses cannot stand together
                self._rulers[key] = None
        ruler = self._rulers[key]
        return ruler is not None and getattr(ruler.run(ground)[0], what) == target
