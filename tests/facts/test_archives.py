from __future__ import annotations

import gzip
import io
import pickle
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from support.records import readings
from support.tables import shipped

from facts.errors import InputError
from facts.incident import Incident
from facts.readers import archives
from facts.readers.archives import Unit, read_file, read_unit, units

PBN = '[Board "1"]\n[Contract "4S"]\n\n[Board "2"]\n'
LIN = "md|3S69HKQ87DAT2CT765,SQT83HT5DKJ954CQ8,SAK7542HAJ4D8CA42,|mb|1S|\n"
YAML = "contract: 4S\ndeclarer: S\n"
BAD = '[Board "1"]\n[Contract "9S"]\n'


def zipped(path: Path, members: dict[str, bytes | str], method: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return path


def found(path: Path | str) -> list[tuple[str, int, bool]]:
    return [
        (source.removeprefix(str(path)), number, isinstance(board, Incident))
        for source, number, board in readings(path)
    ]


def errors(path: Path | str) -> list[str]:
    return [str(board).removeprefix(str(path)) for _, _, board in readings(path) if isinstance(board, InputError)]


def test_a_zip_file(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", {"b/c.pbn": PBN, "d.lin": LIN, "e.YAML": YAML, "readme.txt": "no", "b/": ""})
    assert found(path) == [
        ("!/b/c.pbn", 1, True),
        ("!/b/c.pbn", 2, True),
        ("!/d.lin", 1, True),
        ("!/e.YAML", 1, True),
    ]


def test_a_file_of_cases_holds_their_incidents(tmp_path: Path) -> None:
    case = "id: one\nincident: {contract: 4S, declarer: S}\nexpect: []\n"
    one, several = tmp_path / "one.yaml", tmp_path / "several.yaml"
    one.write_text(case, "utf-8")
    several.write_text(
        "- {incident: {contract: 4S}}\n- {incident: {contract: 9S}}\n- {incident: {tricks: 9}}\n", "utf-8"
    )
    assert found(one) == [("", 1, True)]
    assert [well for _, _, well in found(several)] == [True, False, True]
    assert errors(several)[0].startswith(":2:25: '9S' is no contract")


def test_the_place_in_a_member(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", {"inner.pbn": PBN + "\n" + BAD})
    assert errors(path)[0].startswith("!/inner.pbn:7:12: '9S' is no contract")
    path = tmp_path / "b.pbn.gz"
    path.write_bytes(gzip.compress(BAD.encode()))
    assert errors(path)[0].startswith("!/b.pbn:2:12: '9S' is no contract")


@pytest.mark.parametrize("name", ["a.pbn.gz", "a.PBN.GZ", "a.gz", "a.pbn", "a"])
def test_gzip_files_are_told_by_their_content(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(gzip.compress(PBN.encode()))
    assert [good for _, _, good in found(tmp_path / name)] == [True, True]


def test_folders_are_read_in_order_and_only_records_in_them(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    for name, data in {"c.pbn": PBN, "a.LIN": LIN, "b/z.yaml": YAML, "b/notes.txt": "no", "picture.png": "\0"}.items():
        (tmp_path / name).write_text(data)
    zipped(tmp_path / "b" / "a.zip", {"x.pbn": PBN, "__MACOSX/._x.pbn": b"\0"})
    (tmp_path / "b" / "circle").symlink_to(tmp_path)
    assert [(source, number) for source, number, _ in found(tmp_path)] == [
        ("/a.LIN", 1),
        ("/b/a.zip!/x.pbn", 1),
        ("/b/a.zip!/x.pbn", 2),
        ("/b/z.yaml", 1),
        ("/c.pbn", 1),
        ("/c.pbn", 2),
    ]


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    for data in (PBN.encode(), gzip.compress(PBN.encode())):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        assert found("-") == [("standard input", 1, True), ("standard input", 2, True)]


def test_one_member_that_cannot_be_read_loses_no_other(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", {"a.pbn": PBN, "bad.pbn": PBN, "c.pbn": PBN}, zipfile.ZIP_STORED)
    data = bytearray(path.read_bytes())
    data[data.index(b"bad.pbn") + 10] ^= 1
    path.write_bytes(data)
    assert [(source, good) for source, _, good in found(path)] == [
        ("!/a.pbn", True),
        ("!/a.pbn", True),
        ("!/bad.pbn", False),
        ("!/c.pbn", True),
        ("!/c.pbn", True),
    ]
    assert "it cannot be read" in errors(path)[0]


@pytest.mark.parametrize("size", [0, 3, 20, 60, 100])
def test_damaged_archives(tmp_path: Path, size: int) -> None:
    whole = zipped(tmp_path / "whole.zip", {"a.pbn": PBN}).read_bytes()
    (tmp_path / "a.zip").write_bytes(whole[:size])
    assert len(errors(tmp_path / "a.zip")) == 1
    (tmp_path / "a.gz").write_bytes(gzip.compress(PBN.encode() * 50)[: max(2, size // 2)])
    assert len(errors(tmp_path / "a.gz")) == 1


def test_archives_in_archives_are_refused(tmp_path: Path) -> None:
    inner = zipped(tmp_path / "inner.zip", {"a.pbn": PBN}).read_bytes()
    members = {"a.zip": inner, "b.pbn.gz": gzip.compress(b"x"), "d.pbn": inner, "e.pbn": PBN}
    path = zipped(tmp_path / "outer.zip", members)
    told = errors(path)
    assert [error.split(":")[0] for error in told] == ["!/a.zip", "!/b.pbn.gz", "!/d.pbn"]
    assert all("an archive in an archive" in error for error in told)
    (tmp_path / "f.zip.gz").write_bytes(gzip.compress(inner))
    assert "an archive in an archive" in errors(tmp_path / "f.zip.gz")[0]
    with tarfile.open(tmp_path / "g.tar.gz", "w:gz") as archive:
        archive.add(tmp_path / "f.zip.gz", "x.pbn")
    assert "this is a tar archive" in errors(tmp_path / "g.tar.gz")[0]


def test_what_unfolds_to_far_too_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MAX_RECORD_BYTES", 100_000)
    path = zipped(tmp_path / "a.zip", {"a.pbn": b"\n" * 1_000_000, "b.pbn": PBN})
    assert errors(path)[0].startswith(":1:1: the zip file unfolds to more than 200 times its size")


def test_an_encrypted_member_is_refused(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", {"a.pbn": PBN})
    data = bytearray(path.read_bytes())
    data[data.rindex(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(data)
    assert "is encrypted" in errors(path)[0]


def test_what_is_not_there(tmp_path: Path) -> None:
    assert "there is no such file" in errors(tmp_path / "none.zip")[0]
    assert "cannot be read" in errors("a\0b.pbn")[0]
    assert found(tmp_path) == []


def test_what_is_left_out_is_a_unit_that_says_so(tmp_path: Path) -> None:
    zipped(tmp_path / "a.zip", {"x.pbn": PBN, "read.me": b"", "__MACOSX/x.pbn": b"", ".git/x": b""})
    for name in ("b.txt", ".hidden"):
        (tmp_path / name).write_text("https://www.bridgebase.com/tools/handviewer.html?n=S2")
    left = [unit for unit in units([tmp_path]) if unit.left_out]
    assert [Path(unit.source).name for unit in left] == ["read.me", "b.txt"]
    assert not [board for unit in left for board in read_unit(unit, shipped)]
    assert len(list(read_file(tmp_path / "b.txt", shipped))) == 1, "it is read where it is named"


def test_units_are_work_for_another_process(tmp_path: Path) -> None:
    zipped(tmp_path / "a.zip", {"x.pbn": PBN, "y.zip": b"PK"})
    (tmp_path / "b.lin").write_text(LIN)
    cut = list(units([tmp_path]))
    assert [unit.size for unit in cut] == [len(PBN), 2, len(LIN)]
    sent: list[Unit] = pickle.loads(pickle.dumps(cut))
    assert sent == cut
    assert [len(list(read_unit(unit, shipped))) for unit in sent] == [2, 1, 1]


def test_read_file_takes_archives_too(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", {"x.pbn": PBN, "bad.pbn": BAD})
    assert [type(board) for board in read_file(path, shipped)] == [Incident, Incident, InputError]
