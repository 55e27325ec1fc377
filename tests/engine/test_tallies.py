"""``count`` and ``total``, on both engines."""

from __future__ import annotations

import pytest

from facts.errors import RulesError

CARDS = [("card", "N", "S", 2, True), ("card", "N", "H", 5, False), ("card", "E", "S", 3, True)]
PLAYS = [("play", "N", 1), ("play", "E", 2), ("play", "S", 3)]


def test_count_for_each_outer_value_and_zero(conclusions):
    rules = "r: play(hand=$h), count(card(hand=$h)) = $n -> out(hand=$h, n=$n)"
    assert conclusions(rules, PLAYS + CARDS) == {("out", "N", 2), ("out", "E", 1), ("out", "S", 0)}


def test_total_and_its_premise(run):
    proof = run("r: done(), total(card(seen=true).rank) = $n -> note(n=$n)", "", [("done",), *CARDS])
    (step,) = proof.steps
    assert step.fact == ("note", 5)
    assert step.premises == (("done",), ("total", 5, CARDS[2], CARDS[0]))
    assert proof.bindings(step) == {"n": 5}


def test_nothing_counts_nothing(run):
    (step,) = run("r: total(card().rank) = $n -> note(n=$n)", "", [("done",)]).steps
    assert (step.fact, step.premises) == (("note", 0), (("total", 0),))


@pytest.mark.parametrize(
    ("demand", "hands"), [("> 1", "N"), ("= 0", "S"), ("< $t", "ES"), ("= $t", ""), ("!= $t+1", "ES")]
)
def test_the_number_is_compared(conclusions, demand, hands):
    rules = f"r: play(hand=$h, trick=$t), count(card(hand=$h)) {demand} -> out(hand=$h, n=0)"
    assert {fact[1] for fact in conclusions(rules, PLAYS + CARDS)} == set(hands)


def test_comparisons_and_free_variables_inside(conclusions):
    rules = "r: play(hand=$h, trick=$t), count(card(suit=$x, rank>$t+1)) = $n -> out(hand=$h, n=$n)"
    assert conclusions(rules, PLAYS + CARDS) == {("out", "N", 2), ("out", "E", 1), ("out", "S", 1)}
    rules = "r: done(), count(link(from=$x, to=$x)) = $n -> note(n=$n)"
    assert conclusions(rules, [("done",), ("link", 1, 1), ("link", 1, 2)]) == {("note", 1)}


def test_a_number_may_be_used_by_another_and_by_unless(conclusions):
    rules = "r: count(card(rank=$n)) = $m, count(play()) = $n, not note(n=$m) -> path(from=$n, to=$m)"
    assert conclusions(rules, PLAYS + CARDS) == {("path", 3, 1)}
    assert conclusions(rules, [*PLAYS, *CARDS, ("note", 1)]) == set()


def test_two_numbers_that_must_agree(conclusions):
    rules = "r: play(hand=$h), count(card(hand=$h)) = $n, count(link()) = $n -> out(hand=$h, n=$n)"
    assert conclusions(rules, [*PLAYS, *CARDS, ("link", 1, 1)]) == {("out", "E", 1)}


def test_what_is_counted_is_settled_first(conclusions):
    rules = """
        r: done(), count(path()) = $n -> note(n=$n)
        a: link(from=$a, to=$b) -> path(from=$a, to=$b)
        b: path(from=$a, to=$b), path(from=$b, to=$c) -> path(from=$a, to=$c)
    """
    assert ("note", 6) in conclusions(rules, [("done",), ("link", 1, 2), ("link", 2, 3), ("link", 3, 4)])


def test_a_number_in_a_recursion(conclusions):
    """As many steps along the links as there are notes for each."""
    rules = "r: out(hand=$h, n=$a), link(from=$a, to=$b), count(note(n>=$b)) > 0 -> out(hand=$h, n=$b)"
    facts = [("out", "N", 1), ("link", 1, 2), ("link", 2, 3), ("link", 3, 4), ("note", 3)]
    assert conclusions(rules, facts) == {("out", "N", 2), ("out", "N", 3)}


def test_a_number_cannot_be_counted_by_itself(run):
    with pytest.raises(RulesError, match="depends on itself"):
        run("r: done(), count(card(rank=$n)) = $n -> note(n=$n)", "", [])
