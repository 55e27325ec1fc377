from __future__ import annotations

import pickle

import pytest
from support.rules import program

from facts.errors import RulesError
from kb.engine.durable import DurableEngine
from kb.engine.sets import components

KINDS = "a(n: integer, s: seat)\nb(n: integer, s: seat)\nc(n: integer, s: seat?)"


def test_a_cycle_is_refused():
    with pytest.raises(RulesError, match="unless"):
        program(KINDS, "r: a(n=$n), not b(n=$n) -> b(n=$n, s=N)")


def test_only_what_a_rule_reads_is_needed():
    made = program(KINDS, "r: a(n=1, s in N|S), not b() -> c(n=1, s=N)\nq: a(n>5) -> c(n=2, s=N)")
    assert made.kinds == {"a", "b"}


def test_rules_come_after_all_that_feed_them():
    rules = """
        z: c(n=$n) -> d(n=$n)
        y: b(n=$n) -> c(n=$n, s=N)
        x: c(n=$n) -> b(n=$n, s=N)
        w: a(n=$n) -> b(n=$n, s=N)
        v: d(n=$n), not c(n=$n) -> e(n=$n)
    """
    made = program(f"{KINDS}\nd(n: integer)\ne(n: integer)", rules)
    order = [sorted(made.rules[number].id for number in group) for group in components(made.rules)]
    assert order == [["w"], ["x", "y"], ["z"], ["v"]]


@pytest.mark.parametrize("made", [lambda program: program, DurableEngine], ids=["quick", "durable"])
def test_engines_and_programs_can_be_pickled(made):
    engine = made(program(KINDS, "r: a(n=$n, s=$s) -> b(n=$n, s=$s)"))
    again = pickle.loads(pickle.dumps(engine))
    facts = [("a", 1, "N"), ("a", 2, "S")]
    assert again.run(facts) == engine.run(facts)
    assert len(again.run(facts).steps) == 2
