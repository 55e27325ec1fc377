"""The interview asks few questions, only such as matter, and ends in the ruling of the full facts."""

from __future__ import annotations

from array import array

import pytest
from support.counsel import EDITIONS, ELECTIONS, acts_of, counsel_of, endings, interviewed, universe_of
from support.drafts import bare_universe, sample

from kb.engine.sets import Bits
from kb.interview.planner import Planner
from kb.ruling.rule import rule
from kb.space.bits import first
from kb.space.decision_diagram import Diagram, State
from kb.space.interview import UNKNOWN


@pytest.mark.thorough
@pytest.mark.parametrize("code", [*EDITIONS, *(pytest.param(code, marks=pytest.mark.thorough) for code in ELECTIONS)])
def test_every_situation_ends_in_its_own_ruling(code: str) -> None:
    adviser, of = counsel_of(code).adviser, universe_of(code)
    outcomes = list(adviser.survey.run.acts.values())
    assert adviser.diagram.chances(adviser.survey.whole) == {n: bits.bit_count() for n, bits in enumerate(outcomes)}
    assert [dict(one) for one in adviser.survey.examples] == [of.answers(first(bits)) for bits in outcomes]
    ended = 0

    def follow(state: State, those: Bits) -> None:
        """All these situations have been answered alike so far."""
        nonlocal ended
        step = adviser.planner.best(state)
        if step is None:
            assert not those & ~outcomes[adviser.diagram.outcome[state]]
            ended += those.bit_count()
            return
        groups = {answer: those & bits for answer, bits in of.given[step.question].items() if those & bits}
        assert len(groups) > 1, "a question that has been answered by implication"
        assert set(groups) == {branch.answer for branch in step.branches}, "a question that makes no sense to some"
        assert len({branch.state for branch in step.branches}) > 1, "a question whose answer changes nothing"
        for branch in step.branches:
            follow(branch.state, groups[branch.answer])

    follow(adviser.start, of.everything)
    assert ended == len(of)


@pytest.mark.thorough
@pytest.mark.parametrize("edition", EDITIONS)
def test_the_ruling_at_the_end_is_that_of_the_full_facts(edition: str) -> None:
    """Given on what was answered, and on everything that is so, in situations all over the universe."""
    counsel, of = counsel_of(edition), universe_of(edition)
    for number in sample(of, 120):
        answers = of.answers(number)
        short, long = rule(counsel.law, counsel.stated(interviewed(counsel, answers))), counsel.ruling(answers)
        assert acts_of(short) == acts_of(long), answers
        assert short.transfer == long.transfer
        assert [one.status for one in short.revokes] == [one.status for one in long.revokes]


@pytest.mark.thorough
@pytest.mark.parametrize("edition", EDITIONS)
def test_every_end_has_an_incident_that_says_no_more_than_was_answered(edition: str) -> None:
    counsel = counsel_of(edition)
    for ended in list(endings(counsel.adviser.begin()))[::23]:
        incident = counsel.stated(ended)
        assert counsel.settled(ended) and ended.known == dict(ended.given)
        assert (incident.declarer, incident.contract, incident.events) == (None, None, ())
        for found in incident.revokes:
            assert found.hand is None and found.trick in (None, 12)
            assert not {"suit", "card"} & found.said.keys()
            assert found.said.get("won-by") in (None, "opponent", "revoker", "partner")


@pytest.mark.thorough
@pytest.mark.parametrize("edition", EDITIONS)
def test_few_more_questions_than_the_fewest_possible(edition: str) -> None:
    """Compared with the optimum over parts of the space where that is quickly found."""
    diagram = counsel_of(edition).adviser.diagram
    start = counsel_of(edition).adviser.start
    asked = fewest = 0
    for hand in ("declarer", "dummy"):
        part = diagram.given(start, 0, {hand})
        assert part is not None
        states = [diagram.mattering(part)]
        for another in ("none", "same-player", "partner", "same-trick", "other-side"):
            narrowed = diagram.given(states[0], 1, {another})
            assert narrowed is not None
            state = diagram.mattering(narrowed)
            asked += Planner(diagram).cost(state)[0]
            fewest += Planner(diagram, exact=10_000).cost(state)[0]
    assert fewest <= asked <= 1.15 * fewest


