"""How much a run may come to before it is given up, the same whoever runs the rules.

A board has some 300 facts, its rules fire as often, and no rule looks at more than a few thousand combinations of
facts. What comes to many times that is a slip of the rules, such as two conditions that share no variable, or no board.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence, Sized
from typing import Final

from facts.errors import BoundsError
from kb.language.model import Rule

MOST_FACTS: Final = 5_000
"""Facts that a run begins with."""
LARGE: Final = 1_000
"""From more facts on, a run is for the quick engine alone."""
MOST_FIRINGS: Final = 20_000
"""Of all rules together."""
MOST_JOINS: Final = 200_000
"""Facts that one rule looks at to complete the combinations it has found so far."""
MOST_ROUNDS: Final = 1_000
"""So often a rule may add to what it reads itself."""


def demand_few(facts: Sized) -> None:
    """BoundsError when there are too many facts to begin with."""
    if len(facts) > MOST_FACTS:
        what = f"this comes to {len(facts):,} facts, and a ruling is given on up to {MOST_FACTS:,}"
        raise BoundsError(what, "leave out what has no part in it")


class Looked:
    """At how many facts a rule has looked."""

    __slots__ = ("at", "rule")

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        self.at = 0

    def demand_few(self) -> None:
        """BoundsError when they are too many."""
        if self.at > MOST_JOINS:
            raise too_many_joins(self.rule)


def too_many_joins(rule: Rule) -> BoundsError:
    """Of one rule."""
    what = f"{rule.place}: rule {rule.id} looks at more than {MOST_JOINS:,} combinations of facts"
    return BoundsError(what, "join its conditions by variables, or split it in two")


def too_many_firings(rules: Sequence[Rule], fired: Collection[int], most: int = MOST_FIRINGS) -> BoundsError:
    """``fired``: the number of the rule of each firing; the one with the most is named."""
    (number, _), *_ = Counter(fired).most_common(1)
    rule = rules[number]
    what = f"{rule.place}: the rules fire more than {most:,} times, rule {rule.id} the most"
    return BoundsError(what, "see whether its sum feeds itself, and whether its conditions are joined")


def endless(rule: Rule) -> BoundsError:
    """Of a rule that goes round for ever."""
    return BoundsError(f"{rule.place}: rule {rule.id} has no end", "see whether its sum feeds itself")
