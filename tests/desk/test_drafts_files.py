"""The files of drafts: as private as the register, whole or not there at all."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from support.desk_pages import Visitor, opened
from support.house import HERE

from facts.errors import InputError
from kb.desk import drafts as files
from kb.desk.app import create_app
from kb.desk.guard import Settings


def full_after(writes: int) -> Callable[[int], None]:
    """A disk that takes so many files more."""
    left = [writes]

    def fsync(_: int) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise OSError(28, "No space left on device")

    return fsync


def begin(visitor: Visitor, name: str) -> int:
    return visitor.send(visitor.go("/workshop"), "/workshop", name=name, edition="duplicate-2017", clause="64B3").status


def everything(settings: Settings) -> list[Path]:
    return sorted(settings.drafts.rglob("*"))


@pytest.mark.thorough
@pytest.mark.skipif(os.name != "posix", reason="permissions are told otherwise here")
def test_nobody_else_may_read_them(tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        with opened(tmp_path) as (visitor, settings):
            assert begin(visitor, "mine") == 200
            form = visitor.go("/workshop/mine", file="cases/one.yaml", new="1")
            visitor.send(form, "/workshop/mine", text="id: one\n", act="save")
        held = everything(settings)
        assert len(held) >= 4
        assert [path for path in (settings.drafts, *held) if path.stat().st_mode & 0o077] == []
        for path in (settings.drafts, *held):
            path.chmod(0o755)
        outside = tmp_path / "outside"
        outside.touch(0o644)
        (settings.drafts / "link").symlink_to(outside)
        create_app(settings)
        assert outside.stat().st_mode & 0o777 == 0o644, "what lies elsewhere is not theirs"
        assert [path for path in held if path.stat().st_mode & 0o077] == [], "nor those of an earlier revoke-kb"
    finally:
        os.umask(old)


@pytest.mark.thorough
@pytest.mark.parametrize("writes", [0, 1])
def test_a_draft_begun_on_a_full_disk_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, writes: int
) -> None:
    with opened(tmp_path) as (visitor, settings):
        monkeypatch.setattr(files.os, "fsync", full_after(writes))
        page = visitor.send(visitor.go("/workshop"), "/workshop", name="mine", edition="duplicate-2017", clause="64B3")
        assert page.status == 422 and "No space left on device" in page.text
        assert everything(settings) == []
        monkeypatch.undo()
        assert begin(visitor, "mine") == 200, "the name is not taken"


@pytest.mark.thorough
def test_a_file_that_cannot_be_written_stays_as_it_was_and_what_was_typed_stays_on_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(tmp_path) as (visitor, settings):
        begin(visitor, "mine")
        held, at = everything(settings), "/workshop/mine"
        before, form = (settings.drafts / "mine" / "law-64.yaml").read_text("utf-8"), visitor.go(at, file="law-64.yaml")
        monkeypatch.setattr(files.os, "fsync", full_after(0))
        page = visitor.send(form, at, text="# all of my work\n", act="save")
        assert page.status == 503 and "No space left on device" in page.text and "# all of my work" in page.source
        assert everything(settings) == [settings.drafts / files.LOCK, *held]
        assert (settings.drafts / "mine" / "law-64.yaml").read_text("utf-8") == before


def drafts(tmp_path: Path) -> files.Drafts:
    return files.Drafts(tmp_path, HERE / "rules")


@pytest.mark.skipif(os.name != "posix", reason="permissions are told otherwise here")
def test_a_file_is_written_whole_or_not_at_all_and_for_nobody_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "mine" / "law-1.yaml"
    file.parent.mkdir()
    (file.parent / "edition.yaml").write_text("edition: mine\n")
    before = os.umask(0)
    try:
        drafts(tmp_path).write("mine", file.name, "law: '1'\n")
    finally:
        os.umask(before)
    assert file.stat().st_mode & 0o777 == 0o600
    monkeypatch.setattr(files.os, "fsync", full_after(0))
    with pytest.raises(InputError, match="No space left on device"):
        drafts(tmp_path).write("mine", file.name, "law: '2'\n")
    assert file.read_text() == "law: '1'\n"


def test_one_writes_at_a_time_at_whichever_desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the editor does: what is there is read, compared, and written only if it is what was seen."""
    file = tmp_path / "count"
    file.write_text("0")

    def add(_: int) -> None:
        with drafts(tmp_path).alone("mine"):
            seen = int(file.read_text())
            time.sleep(0.001)
            file.write_text(str(seen + 1))

    with ThreadPoolExecutor(8) as pool:
        assert len([*pool.map(add, range(40))]) == 40
    assert file.read_text() == "40"
    monkeypatch.setattr(files, "PATIENCE", 0.05)
    with drafts(tmp_path).alone("mine"):
        ruled = f"from pathlib import Path; from kb.desk import drafts; drafts.PATIENCE = 0.05\nwith drafts.Drafts(Path({str(tmp_path)!r}), Path()).alone('mine'): pass"  # fmt: skip
        other = subprocess.run([sys.executable, "-c", ruled], cwd=HERE, capture_output=True, text=True, check=False)
    assert "it was not written (database is locked)" in other.stderr
