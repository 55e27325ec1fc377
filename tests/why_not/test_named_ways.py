"""A clause that needs one thing otherwise is told of with the names of the hands, and without bookkeeping."""

from __future__ import annotations

import pytest
from support.ruling import ROOT
from typer.testing import CliRunner

from kb.cli.main import app

RUFFED = str(ROOT.parent / "examples" / "revoke.yaml")


def told(*words: str) -> str:
    result = CliRunner().invoke(app, [*words])
    assert result.exit_code == 0, result.output
    return result.output


@pytest.mark.parametrize(
    ("lang", "so"),
    [
        ("en", "It would if East had won that trick or North–South had won that trick."),
        ("de", "Es würde greifen, wenn Ost den Stich gewonnen hätte oder Nord–Süd den Stich gewonnen hätten."),
    ],
)
def test_hands_are_named(lang: str, so: str) -> None:
    first = told("why-not", RUFFED, "64A2", "--lang", lang).splitlines()[0]
    assert first.endswith(so)


@pytest.mark.thorough
@pytest.mark.parametrize(("lang", "kept"), [("en", "one of two that must"), ("de", "eines von zweien")])
def test_ways_of_which_nothing_holds_are_left_out_where_there_are_others(lang: str, kept: str) -> None:
    assert kept not in told("why-not", RUFFED, "62C3", "--lang", lang)


@pytest.mark.thorough
def test_what_if_begins_with_the_new_ruling_and_breaks_no_line() -> None:
    lines = told("what-if", RUFFED, "won-by=E").splitlines()
    assert lines[:2] == ["Then: 1 trick to North–South.", "Instead of: 2 tricks to North–South."]
    assert "4♠ by South: 9 tricks at the table, 10 tricks after the ruling (+420 for North–South)" in lines
    assert "│" not in "".join(lines)


def test_findings_unfold_to_the_end() -> None:
    assert "3. At the end" in told("unfold", RUFFED)
