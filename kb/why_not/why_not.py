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
from facts.observe import OBSERVED, Fact, Value, variables
from facts.table import FindingKind
from kb.engine.plain import fits
from kb.engine.plain import ways as ways_of
from kb.engine.proof import Proof, Step
from kb.engine.sets import Sets
from kb.explain.hinge import answered, asked, of_revoke
from kb.explain.page import Line, Page, Part
from kb.explain.say import Speaker, names
from kb.explain.text import because
from kb.language.model import Clause, Edition
from kb.language.rule import Condition, Rule, Tally
from kb.language.texts import fill
from kb.ruling.opening import Opening
from kb.ruling.reasons import known_of_play
from kb.ruling.ruling import Ruling
from kb.space.around import LATE, Around, Elsewhere, NearestWay, blank, in_other_parts, nearest, on_other_tricks, ways
from kb.space.bits import first
from kb.space.choices import NOT_SAID, meant
from kb.space.completions import MOST as MOST_WAYS
from kb.space.completions import Completions
from kb.space.layout import BOARD, Group, Key, Sayable
from kb.space.outcome import EditionRun

MOST: Final = 200
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
        found = list(islice(ways_of(vocabulary, replace(rule, when=tuple(items[:number]), unless=()), facts), MOST))
        if found and number == len(items):
            blocked = []
            for way in found:
                unless = ((item, fact) for item in rule.unless for fact in facts[item.kind])
                blocked.append((way, tuple(fact for item, fact in unless if fits(vocabulary, item, fact, way.values))))
            way, blocking = min(blocked, key=lambda one: len(one[1]))
            return Unmet(rule, way.premises, way.values, None, blocking)
        if found:
            return Unmet(rule, found[0].premises, found[0].values, items[number])
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
        found: dict[str, Rule] = {}
        waiting = list(clause.rules)
        while waiting:
            rule = waiting.pop()
            if rule.id not in found:
                found[rule.id] = rule
                waiting += [other for read in rule.conditions() for other in concluding.get(read.kind, ())]
        kinds = frozenset(read.kind for rule in found.values() for read in rule.conditions())
        return Depending(edition, clause, tuple(rule for rule in edition.rules if rule.id in found), kinds)

    @property
    def findings(self) -> tuple[str, ...]:
        """The findings that state what it reads."""
        stating = self.edition.table.findings.items()
        return tuple(name for name, kind in stating if not self.kinds.isdisjoint(_states(kind)))

    def alone(self, sayable: Sayable) -> frozenset[str]:
        """The findings that it does not read and that hang together with no other: they stay as they are."""
        table = self.edition.table
        named = {name for one in table.findings.values() for name in one.depends_on}
        named.update(*(one.when for one in table.impossible))
        looked_at = [{item.kind for item in rule.conditions()} for rule in sayable.rules]

        def is_alone(kind: FindingKind) -> bool:
            return not self.kinds & kind.kinds and all(kind.kinds >= one for one in looked_at if kind.kinds & one)

        return frozenset(name for name, kind in table.findings.items() if name not in named and is_alone(kind))

    def sayable(self, base: Completions) -> Sayable:
        """What can be said that matters: also findings without which those that matter cannot be as they are said."""
        table, said = self.edition.table, {name for (_, name), one in base.choices.items() if one.values != NOT_SAID}
        findings = {name: kind for name, kind in table.findings.items() if name in said or kind.when}
        wider = self.kinds | Sayable(table, self.edition.vocabulary).reads
        matter: set[str] = set()
        while more := {name for name, kind in findings.items() if not wider.isdisjoint(_states(kind))} - matter:
            matter |= more
            named = set[str]()  # what must be known for one of them to have a value, or to state it
            for kind in (findings[one] for one in more):
                named.update(name for when in kind.when for name in when)
                stated = (one for some in (kind.states, *kind.by_value.values()) for one in some)
                named.update(name for one in stated for used in one.names for name in variables(used, table))
            named.update(*(one.when for one in table.impossible if not matter.isdisjoint(one.when)))
            wider = wider.union(*(_states(findings[name]) for name in named & findings.keys()))
        return Sayable(table, self.edition.vocabulary, wider)


def _can_fire(edition: Edition, base: Completions) -> Iterator[Rule]:
    """The rules whose conditions could all be met, whatever is found out."""
    may_be = {*OBSERVED, *base.facts}.union(*(kind.kinds for kind in edition.table.findings.values()))
    left = {rule.id: rule for rule in edition.rules}
    while able := [rule for rule in left.values() if may_be.issuperset(item.kind for item in rule.wanted)]:
        for rule in able:
            may_be.update(then.kind for then in left.pop(rule.id).then)
        yield from able


def _states(kind: FindingKind) -> Iterator[str]:
    return (one.kind for some in (kind.states, *kind.by_value.values()) for one in some)


