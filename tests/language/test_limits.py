"""What the rule engine could not take is refused at load."""

from __future__ import annotations

from facts.errors import Place
from kb.language.checks.of_rules import limits
from kb.language.rule import Condition, Rule, Test
from kb.language.terms import Constant
from kb.language.vocabulary import Vocabulary


def rule(conditions: int, tests: int) -> Rule:
    """A rule with so many conditions, the last of them an ``unless``, each with so many tests on lines of their own."""
    made = [
        Condition(
            "k", tuple(Test(f"f{t}", "=", Constant(t), Place("f", c, t)) for t in range(1, tests + 1)), Place("f", c)
        )
        for c in range(1, conditions + 1)
    ]
    return Rule(Place("f", 1), tuple(made[:-1]), (), {}, (made[-1],), id="1A.1", clause="1A")


def test_fifteen_conditions_of_twenty_five_tests_are_taken() -> None:
    assert list(limits(rule(15, 25), Vocabulary({}, {}))) == []


def test_one_more_is_refused_where_it_stands() -> None:
    (fault,) = limits(rule(16, 1), Vocabulary({}, {}))
    assert (fault.place.line, fault.what) == (16, "rule 1A.1 has 16 conditions, the engine takes 15")
    (fault,) = limits(rule(1, 26), Vocabulary({}, {}))
    assert (fault.place.column, fault.what) == (26, "a condition on k has 26 tests, the engine takes 25")
