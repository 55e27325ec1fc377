"""An edition's flow as one graph: what is asked, the rows to tap, where each leads, and the statements of each end.

«I don't know» is no row of it: whoever walks the graph keeps every position that is possible, so nothing is presumed.
Ways on which the rest comes to the same are one: the same is asked, with the same words, and ends in the same rulings.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from facts.cards import Seat, part_of
from facts.fact import Fact
from facts.form import Texts
from kb.engine.bounds import Effort
from kb.engine.sets import Bits, SetJoin
from kb.explain.say import Speaker
from kb.interview.asked import AskedPage, TapRow
from kb.interview.band import Ends
from kb.interview.counsel import Adviser, Counsel
from kb.interview.said import HAND, Said
from kb.language.rule import Rule
from kb.language.texts import holes
from kb.space.bits import merged, parts
from kb.space.decision_diagram import State

DECLARER: Final[Seat] = "S"
"""Where declarer sits in the graph; a table is turned to it."""

Query: TypeAlias = Mapping[str, str]
"""What has been said, as an address says it."""


@dataclass(frozen=True, slots=True)
class Asking:
    """What is asked at a node, in each language."""

    shown: tuple[Mapping[str, Any], ...]
    """What a page of the desk shows."""
    rows: tuple[tuple[TapRow, ...], ...]
    """Each row that says something; the last of what might be unusual says that nothing else was."""


class Graph:
    """The flow of an edition, told by speakers of several languages that name seats."""

    def __init__(self, counsel: Counsel, speakers: Collection[Speaker]) -> None:
        self.counsel, self.speakers = counsel, tuple(speakers)
        self._known: Ends = {}
        self.universe = counsel.universe
        told = self._told()
        finer = [there for bits in counsel.run.acts.values() for _, there in parts(bits, told)]
        self._finer = Adviser(self.universe, finer)
        """Tells rulings apart by the clauses and the words of their reasons as well."""

    def _told(self) -> dict[Any, Bits]:
        """Where what is concluded, and where the words of rules and sayings name what."""
        run, edition = self.counsel.run, self.counsel.law.edition
        fired = (edition.rules[number] for number in run.run.fired)
        rules = [rule for rule in fired if edition.clauses[rule.clause].law]
        worded = [(rule, (rule.because,)) for rule in rules] + [
            (one, (one.says, one.head)) for one in edition.spoken.sayings
        ]
        effort = Effort([rule for rule, _ in worded], len(self.universe))
        named = (one for number, (rule, texts) in enumerate(worded) for one in self._named(number, rule, texts, effort))
        return merged([*run.ruled.items(), *named])

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
        shown = (page.context(), *(page.told_by(one).context() for one in self.speakers[1:]))
        rows = [
            [
                *(one for one in told["compass"] if one.query and not one.more),
                *(one for one in told["rows"] if not (one.open or one.ticked)),
                *filter(None, [told["closing"]]),
            ]
            for told in shown
        ]
        return Asking(shown, tuple(zip(*rows, strict=True)))

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


def added(said: Query, after: Query) -> dict[str, str]:
    """What an address says that another has not said."""
    return {key: value for key, value in after.items() if key != "change" and said.get(key) != value}
