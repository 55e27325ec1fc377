"""Absence, strata and recursion, on both engines."""

from __future__ import annotations

import pytest

from facts.errors import EngineError


def test_each_item_blocks_by_itself(conclusions):
    rules = "r: play(hand=$h, trick=$t), not card(hand=$h), not shown(hand=$h) -> note(n=$t)"
    facts = [("play", "N", 1), ("play", "E", 2), ("play", "S", 3), ("card", "N", "S", 2, True), ("shown", "E", None)]
    assert conclusions(rules, facts) == {("note", 3)}


def test_a_free_variable_means_any(conclusions):
    rules = "r: play(trick=$t), not link(from=$x, to=$t) -> note(n=$t)"
    assert conclusions(rules, [("play", "N", 1), ("play", "N", 2), ("link", 9, 2)]) == {("note", 1)}


def test_a_free_variable_twice_means_equal(conclusions):
    rules = "r: play(trick=$t), not link(from=$x, to=$x) -> note(n=$t)"
    assert conclusions(rules, [("play", "N", 1), ("link", 1, 2)]) == {("note", 1)}
    assert conclusions(rules, [("play", "N", 1), ("link", 2, 2)]) == set()


def test_a_free_variable_may_be_compared_within_its_item(conclusions):
    rules = "r: play(trick=$t), not link(from=$x, to>$x) -> note(n=$t)"
    assert conclusions(rules, [("play", "N", 1), ("link", 2, 2)]) == {("note", 1)}
    assert conclusions(rules, [("play", "N", 1), ("link", 2, 3)]) == set()


def test_any_at_all(conclusions):
    rules = "r: play(trick=$t), not done() -> note(n=$t)"
    assert conclusions(rules, [("play", "N", 1)]) == {("note", 1)}
    assert conclusions(rules, [("play", "N", 1), ("done",)]) == set()


@pytest.mark.parametrize(("test", "left"), [("$t+1", {1, 3}), ("<$t", {1}), ("!=$t", set())])
def test_comparisons_and_sums_in_an_item(conclusions, test, left):
    test = test if test[0] in "<!" else f"={test}"
    rules = f"r: play(trick=$t), not note(n{test}) -> link(from=$t, to=$t)"
    facts = [("play", "N", 1), ("play", "N", 2), ("play", "N", 3), ("note", 3), ("note", 1)]
    assert {fact[1] for fact in conclusions(rules, facts)} == left


def test_the_smallest_of_a_kind(conclusions):
    rules = "r: note(n=$n), not note(n<$n) -> out(hand=N, n=$n)"
    assert conclusions(rules, [("note", 4), ("note", 2), ("note", 3)]) == {("out", "N", 2)}


def test_strata_settle_one_after_the_other(conclusions):
    rules = """
        c: play(trick=$t), not path(from=$t) -> out(hand=N, n=$t)
        b: play(trick=$t), not link(from=$t) -> path(from=$t, to=0)
        a: note(n=$t) -> link(from=$t, to=0)
        d: play(trick=$t), not out(n=$t) -> done()
    """
    facts = [("play", "N", 1), ("play", "N", 2), ("note", 2)]
    assert conclusions(rules, facts) == {("link", 2, 0), ("path", 1, 0), ("out", "N", 2), ("done",)}


def test_a_stated_fact_blocks_like_a_derived_one(conclusions):
    rules = "a: note(n=$n) -> link(from=$n, to=$n)\nb: play(trick=$t), not link(from=$t) -> out(hand=N, n=$t)"
    assert conclusions(rules, [("play", "N", 1), ("play", "N", 2), ("link", 1, 0)]) == {("out", "N", 2)}


def test_recursion(conclusions):
    rules = """
        a: link(from=$a, to=$b) -> path(from=$a, to=$b)
        b: path(from=$a, to=$b), path(from=$b, to=$c) -> path(from=$a, to=$c)
        c: note(n=$a), not path(from=$a, to=$a) -> out(hand=N, n=$a)
    """
    facts = [("link", 1, 2), ("link", 2, 3), ("link", 3, 2), ("note", 1), ("note", 2)]
    paths = {(1, 2), (1, 3), (2, 2), (2, 3), (3, 2), (3, 3)}
    assert conclusions(rules, facts) == {("path", *p) for p in paths} | {("out", "N", 1)}


def test_rules_that_feed_each_other(run):
    rules = """
        a: link(from=$a, to=$b), note(n=$a) -> path(from=$a, to=$b)
        b: path(to=$b) -> note(n=$b)
    """
    proof = run(rules, "", [("link", n, n + 1) for n in range(50)] + [("note", 0)])
    assert len(proof.steps) == 100


def test_a_sum_that_feeds_itself_is_stopped(run):
    with pytest.raises(EngineError, match="feeds itself"):
        run("r: note(n=$n) -> note(n=$n+1)", "", [("note", 0)])
