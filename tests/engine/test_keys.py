from __future__ import annotations

from dataclasses import replace

from support.rules import rules, vocabulary

from kb.engine import Program
from kb.engine.proof import one_per
from kb.engine.quick import QuickEngine
from kb.language.vocabulary import Vocabulary


def made() -> tuple[Vocabulary, QuickEngine]:
    plain = vocabulary("won(trick: integer, hand: seat)", "status(hand: seat, is: text)", "free(n: integer)")
    kinds = dict(plain.kinds)
    kinds["won"] = replace(kinds["won"], one_per=("trick",))
    kinds["status"] = replace(kinds["status"], one_per=("hand",))
    words = Vocabulary({}, kinds)
    return words, QuickEngine(Program(words, rules("r: won(hand=$h, trick>7) -> status(hand=$h, is=late)")))


def test_stated_facts_that_clash():
    words, engine = made()
    proof = engine.run([("won", 1, "N"), ("won", 1, "E"), ("won", 2, "E"), ("free", 1), ("free", 2)])
    (clash,) = one_per(words, proof)
    assert (clash.kind, clash.facts, clash.steps) == ("won", (("won", 1, "E"), ("won", 1, "N")), ())


def test_a_derived_fact_that_clashes_shows_its_step():
    words, engine = made()
    proof = engine.run([("won", 8, "N"), ("status", "N", "early")])
    (clash,) = one_per(words, proof)
    assert clash.facts == (("status", "N", "early"), ("status", "N", "late"))
    assert [step.rule.id for step in clash.steps] == ["r"]


def test_all_well():
    words, engine = made()
    assert one_per(words, engine.run([("won", 8, "N"), ("won", 9, "N")])) == ()
