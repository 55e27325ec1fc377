"""The id of what rules say."""

from __future__ import annotations

import pytest

from facts.errors import Place
from kb.language.cache import digest
from kb.language.rule import Conclusion, Condition, Rule, Test
from kb.language.terms import Constant, Sum, Term, Variable

HERE = Place("a.yaml", 1)


@pytest.mark.parametrize(
    ("term", "shown"),
    [
        (Variable("t"), "Variable(name='t')"),
        (Variable("it's"), 'Variable(name="it\'s")'),
        (Sum(Variable("t"), Constant(1)), "Sum(left=Variable(name='t'), right=1)"),
        (Sum(Variable("t"), Variable("n")), "Sum(left=Variable(name='t'), right=Variable(name='n'))"),
        *((Constant(value), repr(value)) for value in ("W", 1, True, None)),
    ],
)
def test_terms_are_named_as_they_always_were(term: Term, shown: str) -> None:
    condition = Condition("played", (Test("at", "=", term, HERE),), HERE)
    rule = Rule(HERE, (condition,), (Conclusion("seen", {"at": term}, HERE),), {}, id="1.1", clause="1")
    lines = ["rule 1.1 of 1", f"when played at = {shown} ()", f"then seen {[('at', shown)]}"]
    assert rule.digest == digest(lines)
