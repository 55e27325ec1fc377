"""What has been made lately, kept so that it need not be made again."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock, Semaphore
from typing import Generic, TypeVar

from facts.errors import EngineError

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Recent(Generic[Key, Value]):
    """The values asked for last; safe from any number of threads.

    Two threads that ask for the same at once may both make it: nothing waits, and either value is as good.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._values: OrderedDict[Key, Value] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Key, make: Callable[[], Value]) -> Value:
        """The value of the key, made if it is not there; what ``make`` raises is raised."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                return self._values[key]
        value = make()
        with self._lock:
            self._values[key] = value
            while len(self._values) > self.most:
                self._values.popitem(last=False)
        return value


class Turns:
    """What takes long is done one at a time, so that rulings go on meanwhile."""

    def __init__(self, places: int) -> None:
        """``places``: so many may be about it, one of them at work; each holds a thread that rulings could do with."""
        self._places = Semaphore(places)
        self._turn = Lock()
        self._closed = False

    def take(self, make: Callable[[], Value]) -> Value:
        """What ``make`` gives; EngineError when too many wait already, or nothing is done any more."""
        if not self._places.acquire(blocking=False):
            raise EngineError("too much is being worked out at the moment; ask again in a minute")
        try:
            with self._turn:
                if self._closed:
                    raise EngineError("the desk is being closed")
                return make()
        finally:
            self._places.release()

    def close(self) -> None:
        """Whoever still waits is sent away; what is being done is done to the end."""
        self._closed = True


class Costly(Recent[Key, Value]):
    """Values that take long: each is made in its turn, and no value twice."""

    def __init__(self, most: int, places: int) -> None:
        """``places`` as of ``Turns``."""
        super().__init__(most)
        self._turns = Turns(places)

    def get(self, key: Key, make: Callable[[], Value]) -> Value:
        """As of ``Recent``, and with the errors of ``Turns``."""
        kept = super().get
        return kept(key, lambda: self._turns.take(lambda: kept(key, make)))

    def close(self) -> None:
        """As of ``Turns``."""
        self._turns.close()
