"""Real records, where REVOKE_RECORDS names a folder of them; none are kept with the project."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from support.pbn_writer import write_pbn
from support.tables import shipped

from facts.errors import InputError
from facts.incident import Incident
from facts.play import irregularities
from facts.readers.archives import read_file
from facts.readers.pbn import read_pbn

FOLDER = os.environ.get("REVOKE_RECORDS")
FILES = sorted(path for path in Path(FOLDER).rglob("*") if path.suffix.lower() in (".pbn", ".lin")) if FOLDER else []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_board_is_read_or_refused_with_its_line(path: Path) -> None:
    lines = len(path.read_bytes().splitlines())
    boards = list(read_file(path, shipped))
    assert boards
    for board in boards:
        if isinstance(board, InputError):
            assert all(1 <= fault.place.line <= lines for fault in board.faults)
        elif board.marked and board.play is not None and board.deal is not None:
            found = irregularities(board.play, board.deal, board.contract, board.declarer)
            assert not found


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_board_is_written_and_read_again(path: Path) -> None:
    boards = [board for board in read_file(path, shipped) if isinstance(board, Incident)]
    assert list(read_pbn(write_pbn(boards), "again.pbn")) == boards


@pytest.mark.parametrize("path", [path for path in FILES if path.suffix == ".lin"], ids=lambda path: path.name)
def test_what_was_played_online_is_in_order(path: Path) -> None:
    for board in read_file(path, shipped):
        assert isinstance(board, Incident), board
        assert board.play is not None and board.deal is not None and board.declarer is not None
        found = irregularities(board.play, board.deal, board.contract, board.declarer)
        assert not found
