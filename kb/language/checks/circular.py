"""An ``unless``, ``count`` or ``total`` that goes in a circle."""

from __future__ import annotations

from collections.abc import Iterator

from facts.errors import Fault
from kb.language.model import Edition
from kb.language.strata import cycles


def check(edition: Edition) -> Iterator[Fault]:
    """What ``unless``, ``count`` and ``total`` read must be settled before the rule may fire, so it must not follow
    from the rule itself.
    """
    for cycle in cycles(edition.rules):
        yield cycle.fault
