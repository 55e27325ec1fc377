"""The register: nothing that it has acknowledged is ever lost or changed."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.house import HERE

from facts.cards import SEATS
from facts.readers.archives import FORMATS
from kb.desk import register as register_module
from kb.desk.entry import RegisterEntry
from kb.desk.register import SCHEMA, OvertakenError, Register, RegisterError, examine

RULING = {
    "text": "2 tricks to North–South.",
    "transfer": {"NS": 2, "EW": 0},
    "cited": ["61A", "64A1"],
    "receipt": "abc",
}
ENTRY = RegisterEntry(
    json.dumps(RULING), "declarer: S\n", edition="duplicate-2017", event="Club evening", called_by="Müller"
)

EARLIER = Path(__file__).parent
"""Registers as revoke-kb wrote them: before players could be named, before versions were sealed, and in three tables."""
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
ENTRIES = st.builds(
    RegisterEntry,
    ruling_json=st.builds(lambda text: json.dumps({"text": text}), TEXT),
    incident=TEXT,
    form=st.sampled_from(tuple(FORMATS)),
    edition=TEXT,
    elections=st.lists(TEXT, max_size=2).map(tuple),
    event=TEXT,
    round=TEXT,
    table=TEXT,
    board=TEXT,
    called_by=TEXT,
    players=st.dictionaries(st.sampled_from(SEATS), TEXT),
    note=TEXT,
    judgement=TEXT,
)


@pytest.fixture
def register(tmp_path: Path) -> Register:
    return Register(tmp_path / "register.sqlite")


def said(kept: RegisterEntry | None) -> RegisterEntry:
    assert kept is not None
    return replace(kept, id=0, version=0, recorded_at="")


@settings(max_examples=25)
@given(st.lists(st.tuples(st.integers(0, 4), ENTRIES), max_size=12))
def test_history_is_never_lost(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[int, RegisterEntry]]
) -> None:
    path = tmp_path_factory.mktemp("register") / "r.sqlite"
    register, model = Register(path), {}
    for at, entry in steps:
        if at in model:
            assert register.correct(at, entry) == len(model[at]) + 1
            model[at].append(entry)
        else:
            model[register.add(entry)] = [entry]
    register.close()
    again = Register(path)
    assert {id: [said(one) for one in again.history(id)] for id in model} == model
    assert [one.id for one in again.search(limit=99)] == sorted(model, reverse=True)
    for id, versions in model.items():
        assert [said(again.get(id, n)) for n in range(1, len(versions) + 1)] == versions


def test_versions_cannot_be_changed_or_removed(register: Register) -> None:
    register.add(ENTRY, once="a")
    register.correct(1, replace(ENTRY, note="corrected"))
    with closing(sqlite3.connect(register.path)) as other:
        columns = "entry, {}, NULL, recorded_at, content, digest FROM kept WHERE number = 1"
        for attack in (
            "UPDATE kept SET content = 'x'",
            "DELETE FROM kept",
            "INSERT OR REPLACE INTO kept SELECT * FROM kept WHERE version = 2",
            f"INSERT OR REPLACE INTO kept SELECT 3, {columns.format(2)}",
            f"INSERT INTO kept SELECT 9, {columns.format(3)}",
            f"INSERT INTO kept SELECT 3, {columns.format(9)}",
            "INSERT OR REPLACE INTO kept SELECT 3, 2, 1, once, recorded_at, content, digest FROM kept WHERE number = 1",
        ):
            with pytest.raises(sqlite3.IntegrityError):
                other.execute(attack)
    assert [one.note for one in register.history(1)] == ["", "corrected"]


def test_latest_and_missing(register: Register) -> None:
    register.add(ENTRY)
    register.correct(1, ENTRY)
    assert [one.version for one in register.history(1)] == [1, 2]
    assert register.get(2) is None and register.get(1, 3) is None
    assert register.get(-1) is None and register.history(0) == []
    with pytest.raises(LookupError):
        register.correct(2, ENTRY)
    assert register.count() == 1


def test_a_correction_of_an_old_version_is_refused(register: Register) -> None:
    register.add(ENTRY)
    register.correct(1, ENTRY, seen=1)
    with pytest.raises(OvertakenError) as refused:
        register.correct(1, ENTRY, seen=1)
    assert refused.value.id == 1
    assert len(register.history(1)) == 2


def test_sending_twice_keeps_one(register: Register) -> None:
    assert register.add(ENTRY, once="a") == register.add(ENTRY, once="a") == 1
    assert register.add(ENTRY, once="b") == 2
    assert register.count() == 2 and len(register.history(1)) == 1


def test_what_is_sent_again_and_is_other_is_never_passed_over(register: Register) -> None:
    mended = replace(ENTRY, note="mended")
    assert [register.add(one, once="a") for one in (ENTRY, ENTRY)] == [1, 1]
    for _ in (1, 2):
        with pytest.raises(OvertakenError) as refused:
            register.add(replace(ENTRY, note="third"), once="a")
        assert refused.value.id == 1 and register.count() == 1
        register.correct(1, mended)
    with pytest.raises(OvertakenError):
        register.add(ENTRY, once="a")


def test_search_finds_every_word_without_regard_to_capitals(register: Register) -> None:
    register.add(ENTRY)
    register.add(replace(ENTRY, called_by="Ortiz", table="7%", note="50_50"))
    found = {text: [one.id for one in register.search(text)] for text in
             ("MÜLLER", "müll 64a1", "müller ortiz", "ortiz CLUB", "%", "_", "' OR 1=1 --", '"', "abc", "\x00", "\ud800", "#2")}  # fmt: skip
    assert found == {"MÜLLER": [1], "müll 64a1": [1], "müller ortiz": [], "ortiz CLUB": [2], "%": [2], "_": [2],
                     "' OR 1=1 --": [], '"': [], "abc": [2, 1], "\x00": [], "\ud800": [2, 1], "#2": [2]}  # fmt: skip
    register.correct(1, replace(ENTRY, called_by="Schmidt"))
    assert register.search("müller") == []
    assert register.count() == register.count("duplicate-2017") == 2
    assert [one.id for one in register.search(limit=1)] == [2]


@pytest.mark.parametrize("zone", ["Pacific/Auckland", "America/Los_Angeles", "UTC"])
def test_a_day_is_that_of_this_computer(register: Register, monkeypatch: pytest.MonkeyPatch, zone: str) -> None:
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    register.add(ENTRY)
    kept = register.history(1)[0]
    assert kept.recorded_at.endswith("+00:00") and kept.kept_at == datetime.fromisoformat(kept.recorded_at)
    assert register.count(f"{kept.kept_at.date()} club") == 1
    assert register.count(f"{kept.kept_at.date() - timedelta(days=1)}") == 0
    monkeypatch.undo()
    time.tzset()


def test_threads_add_and_correct_together(register: Register) -> None:
    register.add(ENTRY)

    def work(n: int) -> int:
        register.correct(1, replace(ENTRY, note=str(n)))
        register.search("club")
        return register.add(replace(ENTRY, board=str(n)))

    with ThreadPoolExecutor(24) as pool:
        ids = list(pool.map(work, range(40)))
    assert sorted(ids) == list(range(2, 42))
    assert [one.version for one in register.history(1)] == list(range(1, 42))
    assert {one.note for one in register.history(1)[1:]} == {str(n) for n in range(40)}


# --- the file


def test_is_durable_and_private(register: Register) -> None:
    with register._read() as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
        assert connection.execute("PRAGMA synchronous").fetchone()[0] == 2
    assert register.path.stat().st_mode & 0o077 == 0


def copied(number: int, folder: Path) -> Path:
    """A register of an earlier schema."""
    return Path(shutil.copy(EARLIER / f"register-of-schema-{number}.sqlite", folder / "r.sqlite"))


def test_a_register_of_a_later_release_is_refused(register: Register) -> None:
    register.close()
    with closing(sqlite3.connect(register.path)) as there:
        there.execute(f"PRAGMA user_version = {SCHEMA + 1}")
    with pytest.raises(RegisterError, match="later revoke-kb"):
        Register(register.path)


def test_a_register_of_the_first_schema_is_brought_up_to_date(tmp_path: Path) -> None:
    path = copied(1, tmp_path)
    register = Register(path)
    old = register.history(1)
    assert [(one.called_by, one.note, dict(one.players)) for one in old] == [
        ("Müller", "", {}),
        ("Müller", "corrected", {}),
    ]
    assert register.count(str(old[1].kept_at.date())) == 1, "its times are local ones with their distance"
    register.correct(1, replace(ENTRY, players={"N": "Ann"}))
    assert [one.id for one in register.search("ann")] == [1] and len(register.history(1)) == 3
    assert examine(path)[1] == []
    with closing(sqlite3.connect(path.with_name("r.sqlite.schema-1"))) as copy:
        assert copy.execute("SELECT count(*) FROM version").fetchone() == (2,)


def test_a_register_of_the_second_schema_is_sealed_as_it_is(tmp_path: Path) -> None:
    path = copied(2, tmp_path)
    with pytest.raises(RegisterError, match="earlier revoke-kb"):
        examine(path)
    register = Register(path)
    assert register.head().short == "4-b510a6a5af9516aa", "as the release that first sealed it did"
    assert examine(path)[1] == []
    assert [(one.id, one.version, one.note) for one in register.search()] == [
        (3, 1, ""),
        (2, 1, "=1+1"),
        (1, 2, "corrected"),
    ]
    assert register.history(2)[0].elections == ("dbv-2007",)
    assert register.add(replace(ENTRY, note="new"), once="form-3") == 4


def test_the_chain_of_a_register_in_three_tables_goes_on(tmp_path: Path) -> None:
    path = copied(3, tmp_path)
    assert examine(path)[0].short == "4-0539562fd793cc55", "examined, it stays as it lies"
    register = Register(path)
    assert register.head().short == "4-0539562fd793cc55" and examine(path)[1] == []
    assert [(one.version, one.note, dict(one.players)) for one in register.history(1)] == [
        (1, "", {}),
        (2, "corrected", {"N": "Ann"}),
    ]
    sent = replace(register.history(2)[0], recorded_at="")
    assert register.add(sent, once="form-2") == 2 and register.add(ENTRY, once="new") == 4
    assert [one.number for one in (register.head(), examine(path)[0])] == [5, 5]
    assert examine(path, ["4-0539562fd793cc55"])[1] == []
    assert Register(path.with_name("r.sqlite.schema-3")).head().number == 4


@pytest.mark.parametrize(
    ("done", "told"),
    [
        ("UPDATE version SET note = 'x' WHERE entry = 2", ["ruling 2, version 1: it was altered"]),
        ("UPDATE version SET note = x'00' WHERE entry = 2", ["ruling 2, version 1: it was altered"]),
        ("DELETE FROM version WHERE entry = 2", ["ruling 2, version 1: it was altered"]),
        ("DELETE FROM seal WHERE number = 3", ["seal 3 is missing", "ruling 2, version 1: it was altered"]),
        ("ALTER TABLE version DROP COLUMN lang", [f"ruling {n}: it was altered" for n in ("1, version 1", "1, version 2", "2, version 1", "3, version 1")]),
        ("UPDATE version SET version = 3 WHERE entry = 1 AND version = 2", ["ruling 1, version 2: it was altered", "ruling 1, version 3: it was altered"]),
    ],
)  # fmt: skip
def test_what_was_done_to_a_register_in_three_tables_is_found_afterwards(
    tmp_path: Path, done: str, told: list[str]
) -> None:
    path = copied(3, tmp_path)
    with closing(sqlite3.connect(path)) as there:
        for (name,) in there.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
            there.execute(f"DROP TRIGGER {name}")
        there.execute(done)
        there.commit()
    before = examine(path)[1]
    assert Register(path).count() >= 2
    assert examine(path)[1] == before and len(before) == len(told)
    assert all(part in one for part, one in zip(told, before, strict=True)), before


def test_a_file_that_has_the_name_of_the_copy_stays(tmp_path: Path) -> None:
    path, precious = copied(1, tmp_path), tmp_path / "r.sqlite.schema-1"
    precious.write_text("precious")
    Register(path)
    assert precious.read_text() == "precious"
    assert (tmp_path / "r.sqlite.schema-1.2").read_bytes()[:6] == b"SQLite"


def test_a_migration_that_fails_changes_nothing(tmp_path: Path) -> None:
    path = copied(3, tmp_path)
    with closing(sqlite3.connect(path)) as there:
        there.execute("CREATE TABLE kept (x)")
    before = path.read_bytes()
    with pytest.raises(RegisterError):
        Register(path)
    assert path.read_bytes()[100:] == before[100:]


def test_files_that_are_no_register_are_refused(tmp_path: Path) -> None:
    text, other, folder = tmp_path / "text", tmp_path / "other.sqlite", tmp_path / "folder"
    text.write_text("Dear diary, " * 200)
    folder.mkdir()
    with closing(sqlite3.connect(other)) as made:
        made.execute("CREATE TABLE theirs (x)")
    before = [text.read_bytes(), other.read_bytes()]
    for path, told in (
        (text, "damaged"),
        (other, "another program"),
        (folder, "cannot be"),
        (tmp_path / "no" / "where", "cannot be made"),
    ):
        with pytest.raises(RegisterError, match=told):
            Register(path)
    assert [text.read_bytes(), other.read_bytes()] == before


def test_a_damaged_register_is_refused(register: Register) -> None:
    for _ in range(50):
        register.add(replace(ENTRY, note="n" * 500))
    register.close()
    data = bytearray(register.path.read_bytes())
    for page in range(4096 * 2, len(data), 4096):
        data[page : page + 200] = b"\xff" * 200
    register.path.write_bytes(data)
    with pytest.raises(RegisterError, match="damaged"):
        Register(register.path)


@pytest.mark.parametrize("made", ["", "PRAGMA journal_mode = WAL"])
def test_a_start_broken_off_is_taken_up(tmp_path: Path, made: str) -> None:
    path = tmp_path / "r.sqlite"
    path.touch()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(made)
    assert Register(path).add(ENTRY) == 1


@pytest.mark.thorough
def test_another_program_that_writes_holds_nobody_up_for_long(
    register: Register, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many rulings wait for it, each is told after the same time, and can be kept once it is done."""
    monkeypatch.setattr(register_module, "LOCK_SECONDS", 1.0)
    with closing(sqlite3.connect(register.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        begun = time.monotonic()
        with ThreadPoolExecutor(24) as pool:
            sent = [pool.submit(register.add, ENTRY, f"once-{number}") for number in range(24)]
            told = [one.exception() for one in sent]
        assert time.monotonic() - begun < 12, "one after the other they would wait for 24 seconds"
        assert all(isinstance(one, RegisterError) for one in told), told
        assert {str(one) for one in told} == {str(told[0])}
        assert "was not kept: another program has been writing to this file" in str(told[0])
        assert register.count() == 0, "what needs no writing goes on"
        with pytest.raises(RegisterError, match="opened: another program"):
            Register(register.path)
    assert sorted(register.add(ENTRY, f"once-{number}") for number in range(8)) == [*range(1, 9)]


def test_a_full_disk_is_told_and_loses_nothing(register: Register) -> None:
    register.add(ENTRY)
    with register._read() as connection:
        connection.execute("PRAGMA max_page_count = 12")
    with pytest.raises(RegisterError, match="not kept"):
        register.add(replace(ENTRY, note="n" * 100_000))
    assert register.add(ENTRY) == 2


def test_a_register_spoilt_while_in_use_is_told(register: Register) -> None:
    register.add(ENTRY)
    register.close()
    for file in register.path.parent.iterdir():
        file.unlink()
    register.path.write_text("Dear diary, " * 200)
    for use in (register.search, lambda: register.get(1), register.count, lambda: register.add(ENTRY)):
        with pytest.raises(RegisterError):
            use()


LOOK = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('SELECT count(*) FROM kept').fetchone()"
ADD = """
import os, pathlib, subprocess, sys
from kb.desk.register import Register
from desk.test_register import ENTRY
path = pathlib.Path(sys.argv[1])
register = Register(path)
for _ in range(3):
    register.add(ENTRY)
    subprocess.run([sys.executable, "-c", sys.argv[2], path], check=True)
register.backup(path.with_name("copy.sqlite"))
register.add(ENTRY)
os._exit(1)
"""


@pytest.mark.thorough
@pytest.mark.parametrize("look", [LOOK, "from kb.desk.register import Register; Register(sys.argv[1])"])
def test_another_program_that_looks_into_it_takes_nothing_away(tmp_path: Path, look: str) -> None:
    """A process that has lost its locks would be taken for one that has ended, and its log be removed."""
    path = tmp_path / "r.sqlite"
    look = look if look == LOOK else f"import sys, pathlib; sys.argv[1] = pathlib.Path(sys.argv[1]); {look}"
    paths = os.pathsep.join(map(str, (HERE, HERE / "tests")))
    subprocess.run([sys.executable, "-c", ADD, path, look], env={**os.environ, "PYTHONPATH": paths}, check=False)
    assert Register(path).count() == 4
    assert Register(tmp_path / "copy.sqlite").count() == 3


def test_a_register_in_use_is_examined_as_it_is_by_any_name(register: Register, tmp_path: Path) -> None:
    register.add(ENTRY)
    link = tmp_path / "elsewhere" / "link.sqlite"
    link.parent.mkdir()
    link.symlink_to(register.path)
    assert examine(link)[0] == examine(register.path)[0] == register.head()


def test_a_register_is_a_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", Path(os.devnull)):
        with pytest.raises(RegisterError, match="a device or a pipe"):
            Register(path)
    assert not Path(f"{os.devnull}-journal").exists()


# --- backup


def test_backup_while_writing(register: Register, tmp_path: Path) -> None:
    with ThreadPoolExecutor(2) as pool:
        adding = pool.submit(lambda: [register.add(ENTRY) for _ in range(60)])
        for n in range(3):
            register.backup(tmp_path / f"copy-{n}.sqlite")
        assert len(adding.result()) == 60
    register.backup(tmp_path / "copy.sqlite")
    with closing(sqlite3.connect(tmp_path / "copy.sqlite")) as copy:
        assert copy.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert copy.execute("SELECT count(*) FROM kept").fetchone() == (60,)
    assert sorted(path.name for path in tmp_path.iterdir() if "part" in path.name) == []
    assert Register(tmp_path / "copy.sqlite").count() == 60


def test_a_backup_replaces_nothing(register: Register, tmp_path: Path) -> None:
    precious = tmp_path / "thesis.txt"
    precious.write_text("precious")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    register.backup(tmp_path / "copy.sqlite")
    here = (precious, tmp_path / "pipe", tmp_path / "link", tmp_path / "copy.sqlite", tmp_path, Path(os.devnull))
    for path in (*here, register.path, Path(f"{register.path}-wal")):
        with pytest.raises(RegisterError, match="something of this name is here"):
            register.backup(path)
    with pytest.raises(RegisterError, match="cannot be written"):
        register.backup(tmp_path / "no" / "folder")
    assert precious.read_text() == "precious" and not (tmp_path / "nowhere").exists()


def test_changes_to_an_earlier_file_of_that_name_are_not_made_to_a_backup(register: Register, tmp_path: Path) -> None:
    register.add(ENTRY)
    copy, log = tmp_path / "copy.sqlite", tmp_path / "copy.sqlite-wal"
    shutil.copy(register.path.with_name(f"{register.path.name}-wal"), log)
    with pytest.raises(RegisterError, match="copy"):
        register.backup(copy)
    assert not copy.exists() and log.stat().st_size
    log.unlink()
    register.backup(copy)
    assert examine(copy)[0] == register.head()
