"""Whether an edition is stricter or milder for the sides that revoked: by clause, in tricks and in everything."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TypeAlias

import pytest
from support.drafts import (
    SMALL_INTERVIEW,
    draft,
    in_parts,
    measures,
    shipped,
    universe,
    universe_in,
)

from kb.compare.compare import ClauseSet, Comparison, Prepared, compare
from kb.compare.telling import Wording
from kb.explain.words import load_words
from kb.language.edition import load_edition
from kb.language.folders import rules_root
from kb.space.bits import union
from kb.space.measures import DIRECTIONS, Direction, burden_of, direction, load_measures, of_matters
from kb.space.outcomes import EditionRun
from kb.space.read_interview import load_interview
from kb.space.universe import Universe, observed

OLDER, MIDDLE, NEWER = "duplicate-1997", "duplicate-2007", "duplicate-2017"
ONE_MORE = "part: that-trick, from: $s, to: $o, tricks: 1}}", "part: that-trick, from: $s, to: $o, tricks: 2}}"


Compared: TypeAlias = dict[tuple[str, str], Comparison]
PAIRS = (OLDER, MIDDLE), (MIDDLE, NEWER)


@pytest.fixture(scope="module")
def compared() -> Compared:
    """Shipped editions on the situations of the interview."""
    return {(a, b): compare(Prepared(shipped(a), universe()), shipped(b), (), measures()) for a, b in PAIRS}


def ways(found: Comparison) -> dict[ClauseSet, set[Direction]]:
    """For each group of one clause alone the ways that its situations go."""
    return {
        group.clauses[0]: {way for way, bits in group.directions.items() if bits}
        for group in found.groups
        if len(group.clauses) == 1
    }


@pytest.mark.thorough
def test_how_2007_stands_to_1997(compared: Compared) -> None:
    found = ways(compared[OLDER, MIDDLE])
    assert found["64A2",] == {"milder", "equal"}
    assert found["62D2",] == {"milder"}
    assert found["63B",] == {"milder", "incomparable"}


@pytest.mark.thorough
def test_how_2017_stands_to_2007(compared: Compared) -> None:
    found = ways(compared[MIDDLE, NEWER])
    assert found["64B3",] == found["64B2",] == {"stricter"}
    assert found["64B7",] == {"stricter", "equal"}
    assert found["64B7", "64C", "64C2b"] == {"equal"}, "both revokes are to be considered, as before"
    assert "incomparable" in found["63A3",]


@pytest.mark.thorough
@pytest.mark.parametrize("pair", PAIRS)
def test_every_differing_situation_goes_one_way(compared: Compared, pair: tuple[str, str]) -> None:
    found = compared[pair]
    differing = union(group.situations for group in found.groups)
    of = found.directions.values()
    assert union(of) == differing and sum(bits.bit_count() for bits in of) == differing.bit_count()
    for way, bits in found.directions.items():
        assert sum(group.directions[way].bit_count() for group in found.groups) == bits.bit_count()


def test_the_other_way_round_what_was_stricter_is_milder() -> None:
    situations = observed(universe())
    middle, newer = (burden_of(measures(), EditionRun(shipped(one), situations)) for one in (MIDDLE, NEWER))
    there = direction(middle, newer, situations.everything)
    back = direction(newer, middle, situations.everything)
    turned: dict[Direction, Direction] = {"stricter": "milder", "milder": "stricter"}
    for way in DIRECTIONS:
        assert there[way] == back[turned.get(way, way)]


@pytest.fixture
def harsher(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Comparison:
    """A draft by which one more trick goes where the revoker's own card won."""
    text = (rules_root() / NEWER / "law-64.yaml").read_text("utf-8")
    clause = text[text.index('  "64A1":') : text.index('  "64A2":')]
    assert clause.count(ONE_MORE[0]) == 1
    law = 'law: "64"\nclauses:\n' + clause.replace(*ONE_MORE)
    edition = load_edition(rules_root(), draft(tmp_path / "harsher", law))
    few = universe_in(tmp_path, SMALL_INTERVIEW.replace("later-tricks: 1", "later-tricks: 3"))
    in_parts(monkeypatch, 4)
    return compare(Prepared(shipped(NEWER), few), edition, (), measures())


