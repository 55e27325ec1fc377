"""A definition through which a part of the ruling would lose its law."""

from __future__ import annotations

from collections.abc import Iterator

from facts.errors import Fault
from kb.language.model import Edition, Tally


def check(edition: Edition) -> Iterator[Fault]:
    """A definition hands on the laws of its first condition. So one that concludes a part of the ruling must begin
    with a kind that rules conclude: what the incident states has no law to hand on.
    """
    kinds = edition.vocabulary.kinds
    for clause in edition.clauses.values():
        for rule in () if clause.law else clause.rules:
            ruled = next((c for c in rule.then if c.kind in kinds and kinds[c.kind].section), None)
            if ruled is None or not rule.when:
                continue
            first = rule.when[0]
            kind = None if isinstance(first, Tally) else kinds.get(first.kind)
            if isinstance(first, Tally) or (kind and kind.stated_by == "incident"):
                what = f"the law behind {ruled.kind} would be lost: the first condition of a definition hands it on"
                mend = "put a condition on a kind first that rules conclude"
                yield Fault(first.place, what, mend, ((ruled.place, "a part of the ruling"),))
