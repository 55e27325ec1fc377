"""No form and no voice tells a seat or a trick that nobody has named."""

from __future__ import annotations

import json
import re

import pytest
from typer.testing import CliRunner

from kb.cli.main import app

pytestmark = pytest.mark.thorough

SINGLE = "revokes:\n  - {player: defender, won-by: revoker, later-tricks: 2}\n"
TWO = "revokes:\n  - {player: defender, won-by: revoker, later-tricks: 6}\n  - {player: partner, won-by: revoker}\n"
NAMED = re.compile(r"\b(North|South|East|West|NS|EW|Nord|Süd|Ost)\b|[Tt]rick \d|Stich \d|\b\d{4,5}\b")
FORMS = (
    ["--format", "html"],
    *(["--voice", speaker] for speaker in ("table", "appeal", "teaching", "editor")),
)


def revoke(*args: str, text: str) -> str:
    done = CliRunner().invoke(app, [*args], input=text)
    assert done.exit_code in (0, 3), (done.stdout, done.stderr)
    return done.stdout


@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize("said", [SINGLE, TWO])
def test_only_what_was_said_is_told(said: str, lang: str) -> None:
    for form in FORMS:
        told = revoke("rule", "-", "--lang", lang, *form, text=said)
        plain = re.sub(r"<style.*?</style>|<[^>]*>|/\S*yaml:\S*|\b2017\b|Receipt.*|Beleg.*", "", told, flags=re.S)
        assert not NAMED.search(plain), (form, NAMED.search(plain), plain)


def test_a_trick_that_is_named_after_one_that_is_not() -> None:
    said = SINGLE.replace("later-tricks: 2", "next-trick: led") + "  - {player: partner, trick: 6, won-by: revoker}\n"
    assert "The other defender, trick 6" in revoke("rule", "-", text=said)
    assert [one["trick"] for one in json.loads(revoke("rule", "-", "--format", "json", text=said))["revokes"]] == [
        None,
        6,
    ]


@pytest.mark.parametrize("said", [SINGLE, TWO])
def test_nor_in_json(said: str) -> None:
    told = json.loads(revoke("rule", "-", "--format", "json", text=said))
    del told["record"]["rules"]
    assert not re.search(r'"(N|E|S|W|NS|EW)"|"trick": \d|: \d{4,5}\b', json.dumps(told)), told
