"""The register of an event's rulings: one SQLite file in which nothing is ever overwritten."""

from __future__ import annotations

from kb.desk.register.entry import Kept, RegisterEntry
from kb.desk.register.register import OvertakenError, Register
from kb.desk.register.schema import RegisterError

__all__ = ["Kept", "OvertakenError", "Register", "RegisterEntry", "RegisterError"]
