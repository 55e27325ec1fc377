"""What stands in the documents between two marks and is made from the code.

``uv run python -m tests.support.made`` makes it anew.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

from kb.language.checks import pages
from tests.support.layers import drawing

HERE: Final = Path(__file__).parents[2]


def support() -> str:
    """A line for each file of tests/support: what it says of itself first."""
    files = sorted(file for file in Path(__file__).parent.glob("*.py") if file.read_text(encoding="utf-8"))
    first = {file.name: ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or "" for file in files}
    return "\n".join(
        ["| file | what it is |", "|---|---|", *(f"| `{n}` | {t.split(chr(10))[0]} |" for n, t in first.items())]
    )


MADE: Final[dict[str, Callable[[], str]]] = {
    "docs/architecture.md": drawing,
    "docs/checks.md": pages,
    "tests/README.md": support,
}
"""Document -> what is made for it."""
_BETWEEN: Final = re.compile(r"(?<=<!-- made -->\n).*(?=<!-- end -->\n)", re.DOTALL)


def with_what_is_made(document: str) -> str:
    """The text of a document with the part between its marks made anew."""
    text = (HERE / document).read_text(encoding="utf-8")
    made, times = _BETWEEN.subn(lambda _: f"\n{MADE[document]().strip()}\n\n", text)
    assert times == 1, f"{document} has not two marks"
    return made


if __name__ == "__main__":
    for name in MADE:
        (HERE / name).write_text(with_what_is_made(name), encoding="utf-8")
