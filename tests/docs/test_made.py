"""The parts of the documents that are made from the code are up to date."""

from __future__ import annotations

import re

import pytest
from support.made import HERE, MADE, with_what_is_made


@pytest.mark.parametrize("document", MADE)
def test_the_document_is_what_the_code_says(document: str) -> None:
    now = (HERE / document).read_text(encoding="utf-8")
    assert now == with_what_is_made(document), "run: uv run python -m tests.support.made"


def test_every_file_and_module_the_architecture_names_is_there() -> None:
    text = (HERE / "docs/architecture.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`((?:facts|kb|rules|tests)[./][\w./-]+)`", text))
    assert named
    for name in named:
        path = name if "/" in name else name.replace(".", "/")
        assert (HERE / path).exists() or (HERE / f"{path}.py").exists(), name
