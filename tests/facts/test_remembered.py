from __future__ import annotations

import pytest

from facts.remembered import Remembered


def test_a_text_is_read_once_but_only_so_many_and_only_short_ones_are_kept() -> None:
    asked: list[str] = []

    def read(text: str) -> int:
        asked.append(text)
        return int(text)

    numbers = Remembered(read, most=2)
    assert [numbers[text] for text in ("1", "2", "3", "1", "2", "3")] == [1, 2, 3, 1, 2, 3]
    assert asked == ["1", "2", "3", "3"]
    long = Remembered(read)
    assert long["7" * 40] == long["7" * 40] and not long
    with pytest.raises(ValueError, match="x"):
        numbers["x"]