@pytest.mark.thorough
def test_one_more_trick_is_stricter_and_never_milder(harsher: Comparison) -> None:
    (group,) = harsher.groups
    assert group.clauses == (("64A1",),)
    assert group.directions["stricter"] == group.situations
    wording = Wording(harsher, load_words(rules_root(), harsher.a.vocabulary), "en")
    assert wording.first == (
        f"Most often: 2 tricks under Laws of Duplicate Bridge 2017, 3 tricks under {harsher.b.title['en']} (64A1)."
    )
    told = "2 tricks → 3 tricks"
    assert wording.changes(group) == {told: group.situations}
    assert wording.sentence == (
        f"Of 9 situations, the ruling under {harsher.b.title['en']} is not that under {harsher.a.title['en']} in 33.3%: "
        "for the side at fault the ruling is stricter in 33.3% and never milder."
    )
    assert harsher.universe.answers(group.example)["won-by"] == "revoker"
    german = Wording(harsher, load_words(rules_root(), harsher.a.vocabulary), "de")
    assert re.search("in 33,3\u202f% strenger und nie milder[.]$", german.sentence)


@pytest.mark.thorough
def test_editions_that_rule_alike_say_so(tmp_path: Path) -> None:
    few = universe_in(tmp_path, SMALL_INTERVIEW)
    found = compare(Prepared(shipped(NEWER), few), shipped(NEWER), (), measures())
    said = Wording(found, load_words(rules_root(), found.a.vocabulary), "en")
    assert (
        said.sentence
        == "Laws of Duplicate Bridge 2017 and Laws of Duplicate Bridge 2017 rule alike in every one of 9 situations."
    )
    assert said.first == ""


@pytest.mark.thorough
def test_only_what_changes_is_told_of_several_revokes(harsher: Comparison) -> None:
    said = Wording(harsher, load_words(rules_root(), harsher.a.vocabulary), "en")
    one, two, none = ("established", 1), ("established", 2), ("established", 0)
    assert said.effect((two, none), (one, none)) == said.effect((none, two), (none, one))
    assert said.effect((two, none), (one, none)) == "2 tricks → 1 trick"
    assert said.effect((two, none, two), (one, none, one)) == f"{said.effect((two,), (one,))} (2 revokes)"
    assert said.effect((two, one), (one, none)).count(" → ") == 2
    assert said.effect((), (one,)) == "no revoke → established, 1 trick automatic"


@pytest.mark.thorough
def test_a_group_of_the_same_weight_says_so(compared: Compared) -> None:
    found = compared[MIDDLE, NEWER]
    (group,) = (group for group in found.groups if group.what == "judgement")
    said = Wording(found, load_words(rules_root(), found.a.vocabulary), "en").group_ways(group)
    assert said == "For the side at fault: never stricter and never milder."


@pytest.mark.thorough
def test_a_share_is_never_rounded_to_nothing(compared: Compared) -> None:
    found = compared[MIDDLE, NEWER]
    assert len(universe()) > 2000
    english, german = (Wording(found, load_words(rules_root(), found.a.vocabulary), lang) for lang in ("en", "de"))
    assert english.share(1) == "under 0.1%"
    assert german.share(len(universe())) == "100,0\u202f%"


@pytest.mark.parametrize(
    ("of", "law", "clause", "was", "will_be"),
    [
        ("call-out-of-turn", "31", "31A2b", "lasts: once", "lasts: throughout"),
        ("insufficient-bid", "27", "27B3", "lasts: throughout", "lasts: once"),
    ],
)
def test_whoever_must_pass_for_longer_is_ruled_on_more_strictly(
    of: str, law: str, clause: str, was: str, will_be: str, tmp_path: Path
) -> None:
    text, shipped_law = (rules_root() / NEWER / "calls.yaml").read_text("utf-8"), shipped(NEWER)
    written = re.search(rf'      "{clause}":\n(?:        .*\n)+', text)
    assert written and was in written[0]
    changed = f'laws:\n  "{law}":\n    clauses:\n{written[0].replace(was, will_be)}'
    edition = load_edition(rules_root(), draft(tmp_path / "draft", changed))
    situations = Universe(load_interview(rules_root(), shipped_law, of=of))
    weighed = load_measures(rules_root(), shipped_law.vocabulary, of_matters(shipped_law))
    way = "stricter" if will_be == "lasts: throughout" else "milder"
    groups = compare(Prepared(shipped_law, situations), edition, (), weighed).groups
    assert groups and all(group.directions[way] == group.situations for group in groups)
