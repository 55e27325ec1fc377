"""A rule completed: what belongs to a play, or to whatever else the vocabulary says so of, is put in where it lacks.

The trick and the hand of ``$p`` are ``$p.trick`` and ``$p.hand``, or what the rule itself calls them beside it. Whoever
checks or runs a rule finds every field in its place.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TypeVar

from facts.errors import Faults
from facts.table import Impossible
from kb.language.rule import Conclusion, Condition, Rule, Tally, Test, read_unless, read_when
from kb.language.terms import Term, Variable
from kb.language.texts import holes, texts_mapped
from kb.language.vocabulary import Vocabulary

_Rule = TypeVar("_Rule", bound=Rule)


def completed(rule: _Rule, vocabulary: Vocabulary) -> _Rule:
    """The rule with what belongs to something stated wherever that stands."""
    rule = whole = _with_owners_named(rule, vocabulary)
    used = _variables(rule).union(*(holes(text) for texts in rule.texts() for text in texts.values()))
    for key, parts in vocabulary.belonging.items():
        for owner in _owners(rule, key):
            for part in parts:
                whole = _with_part(whole, key, Variable(owner), part, used, vocabulary)
    return replace(whole, written=rule)


def rule_of(ruled_out: Impossible, vocabulary: Vocabulary, faults: Faults) -> Rule:
    """What is impossible by facts, as a rule that concludes nothing as yet; not completed, as two hands of one card are
    just what may be impossible."""
    faults.kinds = vocabulary.fields
    when = () if ruled_out.facts is None else read_when(ruled_out.facts, faults)
    unless = () if ruled_out.unless is None else read_unless(ruled_out.unless, faults)
    return Rule(ruled_out.place, when, (), ruled_out.because, unless, id="this")


def _variables(rule: Rule) -> set[str]:
    return {name for term in rule.terms() for name in term.variables}


def _owners(rule: Rule, key: str) -> tuple[str, ...]:
    """The variables that something is, as ``$p`` is a play."""
    wanted = (condition.variable(key) for condition in rule.wanted)
    concluded = (then.terms[key].alone for then in rule.then if key in then.terms)
    return tuple(dict.fromkeys(name for name in (*wanted, *concluded) if name))


def _with_owners_named(rule: _Rule, vocabulary: Vocabulary) -> _Rule:
    """``{hand}`` in its sentences is the hand of the one play that it names, of which it says ``{p.hand}`` then."""
    names, meant = _variables(rule), dict[str, str]()
    for key, parts in vocabulary.belonging.items():
        owners = _owners(rule, key)
        for part in parts if len(owners) == 1 else ():
            if part not in names:
                meant.setdefault(part, f"{owners[0]}.{part}")
    if not meant:
        return rule
    bare = re.compile(rf"(?<=\{{)(?:{'|'.join(meant)})(?=[}}|?])")
    return rule.reworded(lambda texts: texts_mapped(texts, lambda text: bare.sub(lambda name: meant[name[0]], text)))


def _with_part(rule: _Rule, key: str, owner: Variable, part: str, used: set[str], vocabulary: Vocabulary) -> _Rule:
    """The rule with one part of what a variable stands for stated in each fact that has it."""
    own, fields = Variable(f"{owner.name}.{part}"), vocabulary.fields
    having = [each for each in rule.wanted if each.variable(key) == owner.name and part in fields.get(each.kind, ())]
    given = (test.term for each in having for test in each.tests if test.field == part and test.is_value)
    term: Term = own if own.name in used else next(given, own)

    def condition(read: Condition) -> Condition:
        place = next((test.place for test in read.tests if test.field == key and test.binds == owner.name), None)
        stated = (test.field == part and test.is_value and test.term == term for test in read.tests)
        if place is None or part not in fields.get(read.kind, ()) or any(stated):
            return read
        return replace(read, tests=(Test(part, "=", term, place), *read.tests))

    def conclusion(then: Conclusion) -> Conclusion:
        lacks = part in fields.get(then.kind, ()) and part not in then.terms and then.terms.get(key) == owner
        return replace(then, terms={**then.terms, part: term}) if lacks else then

    rule = replace(rule, then=tuple(map(conclusion, rule.then)))
    if not having:  # nothing would give it a value
        return rule
    when = (replace(item, of=condition(item.of)) if isinstance(item, Tally) else condition(item) for item in rule.when)
    return replace(rule, when=tuple(when), unless=tuple(map(condition, rule.unless)))
