"""The pass over proofs, and that audit, comparison and desk refuse what does not stand up to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from support.rules import program
from support.ruling import ROOT, incident

from facts.errors import EngineError
from kb.desk.desk import Desk
from kb.desk.guard import Settings
from kb.engine import proof as engine_proof
from kb.engine.durable import DurableEngine
from kb.engine.plain import Firing
from kb.engine.proof import Program, Proof, proof_faults

MADE = program(
    """
    link(from: integer, to: integer)
    path(from: integer, to: integer)
    no(n: integer)
    end(n: integer)
    many(n: integer)
    """,
    """
    A.1: link(from=$a, to=$b) -> path(from=$a, to=$b)
    A.2: path(from=$a, to=$b), path(from=$b, to=$c) -> path(from=$a, to=$c)
    B.1: path(to=$b), not path(from=$b), not no(n=$b) -> end(n=$b)
    C.1: count(end(n>1)) = $n -> many(n=$n)
    """,
)
FACTS = (("link", 1, 2), ("link", 2, 3), ("link", 1, 3), ("link", 2, 4), ("no", 4))
REVOKE = {"declarer": "S", "revokes": [{"hand": "W", "trick": 5, "won-by": "W", "next-trick": "led"}]}


def found(*, ground: Sequence = FACTS, without: Sequence[Firing] = (), beside: Sequence[Firing] = ()) -> list[str]:
    """What is wrong with a proof from which steps are taken away, or to which some are added."""
    firings = [step for step in MADE.run(FACTS).firings if step not in without]
    assert len(firings) == len(MADE.run(FACTS).firings) - len(without)
    return [*map(str, proof_faults(Proof(MADE, ground, [*firings, *beside])))]


def test_a_whole_proof():
    assert found() == []
    assert [*proof_faults(Proof(MADE, (), [(("many", 0), 3, (("count", 0),))]))] == []


def test_a_way_that_did_not_fire():
    lost = (("path", 1, 3), 1, (("path", 1, 2), ("path", 2, 3)))
    assert found(without=[lost]) == [
        "rule A.2 should conclude, and does not, path(1, 3) from path(1, 2), path(2, 3)",
    ]


def test_a_rule_that_never_fired():
    lost = (("many", 1), 3, (("count", 1, ("end", 3)),))
    assert found(without=[lost]) == ["rule C.1 should conclude, and does not, many(1) from count(1, end(3))"]


def test_a_firing_that_something_stands_in_the_way_of():
    made_up = (("end", 4), 2, (("path", 2, 4),))
    assert "rule B.1 cannot conclude, and does, end(4) from path(2, 4)" in found(beside=[made_up])


def test_a_number_that_is_not_right():
    right, wrong = (("many", 1), 3, (("count", 1, ("end", 3)),)), (("many", 2), 3, (("count", 2, ("end", 3)),))
    assert found(without=[right], beside=[wrong]) == [
        "rule C.1 should conclude, and does not, many(1) from count(1, end(3))",
        "rule C.1 cannot conclude, and does, many(2) from count(2, end(3))",
    ]


def test_facts_that_rest_on_each_other():
    """They are closed under the rules and every step is right: only that they never begin is wrong."""
    made = program("a(n: integer)\nb(n: integer)", "r: a(n=$n) -> b(n=$n)\nq: b(n=$n) -> a(n=$n)")
    steps = [(("b", 1), 0, (("a", 1),)), (("a", 1), 1, (("b", 1),))]
    with pytest.raises(EngineError, match="steps rest on each other"):
        Proof(made, (), steps).steps  # noqa: B018 - its order is made then
    whole = Proof(made, (("a", 1),), steps)
    assert ([*proof_faults(whole)], len(whole.steps)) == ([], 2)


def test_what_sets_conclude_is_held_against_the_definition(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_proof, "ways_to_fire", lambda *_: iter(()))
    with pytest.raises(EngineError, match=r"rule A.1 concludes something else by its definition"):
        MADE.run(FACTS)


@pytest.fixture
def forgetful(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both engines leave out a step at the end of every proof, so that they agree."""

    def made(run: Callable[..., Proof]) -> Callable[..., Proof]:
        def forgets(self: object, *given: object) -> Proof:
            proof = run(self, *given)
            last = proof.steps[-1]
            lost = (last.fact, proof.program.rules.index(last.rule), last.premises)
            return Proof(proof.program, proof.ground, [step for step in proof.firings if step != lost])

        return forgets

    for engine in (Program, DurableEngine):
        monkeypatch.setattr(engine, "run", made(engine.run))


@pytest.mark.usefixtures("forgetful")
def test_the_desk_does_not_rule(tmp_path: Path):
    with pytest.raises(EngineError, match="the proof is not what the rules say"):
        Desk(Settings(ROOT, tmp_path / "r.sqlite")).rule(incident(REVOKE))
