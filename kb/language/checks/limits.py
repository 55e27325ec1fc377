"""What the rule engine could not take."""

from __future__ import annotations

from collections.abc import Iterator

from facts.errors import Fault
from kb.language.model import Rule, Vocabulary

MAX_CONDITIONS = 15
MAX_TESTS = 25


def check(rule: Rule, vocabulary: Vocabulary) -> Iterator[Fault]:
    """At most 15 conditions a rule, ``unless`` counted with ``when``, and 25 tests a condition.

    Beyond that durable-rules fails in the middle of a ruling: reading a rule that it could not run would be worse.
    """
    conditions = rule.items()
    if len(conditions) > MAX_CONDITIONS:
        place = conditions[MAX_CONDITIONS].place
        what = f"rule {rule.id} has {len(conditions)} conditions, the engine takes {MAX_CONDITIONS}"
        yield Fault(place, what, "conclude a fact of a kind between, and divide the rule")
    for condition in rule.conditions():
        if len(condition.tests) > MAX_TESTS:
            what = f"a condition on {condition.kind} has {len(condition.tests)} tests, the engine takes {MAX_TESTS}"
            yield Fault(condition.tests[MAX_TESTS].place, what, "test fewer fields, or divide the kind of fact")
