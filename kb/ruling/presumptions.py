"""What a ruling takes for granted.

A step may rest on something not having happened. For each absence behind the ruling, every rule that could have
concluded the missing fact is looked at: if all of it holds but one condition, and the vocabulary says how that kind is
presumed, the ruling rests on the presumption; if rules conclude the condition's kind, the search goes on there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from facts.ground import Value
from kb.engine.proof import Proof
from kb.language.model import Condition, Edition, Rule, Test, Variable
from kb.ruling.citations import Citations
from kb.ruling.matching import Bindings, Matcher, value_of


@dataclass(frozen=True, slots=True)
class Presumption:
    """A kind of fact of which none was stated, and the clauses for which that matters."""

    kind: str
    laws: tuple[str, ...]


def presumptions(edition: Edition, proof: Proof, citations: Citations) -> tuple[Presumption, ...]:
    """Every presumption behind the conclusions, in the order of the vocabulary."""
    search = _Search(edition, proof, citations)
    found: dict[str, set[str]] = {}
    for step in citations.support():
        read = {item.kind for item in step.rule.when if isinstance(item, Condition)}
        for item in step.rule.unless:
            if item.kind not in read:  # «the first of several» takes nothing for granted
                for kind, clause in search.behind(item, proof.bindings(step), step.rule):
                    found.setdefault(kind, set()).add(clause)
    return tuple(
        Presumption(kind, citations.sort(clause for clause in found[kind] if citations.is_law(clause)))
        for kind in edition.vocabulary.kinds
        if kind in found and any(citations.is_law(clause) for clause in found[kind])
    )


class _Search:
    """Follows missing facts back to what is presumed."""

    def __init__(self, edition: Edition, proof: Proof, citations: Citations) -> None:
        self.kinds = edition.vocabulary.kinds
        self.matcher = Matcher(proof)
        self.citations = citations
        self.by_head: dict[str, list[Rule]] = {}
        for rule in edition.rules:
            for kind in {conclusion.kind for conclusion in rule.then}:
                self.by_head.setdefault(kind, []).append(rule)
        self.seen: set[tuple[str, frozenset[tuple[str, object]]]] = set()

    def behind(self, missing: Condition, bindings: Bindings, rule: Rule) -> Iterator[tuple[str, str]]:
        """(kind presumed absent, clause that looks for it) for one missing fact."""
        known = {test.field: _fixed(test, bindings) for test in missing.tests}
        key = (missing.kind, frozenset((name, repr(value)) for name, value in known.items()))
        if key in self.seen:
            return
        self.seen.add(key)
        if self.kinds[missing.kind].presumed is not None:
            if not self.matcher.proof.facts(missing.kind):
                yield missing.kind, rule.clause
            return
        for candidate in self.by_head.get(missing.kind, ()):
            yield from self._nearly(candidate, missing, bindings)

    def _nearly(self, rule: Rule, missing: Condition, bindings: Bindings) -> Iterator[tuple[str, str]]:
        """The conditions of a rule that alone kept it from concluding the missing fact."""
        for head in rule.then:
            if head.kind != missing.kind:
                continue
            start = _unified(head.terms, missing, bindings)
            if start is None:
                continue
            for left_out in rule.when:
                if isinstance(left_out, Condition):
                    rest = [condition for condition in rule.when if condition is not left_out]
                    for solution in self.matcher.solutions(rest, start):
                        if not any(self.matcher.holds(item, solution.bindings) for item in rule.unless):
                            yield from self.behind(left_out, solution.bindings, rule)


def _fixed(test: Test, bindings: Bindings) -> object:
    try:
        return test.operator, test.among or value_of(test.term, bindings)
    except KeyError:
        return None


def _unified(terms: Mapping[str, object], missing: Condition, bindings: Bindings) -> dict[str, Value] | None:
    """What the missing fact says of the variables of the conclusion; None if the conclusion cannot be that fact."""
    start: dict[str, Value] = {}
    for test in missing.tests:
        if test.operator != "=" or test.among:
            continue
        try:
            value = value_of(test.term, bindings)
        except KeyError:
            continue
        term = terms[test.field]
        if isinstance(term, Variable):
            if start.setdefault(term.name, value) != value:
                return None
        elif isinstance(term, str | int) and term != value:
            return None
    return start
