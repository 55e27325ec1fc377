"""Makes the one-page chart of an edition from the rulings on every situation with one revoke.

The first box asks whether the revoke is established, of whatever may establish it. What is not is to be corrected: the
left column tells how, in the words of the clauses. In the right column come first the exceptions, answers whose
effect nothing else can change, those with the same effect in one box; then the questions that are left.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from facts.fact import Fact
from kb.chart.boxes import BoxName, ChartBox, ChartWay, Effect, Given, OrdinaryChart
from kb.chart.ordinary import COSTS, NOTHING, One, Ordinary
from kb.chart.parts import RELATIONS, said
from kb.engine.set_joins import Bits
from kb.interview.counsel import Counsel
from kb.language.known import AUTOMATIC, DIRECTOR, OPTIONS, RECTIFICATIONS
from kb.ruling.ruling import Ruling
from kb.space.bits import union
from kb.space.decision_diagram import Diagram, State

PAIRS: Final = 2
"""So many answers together may establish a revoke; what takes more is no ordinary situation."""


DONE: Final = (RECTIFICATIONS, OPTIONS)
"""The parts of a ruling that say what is done."""


@dataclass(frozen=True)
class Made:
    """The chart, and what it was made from."""

    chart: OrdinaryChart
    of: Ordinary
    ordinary: Bits
    """The situations that it is for."""


def ordinary_chart(counsel: Counsel) -> Made:
    """The one-page chart of an edition."""
    making = _Making(Ordinary(counsel))
    return Made(OrdinaryChart(tuple(making.boxes())), making.of, making.ordinary)


class _Making:
    """The boxes of one edition."""

    def __init__(self, of: Ordinary) -> None:
        self.of = of
        self.free, _ = of.cover(of.costs.get(NOTHING, 0), of.established)
        self.late = self._latest()
        settled = of.established | of.corrected
        among = settled & ~of.all_given(self.late) if self.late else settled
        self.on, left = of.cover(of.established & among, among, PAIRS)
        self.went_on = union(map(of.all_given, self.on))
        self.ordinary = (settled | of.no_revoke) & ~left & ~(self._late() & ~self.went_on & of.established)

    def _late(self) -> Bits:
        return self.of.all_given(self.late) & self.of.one if self.late else 0

    def _latest(self) -> tuple[One, ...]:
        """The exception without which it is plainest what establishes a revoke; empty if none is like that."""
        of = self.of

        def questions(one: tuple[One, ...]) -> int:
            without = of.all_given(one) if one else 0
            diagram, root = of.tree([of.established & ~without, of.corrected & ~without])
            return len(diagram.below(root))

        return min([(), *self.free], key=questions)

    def boxes(self) -> Iterator[ChartBox]:
        """All boxes in order; where each leads is known from their order."""
        of = self.of
        none, _ = of.cover(of.no_revoke, of.one)
        unknown = [ChartWay(given, (), 0) for given in self._given(none)]
        left = [*self._left()]
        right = 3 + bool(unknown) + len(left)
        yield ChartBox(1, "revoke", "whole", laws=self._section(of.established, "revokes"), to=2)
        if unknown:
            yield ChartBox(2, "unknown-to-law", "whole", tuple(unknown), to=3)
        at = 2 + bool(unknown)
        yield ChartBox(at, "established", "whole", tuple(_joined([*self._establishing(right)])), to=at + 1)
        for number, (name, laws) in enumerate(left, at + 1):
            yield ChartBox(number, name, "left", laws=laws, to=number + 1 if number < right - 1 else 0)
        yield from self._right(right, at + 1)

    def _establishing(self, right: int) -> Iterator[ChartWay]:
        """What establishes a revoke; with an unusual answer that is given wherever it does so for the first time."""
        of, told = self.of, 0
        for one in self.on:
            bits = of.all_given(one) & of.established & ~self._late()
            new = bits & ~told
            told |= bits
            besides = of.shared_unusual(new, {one[0] for one in self.on if len(one) == 1}) if len(one) < PAIRS else ()
            yield ChartWay((*self._said(besides), *self._said(one)), self._laws(new, "status"), right)

    def _left(self) -> Iterator[tuple[BoxName, tuple[str, ...]]]:
        """What is done with a revoke that is not established."""
        of = self.of
        plain = of.corrected & self.ordinary & ~self._late()
        usual = of.usual(plain)
        corrected = self._section(plain, "status")
        yield "corrected", corrected
        told: dict[BoxName, set[str]] = {"card": set(), "others": set()}
        for ruling in self._outcomes(usual):
            for section in DONE:
                for fact in ruling.sections.facts(section):
                    told["card" if _his(ruling, fact) else "others"].update(ruling.citations.laws(fact))
        for name, laws in told.items():
            if more := laws.difference(corrected):
                yield name, self._sorted(more)
        elsewhere = of.established | usual
        rare = {law for law, bits in of.run.clauses.items() if bits & of.all_the_same and not bits & elsewhere}
        if besides := self._sorted(law for law in rare if of.run.edition.clauses[law].encoded_as != "definition"):
            yield "all-the-same", besides

    def _right(self, at: int, corrected: int) -> Iterator[ChartBox]:
        """What an established revoke costs."""
        of, late = self.of, self._late()
        if late:
            yield ChartBox(at, "late", "right", tuple(self._late_ways(late, corrected)), to=at + 1)
            at += 1
        core = of.established & self.ordinary & ~union(map(of.all_given, self.free)) & ~late
        costs = {cost: bits & core for cost, bits in of.costs.items() if bits & core}
        boxes = [*self._core(costs, core, at + 1)]
        known = {law for box in boxes for way in box.ways for law in way.laws}
        ways = []
        for one in self.free:
            if one != self.late:
                laws = self._exempt(of.all_given(one) & of.established & ~late)
                known.update(laws)
                ways.append(ChartWay(self._said(one), laws, 0, NOTHING))
        for one in of.free_of_two():
            laws = self._exempt(of.all_given(one) & of.several)
            if laws and not known.issuperset(laws):
                known.update(laws)
                ways.append(ChartWay(self._since(one), laws, 0, NOTHING))
        yield ChartBox(at, "free", "right", tuple(_joined(ways)), to=at + 1)
        yield from boxes
        always = [law for law in self._section(core, DIRECTOR) if not of.established & ~of.run.clauses[law]]
        if always:
            yield ChartBox(at + len(boxes) + 1, "always", "whole", laws=tuple(always))

    def _late_ways(self, late: Bits, corrected: int) -> Iterator[ChartWay]:
        of = self.of
        among = late & self.went_on & self.ordinary
        stands = of.cover(of.established & among, among)[0]
        laws = self._exempt(of.established & among)
        yield from _joined([ChartWay((*self._said(self.late), *self._said(one)), laws, 0, NOTHING) for one in stands])
        yield ChartWay(self._said(self.late), self._laws(of.corrected & among, "status"), corrected)

    def _core(self, costs: Mapping[Effect, Bits], core: Bits, at: int) -> Iterator[ChartBox]:
        """The questions that are left, each with the answers that lead on or to an end."""
        diagram, root = self.of.tree([*costs.values()])
        nodes = [node for node in diagram.below(root) if diagram.outcome[node] < 0]
        numbers = {node: at + n for n, node in enumerate(nodes)}
        where = {root: core}
        for node in nodes:
            ways = []
            question = diagram.question[node]
            for below, answers in _grouped(diagram, node):
                bits = where[node] & self.of.given((question, answer) for answer in answers)
                where[below] = where.get(below, 0) | bits
                given: Given = (self.of.questions[question].id, answers)
                if below in numbers:
                    ways.append(ChartWay((given,), (), numbers[below]))
                else:
                    cost = [*costs][self.of.ends[diagram.outcome[below]]]
                    ways.append(ChartWay((given,), self._costing(bits & costs[cost], cost), 0, cost))
            yield ChartBox(numbers[node], "core", "right", tuple(ways))

    def _costing(self, among: Bits, cost: Effect) -> tuple[str, ...]:
        """The laws of a cost, or of why there is none."""
        if not cost:
            return self._exempt(among)
        ruling = self.of.ruling(among)
        if any(entry[0] == AUTOMATIC for entry in cost):
            return ruling.revokes[-1].automatic_by
        return self._sorted(law for section in COSTS for law in _laws(ruling, section))

    def _exempt(self, among: Bits) -> tuple[str, ...]:
        ruling = self.of.ruling(among)
        return ruling.revokes[-1].exempt_by

    def _laws(self, among: Bits, section: str) -> tuple[str, ...]:
        return self._sorted(_laws(self.of.ruling(among), section))

    def _section(self, among: Bits, section: str) -> tuple[str, ...]:
        return self._laws(among, section)

    def _outcomes(self, among: Bits) -> Iterator[Ruling]:
        """A ruling of each outcome that some situations have."""
        yield from (self.of.ruling(bits & among) for bits in self.of.run.acts.values() if bits & among)

    def _sorted(self, laws: Iterable[str]) -> tuple[str, ...]:
        order = list(self.of.run.edition.clauses)
        return tuple(sorted(set(laws), key=order.index))

    def _said(self, answers: tuple[One, ...]) -> tuple[Given, ...]:
        return tuple((self.of.questions[number].id, (answer,)) for number, answer in answers)

    def _since(self, answers: tuple[One, ...]) -> tuple[Given, ...]:
        """Answers with the one that lets their question be asked."""
        (number, _), *_ = answers
        needs = self.of.questions[number].when
        asked = [(name, tuple(among)) for need in needs[:1] for name, among in need.items()]
        return (*asked, *self._said(answers))

    def _given(self, answers: Iterable[tuple[One, ...]]) -> Iterator[tuple[Given, ...]]:
        return map(self._said, answers)


def _grouped(diagram: Diagram, node: State) -> Iterator[tuple[State, tuple[str, ...]]]:
    """Where the answers to a question lead; those that lead to the same place together."""
    found: dict[State, tuple[str, ...]] = {}
    for answer, below, _ in diagram.edges[node]:
        found[below] = (*found.get(below, ()), answer)
    return iter(found.items())


def _joined(ways: Iterable[ChartWay]) -> Iterator[ChartWay]:
    """Ways with the same laws and end that differ in the answers to one question made one."""
    last: ChartWay | None = None
    for way in ways:
        both = None if last is None else _both(last, way)
        if both is None and last is not None:
            yield last
        last = both or way
    if last is not None:
        yield last


def _both(one: ChartWay, other: ChartWay) -> ChartWay | None:
    alike = [q for q, _ in one.given] == [q for q, _ in other.given] and one.laws == other.laws and one.to == other.to
    differ = [at for at, (a, b) in enumerate(zip(one.given, other.given, strict=False)) if a != b]
    if not alike or len(differ) != 1:
        return None
    given = [*one.given]
    question, answers = given[differ[0]]
    given[differ[0]] = question, (*answers, *other.given[differ[0]][1])
    return replace(one, given=tuple(given))


def _his(ruling: Ruling, fact: Fact) -> bool:
    """Whether a fact is about the hand that revoked, and no other."""
    _, values = said(ruling.edition.vocabulary, ruling, fact)
    return {value for value in values if value in RELATIONS} == {RELATIONS[0]}


def _laws(ruling: Ruling, section: str) -> Iterator[str]:
    return (law for fact in ruling.sections.facts(section) for law in ruling.citations.laws(fact))
