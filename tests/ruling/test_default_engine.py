"""Which engine rules where none is asked for."""

from __future__ import annotations

import sys

import pytest

from kb.ruling import laws


def test_left_out_on_purpose_durable_rules_is_not_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "durable_rules_engine", None)
    monkeypatch.setattr(laws, "find_spec", lambda _: None)
    assert laws.default_engine() == ("quick", "")
    monkeypatch.setattr(laws, "find_spec", lambda name: name)
    assert "durable-rules cannot be used" in laws.default_engine()[1]
