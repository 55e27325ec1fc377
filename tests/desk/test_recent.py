"""What takes long is made once, one at a time, and is never in the way of rulings."""

from __future__ import annotations

import time
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from itertools import product
from threading import Event

import pytest
from markupsafe import Markup
from support.desk_pages import INCIDENT, Visitor

from facts.errors import EngineError
from kb.desk import desk
from kb.desk.comparing import Compared
from kb.desk.recent import Costly
from kb.language.folders import editions, rules_root

PLACES = 4
"""For comparisons."""
PAIRS = [*product(editions(rules_root()), repeat=2)][: PLACES + 1]


def test_nothing_is_made_twice_or_two_at_once() -> None:
    kept, events = Costly[int, object](5, places=6), list[str]()

    def make() -> object:
        events.append("begun")
        time.sleep(0.02)
        events.append("made")
        return object()

    with ThreadPoolExecutor(6) as threads:
        found = [*threads.map(lambda n: kept.get(n % 2, make), range(6))]
    assert len(set(found)) == 2
    assert events == ["begun", "made"] * 2


def test_what_waits_is_not_begun_any_more_when_the_desk_is_closed() -> None:
    kept, begun, go = Costly[int, None](5, places=2), Event(), Event()

    def make() -> None:
        begun.set()
        go.wait(20)

    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(kept.get, 1, make)
        assert begun.wait(20)
        second = threads.submit(kept.get, 2, lambda: pytest.fail("begun"))
        kept.close()
        go.set()
        assert first.result() is None
        with pytest.raises(EngineError):
            second.result()


@pytest.mark.thorough
def test_rulings_go_on_while_comparisons_wait(visitor: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    go, begun = Event(), list[tuple[str, str]]()

    def compared(_: object, a: str, b: str) -> Compared:
        begun.append((a, b))
        go.wait(20)
        return Compared({"en": Markup(f"<h1>{a} {b}</h1>")}, {"en": {"a": a}})

    monkeypatch.setattr(desk, "compared", compared)
    with ThreadPoolExecutor(len(PAIRS)) as threads:
        asked = [threads.submit(visitor.client.get, "/api/compare", params={"a": a, "b": b}) for a, b in PAIRS]
        (refused,), waiting = wait(asked, 20, FIRST_COMPLETED)
        assert refused.result().status_code == 503 and "ask again" in refused.result().text
        assert visitor.client.post("/api/rule", json={"text": INCIDENT}).status_code == 200
        assert len(begun) == 1
        go.set()
        assert {one.result().status_code for one in waiting} == {200}
    assert len(begun) == len(set(begun)) == PLACES
    assert f"{begun[0][0]} {begun[0][1]}" in visitor.go("/law/compare", a=begun[0][0], b=begun[0][1]).text
    assert len(begun) == PLACES, "they are kept"
