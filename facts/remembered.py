"""Texts that come again and again in millions of boards, read once."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

Value = TypeVar("Value")


class Remembered(dict[str, Value]):
    """Short text -> what is read from it, worked out when it is first asked for, and so many of them kept.

    What cannot be read is as ``read`` has it, mostly a ValueError.
    """

    def __init__(self, read: Callable[[str], Value], most: int = 1000) -> None:
        super().__init__()
        self._read, self._most = read, most

    def __missing__(self, text: str) -> Value:
        value = self._read(text)
        if len(text) < 40 and len(self) < self._most:
            self[text] = value
        return value
