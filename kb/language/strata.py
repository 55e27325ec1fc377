"""Strata: the order in which rules may fire so that `unless`, `count` and `total` only read what is settled."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from facts.errors import Fault, RulesError
from kb.language.model import Conclusion, Condition, Rule, Tally


@dataclass(frozen=True, slots=True)
class Read:
    """A kind of fact that a rule reads."""

    kind: str
    settled: bool
    """Whether every fact of the kind must be known before the rule may fire."""
    condition: Condition | Tally
    """Where it is read."""


@dataclass(frozen=True)
class Cycle:
    """A rule that needs a kind settled to which it contributes itself."""

    kinds: tuple[str, ...]
    """From the kind that must be settled, through what follows from it, to the last one before it again."""
    rules: tuple[Rule, ...]
    """The rules in that order; the first holds the offending condition."""
    condition: Condition | Tally
    """The item of ``unless``, or the ``count`` or ``total``, that cannot be."""
    closing: Conclusion
    """The conclusion, of the last rule, that closes the circle."""

    @property
    def fault(self) -> Fault:
        """The cycle as a fault of the rule file."""
        kind = self.kinds[0]
        word = self.condition.how if isinstance(self.condition, Tally) else "unless"
        what = f"rule {self.rules[0].id} reads {kind} under '{word}', but {kind} depends on this very rule"
        if len(self.rules) > 1:
            what += " (through " + ", ".join(rule.id for rule in self.rules[1:]) + ")"
        mend = f"let '{word}' read a kind that is settled without this rule, or conclude another kind"
        return Fault(self.condition.place, what, mend, ((self.closing.place, f"{kind} is concluded here"),))


def reads(rule: Rule) -> Iterator[Read]:
    """The kinds a rule reads, in the order of the file."""
    for condition in rule.when:
        if isinstance(condition, Tally):
            yield Read(condition.of.kind, True, condition)
        else:
            yield Read(condition.kind, False, condition)
    for condition in rule.unless:
        yield Read(condition.kind, True, condition)


def strata(rules: Iterable[Rule]) -> tuple[tuple[Rule, ...], ...]:
    """The rules stratum by stratum, lowest first, each in the order given.

    Raises RulesError when a rule needs settled what depends on it: see ``cycles``.
    """
    rules = tuple(rules)
    levels = _levels(rules)
    if levels is None:
        raise RulesError([cycle.fault for cycle in cycles(rules)])
    return tuple(
        tuple(rule for rule, level in zip(rules, levels, strict=True) if level == wanted)
        for wanted in sorted(set(levels))
    )


def _levels(rules: Sequence[Rule]) -> list[int] | None:
    """The lowest possible stratum of each rule; None if there is a cycle, in which they climb for ever."""
    of_kind: dict[str, int] = {}
    levels = [0] * len(rules)
    read = [[(one.kind, one.settled) for one in reads(rule)] for rule in rules]
    changed = True
    while changed:
        changed = False
        for number, rule in enumerate(rules):
            wanted = [of_kind[kind] + settled for kind, settled in read[number] if kind in of_kind]
            levels[number] = level = max(wanted, default=0)
            if level > len(rules):
                return None
            for conclusion in rule.then:
                if of_kind.get(conclusion.kind, -1) < level:
                    of_kind[conclusion.kind] = level
                    changed = True
    return levels


def cycles(rules: Iterable[Rule]) -> tuple[Cycle, ...]:
    """Every condition that needs settled what depends on its own rule, with a shortest way round."""
    rules = tuple(rules)
    readers: dict[str, list[Rule]] = {}
    for rule in rules:
        for kind in dict.fromkeys(read.kind for read in reads(rule)):
            readers.setdefault(kind, []).append(rule)
    found = (_way_round(rule, read, readers) for rule in rules for read in reads(rule) if read.settled)
    return tuple(cycle for cycle in found if cycle)


def _way_round(rule: Rule, read: Read, readers: dict[str, list[Rule]]) -> Cycle | None:
    """A shortest chain of rules from one rule's conclusions back to the kind it needs settled."""
    waiting: deque[tuple[tuple[str, ...], tuple[Rule, ...]]] = deque([((read.kind,), (rule,))])
    seen: set[str] = set()
    while waiting:
        kinds, chain = waiting.popleft()
        for conclusion in chain[-1].then:
            if conclusion.kind == read.kind:
                return Cycle(kinds, chain, read.condition, conclusion)
            if conclusion.kind not in seen:
                seen.add(conclusion.kind)
                waiting.extend(
                    ((*kinds, conclusion.kind), (*chain, reader)) for reader in readers.get(conclusion.kind, ())
                )
    return None
