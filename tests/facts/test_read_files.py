from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest
from support.tables import shipped

from facts.errors import InputError
from facts.incident import Incident
from facts.readers.archives import read_file

YAML = b"contract: 4S\ndeclarer: S\n"
LIN = b"md|3,,,|mb|4S|mb|p|mb|p|mb|p|"
PBN = b'%\n[Board "1"]\n[Contract "4S"]\n\n[Board "2"]\n'


def boards(path: Path, name: str, data: bytes) -> list[Incident | InputError]:
    (path / name).write_bytes(data)
    return list(read_file(path / name, shipped))


@pytest.mark.parametrize(
    ("name", "data", "number"),
    [
        ("a.yaml", YAML, 1),
        ("a.YML", YAML, 1),
        ("a.txt", YAML, 1),
        ("noname", YAML, 1),
        ("a.pbn", PBN, 2),
        ("A.PBN", PBN, 2),
        ("a.txt", PBN, 2),
        ("a.yaml", b"\xef\xbb\xbf" + YAML, 1),
        ("a.pbn", b"\xef\xbb\xbf" + PBN, 2),
        ("a.pbn", PBN.replace(b"\n", b"\r\n"), 2),
        ("a.yaml", b"# as in handviewer.html?n=S2&s=S3\n" + YAML, 1),
        ("a.txt", b"# as in handviewer.html?n=S2&s=S3\n" + YAML, 1),
    ],
)
def test_the_suffix_or_else_the_content_tells_the_format(tmp_path: Path, name: str, data: bytes, number: int) -> None:
    found = boards(tmp_path, name, data)
    assert [type(board) for board in found] == [Incident] * number
    assert isinstance(found[0], Incident)
    assert str(found[0].contract) == "4S" and found[0].source == str(tmp_path / name)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.lin", LIN),
        ("A.LIN", b"\xef\xbb\xbf" + LIN),
        ("a.txt", LIN),
        ("a", b"\n" + LIN),
        ("a.txt", b"look: https://www.bridgebase.com/tools/handviewer.html?lin=" + LIN),
        ("a.txt", b"?s=S2&w=S3&d=n&a=4SPPP"),
    ],
)
def test_lin_files_and_addresses_of_the_handviewer(tmp_path: Path, name: str, data: bytes) -> None:
    (board,) = boards(tmp_path, name, data)
    assert isinstance(board, Incident) and str(board.contract) == "4S"


def test_white_space_without_end_is_read_at_once(tmp_path: Path) -> None:
    for data in (b"\n" * 300_000 + b"x", b"[\n" * 100_000, b"\n[" * 100_000, b'[A "\n\n' * 50_000):
        for name in ("a.pbn", "a.lin", "a"):
            assert all(isinstance(board, InputError) for board in boards(tmp_path, name, data))


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
def test_play_records_are_utf_8_or_latin_1(tmp_path: Path, encoding: str) -> None:
    (board,) = boards(tmp_path, "a.pbn", '[North "Møller"]\n[Board "Ø7"]\n'.encode(encoding))
    assert isinstance(board, Incident) and board.board == "Ø7"


@pytest.mark.parametrize(
    ("name", "data", "what"),
    [
        ("a.yaml", b"", "1:1: the file is empty"),
        ("a.yaml", b" \n", "1:1: the file is empty"),
        ("a.pbn", b"\n\n", "1:1: the file is empty"),
        ("a.yaml", b"contract: 4S\nboard: \xff\n", "2:8: the byte 0xff is not UTF-8"),
        ("a.yaml", b"contract: \0\n", "1:11: there is a zero byte"),
        ("a.pbn", b'[Board "1"]\n\0', "2:1: there is a zero byte"),
        ("a.yaml", b"board: " + b"[" * 1000, "nested more than"),
        ("a.yaml", b"board: " + b"x" * 9_000_000, "larger than 8 MB"),
    ],
)
def test_files_that_are_no_text(tmp_path: Path, name: str, data: bytes, what: str) -> None:
    (board,) = boards(tmp_path, name, data)
    assert isinstance(board, InputError) and what in str(board)


def test_files_that_cannot_be_had(tmp_path: Path) -> None:
    for path, what in ((tmp_path / "none.yaml", "there is no such file"), (tmp_path, "this is a folder")):
        (board,) = read_file(path, shipped)
        assert isinstance(board, InputError) and what in str(board)


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(PBN)))
    found = list(read_file("-", shipped))
    assert len(found) == 2 and isinstance(found[0], Incident) and found[0].source == "standard input"
