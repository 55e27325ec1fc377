"""The parts of the documents that are made from the code are up to date."""

from __future__ import annotations

import pytest

from tests.support.made import HERE, MADE, with_what_is_made


@pytest.mark.parametrize("document", MADE)
def test_the_document_is_what_the_code_says(document: str) -> None:
    now = (HERE / document).read_text(encoding="utf-8")
    assert now == with_what_is_made(document), "run: uv run python -m tests.support.made"
