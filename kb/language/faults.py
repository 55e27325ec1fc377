"""The faults of rule files, gathered while reading goes on."""

from __future__ import annotations

from facts.errors import Fault, Place


class Faults(list[Fault]):
    """A list of faults with a short way to add one."""

    def add(self, place: Place, what: str, mend: str, *others: tuple[Place, str]) -> None:
        """Note a fault: where, what, how to mend it, and further places that belong to it."""
        self.append(Fault(place, what, mend, others))
