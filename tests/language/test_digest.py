"""The id of what rules say."""

from __future__ import annotations

import pytest

from facts.errors import Place
from kb.language.digest import digest, rule_digest
from kb.language.model import Conclusion, Condition, Rule, Sum, Term, Test, Variable

HERE = Place("a.yaml", 1)


@pytest.mark.parametrize("term", [Variable("t"), Variable("it's"), Sum(Variable("t"), 1), "W", 1, True, None])
def test_terms_are_named_as_python_shows_them(term: Term) -> None:
    condition = Condition("played", (Test("at", "=", term, HERE),), HERE)
    rule = Rule("1.1", "1", (condition,), (), (Conclusion("seen", {"at": term}, HERE),), {}, HERE)
    lines = ["rule 1.1 of 1", f"when played at = {term!r} ()", f"then seen {[('at', repr(term))]}"]
    assert rule_digest(rule) == digest(lines)
