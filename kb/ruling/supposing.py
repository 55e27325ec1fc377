"""Facts that might have been: for a fact that a rule looks for in vain, the ones nearest to what was observed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, product
from typing import Final

from facts.cards import BY_TEXT, DECK, SEATS, SIDE, Card
from facts.ground import Fact, Value
from facts.observe.timeline import moment
from kb.engine.program import variables
from kb.language.model import Condition, Field, Kind, Test
from kb.ruling.change import Change
from kb.ruling.matching import Bindings, Matcher, passes, value_of
from kb.ruling.ruling import EVIDENCE

FIXED: Final = frozenset({"hand", EVIDENCE})
"""Kinds of fact that cannot be supposed to be otherwise: who sits where, and what was computed from the cards."""
MOMENTS: Final = ("at", "play", "to")
"""Fields that hold a moment."""
_CARD: Final = {"card": "text", "suit": "suit", "rank": "rank"}
LAST_TRICK: Final = 13
FIRST_MOMENT: Final = 1000
"""Numbers from here on are moments; below, they count tricks and the like."""
NEAREST, MOST = 3, 12
"""Observed facts to start from, and facts to suppose, for one condition."""


class Supposing:
    """Supposes facts for the conditions of rules, beside those of one proof."""

    def __init__(self, matcher: Matcher) -> None:
        self.matcher = matcher
        self.kinds = matcher.kinds
        ground = matcher.proof.ground
        self.last = max((int(v) for f in ground for v in f[1:] if isinstance(v, int)), default=FIRST_MOMENT) + 1
        seen = {fact[kind.index["card"]] for fact in ground if "card" in (kind := self.kinds[str(fact[0])]).index}
        self.cards = sorted(DECK, key=lambda card: (card.text in seen, card.rank))
        """The order in which cards are chosen: those not seen elsewhere first, each from the lowest up."""
        self.plays = {fact[1]: {"trick": fact[2], "hand": fact[3]} for fact in matcher.proof.facts("played")}
        """What the moment of a play says of it."""

    def nearest(self, condition: Condition, bindings: Bindings) -> tuple[Fact, ...]:
        """The facts of the kind that come nearest, best first."""
        facts = self.matcher.proof.facts(condition.kind)
        ranked = [(-self._passed(condition, fact, bindings), nth, fact) for nth, fact in enumerate(facts)]
        return tuple(fact for _, _, fact in sorted(ranked)[:NEAREST])

    def changes(self, condition: Condition, bindings: Bindings) -> tuple[Change, ...]:
        """Changes of one observed fact each, after which the condition holds; the least first."""
        kind = self.kinds[condition.kind]
        if kind.stated_by == "rules" or kind.name in FIXED:
            return ()
        near = self.nearest(condition, bindings)
        put = dict.fromkeys(fact for start in (*near, None) for fact in self._facts(condition, kind, bindings, start))
        fitting = (fact for fact in put if self.matcher.fit(condition, fact, bindings) is not None)
        new = (fact for fact in fitting if fact not in self.matcher.proof.ground)
        return tuple(
            Change(self._instead(kind, fact, near), (fact, *self._played(kind, fact))) for fact in islice(new, MOST)
        )

    def _passed(self, condition: Condition, fact: Fact, bindings: Bindings) -> float:
        """How many tests a fact passes; a moment that is wrong counts half."""
        index = self.kinds[condition.kind].index
        failed = [t for t in condition.tests if passes(t, fact[index[t.field]], bindings) is False]
        return len(condition.tests) - sum(0.5 if test.field in MOMENTS else 1 for test in failed)

    def _facts(self, condition: Condition, kind: Kind, bindings: Bindings, start: Fact | None) -> Iterator[Fact]:
        """The start with whatever the condition demands; without a start, anything it leaves open is chosen."""
        tests: dict[str, list[Test]] = {}
        for test in condition.tests:
            tests.setdefault(test.field, []).append(test)
        options = [
            self._options(field, tests.get(field.name, ()), bindings, None if start is None else start[at])
            for at, field in enumerate(kind.fields, 1)
        ]
        free = not any(_demanded(t, bindings) is not None for name in ("play", "at") for t in tests.get(name, ()))
        for values in islice(product(*options), 60):
            fact = self._consistent(kind, values, tests, bindings)
            if free and fact.get("trick") is not None:
                when = dict.fromkeys(fact.keys() & {"play", "at"}, _moment(fact["trick"]))
                yield (kind.name, *{**fact, **when}.values())
            yield (kind.name, *fact.values())

    def _options(self, field: Field, tests: Sequence[Test], bindings: Bindings, now: Value) -> list[Value]:
        """The values worth trying for a field: what is demanded, else what is so, else what could be."""
        fixed: list[Value] = [value for test in tests if (value := _demanded(test, bindings)) is not None]
        if fixed:
            return fixed[:1]
        could: list[Value] = [LAST_TRICK + 1] if field.name == "until" else []
        could += [now] if now is not None else []
        could += [value for test in tests for value in self._beyond(test, bindings)]
        if now is None or any(passes(test, now, bindings) is False for test in tests):
            could += self._any(field, bindings)
        return list(dict.fromkeys(v for v in could if all(passes(t, v, bindings) is not False for t in tests)))[:6]

    def _beyond(self, test: Test, bindings: Bindings) -> Iterator[Value]:
        """Values at the border of a comparison, or of the list that a test allows."""
        yield from test.among
        if test.operator in ("=", "!=") or not all(name in bindings for name in variables(test.term)):
            return
        border = value_of(test.term, bindings)
        if isinstance(border, int):
            yield border + {"<": -1, ">": 1}.get(test.operator, 0)

    def _any(self, field: Field, bindings: Bindings) -> Iterable[Value]:
        if field.type == "integer":
            bound = [value for value in bindings.values() if isinstance(value, int) and value >= FIRST_MOMENT]
            if field.name in MOMENTS:
                return [*(value + step for value in reversed(bound) for step in (1, -1)), self.last]
            return [1, 2, 3] if field.name == "trick" else [1, 2, 0]
        return {
            "seat": SEATS,
            "side": ("NS", "EW"),
            "suit": "SHDC",
            "card": [None],
            "yes-no": (True, False),
        }.get(field.type) or self.matcher.proof.program.vocabulary.words.get(field.type, ())

    def _consistent(
        self, kind: Kind, values: Sequence[Value], tests: Mapping[str, Sequence[Test]], bindings: Bindings
    ) -> dict[str, Value]:
        """The values made to agree: a hand's side, a card's suit and rank, the moment that names a play."""
        by_name: dict[str, Value] = dict(zip(kind.index, values, strict=True))
        for hand in ("hand", "by"):
            if "side" in by_name and by_name.get(hand) is not None:
                by_name["side"] = SIDE[by_name[hand]]  # type: ignore[index]
        if "card" in by_name and "suit" in by_name:
            card = self._card(by_name, tests, bindings)
            by_name.update(card=card.text, suit=card.suit, rank=card.rank)
        if "play" in by_name and "at" in by_name:
            leading, other = ("play", "at") if "play" in tests else ("at", "play")
            by_name[other] = by_name[leading]
        known = self.plays.get(by_name.get("play"), {})
        by_name.update({name: value for name, value in known.items() if name in by_name})
        return by_name

    def _card(self, wanted: Mapping[str, Value], tests: Mapping[str, Sequence[Test]], bindings: Bindings) -> Card:
        """A card that passes the tests: the one there is, else one not seen elsewhere, else the lowest."""
        asked = [(test, name) for name in ("suit", "card", "rank") for test in tests.get(name, ())]
        cards = [BY_TEXT[str(wanted["card"])], *self.cards] if wanted["card"] is not None else self.cards
        for card in cards:
            if all(passes(test, getattr(card, _CARD[name]), bindings) is not False for test, name in asked):
                return card
        return self.cards[0]

    def _played(self, kind: Kind, fact: Fact) -> Iterator[Fact]:
        """The card played that a supposed fact tells of, where none is known at that moment."""
        if "play" in kind.index and "trick" in kind.index and kind.name != "played":
            play, trick, hand = fact[kind.index["play"]], fact[kind.index["trick"]], fact[kind.index["hand"]]
            if play not in self.plays:
                yield "played", play, trick, hand, SIDE[hand], None, play  # type: ignore[index]

    def _instead(self, kind: Kind, put: Fact, near: Sequence[Fact]) -> tuple[Fact, ...]:
        """The observed facts that cannot hold beside a supposed one: of its key, or the same but for the moment."""
        ground = [fact for fact in self.matcher.proof.facts(kind.name) if fact in self.matcher.proof.ground]
        if kind.one_per is not None or "play" in kind.index:
            key = [kind.index[name] for name in kind.one_per or ("play",)]
            return tuple(fact for fact in ground if all(fact[at] == put[at] for at in key))
        fixed = [at for name, at in kind.index.items() if name not in MOMENTS]
        return tuple(f for f in ground if f in near and all(f[at] == put[at] for at in fixed))[:1]


def _moment(trick: Value) -> int:
    """A moment just after the last card of a trick."""
    return moment(int(trick or 0), 4) + 50


def _demanded(test: Test, bindings: Bindings) -> Value:
    """The one value that a test allows; None when it allows several or is not settled."""
    if test.operator != "=" or test.among or not all(name in bindings for name in variables(test.term)):
        return None
    return value_of(test.term, bindings)
