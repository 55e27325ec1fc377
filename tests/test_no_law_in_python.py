"""The law is in YAML: no module under facts/ or kb/ names a clause of it."""

from __future__ import annotations

import re
from pathlib import Path

HERE = Path(__file__).parents[1]
MODULES = sorted(path for folder in ("facts", "kb") for path in (HERE / folder).rglob("*.py"))
REFERENCE = re.compile(r"""\b(?:4[2-9]|5\d|6\d|7[0-9]|8[1-9]|9[0-2])[A-E]\d?[a-z]?\b|\b8[3-9][abc]\b""")


def test_names_no_clause() -> None:
    found = [
        f"{module.relative_to(HERE)}:{n}: {line.strip()}"
        for module in MODULES
        for n, line in enumerate(module.read_text().split("\n"), 1)
        if REFERENCE.search(line)
    ]
    assert not found


def test_the_pattern_finds_clauses() -> None:
    assert all(REFERENCE.search(text) for text in ('"64B2"', "law 62C3", "63A", "43B2b", "50D1a", "84a"))
