"""Each sort of claim about single situations, one that holds and one that does not: the same, worked out one by one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.claims import Test, all_claimed, claimed, numbers, plainest, proving, situations, verdict
from support.one_by_one import Situation

from kb.prove.prove import Proving

pytestmark = pytest.mark.thorough


def everywhere(_: Situation) -> bool:
    return True


def plays(one: Situation, kind: str, **fields: object) -> set[int]:
    return {fact["play"] for fact in one.of(kind, **fields)}


def hands(one: Situation, kind: str, **fields: object) -> set[str]:
    return {fact["hand"] for fact in one.of(kind, **fields)}


def tricks(one: Situation, **fields: object) -> int:
    return sum(fact["tricks"] for fact in one.of("transfer", **fields))


CLAIMS: dict[str, tuple[str, Test, Test]] = {
    "never, holds": (
        "never: [{exempt: {play: $p}}, {automatic: {play: $p}}]",
        everywhere,
        lambda one: not plays(one, "exempt") & plays(one, "automatic"),
    ),
    "never, fails": (
        "never: [{status: {hand: $h, is: established}}, {role: {hand: $h, is: dummy}}]",
        everywhere,
        lambda one: not hands(one, "status", is_="established") & hands(one, "role", is_="dummy"),
    ),
    "never but for something, fails": (
        "never: [{status: {hand: $h, is: established}}, {role: {hand: $h, is: dummy}}]\nunless: [{round-ended: {}}]",
        everywhere,
        lambda one: (
            one.has("round-ended") or not hands(one, "status", is_="established") & hands(one, "role", is_="dummy")
        ),
    ),
    "then alone, holds": ("then: {revoke: {}}", everywhere, lambda one: one.has("revoke")),
    "then alone, fails": (
        "then: [{revoke: {}}, {status: {is: established}}]",
        everywhere,
        lambda one: one.has("revoke") and one.has("status", is_="established"),
    ),
    "equivalent, holds": (
        "equivalent: [{liable: {play: $p}}, {status: {play: $p, is: established}}]",
        everywhere,
        lambda one: plays(one, "liable") == plays(one, "status", is_="established"),
    ),
    "equivalent, fails": (
        "equivalent: [{automatic: {play: $p}}, {liable: {play: $p}}]",
        everywhere,
        lambda one: plays(one, "liable") == plays(one, "automatic"),
    ),
    "then, holds": (
        "if: [{liable: {hand: $h}}]\nthen: [{revoke: {hand: $h}}, {status: {hand: $h, is: established}}]",
        lambda one: one.has("liable"),
        lambda one: hands(one, "liable") <= hands(one, "revoke") & hands(one, "status", is_="established"),
    ),
    "then, fails": (
        "if: [{liable: {play: $p}}]\nthen: {automatic: {play: $p}}\nunless: {exempt: {play: $p}}",
        lambda one: one.has("liable"),
        lambda one: plays(one, "liable") <= plays(one, "automatic") | plays(one, "exempt"),
    ),
    "one of, holds": (
        "if: [{revoke: {play: $p}}]\none-of: [{in-time: {play: $p}}, {established: {play: $p}}]",
        lambda one: one.has("revoke"),
        lambda one: plays(one, "revoke") <= plays(one, "in-time") | plays(one, "established"),
    ),
    "one of, fails": (
        "if: [{revoke: {play: $p}}]\none-of: [{in-time: {play: $p}}, {automatic: {play: $p}}]",
        lambda one: one.has("revoke"),
        lambda one: plays(one, "revoke") <= plays(one, "in-time") | plays(one, "automatic"),
    ),
    "exactly one, holds": (
        "if: [{revoke: {play: $p}}]\nexactly-one: {status: {play: $p}}",
        lambda one: one.has("revoke"),
        lambda one: sorted(plays(one, "revoke")) == sorted(fact["play"] for fact in one.of("status")),
    ),
    "exactly one, fails": (
        "if: [{revoke: {}}]\nexactly-one: [{liable: {}}, {status: {}}]",
        lambda one: one.has("revoke"),
        lambda one: len(one.of("liable")) == 1 == len(one.of("status")),
    ),
    "at most in all, holds": (
        "at-most: {of: {transfer: {}}, total: tricks, is: 2}",
        everywhere,
        lambda one: tricks(one) <= 2,
    ),
    "at most in all, fails": (
        "if: [{hand: {side: $s}}]\nat-most: {of: {transfer: {from: $s}}, total: tricks, is: 1}",
        everywhere,
        lambda one: all(tricks(one, from_=side) <= 1 for side in ("NS", "EW")),
    ),
    "at most so many, holds": (
        "at-most: {of: {revoke: {}}, is: 2}",
        everywhere,
        lambda one: len(one.of("revoke")) <= 2,
    ),
    "at most so many, fails": (
        "if: [{round-ended: {}}]\nat-most: {of: {exempt: {}}, is: 0}",
        lambda one: one.has("round-ended"),
        lambda one: not one.has("exempt"),
    ),
    "among some answers, holds": (
        "among: [{hand: dummy, next-trick: played}, {hand: declarer, another: not none}]\nthen: {status: {is: established}}",
        lambda one: (
            (one.answers["hand"], one.answers.get("next-trick")) == ("dummy", "played")
            or (one.answers["hand"], one.answers["another"]) == ("declarer", "other-side")
        ),
        lambda one: one.has("status", is_="established"),
    ),
    "by a rule of its own, fails": (
        "rules: [{when: [{round-ended: {}}, {liable: {}}], then: {property-refuted: {property: 'by a rule of its own, fails'}}}]\nnever: [{failed: {trick: 13}}]",
        everywhere,
        lambda one: not (one.has("round-ended") and one.has("liable")),
    ),
}


FAILS = [name for name in CLAIMS if name.endswith("fails")]
ANSWERS = {
    "hand": ["defender", "declarer", "dummy"],
    "noticed": ["during-play", "after-round"],
    "won-by": ["opponent", "revoker", "partner"],
    "second-noticed": ["before-next-trick"],
}


@pytest.fixture(scope="module")
def every_claim(tmp_path_factory: pytest.TempPathFactory) -> Proving:
    claims = {name: claim for name, (claim, _, _) in CLAIMS.items()}
    return proving(tmp_path_factory.mktemp("claims"), all_claimed(claims))


@pytest.mark.parametrize("name", CLAIMS)
def test_the_verdict_is_what_every_situation_says(name: str, every_claim: Proving) -> None:
    _, applies, holds = CLAIMS[name]
    (found,) = every_claim.verdicts([name])
    tried = [one for one in situations() if applies(one)]
    refuted = [one for one in tried if not holds(one)]
    assert (found.tried, found.refuted) == (len(tried), len(refuted))
    assert numbers(found.witness) == ((plainest(refuted).number,) if refuted else ())
    assert found.standing == ("refuted" if refuted else "holds")
    assert bool(refuted) == name.endswith("fails")


@given(
    st.sampled_from(FAILS),
    st.lists(
        st.fixed_dictionaries(
            {}, optional={one: st.frozensets(st.sampled_from(of), min_size=1) for one, of in ANSWERS.items()}
        ).filter(bool),
        max_size=2,
    ),
)
def test_it_may_be_confined_to_any_answers(
    every_claim: Proving, name: str, among: list[dict[str, frozenset[str]]]
) -> None:
    _, applies, holds = CLAIMS[name]
    found = every_claim.verdict(replace(every_claim.claimed.properties[name], among=tuple(among)))
    tried = [one for one in situations() if applies(one) and (not among or any(met(one, need) for need in among))]
    refuted = [one for one in tried if not holds(one)]
    assert (found.tried, found.refuted) == (len(tried), len(refuted))
    assert numbers(found.witness) == ((plainest(refuted).number,) if refuted else ())
    assert found.standing == ("refuted" if refuted else "holds" if tried else "empty")


def met(one: Situation, need: dict[str, frozenset[str]]) -> bool:
    return all(one.answers.get(question) in answers for question, answers in need.items())


@pytest.mark.parametrize(
    "claim",
    [
        "never: [{excused: {}}]",
        "if: [{called-next: {}}]\nthen: {revoke: {}}",
        'among: {hand: dummy, required-faced: "yes"}\nthen: {transfer: {}}',
    ],
)
def test_a_claim_that_speaks_of_nothing_is_empty(claim: str, tmp_path: Path) -> None:
    found = verdict(tmp_path, claimed(claim))
    assert (found.standing, found.tried, found.refuted, found.witness) == ("empty", 0, 0, None)
    assert found.fails


def test_what_fails_everywhere_is_refuted_even_if_half_of_it_never_is(tmp_path: Path) -> None:
    found = verdict(tmp_path, claimed("equivalent: [{revoke: {}}, {excused: {}}]"))
    assert (found.standing, found.refuted) == ("refuted", len(situations()))


def test_only_the_properties_of_these_names_are_asked(tmp_path: Path) -> None:
    both = claimed("then: {revoke: {}}") + claimed("never: [{revoke: {}}]").replace("properties:\n  mine", "  other")
    asked: Proving = proving(tmp_path, both)
    assert [one.claim.id for one in asked.verdicts()] == ["mine", "other"]
    assert [one.claim.id for one in asked.verdicts(["other"])] == ["other"]
