"""A variable that stands only once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from facts.errors import Fault
from kb.language.model import Rule, Vocabulary
from kb.language.texts import holes
from kb.language.uses import bound, uses


def check(rule: Rule, vocabulary: Vocabulary) -> Iterator[Fault]:
    """A variable that is used once, and not told in ``because``, demands nothing: the field can be left out.

    Often it is another variable misspelt.
    """
    found = list(uses(rule, vocabulary)) if rule.because else []
    times = Counter(use.name for use in found)
    told = {name for text in rule.because.values() for name in holes(text)}
    known = bound(rule)
    for use in found:
        if times[use.name] == 1 and use.name not in told and (use.name in known or use.bare) and use.part != "then":
            what = "count or total" if use.part == "is" else "field"
            yield Fault(use.place, f"${use.name} is used nowhere else", f"leave the {what} out, or mend the name")
