"""Editions in the cache: the same as read from the files, never out of date, and never trusted when touched."""

from __future__ import annotations

import errno
import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from facts.errors import RulesError
from kb.language import cache as cache_module
from kb.language import edition as edition_module
from kb.language.edition import load_edition
from kb.language.folders import rules_root
from kb.language.model import Edition

TINY = Path(__file__).parent / "tiny"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache directory of this test alone."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "revoke-kb"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Rules that may be changed."""
    return Path(shutil.copytree(TINY, tmp_path / "rules"))


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The editions that were read from their files, without those that they amend."""
    found: list[str] = []
    reading: list[str] = []

    def noted(root: Path, folder: Path, elections: tuple[str, ...]) -> Edition:
        found.extend([] if reading else [folder.name])
        reading.append(folder.name)
        try:
            return really(root, folder, elections)
        finally:
            reading.pop()

    really = edition_module.read_edition
    monkeypatch.setattr(edition_module, "read_edition", noted)
    return found


@pytest.mark.thorough
@pytest.mark.parametrize("edition", ["duplicate-2017", "duplicate-2007"])
def test_what_is_kept_is_what_was_read(edition: str, read: list[str]) -> None:
    first, again = (load_edition(rules_root(), edition) for _ in range(2))
    assert read == [edition]
    assert again == first
    assert again.table == first.table
    assert again.digest == first.digest
    assert [rule.place for rule in again.rules] == [rule.place for rule in first.rules]


def test_elections_are_kept_apart(root: Path, read: list[str]) -> None:
    assert [load_edition(root, "code", elected).elections for elected in ([], ["local"], [])] == [(), ("local",), ()]
    assert read == ["code", "code"]


@pytest.mark.parametrize(
    "file", ["vocabulary.yaml", "table.yaml", "code/law-1.yaml", "later/edition.yaml", "elections/local.yaml"]
)
def test_a_change_of_any_file_is_seen(root: Path, read: list[str], file: str) -> None:
    load_edition(root, "later")
    with (root / file).open("a") as stream:
        stream.write("\n# a word\n")
    load_edition(root, "later")
    assert read == ["later", "later"]


def test_a_change_of_what_a_draft_says_is_seen(root: Path, tmp_path: Path, read: list[str]) -> None:
    draft = tmp_path / "draft"
    draft.mkdir()
    (draft / "edition.yaml").write_text(
        'edition: draft\ntitle: {en: D, de: E}\nauthority: Me\nin-force: "2030"\namends: later\n'
    )
    for findings in (["bound"], ["bound", "faced"]):
        for _ in range(2):
            assert [*load_edition(root, draft).table.findings] == findings
        (draft / "table.yaml").write_text(
            "findings: {faced: {is: yes-no, means: {en: a, de: b}, not-stated: unknown}}\n"
        )
    assert read == ["draft", "draft"]


def test_a_change_of_the_code_is_seen(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache_module, "_PROJECT", str(tmp_path))
    named = []
    for code in ("one = 1", "one = 2", "one = 1"):
        (tmp_path / "reader.py").write_text(code)
        cache_module._code.cache_clear()
        files = [str(root / "vocabulary.yaml")]
        named.append([cache_module.digest_of("what", files, [reader]) for reader in ("reader.py", "")])
    cache_module._code.cache_clear()
    assert named[0] == named[2]
    assert not {*named[0]} & {*named[1]}


def test_folders_whose_name_is_not_utf_8_can_be_read(tmp_path: Path, read: list[str]) -> None:
    try:
        root = Path(shutil.copytree(TINY, tmp_path / os.fsdecode(b"r\xe8gles")))
    except OSError:
        pytest.skip("no such name can be given here")
    assert load_edition(root, "code") == load_edition(root, "code")
    assert read == ["code"]


def test_faults_are_told_every_time(root: Path, cache: Path) -> None:
    (root / "code" / "law-9.yaml").write_text("law: [")
    for _ in range(2):
        with pytest.raises(RulesError):
            load_edition(root, "code")
    assert not cache.exists()


@pytest.mark.parametrize(
    "body", [b"", b"\x80", b"(" * 100_000, b"cno_such_module\nat_all\n.", b"\x80\x05\xff", b"I1\n"]
)
def test_what_makes_no_sense_is_read_anew(root: Path, cache: Path, read: list[str], body: bytes) -> None:
    wanted = load_edition(root, "code")
    (file,) = cache.iterdir()
    file.write_bytes(body)
    assert load_edition(root, "code") == wanted
    assert len(read) == 2


def test_a_disk_that_is_full_leaves_nothing(root: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    load_edition(root, "code")
    (file,) = cache.iterdir()

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(Path, "replace", full)
    load_edition(root, "later")
    assert [*cache.iterdir()] == [file]


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="nothing is stored here")
def test_what_others_own_or_could_write_is_not_trusted(
    root: Path, cache: Path, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    load_edition(root, "code")
    assert cache.stat().st_mode & 0o777 == 0o700
    for readable in (0o777, 0o755):
        cache.chmod(readable)
        load_edition(root, "code")
    assert len(read) == 3
    cache.chmod(0o700)
    mine = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: mine + 1)
    load_edition(root, "code")
    assert len(read) == 4


def test_many_starts_at_once_do_not_get_in_each_others_way(root: Path, cache: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        found = [*pool.map(lambda _: load_edition(root, "code"), range(24))]
    assert all(one == found[0] for one in found)
    assert [file.suffix for file in cache.iterdir()] == [".pickle"]


def test_without_a_place_to_store_all_goes_on(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, read: list[str]
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert load_edition(root, "code") == load_edition(root, "code")
    assert len(read) == 2


def test_only_so_many_are_kept(root: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache_module, "MOST_KEPT", 2)
    for number in range(4):
        (root / "code" / "edition.yaml").open("a").write(f"# {number}\n")
        load_edition(root, "code")
    assert len([*cache.iterdir()]) == 2
