"""What it depends on whether a clause applies: rules, kinds of fact, and what is found out at the table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from facts.observe.statements import variables
from facts.table import FindingKind, Table
from kb.language.model import Clause, Edition, Rule
from kb.language.strata import reads
from kb.space.choices import NOT_SAID
from kb.space.completions import Completions
from kb.space.layout import Sayable


@dataclass(frozen=True)
class Depending:
    """What one clause depends on."""

    edition: Edition
    clause: Clause
    rules: tuple[Rule, ...]
    """Its rules, and all whose conclusions they read, however far behind; in the order of the book."""
    kinds: frozenset[str]
    """The kinds of fact that they read."""

    @staticmethod
    def of(edition: Edition, clause: Clause) -> Depending:
        """What a clause of an edition depends on."""
        concluding: dict[str, list[Rule]] = {}
        for rule in edition.rules:
            for then in rule.then:
                concluding.setdefault(then.kind, []).append(rule)
        found: dict[str, Rule] = {}
        waiting = list(clause.rules)
        while waiting:
            rule = waiting.pop()
            if rule.id not in found:
                found[rule.id] = rule
                waiting += [other for read in reads(rule) for other in concluding.get(read.kind, ())]
        kinds = frozenset(read.kind for rule in found.values() for read in reads(rule))
        return Depending(edition, clause, tuple(rule for rule in edition.rules if rule.id in found), kinds)

    def can_apply(self, there: Iterable[str]) -> bool:
        """Whether some rule of the clause may fire where there are facts of these kinds and of those findings state."""
        kinds = {state for kind in self.edition.table.findings.values() for state in _states(kind)}.union(there)
        ready: list[Rule] = []
        while more := [rule for rule in self.rules if rule not in ready and _needs(rule) <= kinds]:
            ready += more
            kinds.update(then.kind for rule in more for then in rule.then)
        return any(rule.clause == self.clause.ref for rule in ready)

    @property
    def findings(self) -> tuple[str, ...]:
        """The findings that state what it reads."""
        return tuple(name for name, kind in self.edition.table.findings.items() if self._matters(kind))

    @property
    def beside(self) -> tuple[str, ...]:
        """The other findings."""
        return tuple(name for name, kind in self.edition.table.findings.items() if not self._matters(kind))

    def _matters(self, kind: FindingKind) -> bool:
        return not self.kinds.isdisjoint(_states(kind))

    def sayable(self, base: Completions) -> Sayable:
        """What can be said that matters: also findings without which those that matter cannot be as they are said."""
        table, said = self.edition.table, {name for (_, name), one in base.choices.items() if one.values != NOT_SAID}
        findings = {name: kind for name, kind in table.findings.items() if name in said or kind.when}
        wider = self.kinds | Sayable(table, self.edition.vocabulary).reads
        matter: set[str] = set()
        while more := {name for name, kind in findings.items() if not wider.isdisjoint(_states(kind))} - matter:
            matter |= more
            named = {name for one in more for name in _named(findings[one], table)}
            named.update(*(one.when for one in table.impossible if not matter.isdisjoint(one.when)))
            wider = wider.union(*(_states(findings[name]) for name in named & findings.keys()))
        return Sayable(table, self.edition.vocabulary, wider)


def _needs(rule: Rule) -> set[str]:
    return {item.kind for item in rule.wanted}


def _states(kind: FindingKind) -> Iterator[str]:
    return (one.kind for some in (kind.states, *kind.by_value.values()) for one in some)


def _named(kind: FindingKind, table: Table) -> Iterator[str]:
    """The findings that must be known for one to have a value, or to state it."""
    yield from (name for when in kind.when for name in when)
    for some in (kind.states, *kind.by_value.values()):
        yield from (name for one in some for used in one.names for name in variables(used, table))