def test_the_cheapest_plan_is_found() -> None:
    """Two questions that tell everything together are better than one that tells a little first."""
    diagram, of = Diagram(), bare_universe(("a", "xy", ()), ("b", "xy", ()), ("c", "xyz", ()))
    start = diagram.mattering(diagram.of(of.root, array("L", [number // 3 for number in range(12)])))
    planner = Planner(diagram)
    assert planner.cost(start) == (2 * diagram.weight[start], 2)
    step = planner.best(start)
    assert step is not None and step.question in (0, 1)


def test_a_question_is_asked_only_where_it_makes_sense_in_every_situation() -> None:
    diagram, of = Diagram(), bare_universe(("a", "ab", ()), ("b", "xy", ({"a": frozenset("a")},)))
    state = diagram.mattering(diagram.of(of.root, array("L", [0, 1, 2])))
    assert diagram.askable(state) == [0]
    narrowed = diagram.given(state, 0, {"a"})
    assert narrowed is not None
    assert diagram.askable(diagram.mattering(narrowed)) == [1]


@pytest.mark.thorough
@pytest.mark.parametrize("edition", EDITIONS)
def test_not_to_know_anything_still_ends(edition: str) -> None:
    counsel = counsel_of(edition)
    consultation = counsel.adviser.begin()
    while consultation.question is not None:
        assert consultation.question.id not in dict(consultation.given)
        consultation = consultation.answer(UNKNOWN)
    assert len(consultation.outcomes) > 10 and not counsel.settled(consultation)
    ruling = rule(counsel.law, counsel.stated(consultation))
    assert ruling.opening.is_open


def test_one_thing_unknown_leaves_the_rulings_that_hang_on_it() -> None:
    counsel = counsel_of("duplicate-2017")
    consultation = counsel.adviser.begin()
    said = {"hand": "defender", "another": "none", "trick": "earlier", "next-trick": "played", "won-by": UNKNOWN}
    said |= {"failed-to": "follow-suit", "noticed": "during-play", "claim": "none", "later-tricks": "more"}
    while consultation.question is not None:
        consultation = consultation.answer(said[consultation.question.id])
    assert consultation.unknown == {"won-by"}
    assert len(consultation.outcomes) == 2
    opening = rule(counsel.law, counsel.stated(consultation)).opening
    assert opening.asking is not None
    assert opening.asking.key == (0, "won-by")
    assert opening.range["NS"] == (1, 2)


def test_back_takes_one_answer_away_in_whatever_order() -> None:
    begun = counsel_of("duplicate-2017").adviser.begin()
    first = begun.answer("none").answer("during-play")
    second = begun.answer("partner").back().answer("none").answer("after-play").back().answer("during-play")
    assert first.given == second.given
    assert first.state == second.state
    assert first.back().back().given == begun.given == first.restart().given == begun.back().given
    assert first.back().question == begun.answer("none").question


def test_an_answer_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="north"):
        counsel_of("duplicate-2017").adviser.begin().answer("north")


@pytest.mark.thorough
def test_a_question_names_the_law_that_makes_it_matter() -> None:
    counsel = counsel_of("duplicate-2017")
    laws: dict[str, set[str]] = {}
    for ended in list(endings(counsel.adviser.begin()))[::60]:
        consultation = counsel.adviser.begin()
        for _, answer in ended.given:
            assert consultation.question is not None and consultation.step is not None
            why = counsel.explaining.why(consultation, consultation.step)
            assert why.laws, consultation.given
            laws.setdefault(consultation.question.id, set()).update(why.laws)
            consultation = consultation.answer(answer)
    assert {"64A1", "64A2"} <= laws["won-by"]
    assert "62D1" in laws["trick"] and "64B6" in laws["trick"]
    assert "63A1" in laws["next-trick"]


@pytest.mark.thorough
def test_what_is_certain_holds_in_every_ruling_still_possible() -> None:
    counsel = counsel_of("duplicate-2017")
    examples, told = counsel.adviser.survey.examples, 0
    for ended in list(endings(counsel.adviser.begin()))[::40]:
        consultation = ended.back()
        certain = counsel.explaining.certain(consultation)
        told += bool(certain.least or certain.status or certain.facts)
        for outcome in sorted(consultation.outcomes)[:5]:
            ruling = counsel.ruling(dict(examples[outcome]))
            for side, tricks in certain.least.items():
                assert ruling.transfer[side] >= tricks
            if certain.status is not None:
                assert {one.status for one in ruling.revokes} == {certain.status}
    assert told > 10
