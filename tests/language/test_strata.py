from __future__ import annotations

import pytest
from support.rules import rule, rules

from facts.errors import RulesError
from kb.language.strata import cycles, strata


def layers(text: str) -> list[list[str]]:
    return [[rule.id for rule in layer] for layer in strata(rules(text))]


def test_a_rule_stands_above_what_it_needs_settled():
    text = """
        top: a(), not c() -> d()
        mid: a(), count(b()) = 0 -> c()
        low: a() -> b()
        low2: b() -> e()
    """
    assert layers(text) == [["low", "low2"], ["mid"], ["top"]]


def test_recursion_through_when_stays_in_one_stratum():
    assert layers("p: a() -> b()\nq: b() -> a()\nr: a(), not c() -> d()") == [["p", "q", "r"]]


def test_no_rules_no_strata():
    assert strata(()) == ()
    assert cycles(()) == []


def test_a_kind_is_settled_only_above_all_rules_that_conclude_it():
    text = """
        late: x(), not a() -> b()
        early: x() -> b()
        first: x() -> a()
        reader: x(), not b() -> c()
    """
    assert layers(text) == [["early", "first"], ["late"], ["reader"]]


def test_a_rule_that_denies_its_own_conclusion():
    own = rule("r: a(n=$n), not b(n=$n) -> c(), b(n=$n)", 7)
    (fault,) = cycles([own])
    assert fault.what == "rule r reads b under 'unless', but b depends on this very rule"
    assert (fault.place, fault.others[0][0]) == (own.unless[0].place, own.then[1].place)


def test_a_long_way_round_names_every_rule_and_both_places():
    text = "r: a(), not d() -> b()\ns: b() -> c()\nt: c(), not e() -> d()\nother: a() -> d()"
    with pytest.raises(RulesError) as caught:
        strata(rules(text))
    (fault,) = caught.value.faults
    assert (fault.place.line, fault.place.column) == (1, 9)
    assert fault.others[0][0].line == 3
    assert "(through s, t)" in fault.what


def test_a_tally_may_not_count_what_it_concludes():
    (fault,) = cycles(rules("r: a(), count(b()) < 3 -> b()"))
    assert "'count'" in fault.what


def test_two_cycles_are_two_faults():
    found = cycles(rules("r: a(), not b(), not c() -> b()\ns: b() -> c()"))
    assert [fault.what.split()[3] for fault in found] == ["b", "c"]
