"""That every mistake of the lists can still be planted: its line stands in its file, once."""

import ast

import pytest

from planted.plant import Mistake, mistakes


@pytest.mark.parametrize("mistake", mistakes(), ids=lambda one: one.name)
def test_its_line_stands_there(mistake: Mistake) -> None:
    text = mistake.text()
    assert not mistake.file.endswith(".py") or ast.parse(text)
