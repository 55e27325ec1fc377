"""Which clauses make a difference, and the fewest conditions under which there is one."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, TypeAlias

from facts.errors import RulesError
from kb.engine.sets import Bits, Sets
from kb.language.model import Edition
from kb.language.vocabulary import Kind
from kb.space.bits import members, merged, parts, union
from kb.space.decision_diagram import Diagram, State
from kb.space.layout import Situations
from kb.space.outcome import EditionRun, different
from kb.space.universe import Universe, WaysOn

Answers: TypeAlias = frozenset[str | None]
"""Answers to one question; None: it is not asked."""

SEEDS = 24
"""From so many situations that are in no box yet a box is grown, and the best one kept."""
LONG = 20
"""A description of more conditions than this is tried in parts as well,"""
SPLITS = 2
"""divided in so many ways."""


@dataclass(frozen=True, slots=True, order=True)
class Needed:
    """A condition on the answer to one question."""

    question: str
    answers: tuple[str, ...]
    """One of these was given; or, with ``other``, none of these was, be it that the question was not asked."""
    other: bool = False


Conditions: TypeAlias = tuple[Needed, ...]
"""All of them hold; in the order of the questions; none at all: every situation."""


@dataclass(frozen=True, slots=True)
class Cube:
    """The situations in which all of some conditions hold, except those in which all of some others do."""

    conditions: Conditions
    unless: tuple[Conditions, ...]
    size: int

    @property
    def length(self) -> int:
        """How many conditions it takes to say it."""
        return len(self.conditions) + sum(map(len, self.unless))


class Describer:
    """Describes sets of situations of one universe."""

    def __init__(self, universe: Universe) -> None:
        self.universe = universe

    def describe(self, wanted: Bits) -> tuple[Cube, ...]:
        """Boxes that together are exactly the set, by the fewest conditions of the ways that are tried.

        Questions that make no difference to the set are left out of account."""
        small, part = _projected(self.universe, wanted)
        questions = tuple(self.universe.interview.questions)

        def cover(conditions: Conditions) -> Bits:
            cover = self.universe.everything
            for needed in conditions:
                given = self.universe.given[questions.index(needed.question)]
                named = union(given[answer] for answer in needed.answers)
                cover &= ~named if needed.other else named
            return cover

        def size(box: Cube) -> int:
            return (cover(box.conditions) & ~union(map(cover, box.unless))).bit_count()

        return tuple(replace(box, size=size(box)) for box in _Boxes(small).describe(part))


def _projected(universe: Universe, wanted: Bits) -> tuple[Universe, Bits]:
    """The universe without the questions that make no difference to a set, and the set in it."""
    marks = array("B", f"{wanted:b}".zfill(len(universe))[::-1].encode())
    diagram = Diagram()
    state = diagram.mattering(diagram.of(universe.root, marks))
    known: dict[State, tuple[WaysOn, Bits]] = {}
    for node in reversed(diagram.below(state)):
        if diagram.outcome[node] >= 0:
            known[node] = WaysOn(len(universe.questions), (), 1), int(diagram.outcome[node] == ord("1"))
            continue
        size = bits = 0
        branches: list[tuple[str, int, WaysOn]] = []
        for answer, below in diagram.edges[node]:
            block, part = known[below]
            branches.append((answer, size, block))
            bits |= part << size
            size += block.size
        known[node] = WaysOn(diagram.question[node], tuple(branches), size), bits
    root, part = known[state]
    return Universe(universe.interview, root), part


class _Boxes:
    """Describes sets of situations of a small universe."""

    def __init__(self, universe: Universe) -> None:
        self.universe = universe
        self.everything: Bits = universe.everything
        self.questions = tuple(universe.interview.questions)
        self._given = universe.given
        self._mattering = [at for at, given in enumerate(self._given) if self.everything not in given.values()]
        """The questions to which there is more than one answer."""

    def describe(self, wanted: Bits) -> tuple[Cube, ...]:
        """Boxes that together are exactly the set, by the fewest conditions of the ways that are tried: as a whole, or
        in two or three parts by the answers to a question, those tried first whose parts lie closest together."""
        best = self._simplest(wanted, wanted)
        if _length(best) > LONG:
            splits: list[tuple[int, list[Bits]]] = []
            for answers in self._given:
                parts = [given & wanted for given in answers.values() if given & wanted]
                if 2 <= len(parts) <= 3:
                    splits.append((sum(self._cover(self._met(part)).bit_count() for part in parts), parts))
            for _, parts in sorted(splits)[:SPLITS]:
                split = tuple(box for part in parts for box in self._simplest(part, wanted))
                best = min(best, split, key=_length)
        return best

    def _simplest(self, part: Bits, wanted: Bits) -> tuple[Cube, ...]:
        """Boxes that hold a part of the set and nothing outside it: some beside each other, or one with exceptions."""
        avoid = self.everything & ~wanted
        plain = tuple(Cube(box, (), cover.bit_count()) for cover, box in self._boxes(part, avoid, self.everything))
        around = self._around(part)
        hull = self._cover(around)
        unless = tuple(box for _, box in self._boxes(hull & avoid, part, hull))
        whole = Cube(self._conditions(around), unless, (hull & wanted).bit_count())
        return min(plain, (whole,), key=_length)

    def _boxes(self, wanted: Bits, avoid: Bits, within: Bits) -> list[tuple[Bits, Conditions]]:
        """Boxes that hold every situation wanted and none to be avoided, the largest first.

        Answers that are not given ``within`` a set are not named; a box that others make needless is left out."""
        boxes: list[tuple[Bits, Conditions]] = []
        left, grown = wanted, set[tuple[Bits, Conditions]]()
        while left:
            seeds = list(members(left & ~union(cover for cover, _ in grown)))
            grown |= {self._grown(seed, avoid, within) for seed in seeds[:: max(1, len(seeds) // SEEDS)]}
            best = max(grown, key=lambda box: ((box[0] & left).bit_count(), -len(box[1]), box[1]))
            boxes.append(best)
            left &= ~best[0]
            grown = {box for box in grown if box[0] & left}
        kept = sorted(boxes, key=lambda box: -box[0].bit_count())
        for box in reversed(list(kept)):
            if not wanted & ~union(other[0] for other in kept if other is not box):
                kept.remove(box)
        return kept

    def _around(self, wanted: Bits) -> dict[int, Answers]:
        """The fewest conditions that all of the set meets and that cannot be made stricter."""
        met = self._met(wanted)
        hull, cover, chosen = self._cover(met), self.everything, dict[int, Answers]()
        while cover != hull:
            at = min(met, key=lambda at: (cover & self._allowed(at, met[at])).bit_count())
            chosen[at] = met.pop(at)
            cover &= self._allowed(at, chosen[at])
        for at in list(chosen):
            if _without(self._covers(chosen), self.everything)[at] == hull:
                del chosen[at]
        return chosen

    def _met(self, wanted: Bits) -> dict[int, Answers]:
        """The answers given in the set to each question."""
        return {
            at: frozenset(answer for answer, given in answers.items() if given & wanted)
            for at, answers in enumerate(self._given)
        }

    def _grown(self, seed: int, avoid: Bits, within: Bits) -> tuple[Bits, Conditions]:
        """A box around a situation that cannot be made larger without holding one to be avoided."""
        said = self.universe.answers(seed)
        asked: dict[int, Answers] = {at: frozenset([said.get(self.questions[at])]) for at in self._mattering}
        perhaps, needed = self._covers(asked), self.everything
        while perhaps:
            free: list[tuple[int, int]] = []
            for at, cover in _without(perhaps, needed).items():
                if cover & avoid:  # once needed, always: covers only grow
                    needed &= perhaps.pop(at)
                else:
                    free.append((cover.bit_count(), at))
            if free:
                at = max(free)[1]
                del perhaps[at], asked[at]
        covers = self._covers(asked)
        for at in list(asked):
            around = _without(covers, self.everything)[at]
            wider = [answer for answer, given in self._given[at].items() if not around & given & avoid]
            met = [answer for answer in wider if around & within & self._given[at][answer]]
            asked[at] = asked[at].union(wider if None in (*met, *asked[at]) else met)
            covers[at] = self._allowed(at, asked[at])
        return self._cover(asked), self._conditions(asked)

    def _conditions(self, asked: Mapping[int, Answers]) -> Conditions:
        """In words; where a question may also not have been asked, by the answers left out."""
        found = []
        for at, answers in sorted(asked.items()):
            question, other = self.questions[at], None in answers
            order = self.universe.interview.questions[question].answers
            found.append(Needed(question, tuple(one for one in order if (one in answers) != other), other=other))
        return tuple(found)

    def _cover(self, asked: Mapping[int, Answers]) -> Bits:
        cover = self.everything
        for at, answers in asked.items():
            cover &= self._allowed(at, answers)
        return cover

    def _covers(self, asked: Mapping[int, Answers]) -> dict[int, Bits]:
        """The situations in which each of the conditions holds."""
        return {at: self._allowed(at, answers) for at, answers in asked.items()}

    def _allowed(self, at: int, answers: Answers) -> Bits:
        return union(self._given[at][answer] for answer in answers)


def _without(covers: Mapping[int, Bits], within: Bits) -> dict[int, Bits]:
    """What would be left within a set by all of the conditions but each one of them."""
    found: dict[int, Bits] = {}
    before = within
    for at, cover in covers.items():
        found[at] = before
        before &= cover
    after = within
    for at in reversed(covers):
        found[at] &= after
        after &= covers[at]
    return found


def _length(boxes: tuple[Cube, ...]) -> int:
    return sum(box.length for box in boxes)


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

    def on(self, situations: Situations) -> Differences:
        """The differences in some situations."""
        return self.beside(EditionRun(self.a, situations, self.sets[0]))

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
