"""How a name that is not known is mended."""

from __future__ import annotations

import pytest

from facts.errors import NAMES_LISTED, did_you_mean


@pytest.mark.parametrize(
    ("name", "known", "mend"),
    [
        ("trik", ("trick", "hand"), "did you mean trick?"),
        ("ns", ("NS", "both"), "did you mean NS?"),
        ("TRICK", ("trick",), "did you mean trick?"),
        ("x", ("trick", "hand"), "write one of trick, hand"),
        ("x", (), "none is known"),
        ("x", [f"name-{number}" for number in range(NAMES_LISTED)], f"name-{NAMES_LISTED - 1}"),
        ("x", [f"name-{number}" for number in range(NAMES_LISTED + 1)], f"name-{NAMES_LISTED - 1}, …"),
        ("trik" + "x" * 10**6, ("trick",), "write one of trick"),
    ],
)
def test_the_nearest_name_or_all_of_them(name: str, known: list[str], mend: str) -> None:
    assert did_you_mean(name, known).endswith(mend)
