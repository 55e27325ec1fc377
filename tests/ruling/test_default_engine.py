"""Which engine rules where none is asked for."""

from __future__ import annotations

import sys

import pytest

from kb.ruling import law


def test_left_out_on_purpose_durable_rules_is_not_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "durable_rules_engine", None)
    monkeypatch.setattr(law, "find_spec", lambda _: None)
    assert law.default_engine() == ("quick", "")
    monkeypatch.setattr(law, "find_spec", lambda name: name)
    assert "durable-rules cannot be used" in law.default_engine()[1]
