"""What a rule's conditions demand, on both engines."""

from __future__ import annotations

import pytest

PLAYS = [("play", "N", 1), ("play", "N", 2), ("play", "E", 2), ("play", "S", 3)]


def test_a_shared_variable_joins(conclusions):
    rules = "r: play(hand=$h, trick=$t), card(hand=$h, rank=$t) -> out(hand=$h, n=$t)"
    facts = [*PLAYS, ("card", "N", "S", 2, True), ("card", "E", "S", 3, True)]
    assert conclusions(rules, facts) == {("out", "N", 2)}


def test_a_variable_twice_in_one_condition_means_equal(conclusions):
    assert conclusions("r: link(from=$a, to=$a) -> note(n=$a)", [("link", 1, 1), ("link", 1, 2)]) == {("note", 1)}


@pytest.mark.parametrize(
    ("test", "left"),
    [("=2", {2}), ("!=2", {1, 3}), ("<2", {1}), ("<=2", {1, 2}), (">2", {3}), (">=2", {2, 3}), (" in 1|3", {1, 3})],
)
def test_literals(conclusions, test, left):
    rules = f"r: play(hand=$h, trick{test}), play(hand=$h, trick=$t) -> note(n=$t)"
    facts = [("play", "N", 1), ("play", "E", 2), ("play", "S", 3)]
    assert conclusions(rules, facts) == {("note", n) for n in left}


def test_words_and_yes_no_literals(conclusions):
    rules = "r: card(suit in S|H, seen=true, rank=$n) -> note(n=$n)\nq: card(seen!=true, rank=$n) -> note(n=$n)"
    facts = [("card", "N", "S", 2, True), ("card", "N", "D", 3, True), ("card", "N", "H", 4, False)]
    assert conclusions(rules, facts) == {("note", 2), ("note", 4)}


@pytest.mark.parametrize(
    ("operator", "pairs"),
    [
        ("!=", {(1, 2), (1, 3), (2, 1), (2, 3), (3, 1), (3, 2)}),
        ("<", {(1, 2), (1, 3), (2, 3)}),
        ("<=", {(1, 1), (1, 2), (1, 3), (2, 2), (2, 3), (3, 3)}),
        (">", {(2, 1), (3, 1), (3, 2)}),
        (">=", {(1, 1), (2, 1), (2, 2), (3, 1), (3, 2), (3, 3)}),
    ],
)
def test_a_comparison_may_stand_before_what_it_compares_with(conclusions, operator, pairs):
    rules = f"r: link(from=$a, to{operator}$b), note(n=$b), link(from=$a, to=$c) -> path(from=$c, to=$b)"
    facts = [("link", 1, 1), ("link", 2, 2), ("link", 3, 3), ("note", 1), ("note", 2), ("note", 3)]
    assert {(fact[1], fact[2]) for fact in conclusions(rules, facts)} == pairs


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ("r: link(from=$a, to=$a+2) -> note(n=$a)", {1}),
        ("r: link(from=$a, to=$b), note(n=$a+$b) -> note(n=$b)", {3}),
        ("r: note(n=$a+$b), link(from=$a, to=$b) -> note(n=$b)", {3}),
        ("r: link(from=$a), note(n<$a+2), link(to=$a) -> note(n=$a)", {7}),
        ("r: note(n>$a+2), link(from=$a) -> note(n=$a)", {1}),
        ("r: link(from=$a, to=$b) -> note(n=$a+$b)", {4, 14}),
    ],
)
def test_sums(conclusions, rules, expected):
    facts = [("link", 1, 3), ("link", 7, 7), ("note", 4)]
    assert conclusions(rules, facts) == {("note", n) for n in expected}


def test_a_sum_that_speaks_of_two_facts_and_its_own(conclusions):
    """``equal`` across and within facts at once: the C engine dies of it when it is put as one equality."""
    rules = "r: link(from=$a), path(from=$b, to=$a+$b) -> note(n=$b)"
    facts = [("link", 1, 0), ("path", 2, 3), ("path", 2, 4)]
    assert conclusions(rules, facts) == {("note", 2)}


def test_one_fact_may_stand_for_two_conditions(run):
    proof = run("r: play(trick=$t), play(trick<=$t) -> note(n=$t)", "", [("play", "N", 1)])
    assert [step.premises for step in proof.steps] == [(("play", "N", 1), ("play", "N", 1))]


def test_several_conclusions(conclusions):
    rules = "r: play(hand=$h, trick=$t) -> out(hand=$h, n=$t), note(n=$t), note(n=7)"
    assert conclusions(rules, PLAYS[:1]) == {("out", "N", 1), ("note", 1), ("note", 7)}


def test_an_unknown_value_is_shown_and_passes_no_test(conclusions):
    facts = [("shown", "N", None), ("shown", "E", "SA"), ("shown", "S", "H2")]
    tested = "r: shown(hand=$h, card!=SA) -> out(hand=$h, n=0)\nq: shown(hand=$h, card in SA|H2) -> out(hand=$h, n=1)"
    assert conclusions(tested, facts) == {("out", "S", 0), ("out", "S", 1), ("out", "E", 1)}
    shown = "r: shown(hand=N, card=$c) -> shown(hand=W, card=$c)"
    assert conclusions(shown, facts) == {("shown", "W", None)}


@pytest.mark.parametrize("word", ["1", "true", 'a"b', "back\\slash", "ä ♠", "", '"p0":{"id":2'])
def test_words_that_look_like_something_else(run, word):
    kinds = "say(word: text, n: integer)\nhear(word: text, n: integer)\nboth(word: text)"
    rules = "r: say(word=$w, n=1), hear(word=$w, n=1) -> both(word=$w)"
    facts = [("say", word, 1), ("say", "other", 1), ("hear", word, 1), ("hear", "1 ", 1), ("hear", "True", 1)]
    assert {step.fact for step in run(rules, kinds, facts).steps} == {("both", word)}


def test_many_conditions(run):
    names = [f"k{i}" for i in range(15)]
    kinds = "\n".join([f"{name}(n: integer)" for name in names] + ["all(n: integer)", "no(n: integer, m: integer)"])
    first = "r: " + ", ".join(f"{name}(n=$n)" for name in names)
    rules = first + "".join(f", not no(n=$n, m={i})" for i in range(15)) + " -> all(n=$n)"
    facts = [*[(name, n) for name in names for n in (1, 2, 3)][:-1], ("no", 2, 14)]
    assert {step.fact for step in run(rules, kinds, facts).steps} == {("all", 1)}


def test_facts_given_twice_count_once(run):
    proof = run("r: play(trick=$t), count(play()) = $n -> path(from=$t, to=$n)", "", [*PLAYS[:1], *PLAYS[:1]])
    assert [step.fact for step in proof.steps] == [("path", 1, 1)]


def test_no_facts_no_steps(run):
    assert run("r: play(trick=$t), not done() -> note(n=$t)", "", []).steps == ()
