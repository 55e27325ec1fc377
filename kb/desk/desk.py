"""The desk itself: what all its pages share, each made once."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from facts.errors import Fault
from kb.desk.guard import Settings
from kb.desk.laws import DeskLaws, Recent, law_named
from kb.desk.register import Register
from kb.desk.submission import Submission
from kb.ruling.ruling import Ruling

T = TypeVar("T")


class Desk:
    """One desk with its rules and register; RulesError or RegisterError when it cannot be set up."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.laws = DeskLaws(settings.rules)
        self.register = Register.open(settings.register)
        self._recent: dict[str, Recent[Hashable, Any]] = {}

    def once(self, kind: str, most: int, law: str, key: Hashable, make: Callable[[], T]) -> T:
        """What is made of a law, not made again while ``most`` of its kind are kept.

        EngineError when too many wait for some already.
        """
        kept = self._recent.setdefault(kind, Recent(most))
        found: T = kept.get((law, key), make)
        return found

    def ruling(self, given: Submission) -> Ruling:
        """The ruling on what was given; InputError when there can be none."""
        incident = given.incident(self.laws.table)
        return self.once("ruling", 300, law_named(incident), given, lambda: self.laws.rule(incident))

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
