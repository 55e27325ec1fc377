"""The one-page chart of an edition, from the rulings on every situation with one revoke, parted by their effect.

The first box asks whether the revoke is established, of whatever may establish it. What is not is to be corrected: the
left column tells how, in the words of the clauses. In the right column come first the exceptions, answers whose
effect nothing else can change, those with the same effect in one box; then the questions that are left.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Final

from facts.errors import RulesError
from facts.table import REVOKE
from kb.chart.chart import NO_COST, BoxName, Chart, ChartBox, ChartWay, Cost, OfTwo, Pick, Reply, without_places
from kb.engine.sets import Bits
from kb.interview.adviser import Counsel
from kb.language.relied_on import (
    AUTOMATIC,
    DIRECTOR,
    ESTABLISHED,
    MUST_CORRECT,
    OPTIONS,
    POINTS,
    RECTIFICATIONS,
    STATUS,
)
from kb.ruling.laws import Law
from kb.space.bits import merged, parts, union
from kb.space.interview import Question
from kb.space.outcomes import OutcomeEntry, effects

COSTS: Final = (AUTOMATIC, POINTS, OPTIONS)
"""The parts of a ruling in which a revoke costs something."""


def _first(question: Question) -> str:
    return [*question.answers][0]


PAIRS: Final = 2
"""So many answers together may establish a revoke; what takes more is no ordinary situation."""
DONE: Final = (RECTIFICATIONS, OPTIONS)
"""The parts of a ruling that say what is done."""


class OrdinaryChart(Chart):
    """The one-page chart of an edition, of its situations with one revoke."""

    joins = True

    def __init__(self, counsel: Counsel) -> None:
        super().__init__(counsel)
        # where two revokes are told one by one, and where the question of another has its ordinary answer
        more = [
            (n, answer.id)
            for n, question in enumerate(self.questions)
            for answer in question.answers.values()
            if not question.when and any(fill.revoke for fill in answer.fills)
        ]
        self.several, self.one = self.any_given(more), self.universe.everything
        for n in {n for n, _ in more}:
            self.one &= self.universe.by_answer[n][_first(self.questions[n])]
        must = self.one & self._status(MUST_CORRECT)
        self.established = self.one & self._status(ESTABLISHED)
        self.no_revoke = self.one & ~must & ~self.established
        """What the law does not know as a revoke."""
        self.all_the_same = union(
            bits for cost, bits in self._costs(must).items() if any(entry[0] == AUTOMATIC for entry in cost)
        )
        """Corrected, and tricks go all the same."""
        self.corrected = must & ~self.all_the_same
        if not (self.corrected and self.established):
            lacking = ESTABLISHED if self.corrected else MUST_CORRECT
            problem = f"no answer of the interview makes a revoke {lacking}, so a chart has nothing to tell"
            mend = f"let rules conclude a {STATUS} that is {lacking}"
            raise RulesError.of(counsel.law.edition.place, problem, mend)
        self.costs = self._costs(self.established)
        """What established revokes cost, and where."""
        self._ordinary()

    def _ordinary(self) -> None:
        """What is told on the page: the exceptions, what establishes a revoke, and the situations that it is for."""
        self.free, _ = self.cover(self.costs.get(NO_COST, 0), self.established)

        def without(answers: tuple[Pick, ...]) -> list[Bits]:
            bits = self.all_given(answers) if answers else 0
            return [self.established & ~bits, self.corrected & ~bits]

        def questions(answers: tuple[Pick, ...]) -> int:
            diagram, root = self.tree(without(answers))
            return len(diagram.below(root))

        self.late = min([(), *(answers for answers in self.free if all(without(answers)))], key=questions)
        """The exception without which it is plainest what establishes a revoke; empty if none is like that."""
        self.is_late = self.all_given(self.late) & self.one if self.late else 0
        settled = self.established | self.corrected
        among = settled & ~self.is_late
        self.on, rest = self.cover(self.established & among, among, PAIRS)
        self.went_on = union(map(self.all_given, self.on))
        self.ordinary = (settled | self.no_revoke) & ~rest & ~(self.is_late & ~self.went_on & self.established)
        """The situations that it is for."""
        went_on = self.is_late & self.went_on & self.ordinary
        if not (went_on & self.established and went_on & self.corrected):
            self.late, self.is_late = (), 0  # an exception like others: who went on with it is never to correct
        self.rare = self._all_the_same()
        self.ordinary &= ~(self.went_on & union(map(self.all_given, self.rare)))

    def _status(self, status: str) -> Bits:
        return union(bits for entry, bits in self.run.ruling.items() if entry[0] == STATUS and entry[-1] == status)

    def _costs(self, among: Bits) -> Mapping[Cost, Bits]:
        def cost(entry: OutcomeEntry) -> OutcomeEntry:
            if entry[0] == AUTOMATIC:
                return entry[0], entry[-1]
            return without_places(entry)

        entries = {entry: bits for entry, bits in self.run.ruling.items() if entry[0] in COSTS}
        return merged((frozenset(map(cost, has)), bits) for has, bits in parts(among, entries))

    def cover(self, target: Bits, among: Bits, most: int = 1) -> tuple[list[tuple[Pick, ...]], Bits]:
        """Answers that among these situations are given in the target only, each adding to those before it, in the
        order of the interview; ``most``: so many answers together. And what of the target they leave out."""
        covers, rest = [], target
        alone = [(n, answer) for n, question in enumerate(self.questions) for answer in question.answers]
        for size in range(1, most + 1):
            useful = [choice for choice in alone if size == 1 or self.all_given([choice]) & rest]
            where = {answers: self.all_given(answers) & among for answers in combinations(useful, size)} if rest else {}
            if size > 1:
                where = dict(sorted(where.items(), key=lambda pair: -(pair[1] & rest).bit_count()))
            for together, bits in where.items():
                if bits & rest and not bits & ~target:
                    covers.append(together)
                    rest &= ~bits
        for candidate in [*covers]:
            others = union(self.all_given(another) for another in covers if another != candidate)
            if not self.all_given(candidate) & target & ~others:  # what came after it says all that it does
                covers.remove(candidate)
        return covers, rest

    def shared_unusual(self, among: Bits, told: Collection[Pick], answers: Sequence[Pick]) -> tuple[Pick, ...]:
        """The unusual answer given in all of these situations, the last of several; not one that is left because every
        other answer to its question has been told, nor one without which that of ``answers`` would not be asked."""
        needed = {name for n, _ in answers for need in self.questions[n].when for name in need}
        for n, question in reversed([*enumerate(self.questions)]):
            if question.id in needed:
                continue
            shared = [answer for answer in question.answers if not among & ~self.universe.by_answer[n][answer]]
            others = {(n, answer) for answer in question.answers} - {(n, answer) for answer in shared}
            if shared and shared[0] != _first(question) and not others.issubset(told) and (n, shared[0]) not in told:
                return ((n, shared[0]),)
        return ()

    def free_of_two(self) -> list[tuple[tuple[Pick, ...], Bits, OfTwo]]:
        """Answers with which the second of two established revokes costs nothing, where, and whether the first does."""
        effect_bits = effects(self.run.ruling, self.several).items()
        both = [(key, bits) for key, bits in effect_bits if len(key) > 1 and all(is_ == ESTABLISHED for is_, _ in key)]
        free = union(bits for key, bits in both if not key[-1][1])
        among = union(bits for _, bits in both)
        costly = union(bits for key, bits in both if key[0][1])
        covers = self.cover(free, among)[0] if among & ~free else []
        where = [(answers, self.all_given(answers) & among) for answers in covers]
        return [(answers, bits, "second" if bits & costly else "both") for answers, bits in where]

    def _boxes(self) -> Iterator[ChartBox]:
        """All boxes in order; where each leads is known from their order."""
        none, _ = self.cover(self.no_revoke, self.one)
        unknown = [ChartWay(replies, (), 0) for replies in map(self._said, none)]
        left_column = [*self._left()]
        right = 3 + bool(unknown) + len(left_column) + bool(self.rare)
        yield ChartBox(1, "revoke", "whole", laws=self._laws(self.established, "revokes"), to=2)
        if unknown:
            yield ChartBox(2, "unknown-to-law", "whole", tuple(unknown), to=3)
        start = 2 + bool(unknown)
        yield ChartBox(start, "established", "whole", tuple(_joined([*self._establishing(right)])), to=start + 1)
        for number, (name, laws) in enumerate(left_column, start + 1):
            yield ChartBox(number, name, "left", laws=laws, to=number + 1 if number < right - 1 else 0)
        if self.rare:
            to = right + bool(self.late)
            ways = []
            for answers, rare in self.rare.items():
                replies = self._said(answers)
                if self.late and not self.all_given((*answers, *self.late)) & self.all_the_same:
                    ((number, late),) = self.late  # with another answer than that of the box that asks for it
                    question = self.questions[number]
                    replies = (*replies, (question.id, tuple(answer for answer in question.answers if answer != late)))
                ways.append(ChartWay(replies, tuple(rare), to))
            yield ChartBox(right - 1, "all-the-same", "left", tuple(ways))
        yield from self._right(right, start + 1)

    def _establishing(self, right: int) -> Iterator[ChartWay]:
        """What establishes a revoke; with an unusual answer that is given wherever it does so for the first time."""
        covered = 0
        for answers in self.on:
            bits = self.all_given(answers) & self.established & ~self.is_late
            new = bits & ~covered
            covered |= bits
            singles = {answers[0] for answers in self.on if len(answers) == 1}
            besides = self.shared_unusual(new, singles, answers) if len(answers) < PAIRS else ()
            yield ChartWay((*self._said(besides), *self._said(answers)), self._laws(new, "status"), right)

    def _left(self) -> Iterator[tuple[BoxName, tuple[str, ...]]]:
        """What is done with a revoke that is not established: by the hand that revoked first alone, then by others."""
        plain = self.corrected & self.ordinary & ~self.is_late
        corrected, usual = self._laws(plain, "status"), self.universe.least_unusual(plain, 2)
        yield "corrected", corrected
        his, others = set[str](), set[str]()
        for ruling in (self.ruling(bits & usual) for bits in self.run.acts.values() if bits & usual):  # of each outcome
            revoker = set(ruling.certainty.completions.values[0, "hand"])
            for fact in (fact for section in DONE for fact in ruling.facts(section)):
                fields = ruling.edition.vocabulary.kind_of(fact).fields
                hands = {value for field, value in zip(fields, fact[1:], strict=True) if field.type == "seat"} - {None}
                (his if hands == revoker else others).update(ruling.citations.laws(fact))
        if cards := [*self._sorted(his.difference(corrected)), *self._sorted(others.difference(corrected, his))]:
            yield "cards", tuple(cards)

    def _all_the_same(self) -> Mapping[tuple[Pick, ...], list[str]]:
        """With what answers a revoke is corrected and costs tricks as if it were established, and by which laws."""
        must = (self.corrected | self.all_the_same) & ~self.went_on
        elsewhere = self.established | self.universe.least_unusual(self.corrected & self.ordinary & ~self.is_late, 2)
        rare = [law for law, bits in self.run.clauses.items() if bits & self.all_the_same and not bits & elsewhere]
        by_answers: dict[tuple[Pick, ...], list[str]] = {}
        for law in self._sorted(law for law in rare if self.run.edition.clauses[law].encoded_as != "definition"):
            for answers in self.cover(self.run.clauses[law] & must, must, PAIRS)[0]:
                by_answers.setdefault(answers, []).append(law)
        return by_answers

    def _right(self, start: int, corrected: int) -> Iterator[ChartBox]:
        """What an established revoke costs; what is known to cost so much goes on to what always holds."""
        core = self.established & self.ordinary & ~union(map(self.all_given, self.free)) & ~self.is_late
        costs = {cost: bits & core for cost, bits in self.costs.items() if bits & core}
        free = start + bool(self.is_late)
        boxes = [*self._core(costs, free + 1, core)]
        always = tuple(law for law in self._laws(core, DIRECTOR) if not self.established & ~self.run.clauses[law])
        last = free + len(boxes) + 1 if always else 0
        if self.is_late:
            yield ChartBox(start, "late", "right", tuple(self._late_ways(corrected)), to=free, then=last)
        laws_told = {law for box in boxes for way in box.ways for law in way.laws}
        yield ChartBox(free, "free", "right", tuple(_joined(self._free(laws_told))), to=free + 1, then=last)
        yield from (replace(box, then=last) for box in boxes)
        if always:
            yield ChartBox(last, "always", "whole", laws=always)

    def _free(self, laws_told: set[str]) -> Iterator[ChartWay]:
        """The exceptions: of one revoke, then such as two bring, as far as their laws are not known already."""
        for answers in self.free:
            if answers != self.late:
                laws = self._exempt(self.all_given(answers) & self.established & ~self.is_late)
                laws_told.update(laws)
                yield ChartWay(self._said(answers), laws, 0, NO_COST)
        for answers, bits, of_two in self.free_of_two():
            laws = self._exempt(bits)
            if laws and not laws_told.issuperset(laws):
                laws_told.update(laws)
                needs = self.questions[answers[0][0]].when[:1]  # the answer that lets their question be asked
                asked = [(name, tuple(among)) for need in needs for name, among in need.items()]
                yield ChartWay((*asked, *self._said(answers)), laws, 0, NO_COST, of_two)

    def _late_ways(self, corrected: int) -> Iterator[ChartWay]:
        among = self.is_late & self.went_on & self.ordinary
        laws, ways = self._exempt(self.established & among), list[ChartWay]()
        for answers in self.cover(self.established & among, among, PAIRS)[0]:
            all_answers = (*self.late, *answers)
            while len(answers) == PAIRS and (
                more := self.shared_unusual(self.all_given(all_answers) & self.established, all_answers, answers)
            ):
                all_answers += more
            ways.append(ChartWay(self._said(all_answers), laws, 0, NO_COST))
        yield from _joined(ways)
        yield ChartWay(self._said(self.late), self._laws(self.corrected & among, "status"), corrected)

    def _end(self, replies: tuple[Reply, ...], among: Bits, cost: Cost) -> ChartWay:
        return ChartWay(replies, self._costing(among, cost), 0, cost)

    def _costing(self, among: Bits, cost: Cost) -> tuple[str, ...]:
        if not cost:
            return self._exempt(among)
        if any(entry[0] == AUTOMATIC for entry in cost):
            return self.ruling(among).revokes[-1].automatic_by
        return self._laws(among, *COSTS)

    def _exempt(self, among: Bits) -> tuple[str, ...]:
        return self.ruling(among).revokes[-1].exempt_by if among else ()


def _joined(ways: Iterable[ChartWay]) -> Iterator[ChartWay]:
    """Ways with the same laws and end that differ in the answers to one question made one."""
    kept: list[ChartWay] = []
    for way in ways:
        joined = ((nth, both) for nth, earlier in enumerate(kept) if (both := _both(earlier, way)) is not None)
        nth, both = next(joined, (len(kept), way))
        kept[nth : nth + 1] = [both]
    yield from kept


def _both(way: ChartWay, new: ChartWay) -> ChartWay | None:
    alike = [q for q, _ in way.replies] == [q for q, _ in new.replies] and way.laws == new.laws and way.to == new.to
    differ = [nth for nth, (a, b) in enumerate(zip(way.replies, new.replies, strict=False)) if a != b]
    if not alike or len(differ) != 1:
        return None
    replies = [*way.replies]
    question, answers = replies[differ[0]]
    replies[differ[0]] = question, (*answers, *new.replies[differ[0]][1])
    return replace(way, replies=tuple(replies))


def chart_of(law: Law, matter: str = REVOKE) -> Chart:
    """The chart of a matter; InputError where the law has no rules on it."""
    counsel = Counsel.of(law, matter)
    return OrdinaryChart(counsel) if matter == REVOKE else Chart(counsel)
