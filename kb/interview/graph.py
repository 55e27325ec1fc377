"""An edition's flow as one graph: what is asked, the rows to tap, where each leads, and the statements of each end.

«I don't know» is no row of it: whoever walks the graph keeps every position that is possible, so nothing is presumed.
Ways on which the rest comes to the same are one: the same is asked, with the same words, and ends in the same rulings.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias
from urllib.parse import parse_qsl, urlsplit

from facts.cards import Seat, part_of
from facts.fact import Fact
from facts.form import Texts
from facts.incident import Incident
from kb.engine.bounds import Effort
from kb.engine.sets import Bits, SetJoin
from kb.explain.say import Speaker
from kb.interview.asked import AskedPage
from kb.interview.band import Ends
from kb.interview.counsel import Adviser, Counsel
from kb.interview.said import HAND, Said
from kb.language.rule import Rule
from kb.language.texts import holes
from kb.space.bits import first, merged, parts, union
from kb.space.decision_diagram import State

DECLARER: Final[Seat] = "S"
"""Where declarer sits in the graph; a table is turned to it."""

Query: TypeAlias = Mapping[str, str]
"""What has been said, as an address says it."""


@dataclass(frozen=True, slots=True)
class GraphRow:
    """A row to tap, in each language, and where it leads."""

    says: tuple[str, ...]
    more: tuple[str, ...]
    chip: tuple[str, ...]
    query: Query


@dataclass(frozen=True, slots=True)
class Asking:
    """What is asked at a node, in each language."""

    id: str
    odd: bool
    """Whether it is the screen of what might be unusual, whose last row says that nothing else was."""
    asks: tuple[str, ...]
    help: tuple[str, ...]
    bands: tuple[Mapping[str, Any], ...]
    """What is certain there."""
    unknown: Query
    """What «I don't know» adds to the address."""
    rows: tuple[GraphRow, ...]


