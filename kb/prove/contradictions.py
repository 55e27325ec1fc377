"""Rulings that contradict themselves, and revokes about which a ruling says nothing: wherever that is so."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from facts.fact import Fact, Value
from kb.engine.sets import Bits
from kb.language.known import (
    ADJUSTED,
    AUTOMATIC,
    ESTABLISHED,
    EXEMPT,
    OPTIONS,
    PLAY,
    POINTS,
    RECTIFICATIONS,
    REMARKS,
    STATUS,
)
from kb.language.model import Edition
from kb.space.bits import merged, parts, union
from kb.space.outcome import EditionRun

MUST_CORRECT = "must-correct"
"""The rectification that a revoke be corrected."""

SETTLING = (POINTS, OPTIONS, ADJUSTED, REMARKS)
"""Parts of a ruling that may settle a revoke without an automatic trick or an exemption."""

ByRule: TypeAlias = dict[int, Bits]
"""Number of a rule -> where it concludes something."""


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Rules that conclude what cannot both be."""

    rules: tuple[int, ...]
    """Their numbers in the edition, each once."""
    what: str


class Sound:
    """Looks at what one edition concludes."""

    def __init__(self, edition: Edition) -> None:
        self.kinds = edition.vocabulary.kinds
        self.sections: dict[str, set[str]] = {}
        for kind in self.kinds.values():
            if kind.section is not None:
                self.sections.setdefault(kind.section, set()).add(kind.name)
        self._unique = {
            kind.name: [kind.index[name] for name in kind.one_per]
            for kind in self.kinds.values()
            if kind.one_per is not None
        }

    def contradictions(self, run: EditionRun) -> Mapping[Contradiction, Bits]:
        """Two facts where there can be one; an adjustment in spite of an exemption; a duty to correct what is
        established. Each with the situations in which it shows."""
        return merged([*self._two_facts(run), *self._adjusted(run), *self._to_be_corrected(run)])

    def gaps(self, run: EditionRun) -> Bits:
        """Where a revoke is established and the ruling holds nothing else about it."""
        settling = {kind for section in SETTLING for kind in self.sections.get(section, ())}
        settled = union(bits for fact, bits in run.concluded.items() if fact[0] in settling)
        automatic, exempt = self._by_play(AUTOMATIC, run), self._by_play(EXEMPT, run)
        return union(
            union(rules.values())
            & ~union([*automatic.get(play, {}).values(), *exempt.get(play, {}).values()])
            & ~settled
            for play, rules in self._by_play(STATUS, run, ESTABLISHED).items()
        )

    def _two_facts(self, run: EditionRun) -> Iterator[tuple[Contradiction, Bits]]:
        alike: dict[tuple[Value, ...], dict[Fact, ByRule]] = {}
        for number, held in run.run.fired.items():
            for fact, bits in held.items():
                positions = self._unique.get(str(fact[0]))
                if positions is not None:
                    facts = alike.setdefault((fact[0], *(fact[at] for at in positions)), {})
                    facts.setdefault(fact, {})[number] = bits
        for key, facts in alike.items():
            both = _twice(union(rules.values()) for rules in facts.values())
            marks = {(fact, number): bits for fact, rules in facts.items() for number, bits in rules.items()}
            for has, where in parts(both, marks):
                lowest = {fact: min(number for of, number in has if of == fact) for fact, _ in has}
                yield _both(lowest.values(), f"conclude two things of {key[0]}"), where

    def _adjusted(self, run: EditionRun) -> Iterator[tuple[Contradiction, Bits]]:
        exempt = self._by_play(EXEMPT, run)
        for play, rules in self._by_play(AUTOMATIC, run).items():
            what = "give an automatic trick and exempt the revoke from any"
            yield from _lowest_of_two(rules, exempt.get(play, {}), what)

    def _to_be_corrected(self, run: EditionRun) -> Iterator[tuple[Contradiction, Bits]]:
        duty = self._by_play(RECTIFICATIONS, run)
        for play, rules in self._by_play(STATUS, run, ESTABLISHED).items():
            what = "say that a revoke is established and must be corrected"
            yield from _lowest_of_two(rules, duty.get(play, {}), what)

    def _by_play(self, section: str, run: EditionRun, word: str | None = None) -> dict[Value, ByRule]:
        """Play -> the rules that conclude a fact about it in that part of the ruling.

        Of the status only that ``word``; of the rectifications only the duty to correct.
        """
        found: dict[Value, ByRule] = {}
        for number, held in run.run.fired.items():
            for fact, bits in held.items():
                kind = self.kinds[str(fact[0])]
                if kind.name not in self.sections.get(section, ()) or PLAY not in kind.index:
                    continue
                if section == RECTIFICATIONS and kind.shows.get("kind") != MUST_CORRECT:
                    continue
                if word is None or word in fact:
                    rules = found.setdefault(fact[kind.index[PLAY]], {})
                    rules[number] = rules.get(number, 0) | bits
        return found


def _twice(sets: Collection[Bits] | Iterator[Bits]) -> Bits:
    """Where at least two of these hold."""
    once = twice = 0
    for bits in sets:
        twice |= once & bits
        once |= bits
    return twice


def _lowest_of_two(a: ByRule, b: ByRule, what: str) -> Iterator[tuple[Contradiction, Bits]]:
    """Rules of both kinds at once: the lowest of each."""
    marks = {(0, number): bits for number, bits in a.items()} | {(1, number): bits for number, bits in b.items()}
    for has, where in parts(union(a.values()) & union(b.values()), marks):
        yield _both([min(number for side, number in has if side == of) for of in (0, 1)], what), where


def _both(rules: Collection[int], what: str) -> Contradiction:
    return Contradiction(tuple(sorted(set(rules))), what)
