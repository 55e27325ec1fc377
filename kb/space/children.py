"""Findings that have a value only where another one has some, so that they are laid out with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from facts.table import Table
from kb.space.choices import NOT_SAID, Choice, fits


class Children:
    """The findings that have a value only where another one has some."""

    def __init__(self, table: Table, chosen: Mapping[str, Choice], trick: int) -> None:
        self.table, self.chosen, self.trick = table, chosen, trick
        self.parent: dict[str, str | None] = {name: self._parent(name) for name in chosen}

    def _parent(self, name: str) -> str | None:
        """The finding that is not known and on which it depends whether this one has a value."""
        if self.chosen[name].how != "unknown":
            return None
        open_ = [of for when in self.chosen[name].kind.when for of in when if of != "trick" and self._open(of)]
        return open_[0] if open_ and not self._met(name, {}) else None

    def _open(self, name: str) -> bool:
        return len(self.chosen[name].values) > 1

    def of(self, parent: str) -> list[str]:
        """The findings below one."""
        return [name for name, of in self.parent.items() if of == parent]

    def asked(self, name: str) -> bool:
        """Whether the finding can have a value at all."""
        one = self.chosen[name]
        return one.how not in ("unknown", "presumed") or not one.kind.when or self._met(name, {})

    def values(self, name: str, parent: str, value: Any) -> tuple[Any, ...]:
        """The values of a finding, where its parent has a value."""
        return self.chosen[name].values if self._met(name, {parent: value}) else NOT_SAID

    def _met(self, name: str, given: Mapping[str, Any]) -> bool:
        return any(
            all(self._is(of, wanted, given) for of, wanted in when.items()) for when in self.chosen[name].kind.when
        )

    def _is(self, name: str, wanted: tuple[Any, ...], given: Mapping[str, Any]) -> bool:
        may_be = (given[name],) if name in given else (self.trick,) if name == "trick" else self.chosen[name].values
        return all(any(fits(one, value, {}, self.table) for value in wanted) for one in may_be)
