"""No text of a rule gets into generated code but by a closed table or as a value."""

from __future__ import annotations

import pytest

from facts.errors import EngineError
from kb.engine.codegen import check_source, compare_source, value_source
from kb.engine.program import FieldTest
from kb.language.terms import Constant, Sum, Variable

EVIL = "__import__('os').system('echo no')"


@pytest.mark.parametrize("operator", [f">= ({EVIL} or 0) or 99 >", "is", "==", "", "in", "> 0 or 1 <"])
def test_an_operator_that_the_language_does_not_have(operator: str) -> None:
    with pytest.raises(EngineError, match="there is no operator"):
        compare_source("fact[1]", operator, Constant(1), {})


@pytest.mark.parametrize(("operator", "python"), [("=", "=="), ("!=", "!="), ("<=", "<="), (">", ">")])
def test_operators(operator: str, python: str) -> None:
    assert compare_source("x", operator, Sum(Variable("t"), Constant(1)), {"t": "y"}) == f"x {python} y + 1"


class Evil:
    """Something whose repr is code."""

    def __repr__(self) -> str:
        return EVIL


@pytest.mark.parametrize("value", [Evil(), type("Text", (str,), {"__repr__": Evil.__repr__})("a"), 1.5, [1], b"x"])
def test_what_is_no_value_is_no_code(value: object) -> None:
    with pytest.raises(EngineError, match="is no value of a fact"):
        value_source(value)  # type: ignore[arg-type]
    with pytest.raises(EngineError, match="is no value of a fact"):
        check_source(FieldTest(1, "=", Constant(None), (value,), False), "fact", {})  # type: ignore[arg-type]


@pytest.mark.parametrize("value", [EVIL, "a'b\"c\\\n", 7, True, None])
def test_a_value_is_itself(value: object) -> None:
    assert eval(value_source(value)) == value  # type: ignore[arg-type]
