"""What is claimed of the duplicate codes: it holds, and an amendment that breaks what they mean breaks a claim."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest
from support.drafts import draft, shipped

from facts.incident import DEFAULT_EDITION
from kb.language.edition import load_edition
from kb.language.folders import rules_root
from kb.prove.prove import Proving
from kb.ruling.laws import Law
from kb.ruling.make_ruling import ruled_once

CODES: Final = ("duplicate-2017", "duplicate-2007", "duplicate-1997")
ONE_OF_TWO: Final = 'trick: $t, at: "< $b"}\n        then: {both-late'
DEFENDERS: Final = 'trick: $t, at: "< $b"}\n          - role: {hand: $p.hand, is: defender}\n        then: {both-late'
PENALTY: Final = "{hand: $p.hand, is: defender}\n        unless"
JUDGED: Final = "- both-established: {}\n          - set-aside"
THEIRS: Final = "liable: {trick: $u, hand: $g, side: $o}"
LATER: Final = '\n          - revoke: {play: $p, trick: "< $u"}'
ONE: Final = "that-trick, from: $s, to: $o, tricks: 1"
BOTH: Final = "          - liable:      {trick: $u, hand: $n}\n"
CHOOSING: Final = f"          - both-late:   {{play: $p}}\n{BOTH}          - to-correct:  {{trick: $u, hand: $n}}\n"
AMENDED: Final = {
    "no-more-than-two": ("64", ONE, ONE.replace("1", "2")),
    "the-revoke-trick-goes-if-he-won-it": (
        "64",
        "won:    {trick: $p.trick, hand: $p.hand}",
        "won:    {trick: $p.trick, side: $s}",
    ),
    "an-open-card-becomes-none": ("62", "- faced:               {play: $p}\n          - gone:", "- gone:"),
    "only-defenders-have-penalty-cards": ("62", PENALTY, PENALTY.replace("defender", "[defender, declarer]")),
    "a-corrected-card-is-major": ("62", "card: $c, degree: major}", "card: $c, degree: minor}"),
    "nobody-corrects-with-the-hands-back": ("62", 'hands-returned: {at: "< $b"}', 'round-ended: {at: "< $b"}'),
    "the-twelfth-trick-until-the-hands-are-back": ("62", "trick: 12", "trick: 11"),
    "who-answered-may-change": ("62", '$o, at: "< $c"}', '$o, at: "> $c"}'),
    "both-must-correct-and-neither-may-choose": ("62", CHOOSING, BOTH),
    "on-one-trick-both-or-neither": ("62", ONE_OF_TWO, DEFENDERS),
    "only-acts-establish": ("63", "agreement: {side: $s, at: $b}", "assent: {side: $s, at: $b}"),
    "the-exemptions-are-these": ("64", THEIRS, THEIRS.replace("liable", "revoke")),
    "both-stand-and-no-trick-goes": ("64", THEIRS, THEIRS + LATER),
    "a-penalty-card-forgotten-is-free": ("64", "to: play-penalty-card", "to: play-to-trick"),
    "his-own-call-bars-nothing": ("64", "called-next: {side: $o,", "called-next: {"),
    "the-suit-again-is-free": ("64", "stood:     {play: $q}", "done:      {play: $q}"),
    "established-is-looked-into": ("64", JUDGED, "- exempt: {play: $p}\n          " + JUDGED),
}
"""A claim, and an amendment that breaks it: of which law, and what instead of what."""
REPEALED: Final = {
    "63A2": "the-act-does-not-matter",
    "64A1": "one-sentence",
    "64B1": "costs-or-is-exempt",
    "64B3": "dummys-revoke-is-free",
    "64B4": "no-trick-once-the-others-have-called",
    "64B5": "no-trick-after-the-round",
    "64B6": "the-twelfth-trick-is-free",
    "64C2b": "both-sides-are-looked-into",
}
"""Clause -> what does not hold without it."""


@pytest.fixture(
    scope="module",
    params=[pytest.param(one, marks=[pytest.mark.thorough] if one != DEFAULT_EDITION else []) for one in CODES],
)
def proving(request: pytest.FixtureRequest) -> Proving:
    return Proving(rules_root(), shipped(request.param))


def test_everything_holds_in_every_situation(proving: Proving) -> None:
    assert len(proving.claimed.properties) >= 75
    assert [one.claim.id for one in proving.verdicts() if one.fails] == []


@pytest.mark.thorough
@pytest.mark.parametrize("code", CODES)
def test_everything_holds_under_every_election(code: str) -> None:
    offers = shipped(code).offers.values()
    for election in sorted({one for offered in offers for one in offered}):
        proving = Proving(rules_root(), load_edition(rules_root(), code, [election]))
        assert [one.claim.id for one in proving.verdicts() if one.fails] == [], election


@pytest.mark.thorough
@pytest.mark.parametrize("name", AMENDED)
def test_an_amendment_that_breaks_what_is_meant_breaks_a_claim(name: str, tmp_path: Path) -> None:
    law, old, new = AMENDED[name]
    text = (rules_root() / "duplicate-2017" / f"law-{law}.yaml").read_text(encoding="utf-8")
    assert old in text
    breaks(name, draft(tmp_path / "my-draft", text.replace(old, new)))


@pytest.mark.thorough
@pytest.mark.parametrize("clause", REPEALED)
def test_no_clause_can_be_repealed_unnoticed(clause: str, tmp_path: Path) -> None:
    law = f'law: "{clause[:2]}"\nclauses: {{"{clause}": {{repealed: true}}}}\n'
    breaks(REPEALED[clause], draft(tmp_path / "my-draft", law))


def breaks(name: str, folder: Path) -> None:
    """A draft refutes a claim, and the rulings on the example that is shown bear it out."""
    proving = Proving(rules_root(), load_edition(rules_root(), folder))
    (verdict,) = proving.verdicts([name])
    assert verdict.refuted > 0
    assert verdict.witness is not None
    shown = [verdict.witness.universe.incident(number) for number in verdict.witness.situations]
    if len(shown) > 1:
        law = Law(proving.edition, engine="quick")
        one, other = (ruled_once(law, incident) for incident in shown)
        assert (one.transfer, one.entries("rectifications")) != (other.transfer, other.entries("rectifications"))
