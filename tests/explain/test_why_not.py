"""Why-not is total and honest: what it says would make a rule fire does make it fire."""

from __future__ import annotations

import os
from random import Random
from typing import Any

import pytest
from support.cases import sample
from support.ruling import law, laws, ruled, voice

from facts.errors import EngineError
from kb.engine.consistency import one_per
from kb.engine.proof import Proof
from kb.explain.page import as_text
from kb.explain.why_not import as_json, page
from kb.ruling.change import Change, changed
from kb.ruling.ruling import Ruling
from kb.ruling.why_not import Answer, Miss, WhyNot

DEFENDER = {
    "contract": "4S",
    "declarer": "S",
    "revokes": [
        {"hand": "W", "trick": 5, "suit": "H", "card": "S4", "won-by": "E", "later-tricks": 1, "next-trick": "played"}
    ],
}


def answer(stated: dict[str, Any], ref: str) -> Answer:
    return WhyNot(ruled(stated), law().engine).answer(ref)


def said(stated: dict[str, Any], ref: str, lang: str = "en") -> str:
    ruling = ruled(stated)
    return as_text(page(ruling, WhyNot(ruling, law().engine).answer(ref), voice(lang)), voice(lang))


def test_the_example_of_a_director() -> None:
    text = said(DEFENDER, "64A1").splitlines()
    assert text[0] == (
        "Law 64A1 does not apply. As it is: «East won trick 5». It would take: «West won trick 5». "
        "Then: West himself won trick 5, the revoke trick: it goes to North–South."
    )
    assert any("Lacking: West won trick 5" in line for line in text)


def test_the_same_in_german() -> None:
    text = said(DEFENDER, "64A1", "de").splitlines()[0]
    assert text.startswith("§ 64A1 greift nicht. So ist es: «Ost gewann Stich 5». Es brauchte: «West gewann Stich 5».")


def test_a_clause_that_applies_says_so() -> None:
    found = answer(DEFENDER, "64A2")
    assert found.steps
    assert said(DEFENDER, "64A2").startswith("Law 64A2 applies.")


def test_a_clause_without_rules_says_what_it_is() -> None:
    assert said(DEFENDER, "61C").startswith("No rule is written for Law 61C: procedure")


@pytest.mark.parametrize(
    ("ref", "put"),
    [
        ("64B4", "called-next"),
        ("64B5", "round-ended"),
        ("64B7", "other-revoked"),
        ("63A3", "claim"),
        ("63A2", "took-part"),
    ],
)
def test_an_exemption_or_an_act_lacks_one_thing(ref: str, put: str) -> None:
    nearest = answer(DEFENDER, ref).misses[0]
    assert nearest.alone
    assert nearest.plan[0].put[0][0] == put


def test_what_stands_in_the_way_is_named() -> None:
    late = {**DEFENDER, "revokes": [{**DEFENDER["revokes"][0], "noticed": "after-round"}]}  # type: ignore[index]
    miss = answer(late, "64A2").misses[0]
    assert [item.kind for item, _ in miss.way.blocked] == ["exempt"]
    assert miss.alone
    assert "In the way: West's revoke at trick 5 costs no automatic trick [Law 64B5]" in said(late, "64A2")


def test_an_attention_that_came_too_late_is_told_apart_by_its_time() -> None:
    called = {
        **DEFENDER,
        "revokes": [
            {**DEFENDER["revokes"][0], "noticed": "after-call-on-next-board", "next-board-call-by": "EW"}  # type: ignore[index]
        ],
    }
    text = said(called, "64B4").splitlines()[0]
    assert "North–South called on the next board" in text


def test_the_nearest_miss_comes_first() -> None:
    for _, ruling in sample(2, seed=11):
        why_not = WhyNot(ruling, engine(ruling))
        for ref in Random(2).sample(list(ruling.edition.clauses), 6):
            sizes = [len(miss.plan) or 99 for miss in why_not.answer(ref).misses]
            assert sizes == sorted(sizes)


def engine(ruling: Ruling) -> Any:
    return laws().of(ruling.edition.id, ruling.edition.elections).engine


def fires(ruling: Ruling, miss: Miss, plan: tuple[Change, ...]) -> Proof | None:
    """Independently of the search: the engine on the changed facts."""
    try:
        proof = engine(ruling).run(changed(ruling.proof.ground, plan))
    except EngineError:
        return None
    return proof if any(step.rule is miss.rule for step in proof.steps) else None


def questions() -> list[tuple[str, Ruling, str]]:
    """Some clauses of some cases; every clause of every case if REVOKE_ALL is set."""
    chance = Random(7)
    asked = []
    for name, ruling in sample(int(os.environ.get("REVOKE_SAMPLE", "6")), seed=9):
        refs = [ref for ref, clause in ruling.edition.clauses.items() if clause.rules]
        asked += [(name, ruling, ref) for ref in (refs if os.environ.get("REVOKE_ALL") else chance.sample(refs, 2))]
    return asked


def test_it_is_total_and_honest() -> None:
    for name, ruling, ref in questions():
        found = WhyNot(ruling, engine(ruling)).answer(ref)
        fired = {step.rule.id for step in ruling.proof.steps if step.rule.clause == ref}
        assert {step.rule.id for step in found.steps} == fired, (name, ref)
        assert {miss.rule.id for miss in found.misses} == {rule.id for rule in found.clause.rules} - fired
        for miss in found.misses:
            check(ruling, miss, f"{name} {miss.rule.id}")


def check(ruling: Ruling, miss: Miss, where: str) -> None:
    """One change alone, or several that are all needed, or else a list of what is lacking."""
    if not miss.plan:
        assert miss.step is None, where
        assert miss.needs, where
        return
    proof = fires(ruling, miss, miss.plan)
    assert proof is not None, where
    assert not one_per(ruling.edition.vocabulary, proof), where
    for left_out in range(len(miss.plan) if len(miss.plan) > 1 else 0):
        rest = miss.plan[:left_out] + miss.plan[left_out + 1 :]
        assert fires(ruling, miss, rest) is None, where


def test_changes_touch_what_was_observed_and_nothing_else() -> None:
    kinds = law().edition.vocabulary.kinds
    for ref in ("64A1", "64B1", "62A", "62B1", "63A1"):
        for miss in answer(DEFENDER, ref).misses:
            for change in miss.plan:
                assert all(kinds[str(fact[0])].stated_by != "rules" for fact in (*change.take, *change.put))
                assert all(fact[0] != "hand" for fact in (*change.take, *change.put))


def test_as_data() -> None:
    ruling = ruled(DEFENDER)
    data = as_json(ruling, WhyNot(ruling).answer("64A1"), voice())
    first = data["misses"][0]
    assert data["law"] == "64A1"
    assert not data["applies"]
    assert first["alone"]
    assert first["changes"] == [{"take": [["won", 5, "E", "EW"]], "put": [["won", 5, "W", "EW"]]}]
    assert first["then"].startswith("West himself won trick 5")
