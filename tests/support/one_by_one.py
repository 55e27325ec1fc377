"""Situations one at a time, as the quick engine rules on each, for those who check what is said of all at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from facts.cards import SIDE
from kb.language.model import Edition
from kb.ruling.laws import Law
from kb.space.outcomes import OutcomeEntry, OutcomeReader
from kb.space.universe import Universe
from support.drafts import facts_alone

Fields: TypeAlias = Mapping[str, Any]
Weights: TypeAlias = Mapping[tuple[str, str], int]
"""Party and part -> how much; what weighs nothing is left out."""
Weight: TypeAlias = tuple[str, str, int, int]
"""Part, hand, trick, amount."""
JUDGED = ("consider-adjusted-score", "consider-offenders-score-only")
LOOKED_INTO = ("consider-unauthorized-information", "consider-penalty-card-options")
OTHER = {"NS": "EW", "EW": "NS"}


@dataclass(frozen=True)
class Situation:
    """One situation."""

    number: int
    answers: Mapping[str, str]
    facts: Mapping[str, list[Fields]]
    """Kind -> its facts, those of the table included."""
    ruling: Collection[OutcomeEntry]

    def of(self, kind: str, **fields: Any) -> list[Fields]:
        """The facts of a kind that have these fields."""
        held = self.facts.get(kind, [])
        return [one for one in held if all(one[name.rstrip("_")] == value for name, value in fields.items())]

    def has(self, kind: str, **fields: Any) -> bool:
        """Whether there is such a fact."""
        return bool(self.of(kind, **fields))

    @property
    def weights(self) -> Weights:
        """What its ruling weighs on the side that revoked first, and on the other if it revoked too."""
        failed = sorted((one["play"], SIDE[one["hand"]]) for one in self.of("failed"))
        sides = [*dict.fromkeys(side for _, side in failed)]
        parties = dict(zip(("first", "other"), sides, strict=False))
        return {(party, part): n for party, side in parties.items() for part, n in self._of_side(side).items() if n}

    def _of_side(self, side: str) -> Mapping[str, int]:
        found = Counter({"tricks": sum(one["tricks"] for one in self.of("transfer", from_=side))})
        for part, _, _, amount in {*self._weighing(side)}:
            found[part] += amount
        found["honours"] = int(self.has("honours-only", side=side))
        found["their-honours"] = -int(self.has("honours-only", side=OTHER[side]))
        return found

    def _weighing(self, side: str) -> Iterator[Weight]:
        """What weighs on a side under any code, each once."""
        yield from self._at("judged", self._ours(side, "consider", what=JUDGED))
        if self.has("consider", what=JUDGED[0]):
            yield from self._at("judged", self._ours(side, "both-established"))
        yield from self._at("looked-into", self._ours(side, "consider", what=LOOKED_INTO))
        for kind in ("must-correct", "trick-12-correction"):
            yield from self._at("correct", self._ours(side, kind))
        for one in self._ours(side, "penalty-card"):
            yield "cards", one["seat"], 0, {"major": 2, "minor": 1}[one["degree"]]
        chosen = {*self._at("bound", self._ours(side, "may-choose-card"))}
        told = {*self._at("bound", self._ours(side, "unauthorized-information"))}
        yield from told - chosen
        yield from ((part, hand, trick, 2) for part, hand, trick, _ in chosen)
        yield from self._at("answers", self._ours(OTHER[side], "may-withdraw"))
        yield from self._at_auction(side)

    def _at_auction(self, side: str) -> Iterator[Weight]:
        """And under the laws of 1912."""
        yield from self._at("points", self._ours(side, "points"), "points")
        yield from (("points", one["hand"], 0, one["points"]) for one in self._ours(side, "points-each"))
        for kind, part, number in (("points", "points", "points"), ("tricks", "tricks-offered", "tricks")):
            for failed in self._ours(side, "failed"):
                for one in self.of(f"may-take-{kind}", play=failed["play"]):
                    yield part, failed["hand"], failed["trick"], one[number]
        yield from self._at("called", self._ours(side, "may-call-card"))
        for name, hand, trick, _ in self._at("corrects-freely", self._ours(side, "may-correct")):
            yield name, hand, trick, -1

    def _ours(self, side: str, kind: str, **among: Collection[Any]) -> Iterator[Fields]:
        """The facts of a kind about a hand of a side."""
        for one in self.of(kind):
            hand = next(one[name] for name in ("hand", "seat", "of") if name in one)
            if SIDE[hand] == side and all(one[name] in values for name, values in among.items()):
                yield one

    @staticmethod
    def _at(part: str, facts: Iterable[Fields], amount: str = "") -> Iterator[Weight]:
        """What they weigh: one each, or the number in that field."""
        for one in facts:
            hand = next(one[name] for name in ("hand", "seat", "of") if name in one)
            yield part, hand, one["trick"], one[amount] if amount else 1


def one_by_one(edition: Edition, of: Universe, numbers: Iterable[int] | None = None) -> list[Situation]:
    """These situations of a universe, or all of them, each ruled on by itself."""
    law, reader = Law(edition, engine="quick"), OutcomeReader(edition.vocabulary)
    return [_situation(law, reader, of, number) for number in (range(len(of)) if numbers is None else numbers)]


def _situation(law: Law, reader: OutcomeReader, of: Universe, number: int) -> Situation:
    proof = law.engine.run(facts_alone(of, number))
    facts: dict[str, list[Fields]] = {}
    for name, *values in {*proof.ground, *(fact for fact, _, _ in proof.firings)}:
        fields = law.edition.vocabulary.kinds[str(name)].fields
        held = {field.name: value for field, value in zip(fields, values, strict=True)}
        facts.setdefault(str(name), []).append(held)
    concluded = {fact: 1 for fact, _, _ in proof.firings}
    ruling = {**reader.ruling(concluded), **reader.judgement(concluded)}
    return Situation(number, of.answers(number), facts, frozenset(ruling))


def lighter(a: Weights, b: Weights, parts: Collection[str], parties: Collection[str]) -> bool:
    """Whether some part weighs less on some party in ``b`` than in ``a``."""
    return any(b.get((party, part), 0) < a.get((party, part), 0) for party in parties for part in parts)
