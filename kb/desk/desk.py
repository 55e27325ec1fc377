"""The desk itself: what all its pages share, each made once."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from facts.errors import Fault
from kb.desk.guard import Settings
from kb.desk.laws import DeskLaws
from kb.desk.register import Register
from kb.desk.submission import Submission
from kb.ruling.ruling import Ruling


class Desk:
    """One desk with its rules and register; RulesError or RegisterError when it cannot be set up."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.laws = DeskLaws(settings.rules)
        self.register = Register.open(settings.register)
        self._rulings = lru_cache(300)(lambda given: self.laws.rule(given.incident(self.laws.table)))

    def ruling(self, given: Submission) -> Ruling:
        """The ruling on what was given; InputError when there can be none."""
        return self._rulings(given)

    def close(self) -> None:
        """Puts everything away."""
        self.register.close()


@dataclass(frozen=True)
class Told:
    """A fault as a page tells it: the name of a file never says where on the desk's computer it lies."""

    where: str
    what: str
    mend: str


def tell(fault: Fault) -> Told:
    """The fault without the paths of files."""
    place = fault.place
    name = place.file.replace("\\", "/").rsplit("/", 1)[-1]
    of_address = "=" in name or name == "address"
    return Told(name if of_address else f"{name}:{place.line}:{place.column}", _FOLDERS.sub("", fault.what), fault.mend)


_FOLDERS: Final = re.compile(r"(?<!\S)/\S*/(?=[^/\s]+\.yaml:\d)")
"""Before the name of a file of rules that a sentence tells."""
