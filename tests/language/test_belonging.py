"""A rule written the short way is the rule written in full."""

from __future__ import annotations

import pytest
from support.ruling import law

from facts.errors import Faults
from facts.form import form_of
from facts.yaml_reader import read_yaml
from kb.language.belonging import completed
from kb.language.checks import rule_faults
from kb.language.rule import Rule

VOCABULARY = law().edition.vocabulary
TWO_PLAYS_AND_A_CARD = """
    when: [{revoke: {play: $p}}, {revoke: {play: $q, trick: "> $p.trick"}}, {lies: {play: $q, card: $c}}]
    unless: {held: {hand: "not $p.hand", card: $c}}
    then: {repeat: {play: $q}}
    because: {en: "{q.hand}", de: "{q.hand}"}
"""
PAIRS = {
    "one play": (
        """
        when: [{revoke: {play: $p, at: "< $a"}}, {attention-to: {trick: $p.trick, hand: $p.hand, at: $a}}]
        unless: {put-right: {play: $p}}
        then: {drawn-to: {play: $p, at: $a}}
        because: {en: "{hand}[ at trick {trick}]", de: "{hand}[ in Stich {trick}]"}
        """,
        """
        when: [{revoke: {play: $p, trick: $t, hand: $h, at: "< $a"}}, {attention-to: {trick: $t, hand: $h, at: $a}}]
        unless: {put-right: {play: $p, trick: $t, hand: $h}}
        then: {drawn-to: {play: $p, trick: $t, hand: $h, at: $a}}
        because: {en: "{h}[ at trick {t}]", de: "{h}[ in Stich {t}]"}
        """,
    ),
    "what the rule calls itself": (
        """
        when: [{failed: {play: $p, hand: $x}}, {revoke: {play: $p, trick: 12}}, {count: {of: {act: {play: $p}}, is: 0}}]
        then: {done: {play: $p}}
        because: {en: "{x}", de: "{x}"}
        """,
        """
        when:
          - failed: {play: $p, hand: $x, trick: 12}
          - revoke: {play: $p, hand: $x, trick: 12}
          - count: {of: {act: {play: $p, hand: $x, trick: 12}}, is: 0}
        then: {done: {play: $p, hand: $x, trick: 12}}
        because: {en: "{x}", de: "{x}"}
        """,
    ),
}


def read(text: str) -> Rule:
    faults = Faults(VOCABULARY.languages)
    faults.kinds = VOCABULARY.fields
    found: Rule = form_of(Rule).read(read_yaml(text, "f"), faults)
    assert not faults
    return completed(found.numbered("1", 1), VOCABULARY)


def said(rule: Rule) -> str:
    """What it demands and says, in whatever order, with the variables of the long way."""
    items = [sorted(f"{item.condition.kind} {test}" for test in item.condition.tests) for item in rule.items()]
    concluded = [sorted(f"{then.kind} {name}: {term}" for name, term in then.terms.items()) for then in rule.then]
    return f"{items} {concluded} {dict(rule.because)}".replace("p.trick", "t").replace("p.hand", "h")


@pytest.mark.parametrize("name", PAIRS)
def test_the_short_way_is_the_long_way(name: str) -> None:
    short, long = map(read, PAIRS[name])
    assert said(short) == said(long)
    assert not [*rule_faults(short, VOCABULARY), *rule_faults(long, VOCABULARY)]


def test_each_owner_has_its_own() -> None:
    rule = read(TWO_PLAYS_AND_A_CARD)
    assert [sorted(map(str, item.condition.tests)) for item in rule.items()] == [
        ["hand: $p.hand", "play: $p", "trick: $p.trick"],
        ["hand: $q.hand", "play: $q", "trick: $q.trick", "trick: > $p.trick"],
        ["card: $c", "hand: $q.hand", "play: $q", "trick: $q.trick"],
        ["card: $c", "hand: $q.hand", "hand: not $p.hand"],
    ]
    assert not [*rule_faults(rule, VOCABULARY)]
