"""What takes long is made once, and few wait for it."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

from facts.errors import EngineError
from kb.desk.laws import WAITING, Recent


def test_nothing_is_made_twice() -> None:
    kept, made = Recent[int, object](5), list[int]()

    def make(number: int) -> object:
        made.append(number)
        time.sleep(0.02)
        return object()

    with ThreadPoolExecutor(6) as threads:
        found = [*threads.map(lambda n: kept.get(n % 2, lambda: make(n % 2)), range(6))]
    assert len(set(found)) == 2 and sorted(made) == [0, 1]


def test_what_fails_is_told_to_all_who_wait_and_made_again() -> None:
    kept, go = Recent[int, int](5), Event()

    def fail() -> int:
        go.wait(20)
        raise EngineError("not today")

    with ThreadPoolExecutor(2) as threads:
        both = [threads.submit(kept.get, 1, fail) for _ in range(2)]
        time.sleep(0.05)
        go.set()
        for one in both:
            with pytest.raises(EngineError, match="not today"):
                one.result()
    assert kept.get(1, lambda: 7) == 7


def test_few_wait() -> None:
    kept, go = Recent[int, int](5), Event()
    with ThreadPoolExecutor(WAITING + 2) as threads:
        asked = [threads.submit(kept.get, 1, lambda: (go.wait(20), 7)[1]) for _ in range(WAITING + 2)]
        refused = next(one for one in iter(lambda: next((one for one in asked if one.done()), None), "") if one)
        with pytest.raises(EngineError, match="ask again"):
            refused.result()
        assert kept.get(2, lambda: 8) == 8, "what nobody waits for is made"
        go.set()
        assert [one.result() for one in asked if one is not refused] == [7] * (WAITING + 1)
