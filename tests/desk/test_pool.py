"""What is slow is done apart: nothing that is asked for, and no long file, stops the desk, or takes its memory."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from multiprocessing import active_children
from pathlib import Path

import pytest
from support.desk_pages import Visitor

from facts.errors import EngineError, InputError
from facts.readers.incident import MOST_EVENTS
from kb.desk.pool import PLACES, Pool
from kb.desk.submission import MOST_BOARD

FULL = (Path(__file__).parents[2] / "examples" / "full-record.yaml").read_text("utf-8")


def events(count: int) -> str:
    """A whole record to which so much attention was drawn."""
    return FULL + '  - {after: "13.4", attention: {by: E}}\n' * count


# --- the processes


@pytest.fixture
def pool() -> Iterator[Pool]:
    made = Pool()
    yield made
    made.close()


def too_much() -> int:
    return len(bytearray(8 * 1024**3))


def refuses() -> None:
    raise InputError.of("here", "this will not do", "do otherwise")


def fails() -> None:
    raise ZeroDivisionError


def waits(file: Path) -> None:
    """Says who it is, and waits."""
    file.write_text(str(os.getpid()), "utf-8")
    time.sleep(3600)


@pytest.mark.thorough
def test_it_gives_what_the_job_gives_and_raises_what_it_raises(pool: Pool) -> None:
    assert pool.run(60, os.getpid) != os.getpid() and pool.run(60, pow, 2, 3) == 8
    with pytest.raises(InputError, match="this will not do"):
        pool.run(60, refuses)
    with pytest.raises(EngineError, match="ZeroDivisionError"):
        pool.run(60, fails)
    assert pool.run(60, pow, 2, 3) == 8


@pytest.mark.thorough
def test_it_has_an_end_to_its_time(pool: Pool, tmp_path: Path) -> None:
    pool.run(60, pow, 2, 3)
    with pytest.raises(InputError, match=r"more than 0\.5 seconds"):
        pool.run(0.5, waits, tmp_path / "pid")
    assert not alive(int((tmp_path / "pid").read_text("utf-8"))), "nothing goes on working"
    assert pool.run(60, pow, 2, 3) == 8, "and another takes its place"


@pytest.mark.thorough
@pytest.mark.skipif(not Path("/proc/self").exists(), reason="memory has no limit on this system")
def test_it_has_an_end_to_its_memory(pool: Pool) -> None:
    with pytest.raises(InputError, match="GB of memory"):
        pool.run(60, too_much)
    assert pool.run(60, pow, 2, 3) == 8


def test_a_process_that_is_lost_is_told_and_made_anew(pool: Pool) -> None:
    with pytest.raises(EngineError, match="was ended"):
        pool.run(60, os._exit, 1)
    assert pool.run(60, pow, 2, 3) == 8


@pytest.mark.thorough
def test_processes_that_are_killed_are_told_and_made_anew(pool: Pool, tmp_path: Path) -> None:
    """At work, and while nobody asks for anything."""
    told = list[EngineError]()

    def ask() -> None:
        with pytest.raises(EngineError, match="was ended") as caught:
            pool.run(600, waits, tmp_path / "pid")
        told.append(caught.value)

    asking = threading.Thread(target=ask)
    asking.start()
    while not (tmp_path / "pid").exists() or not (tmp_path / "pid").read_text("utf-8"):
        time.sleep(0.05)
    os.kill(int((tmp_path / "pid").read_text("utf-8")), signal.SIGKILL)
    asking.join(60)
    assert len(told) == 1 and pool.run(60, pow, 2, 3) == 8
    for one in active_children():
        os.kill(one.pid or 0, signal.SIGKILL)
    time.sleep(1)
    for _ in range(3):
        with suppress(EngineError):
            assert pool.run(60, pow, 2, 3) == 8
            return
    pytest.fail("it is not made anew")


@pytest.mark.thorough
def test_few_wait_for_it_and_none_when_the_desk_is_closed(pool: Pool) -> None:
    """Each that waits holds a thread of the desk."""
    pool.run(60, pow, 2, 3)
    told = list[str]()

    def ask() -> None:
        try:
            pool.run(600, time.sleep, 3600)
        except EngineError as error:
            told.append(str(error))

    asking = [threading.Thread(target=ask) for _ in range(PLACES + 3)]
    for one in asking:
        one.start()
    while len(told) < 3:
        time.sleep(0.05)
    assert all("too much" in one for one in told)
    pool.close()
    for one in asking:
        one.join(20)
    assert len(told) == PLACES + 3 and sum("closed" in one for one in told) == PLACES


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


# --- the desk


@pytest.mark.thorough
def test_long_files_are_refused_before_they_are_ruled_on(visitor: Visitor) -> None:
    assert visitor.client.post("/api/rule", json={"text": events(MOST_EVENTS - 1)}).status_code == 200
    for count, told in ((MOST_EVENTS, f"more than {MOST_EVENTS} events"), (20_000, f"at most {MOST_BOARD:,}")):
        answer = visitor.client.post("/api/rule", json={"text": events(count)})
        assert answer.status_code == 422 and told in answer.text
    board = {"contract": "4S", "events": [{"after": "1.1", "attention": {"by": "E"}}] * 20_000}
    assert "too long for one board" in visitor.client.post("/api/rule", json={"incident": board}).text
    page = visitor.send(visitor.go("/record"), "/record", text=events(6_000))
    assert page.status == 422 and "too long for one board" in page.text
