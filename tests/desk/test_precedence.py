"""Rulings go first, and what takes long holds up nothing for long."""

from __future__ import annotations

import asyncio

import pytest

pytest.importorskip("fastapi")

from starlette.types import Message, Receive, Scope, Send
from support.desk_pages import Visitor

from kb.desk import app as precedence
from kb.desk.app import AT_WORK, FIRST, Precedence


class Application:
    """Answers when it is told to, and knows what is at work."""

    def __init__(self) -> None:
        self.work: list[str] = []
        self.done = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.work.append(scope["path"])
        if "fails" in scope["path"]:
            raise ZeroDivisionError
        await self.done.wait()


async def nothing() -> Message:
    return {}


async def nowhere(_: Message) -> None:
    return None


async def begun(gate: Precedence, path: str) -> asyncio.Task[None]:
    task = asyncio.ensure_future(gate({"type": "http", "path": path}, nothing, nowhere))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    return task


def test_a_ruling_does_not_wait_for_other_pages() -> None:
    async def play() -> None:
        inner = Application()
        gate = Precedence(inner)
        tasks = [await begun(gate, "/register") for _ in range(5)]
        assert inner.work == ["/register"] * AT_WORK
        tasks += [await begun(gate, one) for one in ("/ruling", "/api/rule", "/static/desk.css")]
        assert inner.work[AT_WORK:] == ["/ruling", "/api/rule", "/static/desk.css"]
        inner.done.set()
        await asyncio.gather(*tasks)
        assert inner.work.count("/register") == 5

    asyncio.run(play())


@pytest.mark.thorough
def test_what_takes_long_makes_room_and_takes_none_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(precedence, "LEASH", 0.05)

    async def play() -> None:
        inner = Application()
        gate = Precedence(inner)
        tasks = [await begun(gate, "/law/duplicate-2017") for _ in range(3)]
        await asyncio.sleep(1)
        assert inner.work == ["/law/duplicate-2017"] * 3, "each has made room for the next"
        inner.done.set()
        await asyncio.gather(*tasks)
        inner.done.clear()
        monkeypatch.setattr(precedence, "LEASH", 60)
        tasks = [await begun(gate, "/register") for _ in range(5)]
        assert inner.work[3:] == ["/register"] * AT_WORK, "there is no more room than before"
        inner.done.set()
        await asyncio.gather(*tasks)

    asyncio.run(play())


def test_one_that_fails_or_goes_away_makes_room() -> None:
    async def play() -> None:
        inner = Application()
        gate = Precedence(inner)
        for _ in range(3):
            with pytest.raises(ZeroDivisionError):
                await (await begun(gate, "/fails"))
        held = [await begun(gate, "/register") for _ in range(AT_WORK + 1)]
        for one in held:
            one.cancel()
        await asyncio.gather(*held, return_exceptions=True)
        tasks = [await begun(gate, "/law")]
        assert inner.work[-1] == "/law"
        inner.done.set()
        await asyncio.gather(*tasks)

    asyncio.run(play())


@pytest.mark.thorough
def test_the_addresses_that_go_first_are_there(visitor: Visitor) -> None:
    for one in FIRST:
        assert visitor.client.get(one).status_code != 404, one
