"""What a ruling takes for granted.

A step may rest on something not having happened. For each absence behind the ruling, every rule that could have
concluded the missing fact is looked at: if all of it holds but one condition, and the vocabulary says how that kind is
presumed, the ruling rests on the presumption; if rules conclude the condition's kind, the search goes on there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kb.engine.proof import Proof
from kb.language.model import Condition, Edition, Rule, Test
from kb.ruling.citations import Citations
from kb.ruling.matching import Bindings, Matcher, unified, value_of


@dataclass(frozen=True, slots=True)
class Presumption:
    """A kind of fact of which none was stated, and the clauses for which that matters."""

    kind: str
    laws: tuple[str, ...]


def presumptions(edition: Edition, proof: Proof, citations: Citations) -> tuple[Presumption, ...]:
    """Every presumption behind the conclusions, in the order of the vocabulary."""
    search = _Search(edition, proof)
    unknown = set(_left_open(edition, proof))
    found: dict[str, set[str]] = {}
    for step in citations.support():
        read = {item.kind for item in step.rule.when if isinstance(item, Condition)}
        for item in step.rule.unless:
            if item.kind not in read:  # «the first of several» takes nothing for granted
                for kind, clause in search.behind(item, proof.bindings(step), step.rule):
                    if kind not in unknown:
                        found.setdefault(kind, set()).add(clause)
    return tuple(
        Presumption(kind, citations.sort(clause for clause in found[kind] if citations.is_law(clause)))
        for kind in edition.vocabulary.kinds
        if kind in found and any(citations.is_law(clause) for clause in found[kind])
    )


def _left_open(edition: Edition, proof: Proof) -> Iterator[str]:
    """The kinds of fact whose lack the ruling itself names as not known: they are not taken to be absent."""
    for step in proof.steps:
        if edition.vocabulary.kinds[str(step.fact[0])].section == "open":
            yield from (item.kind for item in step.rule.unless)


class _Search:
    """Follows missing facts back to what is presumed."""

    def __init__(self, edition: Edition, proof: Proof) -> None:
        self.kinds = edition.vocabulary.kinds
        self.matcher = Matcher(proof)
        self.by_head: dict[str, list[Rule]] = {}
        for rule in edition.rules:
            for kind in {conclusion.kind for conclusion in rule.then}:
                self.by_head.setdefault(kind, []).append(rule)
        self.leads: dict[str, bool] = {}
        """Whether the absence of a kind can rest on a presumption at all."""
        self.seen: set[tuple[str, frozenset[tuple[str, object]]]] = set()

    def behind(self, missing: Condition, bindings: Bindings, rule: Rule) -> Iterator[tuple[str, str]]:
        """(kind presumed absent, clause that looks for it) for one missing fact."""
        if not self.can_lead(missing.kind):
            return
        if self.kinds[missing.kind].presumed is not None:
            yield missing.kind, rule.clause
            return
        key = (missing.kind, frozenset((test.field, _fixed(test, bindings)) for test in missing.tests))
        if key not in self.seen:
            self.seen.add(key)
            for candidate in self.by_head.get(missing.kind, ()):
                yield from self._nearly(candidate, missing, bindings)

    def can_lead(self, kind: str) -> bool:
        """Whether a fact of the kind may be missing because of something presumed of which no fact was stated."""
        known = self.leads.get(kind)
        if known is None:
            self.leads[kind] = False  # a circle leads nowhere by itself
            stated = bool(self.matcher.proof.facts(kind))
            if self.kinds[kind].presumed is not None:
                known = not stated
            else:
                rules = self.by_head.get(kind, ())
                known = any(self.can_lead(item.kind) for rule in rules for item in self._may_be_left_out(rule))
            self.leads[kind] = known
        return known

    def _may_be_left_out(self, rule: Rule) -> list[Condition]:
        """The conditions that alone may keep a rule from firing: if kinds are missing altogether, the only such one."""
        plain = [item for item in rule.when if isinstance(item, Condition)]
        missing = [item for item in plain if not self.matcher.proof.facts(item.kind)]
        return [] if len(missing) > 1 else missing or plain

    def _nearly(self, rule: Rule, missing: Condition, bindings: Bindings) -> Iterator[tuple[str, str]]:
        """The conditions of a rule that alone kept it from concluding the missing fact."""
        for head in rule.then:
            start = unified(head.terms, missing, bindings) if head.kind == missing.kind else None
            if start is None:
                continue
            for left_out in self._may_be_left_out(rule):
                if self.can_lead(left_out.kind):
                    rest = [condition for condition in rule.when if condition is not left_out]
                    for solution in self.matcher.solutions(rest, start):
                        if not any(self.matcher.holds(item, solution.bindings) for item in rule.unless):
                            yield from self.behind(left_out, solution.bindings, rule)


def _fixed(test: Test, bindings: Bindings) -> object:
    """What a test demands, once the variables are filled in; None while that is open."""
    try:
        return test.operator, test.among or value_of(test.term, bindings)
    except KeyError:
        return None
