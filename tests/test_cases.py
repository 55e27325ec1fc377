"""Every case beside the rules is a test, on both engines."""

from __future__ import annotations

from typing import Any

import pytest
from support.ruling import ROOT, laws

from kb.explain.as_json import verdict
from kb.study.cases import Case, Expectation, differences, read_cases
from kb.study.trial import Trial, case_folders

CASES = [
    (case, expected)
    for folder in case_folders(ROOT, [])
    for case in read_cases(folder.path)
    for expected in case.expect
]


def name(value: Any) -> str:
    return value.id if isinstance(value, Case) else value.edition


@pytest.mark.parametrize(("case", "expected"), CASES, ids=name)
def test_case(case: Case, expected: Expectation) -> None:
    rulings = [Trial(laws(engine)).ruling(case, expected) for engine in ("python", "durable")]
    assert rulings[0].proof == rulings[1].proof
    assert list(differences(expected, verdict(rulings[0]))) == []
