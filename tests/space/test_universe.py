"""Every situation of an interview, once and in order, as if each way through the questions had been walked."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.drafts import SMALL_INTERVIEW, bare_universe, bits_of, sample, told, universe, universe_in
from support.interviews import interviews

from facts.errors import RulesError
from kb.space import universe as universe_module
from kb.space.bits import members, union
from kb.space.decision_diagram import State
from kb.space.interview import Answers, Interview, Question
from kb.space.universe import Universe


def ways(questions: Sequence[Question], said: Answers) -> Iterator[Answers]:
    """Every way through the questions after what has been said, put one by one."""
    if not questions:
        yield said
        return
    question, *rest = questions
    choices = [] if question.id in said else [choice.id for choice in question.choices(said)]
    for choice in choices:
        yield from ways(rest, {**said, question.id: choice})
    if not choices:
        yield from ways(rest, said)


def unusual(of: Universe, number: int) -> int:
    """How many of its answers are not the ordinary one."""
    return sum(said != next(iter(of.interview.questions[name].answers)) for name, said in of.answers(number).items())


def plainest(of: Universe, numbers: Iterable[int]) -> int:
    """The first of those with the fewest unusual answers."""
    return min(numbers, key=lambda number: (unusual(of, number), number))


def assert_given(of: Universe, numbers: Collection[int]) -> None:
    """Each of these situations is in the set of the answer that it has to each question, and in no other."""
    for question, answers in zip(of.questions, of.by_answer, strict=True):
        assert list(answers) == [None, *question.answers]
        found = told(answers.items(), numbers)
        assert all(found[number] == {of.answers(number).get(question.id)} for number in numbers)


@pytest.mark.thorough
@settings(max_examples=40)
@given(interviews(), st.integers(1, 12))
def test_any_interview(interview: Interview, most: int) -> None:
    of = Universe(interview)
    walked = list(ways(of.questions, {}))
    assert [of.answers(number) for number in range(len(of))] == walked
    assert_given(of, range(len(of)))
    for bits in (of.everything, *filter(None, (bits for answers in of.by_answer for bits in answers.values()))):
        assert of.plainest(bits) == plainest(of, members(bits))
    parts = list(of.parts(most))
    assert [part.answers(number) for _, part in parts for number in range(len(part))] == walked
    assert [start for start, _ in parts] == [sum(len(part) for _, part in parts[:at]) for at in range(len(parts))]
    for _, part in parts:
        assert len(part) <= most
        assert_given(part, range(len(part)))


def test_a_small_interview(tmp_path: Path) -> None:
    of = universe_in(tmp_path, SMALL_INTERVIEW)
    assert len(of) == 9
    assert of.answers(0) == {"hand": "defender", "required-faced": "no", "next-trick": "yes", "won-by": "opponent"}
    assert of.answers(2) == {"hand": "defender", "required-faced": "no", "next-trick": "no"}
    assert of.answers(8) == {"hand": "declarer", "next-trick": "no"}
    assert [unusual(of, number) for number in (0, 1, 8)] == [0, 1, 2]
    assert of.unusual(0, "en") == "nothing unusual happened"
    assert of.unusual(8, "de") == "die Karte war des Alleinspielers; weitergespielt: nichts getan"
    (_, defender), (_, declarer) = of.diagram.edges[of.root]
    assert {below for _, below in of.diagram.edges[defender]} == {declarer}, "what looks the same is one node"
    assert of.incident(5) == of.interview.incident(of.answers(5))


@pytest.mark.thorough
@pytest.mark.parametrize("wider", [False, True])
def test_the_shipped_universes(wider: bool) -> None:
    of = universe(wider)
    assert len(of) > (1_000_000 if wider else 50_000)
    assert len(of.diagram.below(of.root)) < len(of) / 8
    for question, answers in zip(of.questions, of.by_answer, strict=True):
        assert all(answers[answer] for answer in question.answers), question.id
        assert union(answers.values()) == of.everything
    numbers = sample(of, 400)
    assert_given(of, numbers)
    for number in numbers:
        said = of.answers(number)
        for name, question in of.interview.questions.items():
            choices = [choice.id for choice in question.choices(said)]
            assert (said[name] in choices) if choices else name not in said
    assert of.plainest(bits_of(numbers)) == plainest(of, numbers)


def test_the_parts_of_the_wider_universe() -> None:
    of, whole = universe(wider=True), 0
    for start, part in of.parts():
        assert start == whole
        whole += len(part)
        assert all(part.answers(number) == of.answers(start + number) for number in sample(part, 7))
    assert whole == len(of)


def test_every_way_of_some_of_the_shipped_interview() -> None:
    of, said = universe(), {"hand": "dummy", "another": "partner"}
    wanted = of.everything
    for question, answers in zip(of.questions, of.by_answer, strict=True):
        wanted &= answers[said[question.id]] if question.id in said else wanted
    assert [of.answers(number) for number in members(wanted)] == list(ways(of.questions, said))


@pytest.mark.thorough
@pytest.mark.parametrize("wider", [False, True])
def test_every_way_through_the_shipped_questions(wider: bool) -> None:
    of = universe(wider)
    number = -1
    for number, said in enumerate(ways(of.questions, {})):
        assert of.answers(number) == said
    assert number == len(of) - 1


def lies_in(of: Universe, state: State, said: Answers) -> bool:
    """Whether some way through gives just these answers to what they answer, and is asked all of it."""
    if not of.diagram.edges[state]:
        return not said
    name = of.questions[of.diagram.question[state]].id
    left = {question: answer for question, answer in said.items() if question != name}
    edges = of.diagram.edges[state]
    return any(lies_in(of, below, left) for answer, below in edges if said.get(name, answer) == answer)


def test_the_wider_universe_holds_every_situation_of_the_interview() -> None:
    wider = universe(wider=True)
    for number in range(0, len(universe()), 61):
        said = universe().answers(number)
        assert lies_in(wider, wider.root, said), said


def test_too_many_situations_are_told_before_they_are_laid_out() -> None:
    of = [(f"q{number}", "abcdefghij", ()) for number in range(12)]
    assert len(bare_universe(*of[:6])) == 1_000_000
    with pytest.raises(RulesError, match="up to this question there are more than 4,000,000 ways to answer"):
        bare_universe(*of)


def test_too_many_sorts_of_them_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where later questions depend on each of those before, no two ways to them are alike."""
    monkeypatch.setattr(universe_module, "MOST_BLOCKS", 1_000)
    before = [(f"q{number}", "ab", ()) for number in range(14)]
    assert len(bare_universe(*before)) == 2**14
    after = [(f"r{number}", "ab", ({f"q{number}": frozenset("a")},)) for number in range(14)]
    with pytest.raises(RulesError, match="too many sorts"):
        bare_universe(*before, *after)
