"""The faults of rule files alone, without the editions that could be read."""

from __future__ import annotations

from pathlib import Path

from facts.errors import Fault
from kb.language.edition import checked


def check(root: Path, folder: str | Path | None = None) -> list[Fault]:
    """Every fault of the law."""
    return checked(root, folder)[0]
