"""Every evaluator conforms to each of the files in ``conformance``."""

from __future__ import annotations

import re

import pytest
from support.agree import EVALUATORS, FEW, Agreement
from support.conformance import NAMES, conformance

from facts.errors import RevokeKbError, RulesError
from kb.engine.proof import Program
from kb.engine.sets import Sets


@pytest.mark.parametrize("name", NAMES)
def test_every_evaluator_conforms(name):
    case = conformance(name)
    if case.fault:
        for conclude in EVALUATORS.values():
            with pytest.raises(RevokeKbError, match=re.escape(case.fault)):
                conclude(Program(case.vocabulary, case.rules), case.facts)
        return
    lacking = [[fact for fact in case.facts if fact != one] for one in dict.fromkeys(case.facts)]
    proof = Agreement(Program(case.vocabulary, case.rules)).proof(case.facts, lacking, FEW)
    assert {step.fact for step in proof.steps} == case.concludes


def test_sets_refuse_rules_without_a_program() -> None:
    """They are made of the rules themselves, also of such as no program was made of before."""
    case = conformance("fault-unless-itself")
    with pytest.raises(RulesError, match=re.escape(case.fault)):
        Sets(case.vocabulary, case.rules)
