"""What stands in the documents between two marks and is made from the code.

``uv run python -m tests.support.made`` makes it anew.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

from kb.language.checks import pages
from tests.support.layers import drawing

DOCS: Final = Path(__file__).parents[2] / "docs"
MADE: Final[dict[str, Callable[[], str]]] = {"architecture.md": drawing, "checks.md": pages}
"""Document -> what is made for it."""
_BETWEEN: Final = re.compile(r"(?<=<!-- made -->\n).*(?=<!-- end -->\n)", re.DOTALL)


def with_what_is_made(document: str) -> str:
    """The text of a document with the part between its marks made anew."""
    text = (DOCS / document).read_text(encoding="utf-8")
    made, times = _BETWEEN.subn(lambda _: f"\n{MADE[document]().strip()}\n\n", text)
    assert times == 1, f"{document} has not two marks"
    return made


if __name__ == "__main__":
    for name in MADE:
        (DOCS / name).write_text(with_what_is_made(name), encoding="utf-8")
