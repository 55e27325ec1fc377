"""Checks of an edition: how its clauses and rules hang together."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

from facts.errors import Fault, Place, did_you_mean
from facts.fact import Value
from kb.language.model import Clause, Edition
from kb.language.rule import COMPARE, Conclusion, Condition, Rule, Tally, Test
from kb.language.strata import cycles
from kb.language.terms import Constant, Term
from kb.language.texts import each
from kb.language.vocabulary import Vocabulary


def encoding(edition: Edition) -> Iterator[Fault]:
    """A clause is encoded as it says.

    `encoded-as: rules` has rules; `not-encoded` has a `reason` instead; a definition, a procedure, or what is left to
    the director may have rules. A reader of the lawbook sees by it which clauses the program follows, so

        "1A":
          encoded-as: rules

    without `rules:` would promise what is not there.
    """
    for ref, clause in edition.clauses.items():
        encoded = clause.encoded_as != "not-encoded"
        if clause.encoded_as == "rules" and not clause.rules:
            mend = "write rules:, or encoded-as: procedure, director or not-encoded"
            yield Fault(clause.place, f"{ref} is encoded as rules, but has none", mend)
        if not encoded and clause.rules:
            mend = "write encoded-as: rules, or take the rules away"
            yield Fault(clause.rules[0].place, f"{ref} is not encoded, but has rules", mend)
        if not encoded and not clause.reason:
            yield Fault(clause.place, f"{ref} is not encoded, and does not say why", "add reason: with its texts")
        if encoded and clause.reason:
            mend = "call it notes:, or write encoded-as: not-encoded"
            yield Fault(clause.place, f"{ref} gives a reason for not being encoded, but is", mend)


def references(edition: Edition) -> Iterator[Fault]:
    """A text that names a clause names one that there is, if the edition has clauses of that law.

    With Law 64 in the edition and no 64Z in it,

        because: {en: "No trick passes (Law 64Z9)."}

    sends the reader to a clause that he will not find. Laws that the edition does not hold may be named freely. An
    amendment answers for its own sentences; what it leaves of others that name a clause it takes away is remarked.
    """
    for ref, clause, place in _dangling(edition):
        if edition.amends is None or _own(clause, edition):
            yield Fault(place, f"{edition.id} has no clause {ref}", did_you_mean(ref, edition.clauses))


def _dangling(edition: Edition) -> Iterator[tuple[str, Clause, Place]]:
    """The clauses that a text names and that there are not, with the clause and the place of the text."""
    prefixes = {ref[:end] for ref in edition.clauses for end in range(1, len(ref) + 1)}
    laws = {clause.law for clause in edition.clauses.values()}
    for clause in edition.clauses.values():
        remarks = (remark.says for remark in (*clause.minutes, *clause.notes))
        texts = (clause.says, *remarks, clause.reason, *(rule.because for rule in clause.rules))
        for _, text, place in (item for sentence in texts for item in each(sentence, clause.place)):
            for reference in _REFERENCE.finditer(text):
                if reference["ref"] not in prefixes and reference["law"] in laws:
                    yield reference["ref"], clause, place


_REFERENCE = re.compile(r"(?:\bLaws?|§§?) ?(?P<ref>(?P<law>\d{1,2})[A-Z]\d?[a-z]?)\b")


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
    concluded = {conclusion.kind for rule in edition.rules for conclusion in rule.then}
    for clause in edition.clauses.values():
        for rule in () if clause.law else clause.rules:
            ruled = next((c for c in rule.then if c.kind in kinds and kinds[c.kind].section), None)
            if ruled is None or not rule.when:
                continue
            first = rule.when[0]
            if isinstance(first, Tally) or (first.kind in edition.stated and first.kind not in concluded):
                problem = f"the law behind {ruled.kind} would be lost: the first condition of a definition hands it on"
                mend = "put a condition on a kind first that rules conclude"
                yield Fault(first.place, problem, mend, ((ruled.place, "a part of the ruling"),))


def circular(edition: Edition) -> Iterator[Fault]:
    """What `unless`, `count` and `total` read does not follow from the rule itself.

    It must be settled before the rule may fire, and in a circle it never is:

        - when: [revoke: {hand: $h}]
          unless: [exempt: {hand: $h}]
          then: {punished: {hand: $h}}
        - when: [punished: {hand: $h}]
          then: {exempt: {hand: $h}}
    """
    yield from cycles(edition.rules, lambda rule: edition.amends is None or _own(rule, edition))


def never_fires(edition: Edition) -> Iterator[Fault]:
    """A rule waits only for what can be: a kind that the incident does not state is concluded by a rule that can itself
    fire, with values that the condition accepts.

    Otherwise the rule is dead, often because a name or a value was changed in one place only: with

        then: {exempt: {reason: repeated}}

    a condition `exempt: {reason: repeat}` is never met. `unless`, `count` and `total` are left alone: they also read
    what is not there. An amendment answers for its own rules; what it leaves idle of others is remarked.
    """
    for rule, unmet in _waiting(edition):
        if edition.amends is None or _own(rule, edition):
            problem = f"rule {rule.id} can never fire: no rule that can fire concludes such a {unmet.kind}"
            mend = f"write a rule that does, or let a finding or an event of table.yaml state {unmet.kind}"
            yield Fault(unmet.place, problem, mend)


def idle(edition: Edition, base: Edition) -> Iterator[Fault]:
    """The rules that an amendment takes over and that can no longer fire, each with the clauses whose change it is, and
    the clauses that name one that it takes away."""
    for rule, unmet in _waiting(edition):
        if not _own(rule, edition):
            gone = [old for old in base.rules if any(each.kind == unmet.kind for each in old.then)]
            changed = [*dict.fromkeys(old.clause for old in gone if old not in edition.rules)]
            taken = "taken away" if changed and not any(ref in edition.clauses for ref in changed) else "changed"
            since = f"{', '.join(changed) or 'the words'} {'are' if len(changed) != 1 else 'is'} {taken}"
            problem = (
                f"since {since}, rule {rule.id} of {base.id} can never fire: nothing concludes {unmet.kind} any more"
            )
            yield Fault(edition.place, problem, "leave it so, if that is meant")
    for lost, ref in dict.fromkeys((ref, part.ref) for ref, part, _ in _dangling(edition) if not _own(part, edition)):
        problem = f"since {lost} is taken away, {ref} of {base.id} names a clause that there is not"
        yield Fault(edition.place, problem, f"write {ref} anew, if it is to name another")


def _own(part: Rule | Clause, edition: Edition) -> bool:
    return edition.folders[-1].resolve() in Path(part.place.file).resolve().parents


def _waiting(edition: Edition) -> Iterator[tuple[Rule, Condition]]:
    """The rules that wait for what nothing concludes, each with the condition that is never met."""
    kinds = edition.vocabulary.kinds
    waiting = {rule.id: rule for rule in edition.rules}
    concluded = defaultdict[str, list[Conclusion]](list)

    def met(condition: Condition) -> bool:
        return (
            condition.kind in edition.stated
            or condition.kind not in kinds
            or any(
                all(possible(test, conclusion.terms.get(test.field)) for test in condition.tests)
                for conclusion in concluded[condition.kind]
            )
        )

    while new := [rule for rule in waiting.values() if all(map(met, rule.wanted))]:
        for rule in new:
            del waiting[rule.id]
            for conclusion in rule.then:
                concluded[conclusion.kind].append(conclusion)
    yield from ((rule, [c for c in rule.wanted if not met(c)][0]) for rule in waiting.values())


def contradictions(edition: Edition) -> Iterator[Fault]:
    """A rule does not demand what cannot both be: of the one fact that there can be of a kind two things, or under
    `unless` what stands under `when`.

    Of tricks and of seats there is one winner and one role each, so a rule with

        when:
          - role: {hand: $h, is: declarer}
          - role: {hand: $h, is: defender}

    would never fire, and nobody be told why.
    """
    for rule in (rule for rule in edition.rules if rule.whole):
        yield from _contradicted(rule, edition.vocabulary)


def _contradicted(rule: Rule, vocabulary: Vocabulary) -> Iterator[Fault]:
    for wanted, another in combinations(rule.wanted, 2):
        kind = vocabulary.kinds.get(wanted.kind)
        if kind is None or kind.one_per is None or another.kind != wanted.kind:
            continue
        a, b = ({test.field: test for test in condition.tests} for condition in (wanted, another))
        if all(name in a and name in b and a[name].exactly == b[name].exactly != "" for name in kind.one_per):
            for name in (name for name in b if name in a and _never_both(a[name], b[name])):
                problem = f"{name} of this {wanted.kind} cannot be {b[name].demand} and {a[name].demand}"
                mend = "take one of the two out, or give the other fact a variable of its own"
                yield Fault(b[name].place, problem, mend, ((a[name].place, "demanded here"),))
    for item in rule.unless:
        forbidden = {test.said for test in item.tests}
        for wanted in rule.wanted:
            if wanted.kind == item.kind and forbidden.issubset(test.said for test in wanted.tests):
                problem = f"when demands this {item.kind}, and unless forbids it: the rule can never fire"
                yield Fault(item.place, problem, "mend one of the two", ((wanted.place, "demanded here"),))


def _never_both(one: Test, other: Test) -> bool:
    """Whether no value passes both tests, as far as their literals and their terms tell."""
    for test, beside in ((one, other), (other, one)):
        values = test.among or ((test.term.value,) if test.operator == "=" and isinstance(test.term, Constant) else ())
        if values and not any(possible(beside, Constant(value)) for value in values):
            return True
    opposite = ({"=", "!="}, {"=", "<"}, {"=", ">"}, {"<", ">"}, {"<", ">="}, {">", "<="})
    return not (one.among or other.among) and one.term == other.term and {one.operator, other.operator} in opposite


def possible(test: Test, term: Term | None) -> bool:
    """Whether a concluded value could pass a test; only two literals can exclude each other."""
    if not isinstance(term, Constant):
        return True
    if test.among:
        return any(equal(term.value, value) for value in test.among)
    if not isinstance(test.term, Constant):
        return True
    concluded, demanded = term.value, test.term.value
    if test.operator in ("=", "!="):
        return equal(concluded, demanded) == (test.operator == "=")
    if not isinstance(concluded, int) or not isinstance(demanded, int):
        return True
    return COMPARE[test.operator](concluded, demanded)


def equal(first: Value, second: Value) -> bool:
    return type(first) is type(second) and first == second
