"""What happened at the table: cards, tricks and time. No law."""

from typing import Final

__version__: Final = "0.2.0"
"""Of the whole program, as pyproject.toml has it; whatever says a version says this one."""
