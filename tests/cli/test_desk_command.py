"""``revoke desk``: what it says when it cannot open, and that it opens for whom it should."""

from __future__ import annotations

import socket
import stat
import sys
from contextlib import closing
from io import StringIO
from pathlib import Path

import pytest

pytest.importorskip("hypercorn")

import segno
from support.desk import PASSPHRASE, settings_in
from support.desk_server import Director, Server
from typer.testing import CliRunner

from kb.cli import desk_command, main
from kb.desk.entry import RegisterEntry
from kb.desk.register import Register

RUNNER = CliRunner()


def told(*words: object) -> tuple[int, str]:
    """Exit status and standard error of ``revoke desk …``."""
    result = RUNNER.invoke(main.app, ["desk", *map(str, words)])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.stderr


def test_refuses_to_listen_for_others_without_a_passphrase(tmp_path: Path) -> None:
    for options in (["--host", "0.0.0.0"], ["--allow-host", "club.example"], ["--proxy", "127.0.0.1"]):
        status, said = told(*options, "--register", tmp_path / "r.sqlite")
        assert status == 2 and "--passphrase-file" in said
    assert not list(tmp_path.iterdir())


def test_refuses_names_and_proxies_that_would_never_match(tmp_path: Path) -> None:
    for options in (["--allow-host", "https://club.example"], ["--allow-host", "club:80"], ["--proxy", "localhost"]):
        status, said = told(*options, "--register", tmp_path / "r.sqlite")
        assert status == 2 and options[0] in said and "such as" in said


def test_refuses_weak_and_missing_passphrases(tmp_path: Path) -> None:
    (tmp_path / "short").write_text("1234567\n")
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    for name, expected in (("short", "fewer than 8"), ("none", "No such file"), ("binary", "no text")):
        status, said = told("--passphrase-file", tmp_path / name, "--register", tmp_path / "r.sqlite")
        assert status == 2 and expected in said


def test_tells_a_port_in_use(tmp_path: Path) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        status, said = told("--port", taken.getsockname()[1], "--register", tmp_path / "r.sqlite")
    assert status == 2 and "choose --port" in said


def test_tells_a_register_that_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "diary.txt").write_text("Dear diary")
    for path, expected in ((tmp_path / "diary.txt", "no register"), (tmp_path, "cannot be"), (tmp_path / "diary.txt" / "x", "--register")):  # fmt: skip
        status, said = told("--port", 0, "--register", path)
        assert status == 2 and expected in said, said
    assert (tmp_path / "diary.txt").read_text() == "Dear diary"


def test_tells_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "kb.cli.desk_command")
    monkeypatch.setitem(sys.modules, "hypercorn.asyncio", None)
    status, said = told()
    assert status == 2 and "pip install" in said and "hypercorn" in said


def test_saves_the_register(tmp_path: Path) -> None:
    path, copy = tmp_path / "r.sqlite", tmp_path / "copy.sqlite"
    assert told("backup", copy, "--register", path)[0] == 2
    Register(path).add(RegisterEntry("{}"))
    assert told("backup", copy, "--register", path)[0] == 0
    assert Register(copy).count() == 1
    assert told("backup", path, "--register", path)[0] == 2


def test_writes_a_hash_that_only_its_owner_reads(tmp_path: Path) -> None:
    file = tmp_path / "passphrase"
    result = RUNNER.invoke(main.app, ["desk", "passphrase", str(file)], input=f"{PASSPHRASE}\n{PASSPHRASE}\n")
    assert result.exit_code == 0
    assert file.read_text().startswith("$argon2id$")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert told("passphrase", file)[0] != 0, "it does not overwrite"
    assert desk_command._passphrase(file, True) == file.read_text().strip()


@pytest.mark.thorough
def test_opens_asks_and_ends(tmp_path: Path) -> None:
    word = tmp_path / "word"
    word.write_text(f"{PASSPHRASE}\n")
    with Server(tmp_path / "r.sqlite", "--host", "0.0.0.0", "--passphrase-file", str(word)) as server:
        director = Director(server)
        assert director.get("/")[0] == 303
        assert director.post("/login", passphrase="wrong word")[0] == 401
        assert director.post("/login", passphrase=PASSPHRASE) == (303, "/")
        assert director.get("/")[0] == 200
        assert server.stop() == 0
        assert "unencrypted" in server.said() and "Traceback" not in server.said()
    assert stat.S_IMODE((tmp_path / "r.sqlite").stat().st_mode) == 0o600


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("host", "shown"), [("192.168.1.5", True), ("127.0.0.1", False)])
def test_a_desk_that_phones_can_reach_shows_them_its_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, host: str, shown: bool
) -> None:
    monkeypatch.setattr("sys.stderr", said := Terminal())
    desk_command._announce(settings_in(tmp_path, host=host))
    expected = StringIO()
    segno.make(f"http://{host}:8061/", error="m").terminal(expected, compact=True)
    assert (expected.getvalue() in said.getvalue()) == shown
    assert f"http://{host}:8061/" in said.getvalue()