Found: TypeAlias = tuple[int, tuple[NearestWay, ...], int]
"""How many things would have to be otherwise; in which ways, none if nothing helps; and how many ways more."""
NOTHING: Final[Found] = 0, (), 0
TOLD: Final = 2
"""Ways that are told; the others are counted."""
MOST_LAID_OUT: Final = 8 * MOST_WAYS
"""Situations of one question together: it looks at up to eight layouts for each revoke, if they are as large as those
of a ruling may be."""
TOGETHER: Final = (1, 2)
"""How many findings are otherwise together where there are too many situations for all of them."""
RESULT: Final = "table"
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
    least, found, more = _ways(ruling, clause)
    missed = () if found else sorted((unmet(rule, ruling.proof) for rule in clause.rules), key=lambda one: one.lacking)
    return WhyNot(clause, False, (), least, found, more, tuple(missed))


def _steps(ruling: Ruling, clause: Clause) -> tuple[Step, ...]:
    """The steps of a clause that certainly applies, maybe not always by the same ones."""

    def of_clause(proof: Proof) -> tuple[Step, ...]:
        return tuple(step for step in proof.steps if step.rule.clause == clause.ref)

    steps = of_clause(ruling.proof)
    if steps or ruling.opening.among & ~ruling.opening.run.clauses.get(clause.ref, 0):
        return steps
    return of_clause(ruling.opening.alone(first(ruling.opening.among)))


def _ways(ruling: Ruling, clause: Clause) -> Found:
    if not clause.rules:
        return NOTHING
    base = ruling.opening.completions
    on = Depending.of(ruling.edition, clause, base)
    sayable, sets = on.sayable(base), Sets(ruling.edition.vocabulary, on.rules, ruling.opening.law.program.sets)
    beside = [name for name in ruling.edition.table.findings if name not in on.findings]
    laid = _Laid(base, sayable, beside, on.alone(sayable))
    for attempt in _attempts(base, RESULT in on.kinds):
        found = _nearest(ruling, clause, laid.out(attempt, [None]), sets)
        if laid.refused:  # too many situations: exact as far as it goes, and nothing further off is told
            some = (laid.out(attempt, combinations(on.findings, many)) for many in TOGETHER)
            return next((near for few in some if (near := _nearest(ruling, clause, few, sets))[1]), NOTHING)
        if found[1]:
            return found
    return NOTHING


def _attempts(base: Completions, needs_result: bool) -> Iterator[list[Elsewhere]]:
    """What is tried, each only where nothing before it helps: the result is kept if it can be, and who revoked."""
    own = [blank(base, number) for number, _ in enumerate(base.incident.revokes)]
    yield _with_other_tricks(own)
    known = base.incident.tricks is not None and base.incident.play is None and not needs_result
    free = [Elsewhere(replace(one.incident, tricks=None), one.number, ("tricks",)) for one in own] if known else []
    yield _with_other_tricks(free)
    played = [replace(one, moved=()) for one in free]  # by another side, so with another result
    yield _with_other_tricks([other for one in played or own for other in in_other_parts(one, base.table.parts)])


def _with_other_tricks(some: Iterable[Elsewhere]) -> list[Elsewhere]:
    return [each for one in some for each in (one, *on_other_tricks(one))]


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
        for one in attempt:
            for free in several:
                if (around := self._around(one, free)) is None:
                    self.refused = True
                    if free is None:  # what is nearest is not known without this one
                        return
                    continue
                self._situations += around.size
                if self._situations > MOST_LAID_OUT:
                    what = f"there are more than {MOST_LAID_OUT:,} situations around what is said of these revokes"
                    raise InputError.of(self.base.incident.place, what, "say more of them, such as who won each trick")
                yield around

    def _around(self, one: Elsewhere, free: Collection[str] | None) -> Around | None:
        for few in self.fewer:
            with suppress(InputError):
                return Around(self.base, one, self.sayable, self.free if free is None else free, few)
        return None


def _nearest(ruling: Ruling, clause: Clause, arounds: Iterable[Around], sets: Sets) -> Found:
    """The nearest situations in which a clause applies, and the ways to them; no layout is held but those told of."""

    def presumed(way: NearestWay) -> int:
        """How many things would be otherwise that nobody has stated: ways with few of them come first."""
        return sum(way.around.base.choices[key].how == "presumed" for key in way.changes)

    least, told, said = 0, list[NearestWay](), list[object]()
    for around in arounds:
        found = EditionRun(ruling.edition, around.situations, sets).clauses.get(clause.ref, 0)
        del vars(around)["facts"]  # which takes more room than all that is told of it
        number, near = nearest(found, around.same.values())
        number += len(around.moved)
        if not near or (said and number > least):
            continue
        if number < least:
            told, said = [], []
        least = number
        for way in ways(around, found, near):
            # what hinges only on what is not known may be found around every revoke
            if (words := (way.changes, way.given, around.moved)) not in said:
                said.append(words)
                told.append(way)
        told = sorted(told, key=presumed)[:TOLD]
    return least, tuple(told), len(said) - len(told)


LISTENED: Final = 2
"""So many statements are told in one sentence."""


