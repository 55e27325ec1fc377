"""Rulings that contradict themselves, and revokes about which a ruling says nothing."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from facts.ground import Fact, Value
from kb.engine.proof import RawStep
from kb.language.model import Edition

ESTABLISHED = "established"
"""The status of a revoke that stands."""
MUST_CORRECT = "must-correct"
"""The rectification that a revoke be corrected."""

SETTLING = ("points", "options", "adjusted", "open", "remarks")
"""Parts of a ruling that may settle a revoke without an automatic trick or an exemption."""


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
        self.clauses = [rule.clause for rule in edition.rules]
        self.law = [bool(edition.clauses[clause].law) for clause in self.clauses]
        self.sections: dict[str, set[str]] = {}
        for kind in self.kinds.values():
            if kind.section is not None:
                self.sections.setdefault(kind.section, set()).add(kind.name)
        self._unique = {
            kind.name: [kind.index[name] for name in kind.one_per]
            for kind in self.kinds.values()
            if kind.one_per is not None
        }

    def contradictions(self, firings: Collection[RawStep]) -> Iterator[Contradiction]:
        """Two facts where there can be one; two clauses that adjust for one revoke; an adjustment in spite of an
        exemption; a duty to correct what is established."""
        yield from self._two_facts(firings)
        automatic, exempt = self._by_play("automatic", firings), self._by_play("exempt", firings)
        for play, rules in automatic.items():
            clauses = {self.clauses[rule]: rule for rule in rules if self.law[rule]}
            if len(clauses) > 1:
                yield _both(clauses.values(), "both adjust for one revoke")
            if play in exempt:
                yield _both([min(rules), min(exempt[play])], "give an automatic trick and exempt the revoke from any")
        status, duty = self._by_play("status", firings, ESTABLISHED), self._by_play("rectifications", firings)
        for play in status.keys() & duty.keys():
            yield _both([min(status[play]), min(duty[play])], "say that a revoke is established and must be corrected")

    def gap(self, firings: Collection[RawStep]) -> bool:
        """Whether a revoke is established and the ruling holds nothing else about it."""
        stands = self._by_play("status", firings, ESTABLISHED)
        if not stands:
            return False
        kinds = {str(firing[0][0]) for firing in firings}
        if any(kinds & self.sections.get(section, set()) for section in SETTLING):
            return False
        settled = self._by_play("automatic", firings).keys() | self._by_play("exempt", firings).keys()
        return not stands.keys() <= settled

    def _two_facts(self, firings: Collection[RawStep]) -> Iterator[Contradiction]:
        facts: dict[tuple[Value, ...], dict[Fact, int]] = {}
        for fact, rule, _ in firings:
            positions = self._unique.get(str(fact[0]))
            if positions is not None:
                alike = facts.setdefault((fact[0], *(fact[at] for at in positions)), {})
                alike[fact] = min(rule, alike.get(fact, rule))
        for key, alike in facts.items():
            if len(alike) > 1:
                yield _both(alike.values(), f"conclude two things of {key[0]}")

    def _by_play(self, section: str, firings: Collection[RawStep], word: str | None = None) -> dict[Value, set[int]]:
        """Play -> the rules that conclude a fact about it in that part of the ruling.

        Of the status only that ``word``; of the rectifications only the duty to correct.
        """
        found: dict[Value, set[int]] = {}
        for fact, rule, _ in firings:
            kind = str(fact[0])
            if kind not in self.sections.get(section, ()) or "play" not in self.kinds[kind].index:
                continue
            if section == "rectifications" and self.kinds[kind].shows.get("kind") != MUST_CORRECT:
                continue
            if word is None or word in fact:
                found.setdefault(fact[self.kinds[kind].index["play"]], set()).add(rule)
        return found


def _both(rules: Collection[int], what: str) -> Contradiction:
    return Contradiction(tuple(sorted(set(rules))), what)
