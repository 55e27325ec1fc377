"""Rulings with double-dummy evidence."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from support.boards import random_board
from support.endings import needs_library
from support.ruling import ROOT, incident, law, laws, ruled
from support.tables import shipped_table

from facts.cards import OTHER_SIDE, SIDE, Card
from facts.equity import Evidence, LegalCard, NotComputed, Position, WhyNotComputed, double_dummy
from facts.yaml_reader import read_text, read_yaml
from kb.cases.cases import read_cases
from kb.engine import EngineName
from kb.ruling.make_ruling import rule
from kb.ruling.ruling import RevokeRuled, Ruling
from kb.ruling.verdict import verdict
from kb.ruling.with_equity import rule_with_evidence

EXAMPLE = Path(__file__).parents[2] / "examples" / "full-record.yaml"


def example(**stated: Any) -> dict[str, Any]:
    """The example of a board played out, with some of it stated otherwise."""
    return {**read_yaml(read_text(EXAMPLE), str(EXAMPLE)).plain(), **stated}


def silent(position: Position) -> Mapping[Card, int]:
    """A solver that never has an answer."""
    raise NotComputed(WhyNotComputed.SOLVER_FAILED, "it does not speak; ask another")


def late_only(position: Position) -> Mapping[Card, int]:
    """The solver for the last six tricks only, so that tests are quick."""
    return double_dummy(position) if position.tricks_left <= 6 else silent(position)


def director(ruling: Ruling) -> list[dict[str, Any]]:
    return list(verdict(ruling)["director"])


@needs_library
@pytest.mark.parametrize(("vulnerable", "score"), [("none", -430), ("EW", -630)])
@pytest.mark.parametrize("engine", ["quick", "durable"])
def test_the_slide(vulnerable: str, score: int, engine: EngineName) -> None:
    """Ten before the revoke, eight after it, seven with the automatic trick: ten are offered, and seven ruled."""
    ruling = rule_with_evidence(law(engine=engine), incident(example(vulnerable=vulnerable)))
    (found,) = ruling.evidence.values()
    assert isinstance(found, Evidence)
    assert (found.low, found.high, found.after_revoke) == (10, 10, 8)
    assert ruling.result is not None
    assert (ruling.result.tricks_at_table, ruling.result.tricks_ruled) == (6, 7)
    assert director(ruling) == [
        {
            "kind": "consider-adjusted-score",
            "hand": "N",
            "trick": 5,
            "side": "EW",
            "tricks": 10,
            "most": 10,
            "score-ns": score,
            "score-ns-most": score,
            "law": ["64C1"],
        }
    ]


@needs_library
def test_the_director_outweighs_the_evidence() -> None:
    ruling = rule_with_evidence(law(), incident(example(**{"equity-tricks": 9})))
    assert [item["kind"] for item in director(ruling)] == ["adjusted-score"]
    assert ruling.result is not None
    assert ruling.result.tricks_ruled == 9
    assert ruling.evidence


def test_without_an_answer_the_ruling_is_the_same() -> None:
    plain = ruled(example())
    ruling = rule_with_evidence(law(), incident(example()), silent)
    assert verdict(ruling) == verdict(plain)
    assert ruling.proof.ground == plain.proof.ground
    (found,) = ruling.evidence.values()
    assert isinstance(found, NotComputed)
    assert found.why is WhyNotComputed.SOLVER_FAILED


def test_a_card_that_is_not_known() -> None:
    found = {"declarer": "S", "revokes": [{"hand": "W", "trick": 5, "next-trick": "led", "won-by": "W"}]}
    ruling = rule_with_evidence(law(), incident(found))
    assert [one.why for one in ruling.evidence.values() if isinstance(one, NotComputed)] == [WhyNotComputed.NOT_KNOWN]


def test_an_edition_whose_rules_read_no_evidence_gets_none() -> None:
    ruling = rule_with_evidence(law("auction-1912"), incident(example(edition="auction-1912")), silent)
    assert not ruling.evidence
    assert ruling.revokes


@needs_library
def test_an_ending_alone_is_not_compared_with_the_board() -> None:
    ending = {
        "contract": "3NT",
        "declarer": "S",
        "tricks": 9,
        "deal": "N:.A..AK 2.65.. 3.32.. .4.32.",
        "play": ["N HA S2 H2 H4", "N CA H5 H3 D2", "N CK H6 S3 D3"],
        "events": [{"after": "3.4", "attention": {"by": "N"}}],
    }
    ruling = rule_with_evidence(law(), incident(ending))
    assert any(isinstance(one, Evidence) for one in ruling.evidence.values())
    assert not ruling.proof.facts("evidence")


@pytest.mark.thorough
@needs_library
def test_a_suit_that_had_to_be_led_gives_the_legal_cards() -> None:
    (case,) = (
        one
        for one in read_cases(ROOT / "duplicate-2017" / "cases", shipped_table())
        if one.id == "required-suit-not-led"
    )
    ruling = rule_with_evidence(law(), case.incident)
    ((revoke, found),) = zip(ruling.revokes, ruling.evidence.values(), strict=True)
    assert isinstance(found, Evidence), found
    assert case.incident.deal is not None
    held = case.incident.deal[revoke.hand] or ()
    assert {card.card for card in found.cards} == {card for card in held if card.suit == revoke.suit}
    assert revoke.card is not None
    assert revoke.card[0] != revoke.suit


def single(ruling: Ruling) -> tuple[Evidence, int] | None:
    """The evidence on the only revoke of a board, and what the ruling gives the side it is for."""
    if len(ruling.revokes) != 1 or ruling.result is None or ruling.result.tricks_ruled is None:
        return None
    found = next(iter(ruling.evidence.values()), None)
    if not isinstance(found, Evidence):
        return None
    ruled = ruling.result.tricks_ruled
    return found, ruled if SIDE[ruling.result.declarer] == found.side else 13 - ruled


def expected(revoke: RevokeRuled, found: Evidence, ruled: int) -> dict[str, Any]:
    """What the evidence on one revoke must lead to."""
    named = {"hand": revoke.hand, "trick": revoke.trick, "side": found.side}
    best = max(card.replay for card in found.cards)
    if found.low > ruled:
        return {"kind": "consider-adjusted-score", **named, "tricks": found.low, "most": found.high}
    if max(found.high, best) > ruled:
        most = found.high if found.high > ruled else best
        return {"kind": "consider-adjusted-score", **named, "least": found.low, "most": most}
    return {"kind": "sufficient-compensation", **named, "most": found.high}


@needs_library
@pytest.mark.thorough
def test_what_follows_on_random_boards() -> None:
    """And everything but what the director is asked stays as it is without evidence."""
    kinds, compared = set(), 0
    for seed in range(220):
        board = incident(random_board(seed))
        plain = rule(law(), board)
        if not any(revoke.trick >= 8 and revoke.status == "established" for revoke in plain.revokes):
            continue
        ruling = rule_with_evidence(law(), board, late_only)
        shown, before = verdict(ruling), verdict(plain)
        assert {**shown, "director": []} == {**before, "director": []}, seed
        weighed = single(ruling)
        asked = any(item["kind"] == "consider-adjusted-score" for item in before["director"])
        if weighed is not None and asked:
            compared += 1
            (item,) = (item for item in shown["director"] if "side" in item)
            wanted = expected(ruling.revokes[0], *weighed)
            assert {key: item.get(key) for key in wanted} == wanted, seed
            kinds.add((item["kind"], "tricks" in item, "least" in item))
    assert compared > 10
    assert len(kinds) == 3


@needs_library
@pytest.mark.thorough
def test_both_engines_agree() -> None:
    found = [seed for seed in range(60) if any(one.trick >= 8 for one in ruled(random_board(seed)).revokes)][:8]
    for seed in found:
        board = incident(random_board(seed))
        one, other = (
            rule_with_evidence(laws(engine).of("duplicate-2017"), board, late_only) for engine in ("quick", "durable")
        )
        assert verdict(one) == verdict(other), seed


@needs_library
@pytest.mark.thorough
def test_facts_of_either_side_fit_together() -> None:
    for seed in range(50):
        ruling = rule_with_evidence(law(), incident(random_board(seed)), late_only)
        facts = {fact[1:4]: int(fact[4] or 0) for fact in ruling.proof.facts("evidence")}
        for play, found in ruling.evidence.items():
            if isinstance(found, Evidence):
                own, other = found.side, OTHER_SIDE[found.side]
                replays = [card.replay for card in found.cards if isinstance(card, LegalCard)]
                assert facts[play, own, "least"] == 13 - facts[play, other, "most"] == found.low
                assert facts[play, own, "most"] == 13 - facts[play, other, "least"] == found.high
                assert facts[play, own, "replay"] == max(replays)
                assert facts[play, other, "replay"] == 13 - min(replays)
