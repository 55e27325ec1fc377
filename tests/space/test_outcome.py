"""What rulings come to in every situation at once, against single situations."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from support.drafts import each_alone, facts_alone, run_of, sample, told, universe
from support.ruling import law

from kb.engine.sets import Bits
from kb.ruling.make_ruling import rule
from kb.ruling.ruling import Ruling
from kb.space.bits import first, union
from kb.space.outcomes import Acts, EditionRun, OutcomeReader, different, effects

EDITIONS = ("duplicate-2017", "duplicate-1997", "auction-1912")


def rulings(edition: str, numbers: list[int]) -> dict[int, Ruling]:
    return {number: rule(law(edition), universe().incident(number)) for number in numbers}


def assert_divided(sets: Mapping[object, Bits]) -> None:
    """Every situation is in one of them, and the first that is in one comes first."""
    assert union(sets.values()) == universe().everything
    assert sum(bits.bit_count() for bits in sets.values()) == len(universe())


@pytest.mark.thorough
@pytest.mark.parametrize("edition", EDITIONS)
def test_acts_are_those_of_each_situation_alone(edition: str) -> None:
    run, numbers = run_of(edition), sample(universe(), 100)
    assert_divided(run.acts)
    assert [first(bits) for bits in run.acts.values()] == sorted(first(bits) for bits in run.acts.values())
    found = told(run.acts.items(), numbers)
    for number in numbers:
        alone = EditionRun(run.edition, each_alone([facts_alone(universe(), number)]), run.sets)
        assert found[number] == set(alone.acts)
        assert list(alone.acts.values()) == [1]


@pytest.mark.thorough
@pytest.mark.parametrize("edition", EDITIONS)
def test_effects_are_status_and_automatic_tricks_of_each_revoke(edition: str) -> None:
    run, numbers = run_of(edition), sample(universe(), 100)
    found = effects(run.ruling, universe().everything)
    assert_divided(found)
    of_each = told(found.items(), numbers)
    for number, ruling in rulings(edition, numbers).items():
        assert of_each[number] == {tuple((one.status, one.automatic_tricks) for one in ruling.revokes)}
    some = union(1 << number for number in numbers)
    assert effects(run.ruling, some) == {effect: bits & some for effect, bits in found.items() if bits & some}


@pytest.mark.thorough
def test_the_same_acts_are_the_same_ruling_but_for_the_tricks() -> None:
    run = run_of("duplicate-2017")
    for acts, bits in [*run.acts.items()][::9]:
        ruled = rulings("duplicate-2017", [first(bits), bits.bit_length() - 1]).values()
        assert len({tuple(sorted(ruling.transfer.items())) for ruling in ruled}) == 1, acts
        assert len({tuple((one.hand, one.status) for one in ruling.revokes) for ruling in ruled}) == 1


@pytest.mark.thorough
def test_where_two_editions_differ() -> None:
    before, after = run_of("duplicate-1997"), run_of("duplicate-2017")
    reader, laws = OutcomeReader(after.edition.vocabulary), [law(run.edition.id) for run in (before, after)]
    numbers = sample(universe(), 300)
    for part in ("ruling", "judgement"):
        found = told([(True, different(getattr(before, part), getattr(after, part)))], numbers)
        assert 3 < sum(map(len, found.values())) < 200
        for number in numbers:
            proofs = [one.engine.run(facts_alone(universe(), number)) for one in laws]
            read = [getattr(reader, part)({fact: 1 for fact, _, _ in proof.firings}) for proof in proofs]
            assert bool(found[number]) == (read[0].keys() != read[1].keys())


def test_a_trick_and_a_moment_make_no_other_act() -> None:
    """A revoke at the first trick or at another before the twelfth comes to the same."""
    reader = OutcomeReader(run_of("duplicate-2017").edition.vocabulary)

    def acts(trick: int, moment: int, status: str) -> set[Acts]:
        revoke = ("revoke", moment, trick, "W", "EW", "NS", None, moment)
        return set(reader.acts({revoke: 1, ("status", moment, trick, "W", status): 1}, 1))

    assert acts(5, 5110, "established") == acts(1, 1110, "established") != acts(5, 5110, "corrected")
