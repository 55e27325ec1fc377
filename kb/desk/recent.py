"""What was made last is kept, and nothing made twice at the same time."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from threading import Lock
from typing import Final, Generic, TypeVar

from facts.errors import EngineError

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")

WAITING: Final = 8
"""So many wait for values that others are making; each holds a thread that rulings could do with."""


class Recent(Generic[Key, Value]):
    """The values asked for last, none made twice; safe from any number of threads."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._values: OrderedDict[Key, Future[Value]] = OrderedDict()
        self._waiting = 0
        self._lock = Lock()

    def get(self, key: Key, make: Callable[[], Value]) -> Value:
        """The value of the key, made if it is not there; what ``make`` raises is raised, and nothing kept.

        EngineError when too many wait already for what is being made.
        """
        with self._lock:
            found = self._values.get(key)
            if found is None:
                mine = self._values[key] = Future[Value]()
            else:
                self._values.move_to_end(key)
                if not found.done():
                    if self._waiting >= WAITING:
                        raise EngineError("too much is being worked out at the moment; ask again in a minute")
                    self._waiting += 1
        if found is not None:
            return self._waited(found)
        try:
            mine.set_result(make())
        except BaseException as error:
            with self._lock:
                self._values.pop(key, None)
            mine.set_exception(error)
            raise
        with self._lock:
            while len(self._values) > self.most:
                self._values.popitem(last=False)
        return mine.result()

    def _waited(self, found: Future[Value]) -> Value:
        try:
            return found.result()
        finally:
            with self._lock:
                self._waiting -= 1
