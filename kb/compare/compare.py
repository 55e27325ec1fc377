"""The rulings that differ between two editions, in which direction, and which clauses make the difference."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Literal, TypeAlias

from facts.errors import InputError, RulesError
from facts.form import Texts
from facts.table import Table
from kb.cases.cases import Case, cases_of, read_cases
from kb.engine.sets import Bits, Sets
from kb.language.cache import digest_of
from kb.language.clauses import renamed
from kb.language.edition import load_edition
from kb.language.folders import TABLE, matter_files
from kb.language.model import Clause, Edition
from kb.language.vocabulary import Kind
from kb.ruling.laws import Law
from kb.ruling.make_ruling import rounds
from kb.space.bits import first as first_of
from kb.space.bits import merged, parts, union
from kb.space.layout import Sayable
from kb.space.measures import DIRECTIONS, Direction, Measures, burden_of, direction, load_measures, measured, of_matters
from kb.space.outcomes import EditionRun, Effect, different, effects
from kb.space.read_interview import INTERVIEW, WIDER, load_interview, reads
from kb.space.universe import Universe, Universes, observed

ClauseSet: TypeAlias = tuple[str, ...]
"""Clauses that make a difference together, in the order of the book."""
What: TypeAlias = Literal["ruling", "judgement"]


@dataclass(frozen=True, slots=True)
class Cause:
    """A difference between two editions, and what makes it."""

    what: What
    """Whether the ruling differs, or only what is left to the director."""
    clauses: tuple[ClauseSet, ...]
    """Each of these, put into the first edition as the second has it, gives the second's outcome: one clause each, or,
    when no single one does, one set of which every clause is needed. Definitions that must change along with clauses
    are not named. Empty where the editions have no clause in common."""


def changed_clauses(a: Edition, b: Edition) -> ClauseSet:
    """The clauses, definitions included, whose rules differ, in the order of the book; words alone do not count."""

    def digest(edition: Edition, ref: str) -> str:
        clause = edition.clauses.get(ref)
        return replace(edition, id="", elections=(), clauses={ref: clause}).digest if clause and clause.rules else ""

    merged_refs = dict.fromkeys([*a.clauses, *b.clauses])
    return tuple(ref for ref in merged_refs if digest(a, ref) != digest(b, ref))


def rewritten_clauses(a: Edition, b: Edition) -> ClauseSet:
    """Those of which something else than the rules differs, in the order of the book: the text, how they are encoded,
    the sentences of their rules. A translation changes no law."""

    def written(clause: Clause | None) -> object:
        if clause is None:
            return None
        texts = (clause.says, clause.reason, *(rule.because for rule in clause.rules))
        return clause.encoded_as, [[text.get(lang) for lang in a.vocabulary.languages] for text in texts]

    refs = dict.fromkeys([*a.clauses, *b.clauses])
    return tuple(ref for ref in refs if written(a.clauses.get(ref)) != written(b.clauses.get(ref)))


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
            rules_of_a = {(rule.id, *rule.said): rule for rule in a.rules}
            same = {
                ref: tuple(rules_of_a.get((rule.id, *rule.said), rule) for rule in clause.rules)
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
        beside = EditionRun(edition, run.situations, sets, run.run if self.alike else None)
        return Differences(self, *((run, beside) if run.edition is self.a else (beside, run)))

    def exchanged(self, refs: frozenset[str]) -> Sets | None:
        """The rules of the first edition with these clauses of the second; None if they cannot stand together."""
        if refs not in self._exchanged:
            try:
                rules = with_clauses(self.a, self._taken_over, refs).rules
                self._exchanged[refs] = Sets(self.vocabulary, rules, self.sets[0])
            except RulesError:
                self._exchanged[refs] = None
        return self._exchanged[refs]

    def named(self, refs: ClauseSet) -> ClauseSet:
        """The clauses of the book among these; the definitions when there are only such."""
        clauses = [(ref, edition.clauses.get(ref)) for ref in refs for edition in (self.a, self.b)]
        return tuple(dict.fromkeys(ref for ref, clause in clauses if clause and clause.law)) or refs


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
                for needed, bits in (
                    *self._needed(what, likely, likely, enough),
                    *self._needed(what, self.by.changed, self.by.changed, piece & ~enough),
                ):
                    yield Cause(what, (self.by.named(needed),)), bits

    def _needed(self, what: What, needed: ClauseSet, left: ClauseSet, where: Bits) -> Iterator[tuple[ClauseSet, Bits]]:
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

    def _gives(self, refs: ClauseSet, what: What) -> Bits:
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


Directions: TypeAlias = Mapping[Direction, Bits]
"""How the second edition stands to the first: where it goes which way; every situation of a set goes one."""


class Prepared:
    """The first of two editions: what is known of it stays with another second, and is kept if one comes ``again``."""

    def __init__(self, edition: Edition, universe: Universes, again: bool = True) -> None:
        self.edition, self.universe, self.again = edition, universe, again
        self.sets = Sets(edition.vocabulary, edition.rules)
        self._parts: list[tuple[int, EditionRun]] = []
        self._shown: frozenset[str] = frozenset()
        self._heard: dict[int, tuple[Case, EditionRun | None]] = {}

    def parts(self) -> Iterable[tuple[int, EditionRun]]:
        """What the edition rules in each part of the universe, after the number of its first situation."""
        runs = ((start, EditionRun(self.edition, observed(part), self.sets)) for start, part in self.universe.parts())
        self._parts = self._parts or ([*runs] if self.again else [])
        return self._parts or runs

    def heard(self, cases: Sequence[Case], second: Edition, sets: Sets) -> Iterator[tuple[Case, EditionRun]]:
        """The cases with what one of the two editions concludes of them, whatever is not known, without those whose
        record it refuses; ``sets``: the other's rules, ready to run.

        It is this edition unless only the other knows of all that may be said.
        """
        laws = [Law(edition, engine="quick") for edition in (self.edition, second)]
        law = max(laws, key=lambda law: len(law.edition.vocabulary.kinds))
        law.shown = laws[0].shown | laws[1].shown  # all that either of them looks at
        law.sayable = Sayable(law.edition.table, law.edition.vocabulary, law.shown)
        is_own = law.edition is self.edition
        law.program.sets = self.sets if is_own else sets
        if not is_own or law.shown != self._shown:
            self._shown, self._heard = law.shown if is_own else frozenset(), {}
        for case in cases:
            run = self._heard[id(case)][1] if id(case) in self._heard else _ruled(law, case)
            if self.again:
                self._heard[id(case)] = case, run
            if run is not None:
                yield case, run


def _ruled(law: Law, case: Case) -> EditionRun | None:
    """What the law concludes of a case in every way of filling in what is not said; None where it refuses it."""
    with suppress(InputError):
        for ruling in rounds(law, replace(case.incident, edition=law.edition.id)):
            return ruling.certainty.run
    return None


@dataclass(frozen=True, slots=True)
class BeforeAfter:
    """What becomes of the revokes, before and after, and in which situations; alike where something else changes."""

    old: Effect
    new: Effect
    situations: Bits

    @property
    def usual(self) -> bool:
        return max(len(self.old), len(self.new)) <= 1


@dataclass(frozen=True, slots=True)
class DifferenceGroup:
    """The situations in which the same clauses make the difference."""

    what: What
    clauses: tuple[ClauseSet, ...]
    """As in Cause."""
    situations: Bits
    changes: tuple[BeforeAfter, ...]
    """The most frequent first."""
    directions: Directions
    """For the sides that revoked."""
    example: int
    """The situation with the fewest unusual answers."""


@dataclass(frozen=True, slots=True)
class CaseDiffers:
    case: Case
    cause: Cause
    old: Effect
    new: Effect
    perhaps: bool
    """Whether the case leaves open whether that is what becomes of it."""


@dataclass(frozen=True)
class Comparison:
    a: Edition
    b: Edition
    universe: Universes
    changed: ClauseSet
    """Every clause or definition whose rules differ."""
    rewritten: ClauseSet
    """Every one of which words or encoding differ."""
    related: bool
    """Whether they have an edition in common that they are, or amend; else no difference is ascribed to clauses."""
    groups: tuple[DifferenceGroup, ...]
    """Rulings first, then what is only left to the director; the largest first."""
    directions: Directions
    """For the sides that revoked, wherever anything differs."""
    weighed: tuple[Texts, ...]
    """The parts of the burden by which that is known."""
    cases: tuple[CaseDiffers, ...]
    cases_tried: int

    @property
    def renamed(self) -> Mapping[str, str]:
        """Number in the first -> number in the second, where the second amends the first and counts otherwise."""
        return self.b.renames if self.b.amends == self.a.id else {}

    def both(self, ref: str) -> tuple[Clause | None, Clause | None]:
        """The clause in the first edition, be it under another number, and in the second."""
        old_ref = {new: old for old, new in self.renamed.items()}.get(ref, ref)
        return self.a.clauses.get(old_ref), self.b.clauses.get(ref)

    @property
    def collide(self) -> ClauseSet | None:
        """Of two drafts with a common base, the clauses that both of them change; None of any other pair."""
        common = [folder for folder in self.a.folders if folder in self.b.folders]
        if len(common) < 2 or len(common) in (len(self.a.folders), len(self.b.folders)):
            return None
        base = load_edition(common[0], common[-1])
        both = _changed(self.a, base) & _changed(self.b, base)
        return tuple(ref for ref in {**base.clauses, **self.a.clauses, **self.b.clauses} if ref in both)

    def differing(self, what: What) -> int:
        """In how many situations the rulings, or only the judgements, differ."""
        return sum(group.situations.bit_count() for group in self.groups if group.what == what)

    @property
    def without_effect(self) -> ClauseSet:
        """Changed clauses that make no difference in any situation or case; none where clauses cannot be told apart."""
        if not self.related:
            return ()
        causes = [group.clauses for group in self.groups] + [case.cause.clauses for case in self.cases]
        effective = {ref for clauses in causes for together in clauses for ref in together}
        return tuple(ref for ref in self.changed if ref not in effective)


def _changed(edition: Edition, base: Edition) -> set[str]:
    """The clauses that an edition writes or repeals, of those of its base or new."""
    both = {**edition.clauses, **base.clauses}
    return {ref for ref in both if edition.clauses.get(ref) != base.clauses.get(ref)}


def compare(first: Prepared, b: Edition, cases: Sequence[Case], measures: Measures) -> Comparison:
    """The comparison of an edition that has been made ready with another."""
    a, universe = first.edition, first.universe
    if b.renames and b.amends == a.id:
        first = Prepared(renamed(a, b.renames), universe, again=False)
    by = Substitution(first.edition, b, first.sets)
    of_a, of_b = (measured(measures, sets) for sets in by.sets)
    changes: list[tuple[tuple[Cause, Effect, Effect], Bits]] = []
    ways: list[tuple[Direction, Bits]] = []
    weigh = set[str]()
    """The parts that have weighed on anybody."""
    for start, run in first.parts():
        differences = by.beside(run)
        part_changes = list(_changes(differences))
        changes += [(change, bits << start) for change, bits in part_changes]
        old, new = burden_of(measures, run, of_a), burden_of(measures, differences.b, of_b)
        weigh |= {name for _, name in (*old.levels, *new.levels)}
        there = direction(old, new, union(bits for _, bits in part_changes))
        ways += [(way, bits << start) for way, bits in there.items()]
    directions = dict.fromkeys(DIRECTIONS, 0) | merged(ways)
    groups = _groups(merged(changes), directions, universe)
    weighed = tuple(says for name, says in measures.parts.items() if name in weigh)
    heard = first.heard(cases, b, by.sets[1])
    each = [(case, [*_changes(by.beside(run))], run.situations.everything) for case, run in heard]
    differing = tuple(CaseDiffers(case, *diffs[0][0], diffs[0][1] != every) for case, diffs, every in each if diffs)
    books = by.changed, rewritten_clauses(first.edition, b)
    return Comparison(a, b, universe, *books, by.related, groups, directions, weighed, differing, len(each))


def _changes(by: Differences) -> Iterator[tuple[tuple[Cause, Effect, Effect], Bits]]:
    """What makes the difference, what becomes of the revokes before and after, and where."""
    for cause, where in by.causes().items():
        for before, part in effects(by.a.ruling, where, by.a.edition.vocabulary.sections).items():
            for after, both in effects(by.b.ruling, part, by.b.edition.vocabulary.sections).items():
                yield (cause, before, after), both


def _groups(
    changes: Mapping[tuple[Cause, Effect, Effect], Bits],
    directions: Directions,
    universe: Universes,
) -> tuple[DifferenceGroup, ...]:
    """Rulings first, then what is only left to the director; the largest first."""
    groups: list[DifferenceGroup] = []
    for cause, bits in merged((cause, bits) for (cause, _, _), bits in changes.items()).items():
        listed = [BeforeAfter(old, new, where) for (by, old, new), where in changes.items() if by == cause]
        listed.sort(key=lambda change: (-change.situations.bit_count(), first_of(change.situations)))
        groups.append(
            DifferenceGroup(
                cause.what,
                cause.clauses,
                situations=bits,
                changes=tuple(listed),
                directions={way: way_bits & bits for way, way_bits in directions.items()},
                example=universe.plainest(bits),
            )
        )
    groups.sort(key=lambda group: (group.what != "ruling", -group.situations.bit_count(), first_of(group.situations)))
    return tuple(groups)


_kept: list[tuple[str, Prepared, Measures, dict[tuple[Path, bool], tuple[Case, ...]]]] = []
"""The edition that others were last compared with."""


def compared(root: Path, a: Edition, b: Edition, again: bool = True) -> Comparison:
    """The comparison over all that is shipped beside the rules; what is known of the first edition stands ready for the
    next one, if it will be asked for ``again``.

    InputError for faulty files.
    """
    names, matters = (INTERVIEW, WIDER, TABLE), [*dict.fromkeys((*a.matters, *b.matters))]
    of_a = (str(file) for folder in a.folders for file in sorted(folder.rglob("*.yaml")))
    of_b = (str(folder / name) for folder in b.folders for name in names if (folder / name).is_file())
    findings = sorted(name for table in b.table.every for name in table.findings)
    question = (str(root), a.id, a.elections, matters, findings, matter_files(b.folders), sorted(reads([a, b])))
    # what decides in which situations they are compared, and what is known of the first: its files, those by which the
    # other may add situations, and the facts that its rules look at
    asked = digest_of(question, (*of_a, *of_b), ())
    if not _kept or _kept[0][0] != asked:
        universe = Universes([Universe(load_interview(root, a, b, wider=True, of=of)) for of in matters])
        _kept[:] = [(asked, Prepared(a, universe, again), load_measures(root, a.vocabulary, of_matters(a)), {})]
    _, first, measures, read = _kept[0]

    def cases(folder: Path, table: Table) -> tuple[Case, ...]:
        if folder.parent not in a.folders:
            return read_cases(folder, table)
        key = (folder, table is first.edition.table)
        if key not in read:
            read[key] = read_cases(folder, table)
        return read[key]

    return compare(first, b, cases_of(first.edition, b, read=cases), measures)
