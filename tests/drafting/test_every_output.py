"""Every draft goes through every output: each single repeal of each clause of 2017, and each draft of the tests.

A fault in it, a case that is ruled on otherwise, a chart that has nothing to tell are answers; a traceback is none.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from support.drafts import draft, shipped
from typer.testing import CliRunner

from facts.errors import RulesError
from facts.incident import DEFAULT_EDITION
from kb.cli.main import app
from kb.compare.compare import compared
from kb.compare.telling import Wording, comparison_json, comparison_page, first_page
from kb.explain.page import as_text
from kb.explain.words import Speaker, load_words
from kb.interview.adviser import Counsel
from kb.interview.page import interview_data
from kb.language.folders import rules_root
from kb.ruling.laws import Laws

pytestmark = pytest.mark.thorough

TESTS = Path(__file__).parents[1]
REPEALED = {ref: one.law for ref, one in shipped(DEFAULT_EDITION).clauses.items() if one.law}
DRAFTS = [*sorted(file.parent for file in TESTS.glob("*/*/edition.yaml") if "amends:" in file.read_text("utf-8"))]
all_of_them = pytest.mark.skipif("REVOKE_ALL" not in os.environ, reason="hours: .ci/everything drafts")
SAMPLE = "claims-do-not-establish"
"""The draft that the gate asks (``.ci/run``)."""
COMMANDS = ("check", "graph", "lawbook", "lawbook --format html", "chart", "quiz --seed 1", "test", "check --strict")


def told(command: str, *more: str) -> str:
    """What a command says; it ends as commands do."""
    done = CliRunner().invoke(app, [*command.split(), *more])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise AssertionError((command, more)) from done.exception
    return done.output


def through_everything(mine: Path) -> None:
    """What takes minutes, the comparison, is made once and told in every form; of the site what it alone has."""
    for command in COMMANDS:
        assert told(command, str(mine)), command
    laws = Laws(rules_root(), "quick")
    try:
        law = laws.of(str(mine))
    except RulesError:
        return
    words = load_words(laws.root, law.edition.vocabulary)
    comparison = compared(laws.root, laws.of(DEFAULT_EDITION).edition, law.edition, again=False)
    for lang in words.languages:
        speaker, wording = Speaker(words, law.edition.vocabulary, lang), Wording(comparison, words, lang)
        assert as_text(first_page(wording), speaker) and comparison_page(wording) and comparison_json(wording)
    assert all(interview_data(Counsel.of(law, of), words) for of in law.edition.matters)


@all_of_them
@pytest.mark.parametrize("ref", REPEALED)
def test_without_a_clause(ref: str, tmp_path: Path) -> None:
    mine = draft(tmp_path / "mine", f'law: "{REPEALED[ref]}"\nclauses:\n  "{ref}": {{repealed: true}}\n')
    through_everything(mine)
    told("graph", str(mine), ref)


@pytest.mark.parametrize(
    "folder",
    [
        pytest.param(
            folder, marks=() if folder.name == SAMPLE else all_of_them, id=f"{folder.parent.name}/{folder.name}"
        )
        for folder in DRAFTS
    ],
)
def test_a_draft_of_the_tests(folder: Path) -> None:
    through_everything(folder)