class Graph:
    """The flow of an edition, told by speakers of several languages that name seats."""

    def __init__(self, counsel: Counsel, speakers: Collection[Speaker]) -> None:
        self.counsel, self.speakers = counsel, tuple(speakers)
        self._known: Ends = {}
        self.universe = counsel.universe
        told = self._told()
        self._stating: dict[tuple[int, str], dict[Any, Bits]] = {}
        for question, given in zip(self.universe.questions, self.universe.given, strict=True):
            for answer in question.answers.values():
                for fill in answer.fills:
                    stated = self._stating.setdefault((fill.revoke, fill.key), {})
                    stated[fill.value] = stated.get(fill.value, 0) | given[answer.id]
        finer = [there for bits in counsel.run.acts.values() for _, there in parts(bits, told)]
        self._finer = Adviser(self.universe, finer)
        """Tells rulings apart by the clauses and the words of their reasons as well."""

    def _told(self) -> dict[Any, Bits]:
        """Where what is concluded, whenever it was, and where the words of rules and sayings name what."""
        run, edition = self.counsel.run, self.counsel.law.edition
        concluded = ((self._mark(fact), bits) for fact, bits in run.ruled.items())
        fired = (edition.rules[number] for number in run.run.fired)
        rules = [rule for rule in fired if edition.clauses[rule.clause].law]
        worded = [(rule, (rule.because,)) for rule in rules] + [
            (one, (one.says, one.head)) for one in edition.spoken.sayings
        ]
        effort = Effort([rule for rule, _ in worded], len(self.universe))
        named = (one for number, (rule, texts) in enumerate(worded) for one in self._named(number, rule, texts, effort))
        return merged([*concluded, *named])

    def _mark(self, fact: Fact) -> tuple[Any, ...]:
        fields = self.counsel.law.edition.vocabulary.kinds[str(fact[0])].fields
        shown = zip(fields, fact[1:], strict=True)
        return fact[0], *(value for one, value in shown if not one.is_time or one.type == "trick")

    def _named(self, number: int, rule: Rule, texts: tuple[Texts, ...], effort: Effort) -> Iterator[tuple[Any, Bits]]:
        """The values that a rule's words name, and where."""
        run, vocabulary = self.counsel.run.run, self.counsel.law.edition.vocabulary
        names = {name for some in texts for text in some.values() for name in holes(text)}
        for env, bits in SetJoin(vocabulary, rule).ways(run.facts, run.everything, effort):
            yield (number, *((name, env[name]) for name in sorted(names & env.keys()))), bits

    # --- nodes

    def roots(self) -> dict[Seat, Query]:
        """For each seat that may have revoked, where the graph begins."""
        seats = self.counsel.interview.seats
        if "declarer" not in seats or len(self.counsel.interview.table.parts) == 1:
            return {DECLARER: {name: DECLARER for name in ("revoke", "declarer") if name in seats}}
        hands: tuple[Seat, ...] = ("S", "N", "W", "E")
        asked = self.counsel.interview.questions[HAND].answers
        return {hand: {"revoke": hand, "declarer": DECLARER} for hand in hands if part_of(hand, DECLARER) in asked}

    def at(self, query: Query) -> AskedPage:
        """What has been said, and what is asked then."""
        return AskedPage(self.counsel, query, self.speakers[0], self._known)

    def asking(self, page: AskedPage) -> Asking | None:
        """What is asked, in every language; None at an end."""
        if page.step is None:
            return None
        told = [page.context(), *(page.told_by(one).context() for one in self.speakers[1:])]
        odd = bool(told[0]["unusual"])
        seats = [[one for one in shown["compass"] if one.at and not one.more] for shown in told]
        rows = [[one for one in shown["rows"] if not (one.open or one.ticked)] for shown in told]
        listed = [
            [*some, *more, *([shown["closing"]] if shown["closing"] else [])]
            for some, more, shown in zip(seats, rows, told, strict=True)
        ]
        made = tuple(self._row(some) for some in zip(*listed, strict=True))
        unknown = next((added(page.settled, _query(one.at)) for one in told[0]["rows"] if one.faint), {})
        help_ = tuple(shown["help"] for shown in told)
        bands = tuple(shown["band"] for shown in told)
        asks = tuple(shown["asks"] for shown in told)
        return Asking(str(page.step.id), odd, asks, help_, bands, unknown, made)

    def _row(self, some: tuple[Any, ...]) -> GraphRow:
        chips = tuple(getattr(one, "chip", one.says) for one in some)
        says, more = tuple(one.says for one in some), tuple(one.more for one in some)
        return GraphRow(says, more, chips, _query(some[0].at))

    def key(self, page: AskedPage) -> tuple[Any, ...]:
        """What everything depends on that is still to come."""
        said = page.said
        # a row may leave every answer possible, and is not asked again
        asked = frozenset(one.id for one in said.screens if not one.closes and {*one.questions} & said.answers.keys())
        seats = tuple(sorted(said.seats.items()))
        return seats, self._fine(said), asked, said.closed, page.change

    def _fine(self, said: Said) -> State:
        finer, number = self._finer, said.adviser.number
        state = finer.whole
        for name, answers in said.given.items():
            state = finer.diagram.given(state, number[name], answers) or state
        denied = frozenset(number[name] for name in self._denied(said))
        return finer.diagram.mattering(finer.diagram.usual(state, denied))

    def _denied(self, said: Said) -> list[str]:
        """What might have been unusual, and was not."""
        return [name for screen in said.screens if screen.id in said.closed for name in said.rows(screen)]

    # --- ends

    def incident(self, said: Said) -> Incident:
        """The statements of an end: as little as its ruling needs, so that it says nothing that only some ways say."""
        return Said(said.adviser, said.seats, self._needed(said)).stated()

    def _needed(self, said: Said) -> dict[str, frozenset[str]]:
        adviser, given, questions = said.adviser, self.universe.given, self.counsel.interview.questions
        number, of_unusual = adviser.number, [name for screen in said.screens for name in screen.unusual]
        usual = {name: adviser.answers(said.usual, name) for name in self._denied(said)}
        known = {name: one for name, one in {**usual, **said.given}.items() if one}

        def where(some: Collection[str]) -> Bits:
            bits = self.universe.everything
            for name in some:
                bits &= union(given[number[name]][one] for one in known[name]) | given[number[name]][None]
            return bits

        quiet, bits = set[str](), where(known)
        for name in of_unusual:  # what goes without saying, since nothing else would change the ruling
            ordinary = next((one for one in questions[name].answers if bits & given[number[name]][one]), None)
            if name not in known and ordinary is not None:
                known[name] = frozenset({ordinary})
                bits &= given[number[name]][ordinary] | given[number[name]][None]
                quiet.add(name)
        asked = [
            name for name in number if name in known and any(bits & given[number[name]][one] for one in known[name])
        ]
        ends = self._ends(where(asked))
        kept = asked
        for name in [*(one for one in asked if one in quiet), *(one for one in reversed(asked) if one not in quiet)]:
            left = {one: known[one] for one in kept if one != name}
            if not self._always(name, known[name]) and not self._agreeing(left) & ~ends:
                kept = [*left]
        return {name: known[name] for name in kept if name != HAND}

    def _agreeing(self, known: Mapping[str, frozenset[str]]) -> Bits:
        """The situations of which everything is so that these answers state."""
        bits = self.universe.everything
        for name, some in known.items():
            question = self.counsel.interview.questions[name]
            if name == HAND:
                bits &= union(self.universe.given[0][one] for one in some)
            for key in {(one.revoke, one.key) for one in question.fills}:
                fills = [
                    [one.value for one in question.answers[each].fills if (one.revoke, one.key) == key] for each in some
                ]
                if all(fills):
                    stated = self._stating[key]
                    bits &= union(stated[value] for one in fills for value in one) | ~union(stated.values())
        return bits

    def _always(self, name: str, answers: frozenset[str]) -> bool:
        """Whether an end says it even if another answer would make no difference to it: what an incident presumes where
        it is not said, that there was another revoke, and what is still to come."""
        question, findings = self.counsel.interview.questions[name], self.counsel.interview.table.findings
        fills = [fill for one in answers for fill in question.answers[one].fills]
        presumed = any(one.key in findings and findings[one.key].presumed is not None for one in fills)
        return name == HAND or presumed or any(one.revoke for one in fills) or len(answers) == len(question.answers)

    def _ends(self, bits: Bits) -> Bits:
        """Every situation with an outcome that some of these have."""
        found: Bits = 0
        while left := bits & ~found:
            found |= self._finer.where[self._finer.outcome[first(left)]]
        return found


def _query(at: str) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(at).query))


def added(said: Query, after: Query) -> dict[str, str]:
    """What an address says that another has not said."""
    return {key: value for key, value in after.items() if key != "change" and said.get(key) != value}
