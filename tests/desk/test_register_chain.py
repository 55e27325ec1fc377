"""The register verified: whatever is done to the file behind the desk's back is found, told, and hides nothing else."""

from __future__ import annotations

import json
import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("fastapi")

from support.desk import client_of, settings_in
from typer.testing import CliRunner

from kb.cli.main import app as commands
from kb.desk.app import create_app
from kb.desk.entry import CONTENT_KEYS, RegisterEntry
from kb.desk.register import Register, RegisterError, examine

ENTRY = RegisterEntry(json.dumps({"text": "A board\n2 tricks to NS", "receipt": "abc"}), "declarer: S\n", event="Club")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A register of three entries, the second with two versions."""
    register = Register(tmp_path / "register.sqlite")
    for note in ("one", "two", "three"):
        register.add(replace(ENTRY, note=note), once=note)
    register.correct(2, replace(ENTRY, note="two, corrected"))
    register.close()
    return register.path


def tamper(path: Path, *statements: str) -> None:
    """As somebody does who can write the file, and puts the triggers back afterwards."""
    with closing(sqlite3.connect(path)) as there:
        held = there.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
        for name, _ in held:
            there.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            there.execute(statement)
        for _, sql in held:
            there.execute(sql)
        there.commit()


def now_says(key: str, new: str) -> str:
    """The statement after which the content of an entry, or its time, says something else."""
    return (
        f"UPDATE kept SET recorded_at = {new}"
        if key == "recorded_at"
        else f"UPDATE kept SET content = json_set(content, '$.{key}', {new})"
    )


def found(path: Path, *printed: str) -> list[str]:
    return examine(path, printed)[1]


def test_a_register_as_it_was_kept_has_no_break(path: Path) -> None:
    head = examine(path)[0]
    assert found(path) == [] and head.number == 4 and head == Register(path).head()
    assert head.short == f"4-{head.digest[:16]}" and found(path, head.short, "0") == []
    assert Register(path.with_name("new.sqlite")).head().short == "0"


def test_all_that_a_version_says_is_sealed(path: Path) -> None:
    with closing(sqlite3.connect(path)) as there:
        held = json.loads(there.execute("SELECT content FROM kept WHERE number = 2").fetchone()[0])
    assert tuple(held) == CONTENT_KEYS
    before = path.read_bytes()
    for key in ("recorded_at", *CONTENT_KEYS):
        now = "recorded_at || ' '" if key == "recorded_at" else f"json_extract(content, '$.{key}') || ' '"
        tamper(path, f"{now_says(key, now)} WHERE entry = 2 AND version = 1")
        assert found(path) == ["ruling 2, version 1: it was altered: it is not what was sealed"], key
        path.write_bytes(before)


ALTERED_2_1, ALTERED_3 = "ruling 2, version 1: it was altered", "ruling 3, version 1: it was altered"


@pytest.mark.parametrize(
    ("done", "told"),
    [
        ("DELETE FROM kept WHERE entry = 2 AND version = 1", ["the chain: seal 2 is missing"]),
        ("DELETE FROM kept WHERE number < 3", ["the chain: seals 1 to 2 are missing"]),
        ("UPDATE kept SET version = 3 WHERE entry = 2 AND version = 2", ["ruling 2, version 3: it was altered"]),
        ("UPDATE kept SET entry = 1, version = 2 WHERE number = 4", ["ruling 1, version 2: it was altered"]),
        ("UPDATE kept SET digest = 'x' WHERE number = 2", [ALTERED_2_1, ALTERED_3]),
        ("UPDATE kept SET number = number + 1 WHERE number = 4", ["the chain: seal 4 is missing"]),
        ("UPDATE kept SET number = 9 WHERE number = 2", ["seal 2 is missing", "seals 5 to 8 are missing"]),
        ("INSERT INTO kept SELECT 5, 3, 2, NULL, recorded_at, content, digest FROM kept WHERE number = 1", ["ruling 3, version 2: it was altered"]),
        ("UPDATE kept SET content = replace(content, '{\"edition', '{ \"edition') WHERE number = 2", [ALTERED_2_1]),
        ("UPDATE kept SET content = replace(content, '}', ', \"note\": \"x\"}') WHERE number = 2", [ALTERED_2_1]),
        ("UPDATE kept SET content = CAST(content AS BLOB) WHERE number = 2", [ALTERED_2_1]),
        ("UPDATE kept SET content = '' WHERE number = 2", [ALTERED_2_1]),
        ("UPDATE kept SET content = '', digest = '' WHERE number = 4", ["ruling 2, version 2: it was altered"]),
        ("INSERT INTO kept SELECT 0, 9, 1, NULL, recorded_at, content, digest FROM kept WHERE number = 1", ["there is no seal 0", "ruling 1, version 1: it was altered"]),
        ("UPDATE kept SET entry = x'07', recorded_at = x'00' WHERE number = 4", ["version 2: it was altered"]),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
def test_what_was_done_to_it_is_found(path: Path, done: str, told: list[str]) -> None:
    tamper(path, done)
    said = found(path)
    assert len(said) == len(told) and all(part in one for part, one in zip(told, said, strict=True)), said


@pytest.mark.parametrize(
    ("done", "told"),
    [
        ("CREATE TRIGGER later AFTER INSERT ON kept BEGIN DELETE FROM kept WHERE number < NEW.number; END", "later"),
        ("CREATE TABLE beside (a)", "beside"),
        ("DROP TRIGGER stays; CREATE TRIGGER stays BEFORE UPDATE ON kept WHEN 0 BEGIN SELECT 1; END", "stays"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_the_desk_did_not_make_is_told_and_refused(path: Path, done: str, told: str) -> None:
    with closing(sqlite3.connect(path)) as there:
        there.executescript(done)
    assert found(path) == [f"the file: not as the desk makes it, or not of its making: {told}"]
    with pytest.raises(RegisterError, match=f"changed in it: {told}; restore a backup"):
        Register(path)


@pytest.mark.parametrize("done", ["DROP TABLE kept", "ALTER TABLE kept RENAME COLUMN content TO noted"])
def test_a_register_that_lacks_what_is_kept_is_told_as_damage(path: Path, done: str) -> None:
    with closing(sqlite3.connect(path)) as there:
        there.execute(done)
    for use in (examine, Register):
        with pytest.raises(RegisterError, match="restore a backup"):
            use(path)


@pytest.mark.parametrize(
    ("done", "told"),
    [
        ("PRAGMA user_version = 0", "or was altered"),
        ("PRAGMA user_version = -3", "or was altered"),
        ("PRAGMA application_id = 0", "another program"),
    ],
)
def test_what_is_no_register_is_refused_unchanged(path: Path, done: str, told: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as there:
        there.execute(done)
        there.execute("PRAGMA journal_mode = DELETE")
    before = path.read_bytes()
    with pytest.raises(RegisterError, match=told):
        Register(path)
    assert path.read_bytes() == before and [one.name for one in path.parent.iterdir()] == [path.name]


def test_a_schema_that_is_no_text_is_told_as_damage(path: Path) -> None:
    whole = path.read_bytes()
    at = whole.index(b"CREATE TRIGGER stays") + len("CREATE TRIGGER stays BEFORE UPDATE ON kept BEGIN ") - 8
    path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x80]) + whole[at + 1 :])
    for use in (examine, Register):
        with pytest.raises(RegisterError, match="restore a backup"):
            use(path)


def test_what_is_examined_is_left_as_it_lies(path: Path) -> None:
    """Nothing is left beside it, and where nothing can be written it is examined all the same."""
    path.parent.chmod(0o555)
    try:
        assert found(path) == [] and [one.name for one in path.parent.iterdir()] == [path.name]
    finally:
        path.parent.chmod(0o755)


def test_each_damaged_page_is_found(path: Path) -> None:
    """Whatever the desk refuses as damaged is no register as it was kept."""
    whole, size = path.read_bytes(), 4096
    assert len(whole) == 4 * size, "its schema, what is kept, two indexes"
    for start in range(size, len(whole), size):
        path.write_bytes(whole[:start] + b"\xa5" * size + whole[start + size :])
        with pytest.raises(RegisterError, match=r"damaged|cannot be read"):
            examine(path)


def test_an_end_cut_off_or_a_chain_made_anew_shows_by_what_was_printed(path: Path) -> None:
    printed = Register(path).head().short
    tamper(path, "DELETE FROM kept WHERE number = 4")
    assert found(path) == [] and "never ended at" in found(path, printed)[0]
    forged = Register(path)
    forged.correct(2, replace(ENTRY, note="another"))
    assert found(path) == [] and found(path, forged.head().short) == [] and len(found(path, printed)) == 1
    never = ("", "x", "4", "4-", "4-abc", f"4-{'0' * 16}", "²-abc", "9" * 30)
    assert len(found(path, *never)) == len(never)


def test_random_changes_are_found_or_change_nothing(path: Path) -> None:
    chance, before, was = random.Random(19), path.read_bytes(), rows(path)
    for _ in range(40):
        key, entry = chance.choice(("recorded_at", *CONTENT_KEYS)), chance.randrange(1, 4)
        new = chance.choice(("''", "'{'", "'[]'", "7", "'null'", "CAST(x'ff' AS TEXT)", "'two'", "'Club'"))
        tamper(path, f"{now_says(key, new)} WHERE entry = {entry} AND version = 1")
        other = rows(path) != was
        assert (found(path) != []) == other, (key, entry, new)
        path.write_bytes(before)


def rows(path: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as there:
        there.text_factory = bytes
        return there.execute("SELECT * FROM kept ORDER BY number").fetchall()


# --- entries that can no longer be read


def spoilt() -> Iterator[str]:
    """Everything that a content may have become."""
    for key in ("recorded_at", *CONTENT_KEYS):
        for new in ("'{'", "'[1]'", "7", "CAST(x'ff' AS TEXT)", "''", "'{\"text\": 7}'", f"'{'[' * 5000}'"):
            yield now_says(key, new)
    for new in ("'{'", "'[1]'", "'7'", "x'ff00'", "CAST(x'ff' AS TEXT)", "''", f"'{'[' * 5000}'"):
        yield f"UPDATE kept SET content = {new}"


@pytest.mark.thorough
def test_an_unreadable_entry_hides_nothing_else(path: Path) -> None:
    whole = path.with_name("whole.sqlite")
    Register(path).backup(whole)
    with client_of(create_app(settings_in(path.parent))) as client:
        for done in spoilt():
            tamper(path, f"{done} WHERE entry = 3")
            for at in (
                "/",
                "/register",
                "/register/1",
                "/register/3",
                "/register/3/correct",
                "/register/3/appeal",
            ):
                assert client.get(at).status_code == 200, (done, at)
            assert "/register/1" in client.get("/register").text and "/register/3" in client.get("/register").text
            put_back(path, whole)


def put_back(path: Path, whole: Path) -> None:
    with closing(sqlite3.connect(path)) as there, closing(sqlite3.connect(whole)) as before:
        before.backup(there)


def test_an_unreadable_entry_is_shown_as_such(path: Path) -> None:
    tamper(path, now_says("ruling_json", "'{\"text'") + " WHERE entry = 3")
    with client_of(create_app(settings_in(path.parent))) as client:
        for at in ("/register", "/register/3", "/register/3/appeal"):
            assert "This ruling can no longer be read" in client.get(at).text, at
        assert "altered in the file" in client.get("/register/3").text


# --- the command


def run(*given: object) -> tuple[int, str]:
    done = CliRunner().invoke(commands, ["desk", *map(str, given)])
    return done.exit_code, done.output


def test_the_command_tells_what_was_altered(path: Path, tmp_path: Path) -> None:
    head = Register(path).head().short
    assert run("verify", path) == (0, f"{path}: as it was kept; versions: 4; the chain ends at {head}\n")
    copy = tmp_path / "copy.sqlite"
    assert run("backup", copy, "--register", path)[0] == 0 and run("verify", copy, "--printed", head)[0] == 0
    before = path.read_bytes()
    tamper(path, now_says("note", "'x'") + " WHERE entry = 1")
    assert run("verify", path) == (1, f"{path}: ruling 1, version 1: it was altered: it is not what was sealed\n")
    assert run("verify", copy, "--printed", "9-0123456789abcdef")[0] == 1
    assert run("verify", tmp_path / "none")[0] == 2 and path.read_bytes() != before
    copy.write_text("Dear diary, " * 200)
    assert run("verify", copy)[0] == 2


def test_a_register_in_use_can_be_verified(path: Path) -> None:
    register = Register(path)
    for n in range(30):
        register.add(replace(ENTRY, note=str(n)))
        assert found(path) == []
    assert examine(path)[0].number == 34
