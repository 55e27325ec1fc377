"""Whoever reads an incident or a case reads it by the table of its own edition, among its own rules."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from kb.cli.main import app
from kb.language.folders import rules_root

LEFT_HANDED = """\
  left-handed:
    is: yes-no
    means: {en: "he was left-handed", de: "er war Linkshänder"}
    not-stated: nothing
    "yes": {failed: {play: $play, trick: $trick, hand: $hand, to: follow-suit, at: $play}}
"""
INCIDENT = """\
edition: whist-1900
revokes: [{hand: W, trick: 5, suit: H, left-handed: false, next-trick: led, noticed: during-play}]
"""
FILES = {"TABLE": "table.yaml", "UNNAMED": "unnamed.yaml"}
CASE = """\
id: not-left-handed
title: He was not left-handed
source: made up
why: only whist-1900 declares which hand he uses
incident:
  revokes: [{hand: W, trick: 5, suit: H, left-handed: false, next-trick: led, noticed: during-play}]
expect: [{edition: whist-1900, revokes: [{hand: W, trick: 5}]}]
"""


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the rules without the usual edition, in which one edition declares a finding of its own."""
    copy = tmp_path_factory.mktemp("copy") / "rules"
    shutil.copytree(
        rules_root(), copy, ignore=shutil.ignore_patterns("duplicate-*", "cases", "*-1997.yaml", "*-2007.yaml")
    )
    table = copy / "whist-1900" / "table.yaml"
    said = table.read_text(encoding="utf-8")
    table.write_text(said.replace("findings:\n", f"findings:\n{LEFT_HANDED}"), encoding="utf-8")
    cases = copy / "whist-1900" / "cases"
    cases.mkdir()
    (cases / "hands.yaml").write_text(CASE, encoding="utf-8")
    (copy.parent / "table.yaml").write_text(INCIDENT, encoding="utf-8")
    (copy.parent / "unnamed.yaml").write_text(INCIDENT.partition("\n")[2], encoding="utf-8")
    return copy


@pytest.mark.parametrize(
    "command",
    [
        ["test", "whist-1900"],
        ["coverage", "whist-1900"],
        ["audit", "TABLE"],
        ["audit", "TABLE", "--edition", "whist-1900"],
        ["rule", "TABLE"],
        ["rule", "UNNAMED"],
    ],
    ids=" ".join,
)
def test_what_an_edition_declares_can_be_said(command: list[str], root: Path) -> None:
    words = [str(root.parent / FILES[word]) if word in FILES else word for word in command]
    done = CliRunner().invoke(app, [*words, "--rules", str(root)])
    assert "is no key here" not in done.output and "there is no edition" not in done.output, done.output
    assert done.exit_code != 2, done.output
