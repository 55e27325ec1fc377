"""The register of an event's rulings: one SQLite file in which nothing is ever overwritten."""

from __future__ import annotations

from kb.desk.register.entry import KeptRuling, RegisterEntry, Search
from kb.desk.register.register import OvertakenError, Register, examine
from kb.desk.register.schema import RegisterError

__all__ = [
    "KeptRuling",
    "OvertakenError",
    "Register",
    "RegisterEntry",
    "RegisterError",
    "Search",
    "examine",
]
