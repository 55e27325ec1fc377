"""The rules are YAML that any library reads."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from kb.language.folders import rules_root

pytestmark = pytest.mark.thorough


@pytest.mark.parametrize("file", sorted(rules_root().rglob("*.yaml")), ids=lambda file: file.name)
def test_another_reader_reads_it(file: Path) -> None:
    assert yaml.load(file.read_text("utf-8"), Loader=yaml.CSafeLoader)
