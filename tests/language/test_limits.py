"""What the rule engine could not take is refused at load."""

from __future__ import annotations

from facts.errors import Place
from kb.language.checks.of_rules import limits
from kb.language.rule import Condition, Rule
from kb.language.vocabulary import Vocabulary


def rule(conditions: int) -> Rule:
    """A rule with so many conditions, the last of them an ``unless``."""
    made = [Condition("k", (), Place("f", c)) for c in range(1, conditions + 1)]
    return Rule(Place("f", 1), tuple(made[:-1]), (), {}, (made[-1],), id="1A.1", clause="1A")


def test_fifteen_conditions_are_taken() -> None:
    assert list(limits(rule(15), Vocabulary({}, {}))) == []


def test_one_more_is_refused_where_it_stands() -> None:
    (fault,) = limits(rule(16), Vocabulary({}, {}))
    assert (fault.place.line, fault.what) == (16, "rule 1A.1 has 16 conditions, the engine takes 15")
