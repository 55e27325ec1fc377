"""Which rules durable-rules is asked about in a run, and which facts it gets."""

from __future__ import annotations

from collections.abc import Iterable

from support.rules import program

from facts.ground import Fact
from kb.engine.durable import DurableEngine
from kb.engine.sift import sift_function
from kb.engine.source import by_kind, open_kinds

KINDS = """
    a(n: integer, s: seat)
    b(n: integer, s: seat)
    c(n: integer)
    d(n: integer)
"""


def sifted(rules: str, facts: Iterable[Fact], concluded: Iterable[Fact] = ()) -> list[tuple[set[str], set[Fact]]]:
    """Stage by stage the rules that may fire and the facts they use; the first stage concludes some facts."""
    made, found = program(KINDS, rules), []
    kinds = open_kinds(by_kind(facts), made)
    for live, of_use in sift_function(made)(kinds):
        found.append(({made.rules[number].id for number in live}, set(of_use)))
        for fact in concluded:
            kinds[fact[0]].append(fact)
        concluded = ()
    return found


def test_a_fact_that_fails_a_constant_test_is_of_no_use():
    facts = [("a", 1, "N"), ("a", 1, "E"), ("a", 7, "S")]
    assert sifted("r: a(n=1, s in N|S) -> c(n=1)", facts) == [({"r"}, {("a", 1, "N")})]


def test_a_fact_without_a_partner_is_of_no_use():
    facts = [("a", 1, "N"), ("a", 2, "N"), ("b", 1, "S"), ("b", 2, "S"), ("b", 3, "S"), ("c", 2), ("c", 3)]
    assert sifted("r: a(n=$n), b(n=$n, s=$s), a(n=$n, s!=$s), c(n=$n) -> d(n=$n)", facts) == [
        ({"r"}, {("a", 2, "N"), ("b", 2, "S"), ("c", 2)})
    ]


def test_partners_are_compared():
    facts = [*(("a", n, "N") for n in range(5)), *(("b", n, "N") for n in range(3, 7)), ("b", 0, "S")]
    wanted = {("a", 4, "N"), ("b", 3, "N")}
    assert sifted("r: a(n=$n, s=$s), b(n<$n, s=$s) -> c(n=$n)", facts) == [({"r"}, wanted)]
    assert sifted("r: b(n<$n, s=$s), a(n=$n, s=$s) -> c(n=$n)", facts) == [({"r"}, wanted)]


def test_a_rule_with_a_condition_that_nothing_fits_is_dead():
    assert sifted("r: a(n=$n), b(n=$n) -> c(n=$n)\nq: a(n=$n) -> d(n=$n)", [("a", 1, "N")]) == [
        ({"q"}, {("a", 1, "N")})
    ]
    assert sifted("r: a(n=$n), b(n=$n) -> c(n=$n)", [("a", 1, "N"), ("b", 2, "N")]) == []


def test_what_may_stand_in_the_way_is_of_use_beside_a_partner():
    facts = [("a", 1, "N"), ("b", 1, "S"), ("b", 2, "S"), ("c", 1), ("c", 0)]
    rules = "r: a(n=$n), not b(n=$n), not c(n<$n) -> d(n=$n)"
    assert sifted(rules, facts) == [({"r"}, {("a", 1, "N"), ("b", 1, "S"), ("c", 0)})]


def test_facts_wait_until_something_concluded_asks_for_them():
    facts = [("a", 1, "N"), ("b", 1, "S"), ("b", 2, "S")]
    rules = "r: a(n=$n) -> c(n=$n)\nq: c(n=$n), b(n=$n) -> d(n=$n)"
    first, then = ({"r"}, {("a", 1, "N")}), ({"q"}, {("c", 1), ("b", 1, "S")})
    assert sifted(rules, facts) == [first]
    assert sifted(rules, facts, [("c", 1)]) == [first, then]


def test_rules_that_feed_themselves_need_something_to_begin_with():
    rules = "r: c(n=$n), a(n=$n) -> c(n=$n+1)"
    assert sifted(rules, [("a", 1, "N")]) == []
    assert sifted(rules, [("a", 1, "N"), ("a", 2, "N"), ("c", 1)]) == [
        ({"r"}, {("a", 1, "N"), ("a", 2, "N"), ("c", 1)})
    ]


def test_facts_of_no_use_stay_in_the_proof():
    made = program(KINDS, "r: a(n=$n), b(n=$n) -> c(n=$n)")
    facts = [("a", 1, "N"), ("a", 2, "N"), ("b", 1, "N"), ("d", 4)]
    proof = DurableEngine(made).run(facts)
    assert proof.ground == frozenset(facts)
    assert [step.fact for step in proof.steps] == [("c", 1)]


def test_beyond_the_most_stages_each_rule_is_asked_on_its_own(monkeypatch):
    monkeypatch.setattr("kb.engine.durable.MOST_STAGES", 0)
    rules = "r: a(n=$n), not b(n=$n) -> c(n=$n)\nq: a(n=$n), b(n=$n) -> d(n=$n)\np: a(n>1) -> d(n=0)"
    engine = DurableEngine(program(KINDS, rules))
    facts = [("a", 1, "N"), ("a", 2, "N"), ("b", 1, "N")]
    assert {step.fact for step in engine.run(facts).steps} == {("c", 2), ("d", 1), ("d", 0)}
    assert len(engine.stage((0, 1, 2)).rulesets) == 3
