"""Foreign text cannot control a terminal."""

from __future__ import annotations

import json

import pytest

from facts.printable import printable


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b]0;PWNED\x07", "\\u001b]0;PWNED\\u0007"),
        ("a\rb\x7f\x9b31m", "a\\rb\\u007f\\u009b31m"),
        ("\u202egnp.exe", "\\u202egnp.exe"),
        ("a\udcff", "a\\udcff"),
        ("♠4, «ü»\tx\n", "♠4, «ü»\tx\n"),
    ],
)
def test_what_would_control_a_terminal_is_written_out(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_json_stays_the_same() -> None:
    said = {"board": "\x9b31m\x7f\x1b♠𝄞"}
    assert json.loads(printable(json.dumps(said, ensure_ascii=False))) == said
