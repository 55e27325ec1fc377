"""Every evaluator conforms to each of the files in ``conformance``."""

from __future__ import annotations

import re

import pytest
from support.agree import EVALUATORS, FEW, Agreement
from support.conformance import NAMES, conformance

from facts.errors import RevokeKbError
from kb.engine.program import Program


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
