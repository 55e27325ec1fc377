"""The decision chart says what the rules say, on every situation with one revoke in which everything is known."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.charts import boxes_of, chart_of, figures_of, told
from support.counsel import EDITIONS, counsel_of, universe_of
from support.drafts import draft, sample
from typer.testing import CliRunner

from kb.chart.parts import FigureBox, matter
from kb.chart.rulings import OutcomeTable, matters
from kb.cli.main import app
from kb.ruling.rule import rule
from kb.ruling.ruling import Ruling
from kb.space.decision_diagram import State

pytestmark = pytest.mark.thorough


def one_on(box: FigureBox, answer: str) -> FigureBox:
    """The next box; the box itself where it has no such answer, for the figure is then of another case."""
    return next((below for some, below in box.ways if answer in some), box)


def assert_says(edition: str, answers: dict[str, str], ruling: Ruling) -> None:
    """Everything ruled stands in the chart, and nothing else; what it only reminds of is left to judgement."""
    vocabulary = ruling.edition.vocabulary
    said, notes = told(chart_of(edition), answers)
    ruled = frozenset().union(*(what for _, what in matters(vocabulary, ruling)))
    assert said <= ruled, answers
    reminded = {
        matter(vocabulary, fact) for fact in ruling.facts("director") if set(ruling.citations.laws(fact)) <= set(notes)
    }
    assert ruled - said <= frozenset().union(*(what for name, what in matters(vocabulary, ruling) if name in reminded))


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_chart_says_what_the_rules_say(edition: str) -> None:
    """Every situation at once: those that have led every figure to the same box are followed together."""
    counsel = counsel_of(edition)
    rulings, diagram = OutcomeTable(counsel), counsel.adviser.diagram
    figures = figures_of(*chart_of(edition))
    done: set[object] = set()

    def follow(state: State, boxes: tuple[FigureBox, ...], answers: dict[str, str]) -> None:
        key = state, tuple(map(id, boxes))
        if key in done:
            return
        done.add(key)
        if diagram.outcome[state] >= 0:
            assert_says(edition, answers, rulings.all[diagram.outcome[state]])
            return
        question = counsel.adviser.questions[diagram.question[state]].id
        for answer, below, _ in diagram.edges[state]:
            moved = tuple(one_on(box, answer) if box.question == question else box for box in boxes)
            follow(below, moved, {**answers, question: answer})

    follow(rulings.state, tuple(figure.root for figure in figures), {})
    assert diagram.weight[rulings.state] > 1000


@pytest.mark.parametrize("edition", EDITIONS)
def test_as_ruled_on_there_and_then(edition: str) -> None:
    """Not by way of the survey: some situations are ruled on for this."""
    law, of = counsel_of(edition).law, universe_of(edition)
    for number in sample(of, 1000):
        answers = of.answers(number)
        if answers["another"] == "none":
            assert_says(edition, answers, rule(law, of.incident(number)))


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_box_has_its_law_and_its_number_once(edition: str) -> None:
    known = set(counsel_of(edition).law.edition.clauses)
    for part in chart_of(edition):
        boxes = boxes_of(part)
        assert [box.number for box in boxes] == list(range(1, len(boxes) + 1))
        for box in boxes:
            assert box.laws and set(box.laws) <= known
            assert len(box.ways) > 1
            assert all(end.laws for _, end in box.ways if end.told and not _only_status(end))


def _only_status(box: FigureBox) -> bool:
    return all(name == "status" for name, _ in box.told)


def test_the_twelfth_trick_is_not_forgotten() -> None:
    """The case that charts forget: at the twelfth trick a revoke is corrected though established."""
    answers = {"hand": "defender", "another": "none", "trick": "twelfth", "failed-to": "follow-suit", "faced": "no"}
    answers |= {"required-faced": "no", "next-trick": "played", "claim": "none", "noticed": "during-play"}
    answers |= {"asked-by": "nobody", "played-after": "everybody", "won-by": "opponent", "later-tricks": "one"}
    said, _ = told(chart_of("duplicate-2017"), answers)
    assert "trick-12-correction" in {name for name, _ in said}
    said, _ = told(chart_of("duplicate-2017"), answers | {"trick": "earlier"})
    assert "trick-12-correction" not in {name for name, _ in said}
    assert "transfer" in {name for name, _ in said}


@pytest.mark.parametrize("form", [(), ("--complete",), ("--format", "text"), ("--complete", "--part", "established")])
def test_a_draft_without_revokes_has_no_chart(form: tuple[str, ...], tmp_path: Path) -> None:
    folder = draft(tmp_path / "mine", 'law: "61"\nclauses:\n  "61A": {repealed: true}\n')
    done = CliRunner().invoke(app, ["chart", str(folder), *form])
    assert done.exit_code == 2 and not done.stdout
    assert "edition.yaml:1:" in done.stderr and "so a chart has nothing to tell" in done.stderr
