"""What only concerns durable-rules: its narrow subset, its limits, and how its failures are noticed."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from typing import Any

import pytest
from support.rules import program

from facts.errors import EngineError
from facts.fact import Fact, Value
from kb.engine.durable import DurableEngine, Ruleset
from kb.engine.native import NativeRule, marked
from kb.language.rule import Test

KINDS = "\n".join(["a(n: integer, s: seat)", "b(n: integer, s: seat)", *[f"d{i}(n: integer)" for i in range(200)]])
RULES = """
    one: a(n=$n, s=$s), b(n>$n, s=$s), not d1(n=$n) -> d2(n=$n)
    two: a(n=$n), b(n=$m, s!=N), a(n=$m+$n), count(b(n<$n)) = $k -> d3(n=$k)
"""


def every() -> list[NativeRule]:
    made, flags = program(KINDS, RULES), dict[tuple[str, Test], str]()
    return [NativeRule(made.vocabulary, rule, number, flags) for number, rule in enumerate(made.rules)]


def patterns() -> Iterator[tuple[str, list[dict[str, Any]]]]:
    for rule in every():
        for item in rule.json["all"]:
            ((name, body),) = item.items()
            yield name, body["$and"]


def test_only_the_safe_subset_is_used():
    for rule in every():
        assert rule.json["dist"] == 0
        names = [name for item in rule.json["all"] for name in item]
        absent = [name for name in names if name.endswith("$not")]
        assert names[len(names) - len(absent) :] == absent
        assert (names[0] == "g") == bool(absent)
    marks = [{marked(kind): 1} for kind in program(KINDS, RULES).vocabulary.kinds]
    for name, tests in patterns():
        assert all(len(test) == 1 for test in tests)
        assert name == "g" or tests[0] in marks
        joined = any("p" in str(test) or "$m" in str(test) for test in tests)
        assert (tests[-1] == {"$and": [tests[0]]}) == joined


def test_as_many_conditions_as_there_may_be():
    names = [f"k{i}" for i in range(15)]
    kinds = [f"{name}(n: integer)" for name in names] + ["all(n: integer)", "no(n: integer, m: integer)"]
    absent = "".join(f", not no(n=$n, m={i})" for i in range(15))
    made = program("\n".join(kinds), f"r: {', '.join(f'{name}(n=$n)' for name in names)}{absent} -> all(n=$n)")
    proof = DurableEngine(made).run([*[(name, n) for name in names for n in (1, 2, 3)][:-1], ("no", 2, 14)])
    assert [step.fact for step in proof.steps] == [("all", 1)]


def given(rules: str, facts: list[Fact], monkeypatch: pytest.MonkeyPatch) -> list[set[Value]]:
    """Batch by batch the kinds of the facts that durable-rules gets."""
    found, messages = list[set[Value]](), Ruleset.messages

    def noted(self: Ruleset, facts: Sequence[Fact], told: Mapping[Fact, str]) -> list[str]:
        found.append({fact[0] for fact in facts})
        return messages(self, facts, told)

    monkeypatch.setattr(Ruleset, "messages", noted)
    DurableEngine(program(KINDS, rules)).run(facts)
    return found


def asked(rules: str, facts: list[Fact], monkeypatch: pytest.MonkeyPatch) -> list[set[str]]:
    """Stage by stage the rules that durable-rules is asked about."""
    found, ready = list[set[str]](), DurableEngine.ready

    def noted(self: DurableEngine, live: tuple[NativeRule, ...]) -> object:
        found.append({one.rule.id for one in live})
        return ready(self, live)

    monkeypatch.setattr(DurableEngine, "ready", noted)
    DurableEngine(program(KINDS, rules)).run(facts)
    return found


def test_a_rule_that_lacks_a_kind_is_not_asked_about(monkeypatch):
    rules = "r: a(n=$n), b(n=$n) -> d0(n=$n)\nq: a(n=$n), not d3(n=$n) -> d1(n=$n)\np: d1(n=$n), d2(n=$n) -> d4(n=$n)"
    assert asked(rules, [("a", 1, "N")], monkeypatch) == [{"q"}]


def test_stages_are_as_few_as_can_be():
    rules = """
        w: d0(n=$n) -> d1(n=$n)
        x: a(n=$n), not b() -> d2(n=$n)
        y: d2(n=$n) -> d0(n=$n)
        z: d0(n=$n), b(n=$n) -> d0(n=$n)
        v: b(n=$n) -> d1(n=$n)
    """
    found = [sorted(one.rule.id for one, _ in stage) for stage in DurableEngine(program(KINDS, rules)).stages]
    assert found == [["v", "x"], ["y"], ["z"], ["w"]]


def test_facts_are_not_given_to_a_rule_that_lacks_a_kind(monkeypatch):
    rules = "r: a(n=$n), b(n=$n) -> d0(n=$n)\nq: b(n=$n), d3(n=$n) -> d1(n=$n)\np: d1(n=$n), d2(n=$n) -> d4(n=$n)"
    assert given(rules, [("b", 1, "N"), ("d3", 2)], monkeypatch) == [{"b", "d3"}]


def test_what_a_rule_may_be_given_by_its_own_circle_is_not_demanded(monkeypatch):
    rules = "r: d0(n=$n), a(n=$n) -> d1(n=$n)\nq: d1(n=$n) -> d0(n=$n)"
    assert given(rules, [("a", 1, "N")], monkeypatch) == [{"a"}]


def test_a_rule_that_only_counts_is_asked_about_even_where_there_is_nothing():
    proof = DurableEngine(program(KINDS, "r: count(a()) = $n -> d0(n=$n)")).run([])
    assert [step.fact for step in proof.steps] == [("d0", 0)]


def test_sets_of_rules_are_made_again_when_there_are_too_many(monkeypatch):
    monkeypatch.setattr("kb.engine.durable.MOST_MADE", 1)
    made = program(KINDS, "r: a(n=$n), not b(n=$n) -> d0(n=$n)\nq: b(n=$n) -> d1(n=$n)")
    engine = DurableEngine(made)
    for facts in ([("a", 1, "N")], [("b", 1, "N")], [("a", 1, "N"), ("b", 2, "N")]) * 2:
        assert engine.run(facts) == made.run(facts)


def many(count: int) -> str:
    """Rules that all read the same two kinds, chained through what they conclude."""
    rules = ["start: a(n=$n, s=$s), b(n=$n, s=$s) -> d0(n=$n)"]
    for i in range(1, count):
        rules.append(f"r{i}: d{i - 1}(n=$n), a(n=$n, s=$s), b(n<={i % 3}, s=$s), not a(n=$n+{i}) -> d{i}(n=$n)")
    return "\n".join(rules)


@pytest.mark.thorough
def test_more_rules_on_one_kind_than_the_c_engine_can_take_become_several_rulesets():
    made = program(KINDS, many(150))
    engine = DurableEngine(made)
    assert len(engine.ready(tuple(rule for rule, _ in chain.from_iterable(engine.stages)))[-1]) > 3
    facts = [("a", 0, "N"), ("b", 0, "N"), ("a", 5, "S"), ("b", 5, "S")]
    proof = engine.run(facts)
    assert proof == made.run(facts)
    assert len(proof.facts("d4")) == 1


def test_of_rules_that_the_c_engine_refuses_the_place_is_told(monkeypatch):
    monkeypatch.setattr("kb.engine.durable.rulesets", lambda rules: [[setattr(one, "json", 7) or one for one in rules]])
    engine = DurableEngine(program(KINDS, "good: a(n=$n) -> d0(n=$n)\nbad: a(n=$n) -> d1(n=$n)"))
    with pytest.raises(EngineError, match=r"^rules:1:1: durable-rules refuses a rule from good to bad"):
        engine.run([("a", 1, "N")])


def test_without_the_library_the_error_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "durable_rules_engine", None)
    with pytest.raises(EngineError, match="pip install"):
        DurableEngine(program(KINDS, RULES))


def test_facts_that_the_c_engine_drops_are_noticed():
    engine = DurableEngine(program(KINDS, RULES))
    *_, (ruleset,) = engine.ready(tuple(rule for rule, _ in engine.stages[0]))
    dropped = '{"id":3,"k-a":1,"f1":1e-7}'
    with pytest.raises(EngineError, match="lost facts"):
        list(ruleset.firings(['{"id":2,"k-a":1}', dropped, '{"id":4,"end":1}']))
    ruleset.forget()


def test_numbers_beyond_the_c_engine_are_refused_and_the_next_run_is_right():
    made = program(KINDS, RULES)
    engine = DurableEngine(made)
    facts = [("a", 1, "N"), ("b", 2, "N")]
    with pytest.raises(EngineError, match="beyond"):
        engine.run([*facts, ("b", 2**60, "N")])
    assert engine.run(facts) == made.run(facts)


@pytest.mark.thorough
def test_an_endless_run_leaves_nothing_behind():
    made = program(KINDS, "r: a(n=$n, s=$s) -> a(n=$n+1, s=$s)\nq: b(n=$n), a(n=$n) -> d0(n=$n)")
    engine = DurableEngine(made)
    with pytest.raises(EngineError, match="rule r the most"):
        engine.run([("a", 1, "N"), ("b", 5, "N")])
    assert engine.run([("b", 5, "N")]).steps == ()


def test_threads_may_share_an_engine():
    made = program(KINDS, many(30))
    engine, quick = DurableEngine(made), made
    runs = [[("a", n, "N"), ("b", n, "N"), ("b", n + 1, "S"), ("a", n, "S")] for n in range(60)]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(engine.run, runs)) == [quick.run(facts) for facts in runs]
