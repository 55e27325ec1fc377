"""What terms, and the rules they stand in, say of themselves."""

from __future__ import annotations

import pytest
from support.rules import rule

from facts.fact import Value
from kb.language.terms import Constant, Sum, Term, Variable

T, N = Variable("t"), Variable("n")


@pytest.mark.parametrize(
    ("term", "text", "variables", "alone", "value"),
    [
        (T, "$t", ("t",), "t", 4),
        (Sum(T, Constant(1)), "$t + 1", ("t",), None, 5),
        (Sum(T, N), "$t + $n", ("t", "n"), None, 7),
        (Constant("W"), "W", (), None, "W"),
        (Constant(True), "true", (), None, True),
        (Constant(12), "12", (), None, 12),
    ],
)
def test_a_term_knows_its_text_variables_and_value(
    term: Term, text: str, variables: tuple[str, ...], alone: str | None, value: Value
) -> None:
    assert (str(term), term.variables, term.alone) == (text, variables, alone)
    assert term.value_in({"t": 4, "n": 3}) == value


def test_a_variable_without_a_value_has_none() -> None:
    with pytest.raises(KeyError):
        Sum(T, N).value_in({"t": 1})


def test_only_constants_are_changed() -> None:
    def more(value: Value) -> Value:
        return int(value or 0) + 10

    assert [T.mapped(more), Sum(T, Constant(1)).mapped(more), Sum(T, N).mapped(more)] == [
        T,
        Sum(T, Constant(11)),
        Sum(T, N),
    ]
    assert Constant(1).mapped(more) == Constant(11)


def test_a_rule_is_walked_in_the_order_of_the_file() -> None:
    one = rule(
        "r.1: revoke(play = $p, hand = $h), count(won(hand = $h, trick > $t)) = $n, role(is in declarer|dummy), "
        "not faced(hand = $h) -> seen(play = $p, tricks = $n + 1)"
    )
    assert [condition.kind for condition in one.conditions()] == ["revoke", "won", "role", "faced"]
    assert [str(term) for term in one.terms()] == ["$p", "$h", "$h", "$t", "$n", "None", "$h", "$p", "$n + 1"]
    assert [condition.kind for condition in one.wanted] == ["revoke", "role"]
    assert [str(tally.number) for tally in one.tallies] == ["is: $n"]
    assert [[str(test) for test in condition.tests] for condition in one.conditions()] == [
        ["play: $p", "hand: $h"],
        ["hand: $h", "trick: > $t"],
        ["is: [declarer, dummy]"],
        ["hand: $h"],
    ]
