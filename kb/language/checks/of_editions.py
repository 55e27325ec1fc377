"""Checks of an edition: how its clauses and rules hang together."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping

from facts.calendar import span
from facts.errors import Fault
from facts.fact import Value
from facts.readers.calendar import NOT_YET
from facts.suggestions import did_you_mean
from kb.language.checks.registry import of_an_edition
from kb.language.model import Clause, Conclusion, Condition, Edition, Rule, Tally, Test
from kb.language.strata import cycles
from kb.language.terms import Constant, Sum, Term
from kb.language.texts import each


@of_an_edition("encoding")
def encoding(edition: Edition) -> Iterator[Fault]:
    """A clause is encoded as it says.

    `encoded-as: rules` has rules; `not-encoded` has a `reason` instead; a definition, a procedure, or what is left to
    the director may have rules. A reader of the lawbook sees by it which clauses the program follows, so

        "1A":
          encoded-as: rules

    without `rules:` would promise what is not there.
    """
    for clause in edition.clauses.values():
        yield from _clause(clause)


def _clause(clause: Clause) -> Iterator[Fault]:
    if clause.encoded_as == "rules" and not clause.rules:
        mend = "write rules:, or encoded-as: procedure, director or not-encoded"
        yield Fault(clause.place, f"{clause.ref} is encoded as rules, but has none", mend)
    if clause.encoded_as == "not-encoded":
        if clause.rules:
            mend = "write encoded-as: rules, or take the rules away"
            yield Fault(clause.rules[0].place, f"{clause.ref} is not encoded, but has rules", mend)
        if not clause.reason:
            yield Fault(
                clause.place, f"{clause.ref} is not encoded, and does not say why", "add reason: with its texts"
            )
    elif clause.reason:
        mend = "call it notes:, or write encoded-as: not-encoded"
        yield Fault(clause.place, f"{clause.ref} gives a reason for not being encoded, but is", mend)


@of_an_edition("references")
def references(edition: Edition) -> Iterator[Fault]:
    """A text that names a clause names one that there is, if the edition has clauses of that law.

    With Law 64 in the edition and no 64Z in it,

        because: {en: "No trick passes (Law 64Z9)."}

    sends the reader to a clause that he will not find. Laws that the edition does not hold may be named freely.
    """
    known = {ref[:end] for ref in edition.clauses for end in range(1, len(ref) + 1)}
    laws = {clause.law for clause in edition.clauses.values()}
    for clause in edition.clauses.values():
        remarks = (one.says for one in (*clause.minutes, *clause.notes))
        texts = (clause.says, *remarks, clause.reason, *(rule.because for rule in clause.rules))
        for _, text, place in (one for said in texts for one in each(said, clause.place)):
            for named in _REFERENCE.finditer(text):
                if named["ref"] not in known and named["law"] in laws:
                    mend = did_you_mean(named["ref"], edition.clauses)
                    yield Fault(place, f"{edition.id} has no clause {named['ref']}", mend)


_REFERENCE = re.compile(r"(?:\bLaws?|§§?) ?(?P<ref>(?P<law>\d{1,2})[A-Z]\d?[a-z]?)\b")


@of_an_edition("in-force")
def in_force(edition: Edition) -> Iterator[Fault]:
    """An edition's last day does not come before its first.

    By them an incident with a date finds its law. Both are dates, or as much of one as is known, and `until` is the
    last day that the edition is in force; without it that is the day before the next edition is.

        in-force: "2017-09-25"
        until: "2007"
    """
    if (
        edition.until
        and edition.in_force not in ("", NOT_YET)
        and span(edition.until).over(span(edition.in_force).first)
    ):
        mend = "write the day on which the one begins and that on which the other ends"
        yield Fault(edition.place, f"until: {edition.until} is before in-force: {edition.in_force}", mend)


@of_an_edition("rule-ids")
def rule_ids(edition: Edition) -> Iterator[Fault]:
    """A rule's id is unique in its edition: a proof and a receipt name rules by it.

    An amendment that adds a rule to a clause under an id that another rule has would leave both unclear:

        - id: 1A.1
    """
    seen: dict[str, Rule] = {}
    for rule in edition.rules:
        first = seen.setdefault(rule.id, rule)
        if first is not rule:
            yield Fault(
                rule.place,
                f"the id {rule.id} is taken",
                "give one of the two another id",
                ((first.place, "first here"),),
            )


@of_an_edition("lost-law")
def lost_law(edition: Edition) -> Iterator[Fault]:
    """A definition that concludes a part of the ruling begins with a kind that rules conclude.

    A definition has no number to cite: it hands on the laws of its first condition, and what the incident states has
    none. In

        definitions:
          - when:
              - revoke: {trick: $t, hand: $h}
            then: {transfer: {trick: $t, to: $h, tricks: 1}}

    the ruling would take a trick by no law.
    """
    kinds = edition.vocabulary.kinds
    for clause in edition.clauses.values():
        for rule in () if clause.law else clause.rules:
            ruled = next((c for c in rule.then if c.kind in kinds and kinds[c.kind].section), None)
            if ruled is None or not rule.when:
                continue
            first = rule.when[0]
            kind = None if isinstance(first, Tally) else kinds.get(first.kind)
            if isinstance(first, Tally) or (kind and kind.stated_by == "incident"):
                what = f"the law behind {ruled.kind} would be lost: the first condition of a definition hands it on"
                mend = "put a condition on a kind first that rules conclude"
                yield Fault(first.place, what, mend, ((ruled.place, "a part of the ruling"),))


@of_an_edition("circular")
def circular(edition: Edition) -> Iterator[Fault]:
    """What `unless`, `count` and `total` read does not follow from the rule itself.

    It must be settled before the rule may fire, and in a circle it never is:

        - when: [revoke: {hand: $h}]
          unless: [exempt: {hand: $h}]
          then: {punished: {hand: $h}}
        - when: [punished: {hand: $h}]
          then: {exempt: {hand: $h}}
    """
    for cycle in cycles(edition.rules):
        yield cycle.fault


@of_an_edition("self-feeding")
def self_feeding(edition: Edition) -> Iterator[Fault]:
    """A rule does not conclude `"$t + 1"` when its conclusion leads, directly or through other rules, back to one of
    its conditions: each round would make a new number.

        - when: [ordered: {trick: $t, hand: $h}]
          then: {ordered: {trick: "$t + 1", hand: $h}}

    One thing bounds it, and is allowed: another condition of the rule, on a kind outside the circle, names the same
    variable. Of such facts there are finitely many, so `requirement` at `$t` and `won: {trick: $t}` may conclude
    `requirement` at `"$t + 1"`.
    """
    above = _reachable(edition.rules)
    for rule in edition.rules:
        for conclusion in rule.then:
            for name, term in conclusion.terms.items():
                if isinstance(term, Sum):
                    yield from _sum(rule, conclusion, name, term, above)


def _sum(rule: Rule, conclusion: Conclusion, name: str, term: Sum, above: dict[str, set[str]]) -> Iterator[Fault]:
    circle = {c.kind for c in rule.wanted if c.kind == conclusion.kind or c.kind in above[conclusion.kind]}
    settled = {name for condition in rule.wanted if condition.kind not in circle for name in condition.bound}
    growing = [name for name in term.variables if name not in settled]
    if circle and growing:
        back = next(condition for condition in rule.wanted if condition.kind in circle)
        what = f"{name} of {conclusion.kind} feeds itself: the sum would grow for ever"
        mend = f"add a condition on a settled kind that names ${growing[0]} too"
        place = conclusion.place_of(name)
        yield Fault(place, what, mend, ((back.place, f"{back.kind} follows from {conclusion.kind}"),))


def _reachable(rules: tuple[Rule, ...]) -> dict[str, set[str]]:
    """Kind -> every kind that follows from it, directly or through others."""
    steps: dict[str, set[str]] = defaultdict(set)
    for rule in rules:
        for condition in rule.wanted:
            steps[condition.kind] |= {conclusion.kind for conclusion in rule.then}
    return defaultdict(set, {kind: _closure(kind, steps) for kind in steps})


def _closure(kind: str, steps: Mapping[str, set[str]]) -> set[str]:
    reached: set[str] = set()
    waiting = [kind]
    while waiting:
        new = steps.get(waiting.pop(), set()) - reached
        reached |= new
        waiting.extend(new)
    return reached


@of_an_edition("never-fires")
def never_fires(edition: Edition) -> Iterator[Fault]:
    """A rule waits only for what can be: a kind that the incident does not state is concluded by a rule that can itself
    fire, with values that the condition accepts.

    Otherwise the rule is dead, often because a name or a value was changed in one place only: with

        then: {exempt: {reason: repeated}}

    a condition `exempt: {reason: repeat}` is never met. `unless`, `count` and `total` are left alone: they also read
    what is not there.
    """
    kinds = edition.vocabulary.kinds
    stated = {name for name, kind in kinds.items() if kind.stated_by != "rules"}
    waiting = list(edition.rules)
    concluded: list[Conclusion] = []

    def met(condition: Condition) -> bool:
        return (
            condition.kind in stated
            or condition.kind not in kinds
            or any(_fits(condition, conclusion) for conclusion in concluded)
        )

    while new := [rule for rule in waiting if all(map(met, rule.wanted))]:
        concluded += [conclusion for rule in new for conclusion in rule.then]
        waiting = [rule for rule in waiting if rule not in new]
    for rule in waiting:
        unmet = next(c for c in rule.wanted if not met(c))
        what = f"rule {rule.id} can never fire: no rule that can fire concludes such a {unmet.kind}"
        yield Fault(unmet.place, what, f"write a rule that does, or let the vocabulary say who states {unmet.kind}")


def _fits(condition: Condition, conclusion: Conclusion) -> bool:
    if condition.kind != conclusion.kind:
        return False
    return all(possible(test, conclusion.terms.get(test.field)) for test in condition.tests)


def possible(test: Test, term: Term | None) -> bool:
    """Whether a concluded value could pass a test; only two literals can exclude each other."""
    if not isinstance(term, Constant):
        return True
    if test.among:
        return any(equal(term.value, value) for value in test.among)
    if not isinstance(test.term, Constant):
        return True
    if test.operator in ("=", "!="):
        return equal(term.value, test.term.value) == (test.operator == "=")
    return _ordered(term.value, test.operator, test.term.value)


def equal(one: Value, two: Value) -> bool:
    return type(one) is type(two) and one == two


def _ordered(one: Value, operator: str, two: Value) -> bool:
    if not isinstance(one, int) or not isinstance(two, int):
        return True
    return {"<": one < two, "<=": one <= two, ">": one > two, ">=": one >= two}[operator]
