"""Files of every sort are read whole, once, or told."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest
from support.records import readings

from facts.errors import InputError
from facts.incident import Incident
from facts.readers.archives import units
from facts.yaml_reader import is_file, is_folder

BOARDS = "".join(f'[Board "{n}"]\n[Contract "4S"]\n\n' for n in range(1, 401))


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    """A named pipe."""
    os.mkfifo(tmp_path / "pipe")
    return tmp_path / "pipe"


def test_a_pipe_loses_nothing(pipe: Path) -> None:
    writer = threading.Thread(target=pipe.write_text, args=(BOARDS,), daemon=True)
    writer.start()
    found = [board for _, _, board in readings(pipe)]
    writer.join()
    assert [board.board for board in found if isinstance(board, Incident)] == [str(n) for n in range(1, 401)]


def test_a_pipe_is_not_looked_into_before_it_is_read(pipe: Path) -> None:
    (unit,) = units([pipe])
    assert unit.once
    assert unit.refused is None


@pytest.mark.parametrize("name", ["a" * 300, "a" * 5000, "a\0b"])
def test_what_cannot_be_a_name_names_nothing(name: str) -> None:
    assert not is_folder(name)
    assert not is_file(name)
    ((_, _, board),) = readings(name)
    assert isinstance(board, InputError)


def test_links_in_a_circle_name_nothing(tmp_path: Path) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    assert not is_folder(loop)
    assert not is_file(loop)
