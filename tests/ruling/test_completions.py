"""Rulings on what is only partly said: every way of filling in the rest, held against each of them by itself."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import combinations, islice
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support import oracle_findings
from support.oracle_codes import CODES
from support.partial import alone, drawn, leaves, said_in_full, some, told
from support.ruling import law
from support.tables import shipped

from facts.cards import SEATS, SIDE
from facts.errors import InputError, Place
from facts.fact import Fact
from facts.incident import Finding, Incident, Player
from facts.readers.incident_file import read_incident
from facts.to_yaml import as_yaml, plain
from kb.ruling.certainty import DECIDING_PARTS
from kb.ruling.make_ruling import rule
from kb.ruling.verdict import verdict
from kb.space.bits import members
from kb.space.completions import Completions, completions, let_go
from kb.space.layout import Layout
from kb.space.outcomes import OutcomeEntry, OutcomeReader

EDITIONS = ("duplicate-2017", "duplicate-2007", "duplicate-1997", "auction-1912")
ALL = "REVOKE_ALL" in os.environ
EVERY = int(os.environ.get("REVOKE_ALL", "1")) * 15
"""Findings of each sort in a quick test; thorough ones take up to a hundred times as many."""
MOST = 20
"""Ways of one finding that are ruled on by themselves."""
FEW = 600
"""So many are all ruled on."""
THOROUGH = pytest.mark.thorough
SOME = [
    pytest.param(edition, revokes, marks=[THOROUGH] if edition != EDITIONS[0] else [])
    for edition in EDITIONS
    for revokes in (1, 2)
]
SEEDS = [pytest.param(seed, marks=[THOROUGH] if seed else []) for seed in range(101 if ALL else 9)]
FEWER = SEEDS[: 31 if ALL else 5]
"""Enough where each draw is looked at many times over."""

PARTS: tuple[Player, ...] = ("declarer", "dummy", "defender")
TOLD_BY_ANOTHER: tuple[Player, ...] = ("same-player", "partner", "opponent", *PARTS)
OF_SEATS = {"won-by", "played-after", "asked-by", "next-board-call-by"}
HALF = 0.5


def incidents(edition: str, revokes: int, seed: int) -> Iterator[tuple[Incident, Completions]]:
    """Findings drawn at random, those that can be."""
    random = Random(seed)
    for _ in range(EVERY):
        incident = drawn(random, edition, revokes)
        try:
            yield incident, completions(incident, law(edition).sayable)
        except InputError:
            continue


def facts_alone(ways: Completions, number: int) -> set[Fact]:
    """The facts of one way, laid out as if it were the only one."""
    laid = Layout(ways.incident, ways.table, alone(ways, number), 1).situations
    return {fact for held in laid.facts.values() for fact in held}


def concluded_alone(edition: str, facts: Collection[Fact]) -> set[Fact]:
    """What the quick engine concludes from the facts of one way."""
    return {
        fact for fact, _, _ in law(edition).program.run(fact for fact in facts if fact[0] in law(edition).shown).firings
    }


def entries(reader: OutcomeReader, concluded: Collection[Fact]) -> set[OutcomeEntry]:
    held = dict.fromkeys(concluded, 1)
    return {*reader.ruling(held), *reader.judgement(held)}


@pytest.mark.thorough
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("edition", "revokes"), SOME)
def test_each_way_is_what_it_would_be_alone(edition: str, revokes: int, seed: int) -> None:
    """The facts laid out, and all that is concluded; and what is certain is what is concluded in every way."""
    random = Random(seed)
    for incident, ways in incidents(edition, revokes, seed):
        ruling = rule(law(edition), incident)
        certainty = ruling.certainty
        assert certainty.among == ways.possible
        ruled = {**certainty.run.ruling, **certainty.run.judgement}
        numbers = [*members(ways.possible)] if ways.possible.bit_count() <= FEW else some(ways, MOST, random)
        ground = {fact for held in ways.facts.values() for fact in held}
        common: set[Fact] | None = None
        for at, number in enumerate(numbers):
            facts = facts_alone(ways, number)
            assert facts == {f for held in ways.facts.values() for f, bits in held.items() if bits >> number & 1}
            concluded = concluded_alone(edition, facts)
            if at < MOST:
                assert entries(certainty.run.reader, concluded) == {
                    one for one, bits in ruled.items() if bits >> number & 1
                }
            common = concluded if common is None else common & concluded
        certain = {fact for kind in certainty.run.reader.kinds for fact in ruling.proof.facts(kind)} - ground
        in_all = {fact for fact in common or () if fact[0] in certainty.run.reader.kinds} - ground
        assert certain == in_all or (certain < in_all and ways.possible.bit_count() > FEW), incident


@pytest.mark.thorough
@pytest.mark.parametrize("seed", FEWER)
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_revoke_told_by_another_follows_it_wherever_that_was(edition: str, seed: int) -> None:
    """Whoever leaves out who made the first revoke, or who was declarer, is told no more than he was."""
    random, compared = Random(seed), 0
    while compared < EVERY:
        one = drawn(random, edition, 2)
        first, second = (_fewer_seats(found) for found in one.revokes)
        second = replace(second, hand=None, player=random.choice(TOLD_BY_ANOTHER))
        if random.random() < HALF:
            known = replace(one, declarer="S", revokes=(replace(first, hand=None, player=random.choice(PARTS)), second))
            fewer = replace(known, declarer=None, revokes=(replace(known.revokes[0], player=None), second))
            known = replace(known, declarer=None)
        else:
            known = replace(one, declarer=random.choice(SEATS), revokes=(first, second))
            fewer = replace(known, declarer=None)
        try:
            whole, less = (rule(law(edition), each).certainty for each in (known, fewer))
        except InputError:
            continue
        assert whole is not None and less is not None
        compared += 1
        (certain, presumed), (still, now) = told(whole), told(less)
        assert now != presumed or still <= certain, (still - certain, plain(known))
        for side, (fewest, most) in whole.range.items():
            assert less.range[side][0] <= fewest and most <= less.range[side][1], plain(known)


def _fewer_seats(found: Finding) -> Finding:
    """Without what names a seat, which is otherwise for another hand."""
    return replace(found, said={name: value for name, value in found.said.items() if name not in OF_SEATS})


@pytest.mark.thorough
@pytest.mark.parametrize("seed", FEWER)
@pytest.mark.parametrize(("edition", "revokes"), SOME)
def test_every_leaf_of_the_questions_is_one_outcome(edition: str, revokes: int, seed: int) -> None:
    for incident, ways in incidents(edition, revokes, seed):
        if ways.size > 10_000:
            continue
        certainty = rule(law(edition), incident).certainty
        for leaf in leaves(certainty):
            assert not leaf.is_open, incident
            first = [(one, bits & leaf.among) for one, bits in leaf.run.ruling.items() if one[0] in DECIDING_PARTS]
            assert all(bits in (0, leaf.among) for _, bits in first), incident


def contradictory(edition: str, revokes: int, seed: int) -> Iterator[tuple[Incident, InputError]]:
    """Findings drawn at random that cannot be, written to a file and read again."""
    random = Random(seed)
    for _ in range(EVERY):
        try:
            incident = read_incident(as_yaml(drawn(random, edition, revokes)), "drawn.yaml", shipped)
        except InputError:
            continue  # one card is listed twice
        try:
            completions(incident, law(edition).sayable)
        except InputError as refused:
            if "ways of filling in" not in str(refused):
                yield incident, refused


@pytest.mark.thorough
@pytest.mark.parametrize("seed", FEWER)
@pytest.mark.parametrize("revokes", [1, 2])
def test_a_refusal_names_the_statements_without_which_the_rest_can_be(revokes: int, seed: int) -> None:
    sayable = law().sayable
    for incident, refused in islice(contradictory("duplicate-2017", revokes, seed), 6 // revokes):
        names = {place: name for name, place in incident.places.items()}
        named = {names[fault.place] for fault in refused.faults if fault.place in names}
        helps = set()
        for number, one in enumerate(incident.revokes, 1):
            for key in (*one.said, "trick", "tricks", "contract"):
                name = key if key in ("tricks", "contract") else f"revokes.{number}.{key}"
                if name in incident.places and can_be(without(incident, number - 1, key), sayable):
                    helps.add(name)
        assert named == helps, incident
        assert all(fault.mend for fault in refused.faults)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", FEWER)
@pytest.mark.parametrize("edition", EDITIONS)
def test_presumptions_are_let_go_wherever_that_helps(edition: str, seed: int) -> None:
    random, sayable, seen = Random(seed), law(edition).sayable, 0
    for number in range(100 * EVERY):
        if seen and number >= EVERY:
            return
        with suppress(InputError):  # there are more ways than are laid out
            seen += let_go_as_it_helps(Completions(drawn(random, edition, number % 2 + 1), sayable))
    raise AssertionError("there was nothing to be let go")


def let_go_as_it_helps(found: Completions) -> bool:
    """Whether there was anything to be let go, or to be refused."""
    if found.possible:
        return False
    yielding = [key for key, one in found.choices.items() if one.how == "presumed" and one.kind.presumption.yields]
    free = [frozenset(some) for many in (1, 2) for some in combinations(yielding, many)]
    helps = [some for some in free if Completions(found.incident, found.sayable, some).possible]
    least = [some for some in helps if len(some) == len(helps[0])]
    assert let_go(found) == (frozenset().union(*least) if least else None), found.incident
    return True


def can_be(incident: Incident, sayable: Any) -> bool:
    try:
        return bool(completions(incident, sayable).possible)
    except InputError:
        return False


def without(incident: Incident, number: int, key: str) -> Incident:
    if key in ("tricks", "contract"):
        return replace(incident, **{key: None})
    one = incident.revokes[number]
    said = {name: value for name, value in one.said.items() if name != key}
    fewer = replace(one, said=said, trick=None if key == "trick" else one.trick)
    return replace(incident, revokes=(*incident.revokes[:number], fewer, *incident.revokes[number + 1 :]))


@pytest.mark.thorough
@pytest.mark.parametrize("seed", FEWER)
@pytest.mark.parametrize(("edition", "revokes"), SOME)
def test_a_way_that_is_said_in_full_is_ruled_on_as_it_was(edition: str, revokes: int, seed: int) -> None:
    """Learning everything: it can be said, nothing is open, and no certainty is lost."""
    random = Random(seed)
    for incident, ways in incidents(edition, revokes, seed):
        whole = rule(law(edition), incident).certainty
        assert whole is not None
        certain, _ = told(whole)
        for number in some(ways, 2, random):
            full = rule(law(edition), said_in_full(ways, number)).certainty
            assert full is not None and not full.is_open
            assert certain <= told(full)[0], (incident, number)


def plainly(incident: Incident) -> bool:
    """Whether the oracle can read findings as they are meant: each revoke once, no claim, what is said of one agrees with
    what is said of the other.
    """
    one, other = incident.revokes[0], incident.revokes[-1]
    if len(incident.revokes) == 1:
        return True
    said = [found.said for found in incident.revokes]
    settled = all(
        found["claim"] == "none"
        and found.get("asked-by", "nobody") == "nobody"
        and found.get("other-side-revoked", "no") == "no"
        for found in said
    )
    if not settled or one.trick != other.trick:
        return settled
    same_side = SIDE[one.hand or "N"] == SIDE[other.hand or "N"]
    return (
        one.hand != other.hand
        and "not-yet" not in [found["noticed"] for found in said]
        and (not same_side or said[0]["next-trick"] == said[1]["next-trick"])
    )


@pytest.mark.thorough
@pytest.mark.parametrize("seed", FEWER)
@pytest.mark.parametrize(("edition", "revokes"), [one for one in SOME if one.values[0] in CODES])
def test_the_oracle_says_the_same_of_findings_said_in_full(edition: str, revokes: int, seed: int) -> None:
    random = Random(seed)
    for at in range(seed, seed + 1000, 100):  # on, until there is something to compare
        ways = (ways for _, ways in incidents(edition, revokes, at))
        drawn_full = (said_in_full(one, number) for one in ways for number in some(one, 3, random))
        if compared := [full for full in drawn_full if plainly(full)]:
            break
    assert compared
    for full in compared:
        ruled = verdict(rule(law(edition), full))
        assert oracle_findings.disagreements(edition, plain(full), ruled) == [], full


@pytest.mark.parametrize(
    ("stated", "size"),
    [
        ("{hand: W, trick: 5}", 300),
        ("{hand: W, trick: 5, won-by: W, later-tricks: 2}", 10),
        ("{hand: W, trick: 3}, {hand: W, trick: 6}", 500_000),
        ("{hand: W, trick: 3}, {hand: N, trick: 6}", 100_000),
    ],
)
def test_so_little_is_enough_for_a_ruling(stated: str, size: int) -> None:
    certainty = rule(law(), read_incident(f"contract: 4S\ndeclarer: S\nrevokes: [{stated}]\n", "f", shipped)).certainty
    assert certainty.completions.size <= size


@pytest.mark.parametrize("trick", range(1, 13))
def test_a_revoke_whose_trick_is_not_said_came_before_one_whose_is(trick: int) -> None:
    """Another hand won that trick, which can be unless the second is on the first trick of all."""
    text = f"declarer: S\nrevokes: [{{hand: W, won-by: W}}, {{hand: N, trick: {trick}, won-by: N}}]\n"
    assert can_be(read_incident(text, "f", shipped), law().sayable) == (trick > 1)


def test_a_million_ways_and_no_more() -> None:
    found = ", ".join(f"{{hand: {hand}, trick: {trick}}}" for hand, trick in zip("WEWEWE", range(1, 7), strict=True))
    incident = read_incident(f"declarer: S\nrevokes: [{found}]\n", "f", shipped)
    with pytest.raises(InputError, match=r"ways of filling in what is not said of these revokes; say more of them"):
        rule(law(), incident)


def test_a_score_that_is_adjusted_whatever_is_open_cites_its_law() -> None:
    found = "{hand: E, trick: 11, suit: H, next-trick: played, won-by: S, later-tricks: 2}"
    stated = f"contract: 2H\ndeclarer: S\ntricks: 9\nequity-tricks: 12\nrevokes: [{found}]\n"
    ruling = rule(law("duplicate-1997"), read_incident(stated, "f", shipped))
    assert {fact[-1] for fact in ruling.proof.facts("transfer")} == set()
    (adjusted,) = ruling.proof.facts("adjusted")
    assert ruling.citations.laws(adjusted) == ("64C",)
    assert "64C" in ruling.citations.cited()


REFUSED = sorted((Path(__file__).parent / "refused").glob("*.yaml"))


@pytest.mark.parametrize("path", REFUSED, ids=lambda path: path.stem)
def test_statements_that_cannot_stand_together(path: Path) -> None:
    """Each file is named after what cannot be, and ends with what must be said, and where."""
    text = path.read_text("utf-8")
    expected = [line.removeprefix("# expect ") for line in text.splitlines() if line.startswith("# expect ")]
    with pytest.raises(InputError) as caught:
        rule(law(), read_incident(text, "f", shipped))
    assert [str(fault).removeprefix("f:") for fault in caught.value.faults] == expected


@pytest.mark.parametrize(
    ("said", "moved"),
    [
        ("won-by: S", {0, 1}),
        ("won-by: S, later-tricks: 0", {0}),
        ("won-by: W", {1, 2}),
        ("won-by: W, later-tricks: 2", {2}),
        ("won-by: W, later-tricks: 3", {2}),
    ],
)
def test_a_trick_that_nobody_names_may_be_any(said: str, moved: set[int]) -> None:
    """The tricks of the board are no tricks from the first one on."""
    text = f"contract: 4S\ndeclarer: S\ntricks: 9\nrevokes: [{{hand: W, {said}}}]\n"
    certainty = rule(law(), read_incident(text, "f", shipped)).certainty
    ways = (certainty.alone(one) for one in members(certainty.among))
    assert {sum(int(str(fact[-1])) for fact in way.facts("transfer")) for way in ways} == moved


@pytest.mark.thorough
@pytest.mark.parametrize("edition", ["duplicate-2017", "duplicate-1997"])
@pytest.mark.parametrize("seed", range(10))
def test_tricks_that_nobody_names_leave_room_for_all_that_there_may_be(edition: str, seed: int) -> None:
    """What two revokes may cost, wherever they were, lies within what they may cost on tricks that nobody names."""
    random, places = Random(seed), [(one, other) for one in range(1, 12) for other in range(one + 1, 12)]
    revokes = [Finding(None, None, player, _part_of_it(random)) for player in _PLAYERS]
    bare = Incident(place=Place("f", 1), edition=edition, declarer="S", revokes=tuple(revokes))
    try:
        certainty = rule(law(edition), bare).certainty
    except InputError:
        certainty = None
    for tricks in random.sample(places, 20):
        there = [replace(one, trick=trick) for one, trick in zip(revokes, tricks, strict=True)]
        with suppress(InputError):
            one = rule(law(edition), replace(bare, revokes=tuple(there))).certainty
            assert one is not None and certainty is not None, tricks
            for side, (fewest, most) in one.range.items():
                assert certainty.range[side][0] <= fewest <= most <= certainty.range[side][1], tricks


_PLAYERS: tuple[Player, ...] = ("defender", "partner")


def _part_of_it(random: Random) -> dict[str, Any]:
    drawn = {
        "won-by": (0.9, ["revoker", "partner", "opponent"]),
        "later-tricks": (0.6, [0, 1, 2, 3, 4, 6, 8]),
        "next-trick": (0.9, ["played"]),
    }
    return {name: random.choice(values) for name, (chance, values) in drawn.items() if random.random() < chance}
