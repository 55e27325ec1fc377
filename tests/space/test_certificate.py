"""The certificate of the whole space, on a sample of it; CI makes a quarter of it."""

from __future__ import annotations

import pytest
from support.drafts import universe

from bench import certificate
from kb.engine.proof import Program, Proof

pytestmark = pytest.mark.thorough


def test_every_evaluator_agrees_on_a_sample() -> None:
    made = certificate.certify("duplicate-2017", every=1_000)
    assert made.differences == []
    assert made.situations == len(universe())
    assert made.sets_of_facts // 1_000 <= made.plain <= made.sets_of_facts // 1_000 + 1
    assert made.firings > made.plain and made.decided and made.wider


def test_a_mistake_of_one_engine_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    run = Program.run

    def forgetful(self, *given):
        proof = run(self, *given)
        return Proof(proof.program, proof.ground, [*proof.firings][1:])

    monkeypatch.setattr(Program, "run", forgetful)
    monkeypatch.setattr(certificate, "WIDER", 10**9)
    differences = certificate.certify("auction-1912", every=1_000).differences
    for who in ("sets and", "durable-rules and", "the plain evaluator and"):
        assert any(who in difference for difference in differences)
