"""What is claimed of the laws of 1912: it holds, and an amendment that breaks what they mean breaks a claim."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.drafts import draft, shipped

from kb.language.edition import load_edition
from kb.language.folders import rules_root
from kb.prove.prove import Proving

pytestmark = pytest.mark.thorough

NAME = "auction-1912"
REVOKE, PLAY = "the-revoke.yaml", "the-play.yaml"
LIABLE = "              - liable: {play: $p, side: $s}\n"
DECLARERS = "              - liable: {play: $p, side: $s}\n              - role:   {hand: $p.hand, is: declarer}\n"
FIRST = "              - first-of-side: {play: $p}\n"
DECLARER = "              - role:          {hand: $p.hand, is: declarer}\n"
DEFENDER = "              - role:          {hand: $p.hand, is: defender}\n"
BOTH = "            unless:\n              - both-established: {play: $p}\n"
CHANGER_PAYS = "              - liable:      {trick: $p.trick, hand: $n}\n              - in-time:     {trick: $p.trick, hand: $n}\n"
ITS_OWN_TRICK = "              - won:           {trick: $p.trick, hand: $p.hand}\n"
NOT_THE_TWELFTH = '              - revoke:        {play: $p, trick: "< 12"}\n'
MAY_CORRECT = "then: {may-correct: {play: $p, seat: $p.hand}}"
MAY_TAKE = "              - may-take-tricks: {play: $p, to: $o, tricks: 3}\n"
FIFTY = "then: {points: {play: $p, to: NS, points: 50}}"
AMENDED = {
    "the second costs 250": (REVOKE, "$o, points: 100}", "$o, points: 250}", "each-further-costs-100"),
    "150 for each": (REVOKE, "$o, points: 100}", "$o, points: 150}", "one-first-penalty"),
    "no time limit": (
        REVOKE,
        'deal-over:   {at: "< $b"}',
        'deal-over:   {at: ">= $b"}',
        "nothing-once-the-cards-are-cut",
    ),
    "dummy is liable": (
        REVOKE,
        "role: {hand: $p.hand, is: dummy}",
        "excused: {hand: $p.hand}",
        "dummy-does-not-revoke",
    ),
    "150 though both revoked": (REVOKE, DECLARER + BOTH, DECLARER, "no-150-for-both"),
    "a choice though both revoked": (REVOKE, DEFENDER + BOTH, DEFENDER, "no-choice-for-both"),
    "a correction costs points": (REVOKE, MAY_CORRECT, FIFTY, "in-time-costs-no-points"),
    "dummy may ask": (
        PLAY,
        "trick: $t, at: $q",
        'trick: $t, answer: "yes", at: $q',
        "no-card-is-called-after-dummy-spoke",
    ),
    "points and no choice": (REVOKE, MAY_TAKE, "", "three-ways-or-none"),
    "three tricks for each": (REVOKE, FIRST + DEFENDER, DEFENDER, "three-tricks-and-no-more"),
    "an adversary scores": (REVOKE, LIABLE, DECLARERS, "honours-only-after-a-revoke"),
    "whoever has to pay may change": (REVOKE, CHANGER_PAYS, "", "stands-as-played"),
    "an adversary's named card is played": (
        PLAY,
        "is: declaring}",
        "is: defending}",
        "an-adversarys-named-card-establishes-nothing",
    ),
    "only a trick of his own is paid": (REVOKE, DECLARER, DECLARER + ITS_OWN_TRICK, "who-won-makes-no-difference"),
    "nothing for the twelfth": (REVOKE, DECLARER, DECLARER + NOT_THE_TWELFTH, "which-trick-makes-no-difference"),
    "declarer pays 100": (REVOKE, "$o, points: 150}", "$o, points: 100}", "declarers-first-costs-150"),
}
"""What is amended: in which file, what instead of what, and which claim this breaks."""
IN_1908 = re.compile(
    r"""        new: true\n|  "\d+":\n    title: .*\n    clauses:\n      "\d+": {repealed: true}.*\n"""
)
"""What the file says of the law that 1912 amends, and an amendment of 1912 does not."""


@pytest.mark.parametrize("amendment", AMENDED)
def test_an_amendment_that_breaks_what_is_meant_breaks_a_claim(amendment: str, tmp_path: Path) -> None:
    file, old, new, name = AMENDED[amendment]
    text = (rules_root() / NAME / file).read_text(encoding="utf-8")
    assert old in text
    mine = draft(tmp_path / "my-draft", IN_1908.sub("", text.replace(old, new)), amends=NAME)
    proving = Proving(rules_root(), load_edition(rules_root(), mine))
    (verdict,) = proving.verdicts([name])
    assert verdict.refuted > 0
    assert verdict.witness is not None


@pytest.fixture(scope="module")
def proving() -> Proving:
    return Proving(rules_root(), shipped(NAME))


def test_each_claim_names_the_clauses_by_their_numbers_in_1912(proving: Proving) -> None:
    """Its own by those that it gives them; those that come from whist by way of 1904 and 1908 by the last of theirs."""
    laws = {name: one.laws for name, one in proving.claimed.properties.items()}
    assert laws["no-choice-for-both"] == ("84b", "89")
    assert laws["nothing-once-the-cards-are-cut"] == laws["later-is-never-dearer"] == ("88",)
    assert laws["in-time-costs-no-points"] == ("84a", "86")


def test_everything_holds_in_every_situation(proving: Proving) -> None:
    verdicts = [*proving.verdicts()]
    assert len(verdicts) >= 20
    assert [one.claim.id for one in verdicts if one.fails] == []
