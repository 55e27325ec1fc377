"""Why a clause applies, or why it does not: the situations nearest to this one in which it would, found and told.

Every finding about a revoke is let free, and the rules on which the clause depends are run once on all situations that
there then are. What is told was found in the set in which the clause applies, and nothing in that set is nearer. Where
no finding can bring it about, it is told of each rule which conditions hold and which do not.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import combinations, islice
from typing import Final, TypeAlias

from facts.cards import part_of
from facts.errors import InputError
from facts.fact import Fact, Value
from facts.observe import OBSERVED
from facts.table import FindingKind
from facts.templates import variables
from kb.engine.plain import meets
from kb.engine.plain import ways_to_fire as ways_of
from kb.engine.proof import Proof, Step
from kb.engine.sets import Sets
from kb.explain.as_text import reason_line
from kb.explain.hinge import answer_words, of_revoke, question_words
from kb.explain.page import Line, Page, Part
from kb.explain.words import Speaker, names
from kb.language.model import Clause, Edition
from kb.language.rule import Condition, Rule, Tally
from kb.language.texts import fill
from kb.ruling.certainty import Certainty
from kb.ruling.reasons import known_of_play
from kb.ruling.ruling import Ruling
from kb.space.bits import first
from kb.space.choices import NOT_SAID, meant
from kb.space.completions import MOST_COMPLETIONS, Completions
from kb.space.layout import BOARD, FindingKey, Sayable, ValueGroup
from kb.space.nearest_situations import (
    LATE,
    Around,
    Elsewhere,
    NearestWay,
    blank,
    nearest,
    other_parts,
    other_tricks,
    ways_into,
)
from kb.space.outcomes import EditionRun

MOST_MET: Final = 200
"""So many ways to meet all conditions are looked at for the one with the least in its way."""


@dataclass(frozen=True, slots=True)
class Unmet:
    rule: Rule
    met: tuple[Fact, ...] = ()
    """Facts that fit its first conditions, together."""
    values: Mapping[str, Value] = field(default_factory=dict)
    """The values of variables that they give."""
    missing: Condition | Tally | None = None
    """The condition after those, which nothing fits; None if all of them are met."""
    blocking: tuple[Fact, ...] = ()
    """If all are met: the facts that keep it from firing."""

    @property
    def lacking(self) -> int:
        """How many of its conditions were not come to, or stood in the way."""
        return len((*self.rule.wanted, *self.rule.tallies)) - len(self.met) + len(self.blocking)


def unmet(rule: Rule, proof: Proof) -> Unmet:
    """Why a rule did not fire; the numbers that it asks for come after its other conditions."""
    vocabulary = proof.program.vocabulary
    facts = {read.kind: proof.facts(read.kind) for read in rule.conditions()}
    items: list[Condition | Tally] = [*rule.wanted, *rule.tallies]
    for number in range(len(items), -1, -1):
        ways = list(islice(ways_of(vocabulary, replace(rule, when=tuple(items[:number]), unless=()), facts), MOST_MET))
        if ways and number == len(items):
            blocked = []
            for way in ways:
                unless = ((item, fact) for item in rule.unless for fact in facts[item.kind])
                blocked.append((way, tuple(fact for item, fact in unless if meets(vocabulary, item, fact, way.values))))
            way, blocking = min(blocked, key=lambda pair: len(pair[1]))
            return Unmet(rule, way.premises, way.values, None, blocking)
        if ways:
            return Unmet(rule, ways[0].premises, ways[0].values, items[number])
    raise AssertionError("no condition at all is always met")


@dataclass(frozen=True)
class Depending:
    edition: Edition
    clause: Clause
    rules: tuple[Rule, ...]
    """Its rules, and all whose conclusions they read, however far behind; in the order of the book."""
    kinds: frozenset[str]
    """The kinds of fact that they read."""

    @staticmethod
    def of(edition: Edition, clause: Clause, base: Completions) -> Depending:
        """Without the rules that ask for what only events state that did not happen."""
        concluding: dict[str, list[Rule]] = {}
        for rule in _can_fire(edition, base):
            for then in rule.then:
                concluding.setdefault(then.kind, []).append(rule)
        by_id: dict[str, Rule] = {}
        waiting = list(clause.rules)
        while waiting:
            rule = waiting.pop()
            if rule.id not in by_id:
                by_id[rule.id] = rule
                waiting += [concluder for read in rule.conditions() for concluder in concluding.get(read.kind, ())]
        kinds = frozenset(read.kind for rule in by_id.values() for read in rule.conditions())
        return Depending(edition, clause, tuple(rule for rule in edition.rules if rule.id in by_id), kinds)

    @property
    def findings(self) -> tuple[str, ...]:
        """The findings that state what it reads."""
        stating = self.edition.table.findings.items()
        return tuple(name for name, kind in stating if not self.kinds.isdisjoint(_states(kind)))

    def alone(self, sayable: Sayable) -> frozenset[str]:
        """The findings that it does not read and that hang together with no other: they stay as they are."""
        table = self.edition.table
        linked_names = {name for kind in table.findings.values() for name in kind.depends_on}
        linked_names.update(*(rule.when for rule in table.impossible))
        looked_at = [{item.kind for item in rule.conditions()} for rule in sayable.rules]

        def is_alone(kind: FindingKind) -> bool:
            return not self.kinds & kind.kinds and all(kind.kinds >= read for read in looked_at if kind.kinds & read)

        return frozenset(name for name, kind in table.findings.items() if name not in linked_names and is_alone(kind))

    def sayable(self, base: Completions) -> Sayable:
        """What can be said that matters: also findings without which those that matter cannot be as they are said."""
        table = self.edition.table
        names = {name for (_, name), choice in base.choices.items() if choice.values != NOT_SAID}
        findings = {name: kind for name, kind in table.findings.items() if name in names or kind.when}
        wider = self.kinds | Sayable(table, self.edition.vocabulary).reads
        matter: set[str] = set()
        while more := {name for name, kind in findings.items() if not wider.isdisjoint(_states(kind))} - matter:
            matter |= more
            needed = set[str]()  # what must be known for one of them to have a value, or to state it
            for kind in (findings[name] for name in more):
                needed.update(name for when in kind.when for name in when)
                stated = (template for templates in (kind.states, *kind.by_value.values()) for template in templates)
                needed.update(name for template in stated for used in template.names for name in variables(used, table))
            needed.update(*(rule.when for rule in table.impossible if not matter.isdisjoint(rule.when)))
            wider = wider.union(*(_states(findings[name]) for name in needed & findings.keys()))
        return Sayable(table, self.edition.vocabulary, wider)


def _can_fire(edition: Edition, base: Completions) -> Iterator[Rule]:
    """The rules whose conditions could all be met, whatever is found out."""
    may_be = {*OBSERVED, *base.facts}.union(*(kind.kinds for kind in edition.table.findings.values()))
    waiting = {rule.id: rule for rule in edition.rules}
    while able := [rule for rule in waiting.values() if may_be.issuperset(item.kind for item in rule.wanted)]:
        for rule in able:
            may_be.update(then.kind for then in waiting.pop(rule.id).then)
        yield from able


def _states(kind: FindingKind) -> Iterator[str]:
    return (template.kind for templates in (kind.states, *kind.by_value.values()) for template in templates)


NearestFound: TypeAlias = tuple[int, tuple[NearestWay, ...], int]
"""How many things would have to be otherwise; in which ways, none if nothing helps; and how many ways more."""
NO_WAY: Final[NearestFound] = 0, (), 0
MOST_TOLD: Final = 2
"""Ways that are told; the others are counted."""
MOST_LAID_OUT: Final = 8 * MOST_COMPLETIONS
"""Situations of one question together: it looks at up to eight layouts for each revoke, if they are as large as those
of a ruling may be."""
TOGETHER: Final = (1, 2)
"""How many findings are otherwise together where there are too many situations for all of them."""
RESULT_KIND: Final = "table"
"""The kind of fact that tells the result."""


@dataclass(frozen=True, slots=True)
class WhyNot:
    clause: Clause
    applies: bool
    steps: tuple[Step, ...] = ()
    """If it applies, the steps of its rules."""
    least: int = 0
    """If there are ways: how many things would have to be otherwise; 0 where it depends on what is not known."""
    ways: tuple[NearestWay, ...] = ()
    """The nearest ways in which it would apply, at most TOLD."""
    more: int = 0
    """Ways as near as these, not told."""
    unmet: tuple[Unmet, ...] = ()
    """If there is no way: why each rule did not fire, those that lack least first."""


def why_not(ruling: Ruling, ref: str) -> WhyNot:
    """The answer for a clause; KeyError if the edition has none of that number, InputError where too little is said."""
    clause = ruling.edition.clauses[ref]
    if steps := _steps(ruling, clause):
        return WhyNot(clause, True, steps)
    least, near, more = _ways(ruling, clause)
    missed = () if near else sorted((unmet(rule, ruling.proof) for rule in clause.rules), key=lambda miss: miss.lacking)
    return WhyNot(clause, False, (), least, near, more, tuple(missed))


def _steps(ruling: Ruling, clause: Clause) -> tuple[Step, ...]:
    """The steps of a clause that certainly applies, maybe not always by the same ones."""

    def of_clause(proof: Proof) -> tuple[Step, ...]:
        return tuple(step for step in proof.steps if step.rule.clause == clause.ref)

    steps = of_clause(ruling.proof)
    if steps or ruling.certainty.among & ~ruling.certainty.run.clauses.get(clause.ref, 0):
        return steps
    return of_clause(ruling.certainty.alone(first(ruling.certainty.among)))


def _ways(ruling: Ruling, clause: Clause) -> NearestFound:
    if not clause.rules:
        return NO_WAY
    base = ruling.certainty.completions
    on = Depending.of(ruling.edition, clause, base)
    sayable, sets = on.sayable(base), Sets(ruling.edition.vocabulary, on.rules, ruling.certainty.law.program.sets)
    beside = [name for name in ruling.edition.table.findings if name not in on.findings]
    laid = _Laid(base, sayable, beside, on.alone(sayable))
    for attempt in _attempts(base, RESULT_KIND in on.kinds):
        result = _nearest(ruling, clause, laid.out(attempt, [None]), sets)
        if laid.refused:  # too many situations: exact as far as it goes, and nothing further off is told
            arounds = (laid.out(attempt, combinations(on.findings, many)) for many in TOGETHER)
            return next((near for few in arounds if (near := _nearest(ruling, clause, few, sets))[1]), NO_WAY)
        if result[1]:
            return result
    return NO_WAY


def _attempts(base: Completions, needs_result: bool) -> Iterator[list[Elsewhere]]:
    """What is tried, each only where nothing before it helps: the result is kept if it can be, and who revoked."""
    blanks = [blank(base, number) for number, _ in enumerate(base.incident.revokes)]
    yield _with_other_tricks(blanks)
    agreed = base.incident.tricks is not None and base.incident.play is None and not needs_result
    free = [Elsewhere(replace(blank.incident, tricks=None), blank.number, ("tricks",)) for blank in blanks if agreed]
    yield _with_other_tricks(free)
    played = [replace(blank, moved=()) for blank in free]  # by another side, so with another result
    yield _with_other_tricks([moved for blank in played or blanks for moved in other_parts(blank, base.table.parts)])


def _with_other_tricks(blanks: Iterable[Elsewhere]) -> list[Elsewhere]:
    return [each for blank in blanks for each in (blank, *other_tricks(blank))]


class _Laid:
    """The situations that one question lays out, one layout after another."""

    def __init__(self, base: Completions, sayable: Sayable, beside: Collection[str], alone: Collection[str]) -> None:
        self.base, self.sayable = base, sayable
        self.free = sayable.table.findings.keys() - alone
        self.fewer = ((), beside, sayable.table.findings)
        """Where there are too many: few numbers of what only hangs together with the rest, or of everything."""
        self.refused, self._situations = False, 0

    def out(self, attempt: Iterable[Elsewhere], otherwise: Iterable[Collection[str] | None]) -> Iterator[Around]:
        """Those around each of these; InputError when all together are too many."""
        several = list(otherwise)
        for elsewhere in attempt:
            for free in several:
                if (around := self._around(elsewhere, free)) is None:
                    self.refused = True
                    if free is None:  # what is nearest is not known without this one
                        return
                    continue
                self._situations += around.size
                if self._situations > MOST_LAID_OUT:
                    problem = f"there are more than {MOST_LAID_OUT:,} situations around what is said of these revokes"
                    raise InputError.of(
                        self.base.incident.place, problem, "say more of them, such as who won each trick"
                    )
                yield around

    def _around(self, elsewhere: Elsewhere, free: Collection[str] | None) -> Around | None:
        for few in self.fewer:
            with suppress(InputError):
                return Around(self.base, elsewhere, self.sayable, self.free if free is None else free, few)
        return None


def _nearest(ruling: Ruling, clause: Clause, arounds: Iterable[Around], sets: Sets) -> NearestFound:
    """The nearest situations in which a clause applies, and the ways to them; no layout is held but those told of."""

    def presumed(way: NearestWay) -> int:
        """How many things would be otherwise that nobody has stated: ways with few of them come first."""
        return sum(way.around.base.choices[key].how == "presumed" for key in way.changes)

    least, near_ways, distinct = 0, list[NearestWay](), list[object]()
    for around in arounds:
        situations = EditionRun(ruling.edition, around.situations, sets).clauses.get(clause.ref, 0)
        del vars(around)["facts"]  # which takes more room than all that is told of it
        number, near = nearest(situations, around.same.values())
        number += len(around.moved)
        if not near or (distinct and number > least):
            continue
        if number < least:
            near_ways, distinct = [], []
        least = number
        for way in ways_into(around, situations, near):
            # what hinges only on what is not known may be found around every revoke
            if (words := (way.changes, way.conditions, around.moved)) not in distinct:
                distinct.append(words)
                near_ways.append(way)
        near_ways = sorted(near_ways, key=presumed)[:MOST_TOLD]
    return least, tuple(near_ways), len(distinct) - len(near_ways)


LISTENED: Final = 2
"""So many statements are told in one sentence."""


def answer_page(ruling: Ruling, answer: WhyNot, speaker: Speaker) -> Page:
    clause, speaker = answer.clause, speaker.of(ruling)
    law = speaker.laws([clause.ref]) if ruling.citations.is_law(clause.ref) else clause.ref
    says = Line(f"{law}: {clause.says[speaker.lang]}")
    if not clause.rules:
        encoded = speaker.words.name("encoding", clause.encoded_as, speaker.lang)
        return Page("", (Line(speaker.phrase("why-no-rule", law=law, encoding=encoded)), says))
    if answer.applies:
        reasons = dict.fromkeys(reason_line(step, speaker) for step in answer.steps)
        return Page("", (Line(speaker.phrase("why-applies", law=law)), says, *reasons))
    if not answer.ways:
        near = [miss for miss in answer.unmet if _met(speaker, miss)] or answer.unmet  # others only keep the books
        each = tuple(dict.fromkeys(tuple(_conditions(ruling, speaker, miss)) for miss in near))
        parts = [Part(speaker.phrase("why-rule", n=nth), lines) for nth, lines in enumerate(each[:MOST_TOLD], 1)]
        if further := len(each[MOST_TOLD:]):
            parts.append(Part(f"{speaker.phrase('why-further', n=further)}.", ()))
        return Page("", (Line(speaker.phrase("why-not", law=law)), says), tuple(parts))
    n = answer.least
    title = speaker.phrase("why-several" if n > 1 else "why-one" if n else "why-unknown", n=n)
    lines = []  # the ways, each with what is so instead, and how many more there are
    for way in answer.ways:
        now = (Line(speaker.capital(words)) for words in now_words(ruling, way, speaker))
        lines.append(Line(speaker.capital(way_words(ruling, way, speaker)), (), tuple(now)))
    if answer.more:
        lines.append(Line(speaker.phrase("why-more", n=answer.more)))
    return Page("", (Line(_short(ruling, speaker, answer, law)), says), (Part(title, tuple(lines)),))


def _short(ruling: Ruling, speaker: Speaker, answer: WhyNot, law: str) -> str:
    """The answer in a sentence, with the first way if that is no longer than one can listen to."""
    way = answer.ways[0]
    if len((*way.around.moved, *way.changes, *way.conditions)) > LISTENED:
        return speaker.phrase("why-not" if answer.least else "why-open", law=law)
    if answer.least and (condition := _condition(ruling, way, speaker)):
        return speaker.phrase("why-would-when", law=law, way=condition)
    key = "why-would" if answer.least else "why-if"
    return speaker.phrase(key, law=law, way=way_words(ruling, way, speaker))


def _condition(ruling: Ruling, way: NearestWay, speaker: Speaker) -> str:
    """One thing that would be otherwise, with the names of the hands; empty where it is not told so."""
    if way.around.moved or way.conditions or len(way.changes) != 1:
        return ""
    (((number, name), values),) = way.changes.items()
    table = way.around.table
    kind = way.around.about(number).findings.get(name)
    if kind is None or len(ruling.revokes) != 1:
        return ""
    places, phrases, remaining = [place for place, _ in way.around.places(number)], list[str](), set(values)
    for answer, if_ in kind.if_.items():
        its = {value for place in places for value in meant(kind, answer, place, table)}
        if remaining & its and its & set(values) <= remaining:
            phrases.append(fill(if_[speaker.lang], names(ruling.revokes[0], ruling, speaker)))
            remaining -= its
    return "" if remaining else speaker.phrase("book-or").join(phrases)


def way_words(ruling: Ruling, way: NearestWay, speaker: Speaker) -> str:
    """What would have to be otherwise, and what else must hold then."""
    certainty = ruling.certainty
    there = Certainty(certainty.law, way.around, certainty.run, way.around.possible)  # to be asked for its words
    phrases = [_moved(way, name, speaker) for name in way.around.moved]
    phrases += [
        statement_words(ruling, there, key, values, speaker)
        for key, values in (*way.changes.items(), *way.conditions.items())
    ]
    return speaker.phrase("why-and").join(phrases)


def now_words(ruling: Ruling, way: NearestWay, speaker: Speaker) -> Iterator[str]:
    for key in way.changes:
        values = tuple(value for value in ruling.certainty.completions.choices[key].values if value is not None)
        if values and not way.around.lacks(key[1]):
            yield speaker.phrase("why-now", now=statement_words(ruling, ruling.certainty, key, values, speaker))


def _moved(way: NearestWay, name: str, speaker: Speaker) -> str:
    revoke, declarer = way.around.incident.revokes[way.around.number], way.around.incident.declarer
    if name == "player":
        part = revoke.player if revoke.hand is None else part_of(revoke.hand, declarer)
        return speaker.phrase("why-part", by=speaker.value(part, "role"))
    if name == "trick":
        return speaker.phrase("why-late" if revoke.trick == LATE else "why-before")
    return speaker.phrase("why-tricks")


def statement_words(ruling: Ruling, certainty: Certainty, key: FindingKey, values: ValueGroup, speaker: Speaker) -> str:
    """«the trick was won by an opponent's card»; of several revokes it says which, as the ruling names it."""
    number, name = key
    if number != BOARD and name == "hand":
        return speaker.phrase("why-part", by=answer_words(certainty, key, values, speaker))
    kind = certainty.completions.about(number).findings.get(name)
    answer = answer_words(certainty, key, values, speaker)
    if kind is None or not kind.about:
        return f"{question_words(certainty, key, speaker)} {answer}"
    return of_revoke(ruling.certainty, number, speaker, f"{kind.about[speaker.lang]} {answer}")


def _conditions(ruling: Ruling, speaker: Speaker, miss: Unmet) -> Iterator[Line]:
    yield from (Line(speaker.phrase("why-holds", fact=words)) for words in _met(speaker, miss))
    if miss.missing is not None:
        play = known_of_play(ruling.proof, miss.missing.condition, miss.values)
        yield Line(speaker.phrase("why-missing", fact=speaker.pattern(miss.missing.condition, miss.values, play)))
    for fact in miss.blocking:
        yield Line(speaker.phrase("why-blocked", fact=speaker.fact(fact)), ruling.citations.laws(fact))


def _met(speaker: Speaker, miss: Unmet) -> list[str]:
    return list(dict.fromkeys(speaker.fact(fact) for fact in miss.met if fact[0] in speaker.vocabulary.kinds))
