"""A desk killed in the middle of writes has kept whatever it acknowledged. REVOKE_ALL=1 kills it twenty times."""

from __future__ import annotations

import http.client
import os
import random
import re
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest

pytest.importorskip("uvicorn")

from support.desk import token_in
from support.desk_server import Director, Server

from kb.desk.register import Register
from kb.desk.submission import Submission

KILLS = 20 if os.environ.get("REVOKE_ALL") else 5
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
            token = token_in(director.get("/keep", f=WORD)[1])
            for n in range(10_000):
                note = f"{self.mark} {n}"
                status, where = director.post("/keep", csrf=token, f=WORD, note=note, once=note)
                id = self._acknowledged(status, where)
                self.kept[id] = note
                if n % 3 == 0:
                    given = {
                        "csrf": token,
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


def test_what_was_acknowledged_survives_being_killed(tmp_path: Path) -> None:
    path, chance = tmp_path / "register.sqlite", random.Random(8)
    kept: dict[int, str] = {}
    corrected: dict[int, str] = {}
    for turn in range(KILLS):
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
        _compare(Register.open(path), kept, corrected)


def test_nothing_goes_on_working_for_a_desk_that_is_gone(tmp_path: Path) -> None:
    """All of its work is done in its one process, which ends when it is asked to, in the midst of a comparison too."""
    with Server(tmp_path / "register.sqlite") as server:
        comparing = Director(server)
        comparing.ask("GET", "/law/compare?a=auction-1912&b=auction-1912")
        assert Director(server).get("/ask")[0] == 200
        assert server.children() == []
        assert server.stop() == 0


def _compare(register: Register, kept: dict[int, str], corrected: dict[int, str]) -> None:
    """Everything acknowledged stands there; what more stands there was written and not yet acknowledged."""
    there = {one.id: [version.entry.note for version in register.history(one.id)] for one in register.all()}
    assert {id: there.get(id, [""])[0] for id in kept} == kept
    assert {id: there.get(id, [""])[-1] for id in corrected} == corrected
    assert len(there) - len(kept) <= WRITERS * KILLS
    register.close()
