"""Claims about two rulings: of situations that differ in one answer, and of an edition beside another."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest
from support.claims import (
    Two,
    claimed,
    differing,
    numbers,
    plainest,
    plainest_two,
    proving,
    root,
    situations,
    verdict,
)
from support.drafts import shipped
from support.one_by_one import Situation, lighter, one_by_one

from kb.space.measures import load_measures

pytestmark = pytest.mark.thorough

PARTS = tuple(load_measures(root(), shipped("duplicate-2017").vocabulary).parts)
WON = ["opponent", "partner", "revoker"]
PAIRS = {
    "never more, holds": ("when-only: won-by", ["revoker", "partner", "opponent"], "never-more", "tricks"),
    "never more, fails": ("when-only: won-by", WON, "never-more", "tricks"),
    "never less, holds": ("when-only: won-by", WON, "never-less", "tricks"),
    "never less of all, fails": ("when-only: hand", ["defender", "declarer", "dummy"], "never-less", "burden"),
    "the same of two, holds": ("when-only: hand", ["defender", "declarer"], "the-same", "[judged, points]"),
    "the same of one, fails": ("when-only: later-tricks", ["one", "none", "more"], "the-same", "tricks"),
    "the same ruling, holds": ("when-only: won-by\namong: {noticed: after-round}", WON, "the-same", "ruling"),
    "the same ruling, fails": ("when-only: won-by", WON, "the-same", "ruling"),
    "the same of all, fails": ("when-only: hand", ["defender", "declarer", "dummy"], "the-same", "burden"),
}
"""What may differ, in which order, and what is demanded of which parts."""


def otherwise(a: Situation, b: Situation, demand: str, parts: str, parties: tuple[str, ...]) -> bool:
    """Whether the second ruling is not as demanded beside the first."""
    if parts == "ruling":
        return a.ruling != b.ruling
    names = PARTS if parts == "burden" else parts.strip("[]").split(", ")
    more, less = lighter(b.weights, a.weights, names, parties), lighter(a.weights, b.weights, names, parties)
    return {"never-more": more, "never-less": less, "the-same": more or less}[demand]


def refuted(pairs: list[Two], demand: str, parts: str) -> list[Two]:
    return [(a, b) for a, b in pairs if otherwise(a, b, demand, parts, ("first",))]


@pytest.mark.parametrize("name", PAIRS)
def test_the_verdict_is_what_every_two_situations_say(name: str, tmp_path: Path) -> None:
    claim, order, demand, parts = PAIRS[name]
    listed = ", ".join(f'"{one}"' for one in order)
    found = verdict(tmp_path, claimed(f"{claim}\nfrom-to: [{listed}]\n{demand}: {parts}"))
    question = claim.split()[1]
    pairs = differing(question, [*combinations(order, 2)])
    if "among" in claim:
        pairs = [two for two in pairs if all(one.answers.get("noticed") == "after-round" for one in two)]
    fails = refuted(pairs, demand, parts)
    assert (found.tried, found.refuted) == (len(pairs), len(fails))
    assert numbers(found.witness) == plainest_two(fails)
    assert bool(fails) == name.endswith("fails")
    assert pairs


def test_several_questions_are_asked_one_after_the_other(tmp_path: Path) -> None:
    """Without an order the answers stand in that of the interview; situations differ in one of the questions only."""
    found = verdict(tmp_path, claimed("when-only: [won-by, later-tricks, required-faced]\nthe-same: ruling"))
    answers = {
        "won-by": ["opponent", "revoker", "partner"],
        "later-tricks": ["one", "none", "more"],
        "required-faced": ["no", "yes"],
    }
    pairs = [two for name, order in answers.items() for two in differing(name, [*combinations(order, 2)])]
    fails = refuted(pairs, "the-same", "ruling")
    assert (found.tried, found.refuted) == (len(pairs), len(fails))
    assert numbers(found.witness) == plainest_two(fails)


@pytest.mark.parametrize("exception", ["among: {noticed: after-round}", "when: [{round-ended: {}}]"])
def test_an_exception_takes_every_pair_of_which_one_is_meant(exception: str, tmp_path: Path) -> None:
    claim = "when-only: noticed\nfrom-to: [during-play, after-round]\nnever-less: tricks"
    fails = refuted(differing("noticed", [("during-play", "after-round")]), "never-less", "tricks")
    found = verdict(tmp_path, claimed(claim, exception))
    assert (found.standing, found.refuted, found.excepted[0].times) == ("expected", 0, len(fails))
    assert numbers(found.excepted[0].witness) == plainest_two(fails)
    some = verdict(tmp_path, claimed(claim, "among: {won-by: partner}"))
    left = [(a, b) for a, b in fails if a.answers["won-by"] != "partner"]
    assert (some.refuted, some.excepted[0].times) == (len(left), len(fails) - len(left))
    assert numbers(some.witness) == plainest_two(left)


LENIENT = """\
law: "64"
clauses:
  "64A2":
    says: {en: Nothing goes., de: Nichts geht.}
    encoded-as: director
"""
AGAINST = {
    "never more, holds": ("duplicate-2017", "never-more", "burden", "laws: {}\n"),
    "never less, holds": ("duplicate-2007", "never-less", "tricks", "laws: {}\n"),
    "the same, fails": ("duplicate-2007", "the-same", "tricks", "laws: {}\n"),
    "never more, fails": ("duplicate-2007", "never-more", "tricks", "laws: {}\n"),
    "the same ruling, fails": ("duplicate-1997", "the-same", "ruling", "laws: {}\n"),
    "never less, fails": ("duplicate-2007", "never-less", "tricks", LENIENT),
    "never less among some, holds": ("duplicate-2007", "never-less", "tricks\namong: {won-by: revoker}", LENIENT),
}


@pytest.mark.parametrize("name", AGAINST)
def test_beside_another_edition(name: str, tmp_path: Path) -> None:
    other, demand, parts, law = AGAINST[name]
    asked = proving(tmp_path, claimed(f"against: {other}\n{demand}: {parts}"), law)
    (found,) = asked.verdicts()
    of, parts = asked.universe, parts.partition("\n")[0]
    pairs = [*zip(situations(other), one_by_one(asked.edition, of), strict=True)]
    if "among" in name:
        pairs = [(a, b) for a, b in pairs if a.answers.get("won-by") == "revoker"]
    fails = [b for a, b in pairs if otherwise(a, b, demand, parts, ("first", "other"))]
    assert (found.tried, found.refuted) == (len(pairs), len(fails))
    assert numbers(found.witness) == ((plainest(fails).number,) if fails else ())
    assert bool(fails) == name.endswith("fails")


def test_what_is_expected_beside_another_edition(tmp_path: Path) -> None:
    claim = "against: duplicate-2007\nnever-less: tricks"
    whole = verdict(tmp_path, claimed(claim), LENIENT)
    by_facts = verdict(
        tmp_path, claimed(claim, "when: [{revoke: {hand: $h}}, {role: {hand: $h, is: declarer}}]"), LENIENT
    )
    by_answers = verdict(tmp_path, claimed(claim, "among: {hand: declarer}", "among: {hand: defender}"), LENIENT)
    assert by_facts.refuted + by_facts.excepted[0].times == whole.refuted
    assert by_facts.excepted[0].times > 0
    assert by_answers.refuted == 0
    assert by_answers.standing == "expected"
    assert sum(one.times for one in by_answers.excepted) == whole.refuted
    assert len(situations()) == whole.tried