def page(ruling: Ruling, answer: WhyNot, speaker: Speaker) -> Page:
    clause, speaker = answer.clause, speaker.of(ruling)
    law = speaker.laws([clause.ref]) if ruling.citations.is_law(clause.ref) else clause.ref
    says = Line(f"{law}: {clause.says[speaker.lang]}")
    if not clause.rules:
        encoded = speaker.words.name("encoding", clause.encoded_as, speaker.lang)
        return Page("", (Line(speaker.phrase("why-no-rule", law=law, encoding=encoded)), says))
    if answer.applies:
        reasons = dict.fromkeys(because(step, speaker) for step in answer.steps)
        return Page("", (Line(speaker.phrase("why-applies", law=law)), says, *reasons))
    if not answer.ways:
        near = [one for one in answer.unmet if _met(speaker, one)] or answer.unmet  # others only keep the books
        each = tuple(dict.fromkeys(tuple(_conditions(ruling, speaker, one)) for one in near))
        parts = [Part(speaker.phrase("why-rule", n=nth), lines) for nth, lines in enumerate(each[:TOLD], 1)]
        if further := len(each[TOLD:]):
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
    if len((*way.around.moved, *way.changes, *way.given)) > LISTENED:
        return speaker.phrase("why-not" if answer.least else "why-open", law=law)
    if answer.least and (said := _condition(ruling, way, speaker)):
        return speaker.phrase("why-would-when", law=law, way=said)
    key = "why-would" if answer.least else "why-if"
    return speaker.phrase(key, law=law, way=way_words(ruling, way, speaker))


def _condition(ruling: Ruling, way: NearestWay, speaker: Speaker) -> str:
    """One thing that would be otherwise, with the names of the hands; empty where it is not told so."""
    if way.around.moved or way.given or len(way.changes) != 1:
        return ""
    (((number, name), values),) = way.changes.items()
    table = way.around.table
    kind = way.around.about(number).findings.get(name)
    if kind is None or len(ruling.revokes) != 1:
        return ""
    places, told, left = [given for given, _ in way.around.places(number)], list[str](), set(values)
    for answer, if_ in kind.if_.items():
        its = {value for given in places for value in meant(kind, answer, given, table)}
        if left & its and its & set(values) <= left:
            told.append(fill(if_[speaker.lang], names(ruling.revokes[0], ruling, speaker)))
            left -= its
    return "" if left else speaker.phrase("book-or").join(told)


def way_words(ruling: Ruling, way: NearestWay, speaker: Speaker) -> str:
    """What would have to be otherwise, and what else must hold then."""
    opening = ruling.opening
    there = Opening(opening.law, way.around, opening.run, way.around.possible)  # to be asked for its words
    told = [_moved(way, name, speaker) for name in way.around.moved]
    told += [
        statement(ruling, there, key, values, speaker) for key, values in (*way.changes.items(), *way.given.items())
    ]
    return speaker.phrase("why-and").join(told)


def now_words(ruling: Ruling, way: NearestWay, speaker: Speaker) -> Iterator[str]:
    for key in way.changes:
        values = tuple(value for value in ruling.opening.completions.choices[key].values if value is not None)
        if values and not way.around.lacks(key[1]):
            yield speaker.phrase("why-now", now=statement(ruling, ruling.opening, key, values, speaker))


def _moved(way: NearestWay, name: str, speaker: Speaker) -> str:
    found, declarer = way.around.incident.revokes[way.around.number], way.around.incident.declarer
    if name == "player":
        part = found.player if found.hand is None else part_of(found.hand, declarer)
        return speaker.phrase("why-part", by=speaker.value(part, "role"))
    if name == "trick":
        return speaker.phrase("why-late" if found.trick == LATE else "why-before")
    return speaker.phrase("why-tricks")


def statement(ruling: Ruling, opening: Opening, key: Key, values: Group, speaker: Speaker) -> str:
    """«the trick was won by an opponent's card»; of several revokes it says which, as the ruling names it."""
    number, name = key
    if number != BOARD and name == "hand":
        return speaker.phrase("why-part", by=answered(opening, key, values, speaker))
    kind = opening.completions.about(number).findings.get(name)
    answer = answered(opening, key, values, speaker)
    if kind is None or not kind.about:
        return f"{asked(opening, key, speaker)} {answer}"
    return of_revoke(ruling.opening, number, speaker, f"{kind.about[speaker.lang]} {answer}")


def _conditions(ruling: Ruling, speaker: Speaker, one: Unmet) -> Iterator[Line]:
    yield from (Line(speaker.phrase("why-holds", fact=words)) for words in _met(speaker, one))
    if one.missing is not None:
        play = known_of_play(ruling.proof, one.missing.condition, one.values)
        yield Line(speaker.phrase("why-missing", fact=speaker.pattern(one.missing.condition, one.values, play)))
    for fact in one.blocking:
        yield Line(speaker.phrase("why-blocked", fact=speaker.fact(fact)), ruling.citations.laws(fact))


def _met(speaker: Speaker, one: Unmet) -> list[str]:
    return list(dict.fromkeys(speaker.fact(fact) for fact in one.met if fact[0] in speaker.vocabulary.kinds))
