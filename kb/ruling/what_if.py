"""A ruling before and after a change of what happened."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from facts.incident import Incident
from facts.readers.changes import all_changed
from kb.ruling.rule import Laws, rule
from kb.ruling.ruling import Ruling


@dataclass(frozen=True, slots=True)
class WhatIf:
    """Two rulings, and the clauses in which they differ."""

    before: Ruling
    after: Ruling

    @property
    def came(self) -> tuple[str, ...]:
        """The clauses cited only after the change, in the book's order."""
        return tuple(law for law in self.after.cited if law not in self.before.cited)

    @property
    def went(self) -> tuple[str, ...]:
        """The clauses cited only before it."""
        return tuple(law for law in self.before.cited if law not in self.after.cited)


def what_if(laws: Laws, incident: Incident, changes: Sequence[str]) -> WhatIf:
    """Both rulings; InputError when a change cannot be made or the changed incident cannot be ruled on.

    ``edition`` and ``elections`` can be changed like everything else.
    """
    changed = all_changed(incident, changes, laws.table)
    return WhatIf(_ruled(laws, incident), _ruled(laws, changed))


def _ruled(laws: Laws, incident: Incident) -> Ruling:
    return rule(laws.for_incident(incident), incident)
