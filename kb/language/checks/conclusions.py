"""A conclusion that is not a whole fact, or not for rules to state."""

from __future__ import annotations

from collections.abc import Iterator

from facts.errors import Fault
from kb.language.model import Rule, Vocabulary


def check(rule: Rule, vocabulary: Vocabulary) -> Iterator[Fault]:
    """A conclusion gives every field of its kind, and only kinds ``stated-by`` rules or both are concluded."""
    for conclusion in rule.then:
        kind = vocabulary.kinds.get(conclusion.kind)
        if kind is None:
            continue
        missing = [name for name in kind.index if name not in conclusion.terms]
        misspelt = conclusion.terms.keys() - kind.index.keys()
        if missing and not misspelt:
            what = f"{kind.name} is concluded without {', '.join(missing)}"
            yield Fault(conclusion.place, what, f"add {', '.join(f'{name}: …' for name in missing)}")
        if kind.stated_by == "incident":
            mend = "conclude another kind, or let the vocabulary say stated-by: both"
            others = ((kind.place, "stated-by: incident"),)
            yield Fault(conclusion.place, f"{kind.name} is stated by the incident only", mend, others)
