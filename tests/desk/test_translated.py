"""The desk in a language that much of the rules is not translated into."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.desk import client_of, settings_in
from support.desk_pages import Visitor
from support.drafts import SMALL_INTERVIEW, rules_with_interview

from kb.desk.app import create_app
from kb.desk.guard import Settings

pytestmark = pytest.mark.thorough

FRENCH = """\
msgid "English"
msgstr "Français"

msgid "{hand} won trick {trick} himself: it goes to {o}."
msgstr "{hand} a fait la levée {trick} : elle va à {o}."
"""


def test_a_page_says_that_not_everything_is_translated(tmp_path: Path) -> None:
    rules = rules_with_interview(tmp_path / "rules", SMALL_INTERVIEW)
    (rules / "translations").mkdir()
    (rules / "translations" / "fr.po").write_text(FRENCH, "utf-8")
    given = settings_in(tmp_path)
    with client_of(create_app(Settings(rules, given.register))) as client:
        visitor = Visitor(client)
        start = visitor.go("/")
        assert ">Français</a>" in start.source
        assert "What is not translated yet" not in start.text
        assert "What is not translated yet is in English." in visitor.go("/", lang="fr").text
        visitor.rule()
        assert "a fait la levée 5" in visitor.go(visitor.at).text
