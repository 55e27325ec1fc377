"""The exit status of ``revoke check`` where something does nothing."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from facts.errors import Fault, Place
from kb.cli import editing_commands as check
from kb.cli.main import app
from kb.prove.deep import Checked

IDLE = Fault(Place("law-1.yaml", 3), "clause 1A does nothing", "drop it")


@pytest.mark.parametrize(("how", "status"), [("--deep", 0), ("--strict", 1)])
def test_what_does_nothing_is_a_fault_where_one_is_strict(
    how: str, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check, "every_fault", lambda *_: Checked((), (IDLE,)))
    done = CliRunner().invoke(app, ["check", how])
    assert done.exit_code == status
    assert "clause 1A does nothing" in done.stdout and "0 faults, remarks on what does nothing: 1" in done.stdout
