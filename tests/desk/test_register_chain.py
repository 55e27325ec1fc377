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
from kb.desk.register import Register, RegisterEntry, RegisterError, examine
from kb.desk.register.chain import SEALED, fits
from kb.desk.register.schema import MIGRATIONS

ENTRY = RegisterEntry(json.dumps({"text": "A board\n2 tricks to NS", "receipt": "abc"}), "declarer: S\n", event="Club")
GUARDS = ("version_follows", "version_stays", "version_kept", "entry_stays", "entry_kept", "entry_new")
SEALS = ("seal_follows", "seal_stays", "seal_kept")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A register of three entries, the second with two versions."""
    register = Register.open(tmp_path / "register.sqlite")
    for note in ("one", "two", "three"):
        register.add(replace(ENTRY, note=note), once=note)
    register.correct(2, replace(ENTRY, note="two, corrected"))
    register.close()
    return register.path


def tamper(path: Path, *statements: str) -> None:
    """As somebody does who can write the file, and puts the triggers back afterwards."""
    with closing(sqlite3.connect(path)) as there:
        held = {name: there.execute("SELECT sql FROM sqlite_schema WHERE name = ?", (name,)).fetchone()[0]
                for name in (*GUARDS, *SEALS)}  # fmt: skip
        for name in held:
            there.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            there.execute(statement)
        for sql in held.values():
            there.execute(sql)
        there.commit()


def found(path: Path, *printed: str) -> list[str]:
    return [str(one) for one in examine(path, printed).breaks]


def test_a_register_as_it_was_kept_has_no_break(path: Path) -> None:
    head = examine(path).head
    assert found(path) == [] and head.number == 4 and head == Register.open(path).head()
    assert head.short == f"4-{head.digest[:16]}" and found(path, head.short, "0") == []
    assert Register.open(path.with_name("new.sqlite")).head().short == "0"


def test_each_column_of_each_version_is_sealed(path: Path) -> None:
    with closing(sqlite3.connect(path)) as there:
        columns = [row[1] for row in there.execute("PRAGMA table_info(version)")]
    assert sorted(SEALED) == sorted({*columns} - {"entry", "version"}), "a new column needs a seal too"
    before = path.read_bytes()
    for column in SEALED:
        tamper(path, f'UPDATE version SET "{column}" = "{column}" || \' \' WHERE entry = 2 AND version = 1')
        assert found(path) == ["ruling 2, version 1: it was altered: it is not what was sealed"], column
        path.write_bytes(before)


@pytest.mark.parametrize(
    ("done", "told"),
    [
        ("DELETE FROM version WHERE entry = 2 AND version = 2", ["ruling 2, version 2: it is missing"]),
        ("DELETE FROM version WHERE entry = 3", ["ruling 3, version 1: it is missing", "ruling 3: it has no version"]),
        ("UPDATE version SET version = 3 WHERE entry = 2 AND version = 2", ["version 2: it is missing", "version 3: it was inserted"]),
        ("UPDATE version SET entry = 1, version = 2 WHERE entry = 2 AND version = 2", ["ruling 2, version 2: it is missing", "ruling 1, version 2: it was inserted"]),
        ("INSERT INTO entry (id) VALUES (9)", ["ruling 9: it has no version"]),
        ("DELETE FROM entry WHERE id = 2", ["ruling 2: its number was removed"]),
        ("DELETE FROM seal WHERE number = 2", ["the chain: seal 2 is missing", "ruling 2, version 1: it was inserted"]),
        ("DELETE FROM seal WHERE number < 3", ["seals 1 to 2 are missing", "ruling 1, version 1: it was inserted", "ruling 2, version 1: it was inserted"]),
        ("UPDATE seal SET digest = 'x' WHERE number = 2", ["ruling 2, version 1: it was altered", "ruling 3, version 1: it was altered"]),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
def test_what_was_done_to_it_is_found(path: Path, done: str, told: list[str]) -> None:
    tamper(path, done)
    said = found(path)
    assert len(said) == len(told) and all(part in one for part, one in zip(told, said, strict=True)), said


def test_bytes_are_not_the_text_that_tells_of_them(tmp_path: Path) -> None:
    path = tmp_path / "register.sqlite"
    register = Register.open(path)
    register.add(replace(ENTRY, note="b'two tricks'"))
    register.close()
    tamper(path, f"UPDATE version SET note = x'{b'two tricks'.hex()}'")
    assert found(path) == ["ruling 1, version 1: it was altered: it is not what was sealed"]


@pytest.mark.parametrize(
    ("was", "becomes"),
    [("AUTOINCREMENT", ""), ("once TEXT UNIQUE", "once TEXT"), ("note TEXT NOT NULL", "note TEXT NOT NULL CHECK (note > '')"),
     ("note TEXT NOT NULL", "note TEXT NOT NULL ON CONFLICT REPLACE DEFAULT 'x'")],
)  # fmt: skip
def test_a_table_declared_otherwise_is_found(path: Path, was: str, becomes: str) -> None:
    with closing(sqlite3.connect(path)) as there:
        there.execute("PRAGMA writable_schema = ON")
        there.execute("UPDATE sqlite_schema SET sql = replace(sql, ?, ?) WHERE type = 'table'", (was, becomes))
        there.commit()
    told = "entry" if "note" not in was else "version"
    try:
        assert found(path) == [f"the chain: its table {told} is declared otherwise"]
    except RegisterError as refused:
        assert "orphan index" in str(refused), "without its column being unique, the index of it belongs to nothing"


def test_a_trigger_by_a_name_of_sqlites_own_is_found(path: Path) -> None:
    with closing(sqlite3.connect(path)) as there:
        there.execute("CREATE TRIGGER sly BEFORE INSERT ON version BEGIN SELECT RAISE(IGNORE); END")
        there.execute("PRAGMA writable_schema = ON")
        there.execute(
            "UPDATE sqlite_schema SET name = 'sqlite_sly', sql = replace(sql, 'sly', 'sqlite_sly') WHERE name = 'sly'"
        )
        there.commit()
    assert found(path) == ["the chain: it has a trigger sqlite_sly that does not belong to it"]


def test_a_schema_that_is_no_text_is_told_as_damage(path: Path) -> None:
    whole = path.read_bytes()
    at = (
        whole.index(b"CREATE TRIGGER entry_stays") + len("CREATE TRIGGER entry_stays BEFORE UPDATE ON entry BEGIN ") - 8
    )
    path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x80]) + whole[at + 1 :])
    for use in (examine, Register.open):
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
    assert len(whole) > 4 * size
    for start in range(size, len(whole), size):
        path.write_bytes(whole[:start] + b"\xa5" * size + whole[start + size :])
        with pytest.raises(RegisterError, match=r"damaged|cannot be read"):
            examine(path)


def test_a_version_slipped_in_is_found(path: Path) -> None:
    columns = ", ".join(f'"{name}"' for name in SEALED)
    tamper(path, f"INSERT INTO version (entry, version, {columns}) SELECT 3, 2, {columns} FROM version WHERE entry = 1")
    assert found(path) == ["ruling 3, version 2: it was inserted: it was never sealed"]


def test_an_end_cut_off_or_a_chain_made_anew_shows_by_what_was_printed(path: Path) -> None:
    printed = Register.open(path).head().short
    tamper(path, "DELETE FROM version WHERE entry = 2 AND version = 2", "DELETE FROM seal WHERE number = 4")
    assert found(path) == [] and "never ended at" in found(path, printed)[0]
    forged = Register.open(path)
    forged.correct(2, replace(ENTRY, note="another"))
    assert found(path) == [] and found(path, forged.head().short) == [] and len(found(path, printed)) == 1
    with closing(sqlite3.connect(path)) as there:
        assert not any(fits(there, one) for one in ("", "x", "4", "4-", "4-abc", f"4-{'0' * 16}", "²-abc", "9" * 30))


def test_random_changes_are_found_or_change_nothing(path: Path) -> None:
    chance, before, was = random.Random(19), path.read_bytes(), rows(path)
    for _ in range(40):
        column, entry = chance.choice(SEALED), chance.randrange(1, 4)
        new = chance.choice(("''", "'{'", "x'ff00'", "'[]'", "7", "'null'", "CAST(x'ff' AS TEXT)", "'two'", "'Club'"))
        tamper(path, f'UPDATE version SET "{column}" = {new} WHERE entry = {entry} AND version = 1')
        other = rows(path) != was
        assert (found(path) != []) == other, (column, entry, new)
        path.write_bytes(before)


def rows(path: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as there:
        there.text_factory = bytes
        return there.execute("SELECT * FROM version ORDER BY rowid").fetchall()


# --- the schema


@pytest.mark.parametrize(
    ("done", "told"),
    [
        *[(f"DROP TRIGGER {name}", f"its trigger {name} is missing") for name in (*GUARDS, *SEALS)],
        ("DROP TABLE seal", "its table seal is missing"),
        ("DROP TABLE version", "its table version is missing"),
        ("ALTER TABLE version DROP COLUMN note", "its table version lacks note"),
        ("ALTER TABLE version RENAME COLUMN note TO noted", "its table version lacks note"),
        ("ALTER TABLE version ADD COLUMN more TEXT", "its table version is declared otherwise"),
        ("CREATE TRIGGER sly BEFORE INSERT ON version BEGIN SELECT RAISE(IGNORE); END", "a trigger sly that does not belong"),
        ("PRAGMA user_version = 0", "says that its schema is 0"),
        ("PRAGMA user_version = -3", "says that its schema is -3"),
        ("PRAGMA application_id = 0", "another program"),
    ],
)  # fmt: skip
def test_a_register_with_another_schema_is_refused_unchanged(path: Path, done: str, told: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as there:
        there.execute("PRAGMA foreign_keys = OFF")
        there.execute(done)
        there.execute("PRAGMA journal_mode = DELETE")
    before = path.read_bytes()
    with pytest.raises(RegisterError, match=told):
        Register.open(path)
    assert path.read_bytes() == before and [one.name for one in path.parent.iterdir()] == [path.name]


def test_a_trigger_with_another_text_is_refused(path: Path) -> None:
    with closing(sqlite3.connect(path)) as there:
        there.execute("DROP TRIGGER version_stays")
        there.execute("CREATE TRIGGER version_stays BEFORE UPDATE ON version BEGIN SELECT 1; END")
    with pytest.raises(RegisterError, match="its trigger version_stays is another"):
        Register.open(path)
    assert found(path) == ["the chain: its trigger version_stays is another"]


def test_an_older_register_with_another_schema_is_refused_before_it_is_migrated(tmp_path: Path) -> None:
    path = tmp_path / "register.sqlite"
    path.write_bytes((Path(__file__).parent / "register-of-schema-1.sqlite").read_bytes())
    with closing(sqlite3.connect(path)) as there:
        there.execute("DROP TRIGGER version_kept")
    before = path.read_bytes()
    with pytest.raises(RegisterError, match="its trigger version_kept is missing"):
        Register.open(path)
    assert path.read_bytes() == before


def test_seals_cannot_be_changed_or_removed(path: Path) -> None:
    with closing(sqlite3.connect(path)) as there:
        for attack in ("UPDATE seal SET digest = 'x'", "DELETE FROM seal", "INSERT INTO seal VALUES (9, 1, 1, 'x')"):
            with pytest.raises(sqlite3.IntegrityError):
                there.execute(attack)


# --- entries that can no longer be read


def spoilt(path: Path) -> Iterator[tuple[str, str]]:
    """Everything that a column may have become."""
    for column in SEALED:
        for new in (
            "'{'",
            "'[1]'",
            "'7'",
            "x'ff00'",
            "CAST(x'ff' AS TEXT)",
            "''",
            "'{\"text\": 7}'",
            f"'{'[' * 5000}'",
        ):
            yield column, new


@pytest.mark.thorough
def test_an_unreadable_entry_hides_nothing_else(path: Path) -> None:
    whole = path.with_name("whole.sqlite")
    Register.open(path).backup(whole)
    with client_of(create_app(settings_in(path.parent))) as client:
        for column, new in spoilt(path):
            tamper(path, f'UPDATE version SET "{column}" = {new} WHERE entry = 3')
            for at in (
                "/",
                "/register",
                "/register/list",
                "/register/1",
                "/register/3",
                "/register/3/correct",
                "/register/3/appeal",
            ):
                assert client.get(at).status_code == 200, (column, new, at)
            assert "/register/1" in client.get("/register").text and "/register/3" in client.get("/register").text
            assert len(json.loads(client.get("/register.json").text)) == 3
            assert client.get("/register.csv").text.rstrip().count("abc") >= 2
            put_back(path, whole)


def put_back(path: Path, whole: Path) -> None:
    with closing(sqlite3.connect(path)) as there, closing(sqlite3.connect(whole)) as before:
        before.backup(there)


def test_an_unreadable_entry_is_shown_as_such(path: Path) -> None:
    tamper(path, "UPDATE version SET ruling_json = '{\"text' WHERE entry = 3")
    with client_of(create_app(settings_in(path.parent))) as client:
        for at in ("/register", "/register/list", "/register/3", "/register/3/appeal"):
            assert "This ruling can no longer be read" in client.get(at).text, at
        assert "altered in the file" in client.get("/register/3").text
        last = json.loads(client.get("/register.json").text)[-1]["versions"][0]
    assert (last["unreadable"], last["ruling"], last["ruling-text"]) == (["ruling_json"], {}, '{"text')


# --- the command


def run(*given: object) -> tuple[int, str]:
    done = CliRunner().invoke(commands, ["desk", *map(str, given)])
    return done.exit_code, done.output


def test_the_command_tells_what_was_altered(path: Path, tmp_path: Path) -> None:
    head = Register.open(path).head().short
    assert run("verify", path) == (0, f"{path}: as it was kept; versions: 4; the chain ends at {head}\n")
    copy = tmp_path / "copy.sqlite"
    assert run("backup", copy, "--register", path)[0] == 0 and run("verify", copy, "--printed", head)[0] == 0
    before = path.read_bytes()
    tamper(path, "UPDATE version SET note = 'x' WHERE entry = 1")
    assert run("verify", path) == (1, f"{path}: ruling 1, version 1: it was altered: it is not what was sealed\n")
    assert run("verify", copy, "--printed", "9-0123456789abcdef")[0] == 1
    assert run("verify", tmp_path / "none")[0] == 2 and path.read_bytes() != before
    copy.write_text("Dear diary, " * 200)
    assert run("verify", copy)[0] == 2


def test_a_register_in_use_can_be_verified(path: Path) -> None:
    register = Register.open(path)
    for n in range(30):
        register.add(replace(ENTRY, note=str(n)))
        assert found(path) == []
    assert examine(path).head.number == 34


def test_every_step_so_far_has_a_file_of_its_release() -> None:
    there = [(Path(__file__).parent / f"register-of-schema-{n}.sqlite").is_file() for n in range(1, len(MIGRATIONS))]
    assert all(there), "keep a register as the release before made it, and test that it is brought up to date"
