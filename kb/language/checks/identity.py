"""Two rules of one name."""

from __future__ import annotations

from collections.abc import Iterator

from facts.errors import Fault
from kb.language.model import Edition, Rule


def check(edition: Edition) -> Iterator[Fault]:
    """A rule's id is unique in its edition: a proof and a receipt name rules by it."""
    seen: dict[str, Rule] = {}
    for rule in edition.rules:
        first = seen.setdefault(rule.id, rule)
        if first is not rule:
            yield Fault(
                rule.place,
                f"the id {rule.id} is taken",
                "give one of the two another id",
                ((first.place, "first here"),),
            )
