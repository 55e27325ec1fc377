"""Files of every sort are read whole, once, or told."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

import pytest
from support.records import readings

from facts import opening
from facts.errors import InputError
from facts.incident import Incident
from facts.opening import is_file, is_folder, opened
from facts.readers.archives import units
from facts.yaml_reader import read_text

BOARDS = "".join(f'[Board "{n}"]\n[Contract "4S"]\n\n' for n in range(1, 401))


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    """A named pipe."""
    os.mkfifo(tmp_path / "pipe")
    return tmp_path / "pipe"


def written_into(pipe: Path, text: str, pause: float = 0) -> threading.Thread:
    """Writes the text into the pipe, half of it after a pause, when somebody reads."""

    def write() -> None:
        with pipe.open("w") as stream:
            for part in (text[: len(text) // 2], text[len(text) // 2 :]):
                time.sleep(pause)
                stream.write(part)
                stream.flush()

    thread = threading.Thread(target=write, daemon=True)
    thread.start()
    return thread


@pytest.mark.parametrize("pause", [0, 0.2])
def test_a_pipe_loses_nothing(pipe: Path, pause: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "WAIT_SECONDS", 60)
    writer = written_into(pipe, BOARDS, pause)
    found = [reading.board for reading in readings(pipe)]
    writer.join()
    assert [board.board for board in found if isinstance(board, Incident)] == [str(n) for n in range(1, 401)]


@pytest.mark.thorough
def test_a_writer_that_is_slow_to_begin_is_waited_for(pipe: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once it has opened the pipe there is no limit."""
    monkeypatch.setattr(opening, "WAIT_SECONDS", 0.5)
    written_into(pipe, "ab", pause=1)
    with opened(pipe) as stream:
        assert stream.read() == b"ab"


def test_a_pipe_without_a_writer_is_told(pipe: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "WAIT_SECONDS", 0.1)
    (reading,) = readings(pipe)
    assert isinstance(reading.board, InputError)
    assert "nobody writes into this pipe" in str(reading.board)
    with pytest.raises(InputError, match="nobody writes into this pipe"):
        read_text(pipe)


def test_a_pipe_is_not_looked_into_before_it_is_read(pipe: Path) -> None:
    (unit,) = units([pipe])
    assert unit.once
    assert unit.refused is None


@pytest.mark.parametrize("name", ["a" * 300, "a" * 5000, "a\0b"])
def test_what_cannot_be_a_name_names_nothing(name: str) -> None:
    assert not is_folder(name)
    assert not is_file(name)
    (reading,) = readings(name)
    assert isinstance(reading.board, InputError)


def test_links_in_a_circle_name_nothing(tmp_path: Path) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    assert not is_folder(loop)
    assert not is_file(loop)
