"""A variable that nothing gives a value."""

from __future__ import annotations

from collections.abc import Iterator

from facts.errors import Fault
from facts.suggestions import did_you_mean
from kb.language.model import Rule, Vocabulary
from kb.language.uses import Use, bound, uses


def check(rule: Rule, vocabulary: Vocabulary) -> Iterator[Fault]:
    """A variable gets its value from a condition or a tally under ``when`` that says ``field: $t``.

    Under ``unless`` and in what a tally counts, ``field: $t`` with a variable of its own means "any"; a comparison
    or a sum always needs the value. What a tally counts may use another tally's number only after it.
    """
    known = bound(rule)
    for use in uses(rule, vocabulary):
        if use.name in known:
            if use.part == "of" and known[use.name] >= use.item:
                mend = "put this tally after the one that gives the number"
                yield Fault(use.place, f"${use.name} is not counted yet where it is needed", mend)
        elif not (use.bare and use.part in ("of", "unless")):
            yield Fault(use.place, f"${use.name} has no value here", _mend(use, known))


def _mend(use: Use, known: dict[str, int]) -> str:
    near = did_you_mean(use.name, known)
    if near.startswith("did"):
        return near.replace("mean ", "mean $")
    return f"write field: ${use.name} in a condition under when"
