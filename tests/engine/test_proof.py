from __future__ import annotations

import pickle

import pytest
from support.rules import program

from kb.engine.proof import Proof, bindings, rests_on
from kb.ruling.reasons import lacking

KINDS = """
    link(from: integer, to: integer)
    path(from: integer, to: integer)
    bar(n: integer, why: text?)
    open(n: integer, sum: integer)
    count-of(n: integer)
"""
RULES = """
    A.1: path(from=$a, to=$b), path(from=$b, to=$c) -> path(from=$a, to=$c)
    A.2: link(from=$a, to=$b) -> path(from=$a, to=$b)
    B.1: path(from=$a, to=$b), not bar(n in 7|8), not bar(n=$a+$b, why=$x), not path(from=9, to>$b) -> open(n=$a, sum=$b+1)
    C.1: count(open(n<3)) = $n -> count-of(n=$n)
"""
LINKS = [("link", 2, 3), ("link", 1, 2), ("link", 3, 1)]


@pytest.fixture(scope="module")
def proof() -> Proof:
    return program(KINDS, RULES).run([*LINKS, ("bar", 1, None), ("bar", 1, "x")])


def test_ground_facts_first_then_strata_rounds_kinds_values(proof):
    assert proof.facts("link") == (("link", 1, 2), ("link", 2, 3), ("link", 3, 1))
    assert proof.facts("bar") == (("bar", 1, None), ("bar", 1, "x"))
    pairs = [(1, 2), (2, 3), (3, 1), (1, 3), (2, 1), (3, 2), (1, 1), (2, 2), (3, 3)]
    assert proof.facts("path") == tuple(("path", *pair) for pair in pairs)
    assert [fact[0] for fact in dict.fromkeys(step.fact for step in proof.steps)] == ["path"] * 9 + ["open"] * 9 + [
        "count-of"
    ]
    assert proof.facts("nothing") == ()


def test_the_order_of_steps_does_not_depend_on_the_engine(proof):
    again = Proof(proof.program, tuple(proof.ground) * 2, list(reversed(proof.firings)) * 2)
    assert again == proof
    assert again.steps == proof.steps
    assert Proof(proof.program, proof.ground, proof.firings[:-1]) != proof
    assert Proof(proof.program, LINKS, proof.firings) != proof


def test_every_way_to_a_fact_is_kept(proof):
    ways = proof.steps_for(("path", 1, 2))
    assert [step.rule.id for step in ways] == ["A.1"] * 3 + ["A.2"]
    assert proof.steps_for(("link", 1, 2)) == ()


def test_the_first_step_never_rests_on_its_own_fact(proof):
    step = proof.first_step(("path", 1, 2))
    assert step.rule.id == "A.2"
    assert proof.first_step(("path", 1, 1)).premises == (("path", 1, 2), ("path", 2, 1))
    for fact in proof.facts("path"):
        assert all(proof.rank(premise) < proof.rank(fact) for premise in proof.first_step(fact).premises)
    assert proof.first_step(("link", 1, 2)) is None
    circle = program(KINDS, RULES).run([("link", 2, 2), ("link", 3, 2)])
    assert [step.rule.id for step in circle.steps_for(("path", 3, 2))] == ["A.1", "A.2"]
    first = circle.first_step(("path", 3, 2))
    assert first is not None
    assert first.rule.id == "A.2"


def test_a_step_rests_on_what_its_tally_counted(proof):
    (premise,) = proof.first_step(("count-of", 6)).premises
    assert premise[:2] == ("count", 6)
    assert proof.first_step(premise) is None
    assert [fact[0] for fact in rests_on([premise])] == ["open"] * 6
    assert all(proof.first_step(fact) for fact in rests_on([premise]))


def test_a_total_shows_what_was_added_up():
    proof = program(KINDS, "r: total(link(from<3).to) = $n -> count-of(n=$n)").run(LINKS)
    (step,) = proof.steps
    assert step.premises == (("total", 5, ("link", 1, 2), ("link", 2, 3)),)
    assert bindings(proof.program.vocabulary, step) == {"n": 5}


def test_bindings(proof):
    step = proof.first_step(("open", 1, 3))
    assert bindings(proof.program.vocabulary, step) == {"a": 1, "b": 2}
    assert bindings(proof.program.vocabulary, proof.first_step(("count-of", 6))) == {"n": 6}


def test_what_had_to_be_missing_has_its_values_filled_in(proof):
    step = proof.first_step(("open", 1, 3))
    found = lacking(proof, step)
    assert tuple(one.condition for one in found) == step.rule.unless
    assert [one.tests for one in found] == [
        {"n": ("=", (7, 8))},
        {"n": ("=", 3)},
        {"from": ("=", 9), "to": (">", 2)},
    ]
    assert lacking(proof, proof.steps[0]) == ()


def test_a_stated_fact_needs_no_step_and_comes_before_all():
    engine = program(KINDS, RULES)
    proof = engine.run([*LINKS, ("path", 1, 1), ("bar", 7, "x")])
    assert proof.first_step(("path", 1, 1)) is None
    assert len(proof.steps_for(("path", 1, 1))) == 3
    assert proof.facts("path")[0] == ("path", 1, 1)


def test_facts_no_rule_reads_stay_ground():
    made = program(KINDS, RULES)
    assert made.vocabulary.kinds.keys() - made.kinds == {"count-of"}
    assert ("count-of", 5) in made.run([("count-of", 5)]).ground


def test_pickled(proof):
    assert pickle.loads(pickle.dumps(proof)) == proof
