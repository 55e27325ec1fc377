"""A clause whose rules are not what its ``encoded-as`` says."""

from __future__ import annotations

from collections.abc import Iterator

from facts.errors import Fault
from kb.language.model import Clause, Edition


def check(edition: Edition) -> Iterator[Fault]:
    """``rules`` has rules; ``not-encoded`` has a reason instead; a definition, a procedure, or what is left to the
    director may have rules.
    """
    for clause in edition.clauses.values():
        yield from _clause(clause)


def _clause(clause: Clause) -> Iterator[Fault]:
    if clause.encoded_as == "rules" and not clause.rules:
        mend = "write rules:, or encoded-as: procedure, director or not-encoded"
        yield Fault(clause.place, f"{clause.ref} is encoded as rules, but has none", mend)
    if clause.encoded_as == "not-encoded":
        if clause.rules:
            mend = "write encoded-as: rules, or take the rules away"
            yield Fault(clause.rules[0].place, f"{clause.ref} is not encoded, but has rules", mend)
        if not clause.reason:
            yield Fault(
                clause.place, f"{clause.ref} is not encoded, and does not say why", "add reason: with its texts"
            )
    elif clause.reason:
        mend = "call it note:, or write encoded-as: not-encoded"
        yield Fault(clause.place, f"{clause.ref} gives a reason for not being encoded, but is", mend)
