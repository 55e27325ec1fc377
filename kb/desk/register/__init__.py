"""The register of an event's rulings: one SQLite file in which nothing is ever overwritten."""

from __future__ import annotations

from kb.desk.register.entry import KeptRuling, RegisterEntry
from kb.desk.register.examine import examine
from kb.desk.register.register import OvertakenError, Register
from kb.desk.register.schema import RegisterError
from kb.desk.register.search import Search

__all__ = [
    "KeptRuling",
    "OvertakenError",
    "Register",
    "RegisterEntry",
    "RegisterError",
    "Search",
    "examine",
]
