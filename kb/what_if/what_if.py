"""A ruling before and after a change of what happened."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from facts.errors import InputError
from facts.incident import Incident
from facts.readers.changes import all_changed
from facts.readers.incident import Tables
from kb.ruling.ruling import Ruling
from kb.space.completions import without_one


@dataclass(frozen=True, slots=True)
class WhatIf:
    """Two rulings, and the clauses in which they differ."""

    before: Ruling
    after: Ruling
    left_out: str = ""
    """The finding that is not said any more, as it cannot stand beside the changes."""

    @property
    def came(self) -> tuple[str, ...]:
        """The clauses cited only after the change, in the book's order."""
        return tuple(law for law in self.after.cited if law not in self.before.cited)

    @property
    def went(self) -> tuple[str, ...]:
        """The clauses cited only before it."""
        return tuple(law for law in self.before.cited if law not in self.after.cited)


def what_if(before: Ruling, changes: Sequence[str], tables: Tables, ruled: Callable[[Incident], Ruling]) -> WhatIf:
    """Both rulings; InputError when a change cannot be made or the changed incident cannot be ruled on.

    ``edition`` and ``elections`` can be changed like everything else. A finding that alone stands against what is
    changed is left out.
    """
    changed = all_changed(before.incident, changes, tables)
    try:
        return WhatIf(before, ruled(changed))
    except InputError:
        fewer = [each for each in _without_one_kept(before.incident, changed) if _can_be(each[1], ruled)]
        if len(fewer) != 1:
            raise
    (left_out, without), *_ = fewer
    return WhatIf(before, ruled(without), left_out)


def _without_one_kept(before: Incident, changed: Incident) -> Iterator[tuple[str, Incident]]:
    """The changed incident without one of the findings that are as they were, and its name."""
    both = enumerate(zip(before.revokes, changed.revokes, strict=False), 1)
    kept = {f"revokes.{at}.{name}" for at, (old, new) in both for name, _ in old.said.items() & new.said.items()}
    return ((name.rpartition(".")[2], fewer) for name, fewer in without_one(changed) if name in kept)


def _can_be(incident: Incident, ruled: Callable[[Incident], Ruling]) -> bool:
    with suppress(InputError):
        ruled(incident)
        return True
    return False
