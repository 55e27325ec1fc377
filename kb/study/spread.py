"""Work on many situations at once, spread over the processors."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import Any, Protocol, TypeVar

CHUNK = 1000
"""Situations handed over at a time."""

Result_co = TypeVar("Result_co", covariant=True)


class Work(Protocol[Result_co]):
    """Work that can be done in pieces; it is copied to each process once, and may keep what it has learnt there."""

    def chunk(self, numbers: range) -> Result_co:
        """The result for these situations."""
        ...


def spread(work: Work[Result_co], size: int, workers: int | None = None) -> Iterator[Result_co]:
    """The results of all pieces of work on situations 0 to ``size``, in order; ``workers`` 1: in this process."""
    chunks = [range(start, min(start + CHUNK, size)) for start in range(0, size, CHUNK)]
    workers = min(workers or os.cpu_count() or 1, len(chunks))
    if workers <= 1:
        yield from map(work.chunk, chunks)
        return
    with ProcessPoolExecutor(workers, initializer=_take, initargs=(work,)) as pool:
        yield from pool.map(_do, chunks)


_WORK: list[Work[Any]] = []
"""The work of this process."""


def _take(work: Work[Any]) -> None:
    _WORK[:] = [work]


def _do(numbers: range) -> Any:
    return _WORK[0].chunk(numbers)
