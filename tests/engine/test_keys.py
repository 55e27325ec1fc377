from __future__ import annotations

from dataclasses import replace

from support.rules import rules, vocabulary

from kb.engine.proof import Program, clashes
from kb.language.vocabulary import Vocabulary


def engine() -> Program:
    plain = vocabulary("won(trick: integer, hand: seat)", "status(hand: seat, is: text)", "free(n: integer)")
    kinds = dict(plain.kinds)
    kinds["won"] = replace(kinds["won"], one_per=("trick",))
    kinds["status"] = replace(kinds["status"], one_per=("hand",))
    return Program(Vocabulary({}, kinds), rules("r: won(hand=$h, trick>7) -> status(hand=$h, is=late)"))


def test_stated_facts_that_clash():
    proof = engine().run([("won", 1, "N"), ("won", 1, "E"), ("won", 2, "E"), ("free", 1), ("free", 2)])
    assert [*clashes(proof)] == [(("won", 1, "E"), ("won", 1, "N"))]


def test_a_derived_fact_that_clashes():
    proof = engine().run([("won", 8, "N"), ("status", "N", "early")])
    assert [*clashes(proof)] == [(("status", "N", "early"), ("status", "N", "late"))]


def test_all_well():
    assert [*clashes(engine().run([("won", 8, "N"), ("won", 9, "N")]))] == []
