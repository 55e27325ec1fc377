"""How much a run may come to before it is given up, the same whoever runs the rules.

A board has some 300 facts, its rules fire as often, and all of them together look at some ten thousand combinations of
facts; on all the situations of an edition, at some fifty thousand. What comes to many times that is a slip of the
rules, such as two conditions that share no variable, or no board. These are counts, so that what is ruled on by one
machine is ruled on by every other; time and memory follow from them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from facts.errors import BoundsError
from facts.fact import Fact
from kb.language.rule import Rule

MOST_FACTS: Final = 5_000
"""Facts that a run begins with."""
MOST_FIRINGS: Final = 20_000
"""Of all rules together."""
MOST_JOINS: Final = 500_000
"""Facts that all rules together look at, for each combination they have found so far."""
LARGEST: Final = 2**53
"""The largest number that a rule may conclude, and the least below 0: the C engine counts in doubles."""
MANY_SITUATIONS: Final = 400_000
"""From so many situations on a run may come to less, in proportion: each fact that is concluded has a bit for each of
them, and each that is looked at compares as many."""


def demand_small(rule: Rule, fact: Fact) -> None:
    """BoundsError for a fact that a rule concludes with too large a number."""
    if any(isinstance(value, int) and abs(value) > LARGEST for value in fact):
        problem = f"{rule.place}: rule {rule.id} reckons with numbers beyond {LARGEST:,}"
        raise BoundsError(problem, "see whether its sum feeds itself")


class Effort:
    """What a run has come to so far, all rules together and each by its identity."""

    def __init__(self, rules: Sequence[Rule], situations: int = 1, most_fired: int = MOST_FIRINGS) -> None:
        self.rules = rules
        share = max(situations, MANY_SITUATIONS)
        self.looked, self.looked_of, self.most_looked = 0, Counter[int](), MOST_JOINS * MANY_SITUATIONS // share
        """At so many facts, and at so many they may."""
        self.fired, self.fired_of, self.most_fired = 0, Counter[int](), most_fired * MANY_SITUATIONS // share
        """So often they have fired, and so often they may."""

    def look(self, rule: Rule, facts: int) -> None:
        """A rule looks at facts; BoundsError when these are too many."""
        self.looked += facts
        self.looked_of[id(rule)] += facts
        if self.looked > self.most_looked:
            excess = f"look at more than {self.most_looked:,} combinations of facts"
            how = "join its conditions by variables, split it in two, or see whether its sum feeds itself"
            raise self._too_much(self.looked_of, excess, how)

    def fire(self, rule: Rule, firings: int) -> None:
        """A rule fires so often, those times included that it fired before on fewer facts; BoundsError when all rules
        do too often."""
        more = max(0, firings - self.fired_of[id(rule)])
        self.fired += more
        self.fired_of[id(rule)] += more
        if self.fired > self.most_fired:
            how = "see whether its sum feeds itself, and whether its conditions are joined"
            raise self._too_much(self.fired_of, f"fire more than {self.most_fired:,} times", how)

    def _too_much(self, counts: Mapping[int, int], excess: str, mend: str) -> BoundsError:
        """The error names the rule that comes to the most."""
        rule = max(self.rules, key=lambda rule: counts.get(id(rule), 0))
        return BoundsError(f"{rule.place}: the rules {excess}, rule {rule.id} the most", mend)
