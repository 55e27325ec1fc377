"""One desk for all tests of a module that only look at pages or keep rulings of their own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from support.desk_pages import Visitor


@pytest.fixture(scope="module")
def visitor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    from support.desk_pages import opened  # noqa: PLC0415 - not without the extra

    with opened(tmp_path_factory.mktemp("desk")) as (one, _):
        yield one
