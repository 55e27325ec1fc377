"""Real records, where REVOKE_RECORDS names a folder of them; none are kept with the project."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from facts.errors import InputError
from facts.play import Oddity, irregularities
from facts.readers.read import read_file

FOLDER = os.environ.get("REVOKE_RECORDS")
FILES = sorted(path for path in Path(FOLDER).rglob("*") if path.suffix.lower() == ".pbn") if FOLDER else []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_board_is_read_or_refused_with_its_line(path: Path) -> None:
    lines = len(path.read_bytes().splitlines())
    boards = list(read_file(path))
    assert boards
    for board in boards:
        if isinstance(board, InputError):
            assert all(1 <= fault.place.line <= lines for fault in board.faults)
        elif board.marked and board.play is not None and board.deal is not None:
            found = irregularities(board.play, board.deal, board.trump, board.declarer)
            assert {one.kind for one in found} <= {Oddity.SHORT_RECORD, Oddity.MISSING_CARD}
