"""A desk killed in the middle of writes has kept whatever it acknowledged; so have two desks on one file."""

from __future__ import annotations

import http.client
import random
import re
import sqlite3
import threading
from contextlib import closing
from datetime import datetime, tzinfo
from pathlib import Path
from typing import Self

import pytest

pytest.importorskip("hypercorn")

from support.desk_server import Director, Server

from kb.desk import entry as rows
from kb.desk.desk import Submission
from kb.desk.entry import RegisterEntry
from kb.desk.register import Register, examine

WRITERS = 4
WORD = Submission(
    "contract: 4S\ndeclarer: S\nrevokes:\n  - {hand: W, trick: 5, suit: H, card: S4, won-by: W, next-trick: led}\n"
).word


class Writer(threading.Thread):
    """Keeps rulings and corrects them as fast as it can until the desk is gone; remembers what was acknowledged."""

    def __init__(self, server: Server, name: str) -> None:
        super().__init__()
        self.server, self.mark = server, name
        self.kept: dict[int, str] = {}
        """Notes acknowledged, by entry: the first version's."""
        self.corrected: dict[int, str] = {}
        self.wrong: list[object] = []

    def run(self) -> None:
        """Writes until the connection breaks."""
        try:
            director = Director(self.server)
            for n in range(10_000):
                note = f"{self.mark} {n}"
                status, where = director.post("/keep", f=WORD, note=note, once=note)
                id = self._acknowledged(status, where)
                self.kept[id] = note
                if n % 3 == 0:
                    given = {
                        "incident": Submission.of_word(WORD).text,
                        "seen": "1",
                        "note": f"{note} corrected",
                    }
                    self._acknowledged(*director.post(f"/register/{id}/correct", **given))
                    self.corrected[id] = f"{note} corrected"
        except (http.client.HTTPException, OSError):
            return
        except AssertionError as error:
            self.wrong.append(error)

    def _acknowledged(self, status: int, where: str) -> int:
        found = re.match(r"/register/(\d+)\?", where)
        assert status == 303 and found is not None, (status, where)
        return int(found[1])


@pytest.mark.thorough
@pytest.mark.parametrize("kills", [5, pytest.param(25, marks=pytest.mark.thorough)])
def test_what_was_acknowledged_survives_being_killed(tmp_path: Path, kills: int) -> None:
    path, chance = tmp_path / "register.sqlite", random.Random(8)
    kept: dict[int, str] = {}
    corrected: dict[int, str] = {}
    for turn in range(kills):
        with Server(path) as server:
            writers = [Writer(server, f"{turn}-{n}") for n in range(WRITERS)]
            for writer in writers:
                writer.start()
            while sum(len(writer.kept) for writer in writers) < WRITERS and any(map(Writer.is_alive, writers)):
                writers[0].join(0.05)
            writers[0].join(chance.uniform(0.05, 0.6))
            server.kill()
            for writer in writers:
                writer.join()
                assert not writer.wrong
                kept |= writer.kept
                corrected |= writer.corrected
        with closing(sqlite3.connect(path)) as there:
            assert there.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert len(kept) >= WRITERS * (turn + 1)
        assert examine(path)[1] == []
        _compare(Register(path), kept, corrected, kills)
    print(f"{kills} kills: {len(kept)} rulings and {len(corrected)} corrections acknowledged, none lost")


@pytest.mark.thorough
@pytest.mark.parametrize("seconds", [2, pytest.param(30, marks=pytest.mark.thorough)])
def test_two_desks_on_one_file_lose_nothing(tmp_path: Path, seconds: int) -> None:
    path = tmp_path / "register.sqlite"
    with Server(path) as one, Server(path) as other:
        writers = [Writer(server, f"{server.port}-{n}") for server in (one, other) for n in range(WRITERS)]
        for writer in writers:
            writer.start()
        writers[0].join(seconds)
        for server in (one, other):
            server.stop()
        for writer in writers:
            writer.join()
            assert not writer.wrong and writer.kept
    assert examine(path)[1] == [], "both have sealed what they kept in one chain"
    kept = {id: note for writer in writers for id, note in writer.kept.items()}
    assert len(kept) == sum(len(writer.kept) for writer in writers), "no number was given twice"
    _compare(Register(path), kept, {id: note for writer in writers for id, note in writer.corrected.items()}, 2)
    print(f"two desks on one file, {seconds} s: {len(kept)} rulings kept, none lost")


def test_a_clock_set_back_changes_neither_order_nor_seals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "register.sqlite"
    register = Register(path)
    for year in (2026, 1999, 2026, 1970):

        class Clock(datetime):
            @classmethod
            def now(cls, tz: tzinfo | None = None, at: int = year) -> Self:
                return cls(at, 1, 2, tzinfo=tz)

        monkeypatch.setattr(rows, "datetime", Clock)
        register.add(RegisterEntry('{"text": ""}', note=str(year)))
        register.correct(1, RegisterEntry('{"text": ""}', note=f"corrected {year}"))
    assert [one.note for one in register.search()] == ["1970", "2026", "1999", "corrected 1970"]
    assert [one.version for one in register.history(1)] == [1, 2, 3, 4, 5]
    assert examine(path)[1] == [] and examine(path)[0].number == 8


def _compare(register: Register, kept: dict[int, str], corrected: dict[int, str], kills: int) -> None:
    """Everything acknowledged stands there; what more stands there was written and not yet acknowledged."""
    there = {one.id: [version.note for version in register.history(one.id)] for one in register.search(limit=100_000)}
    assert {id: there.get(id, [""])[0] for id in kept} == kept
    assert {id: there.get(id, [""])[-1] for id in corrected} == corrected
    assert len(there) - len(kept) <= WRITERS * kills
    register.close()
