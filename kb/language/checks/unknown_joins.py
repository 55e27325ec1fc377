"""A rule that rests on a value which may be unknown."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from facts.errors import Fault
from kb.language.model import Rule, Vocabulary
from kb.language.uses import Use, uses


def check(rule: Rule, vocabulary: Vocabulary) -> Iterator[Fault]:
    """A field declared with ``?`` may be compared with a value, or named once and shown: in ``because``, or in a
    conclusion's field that may be unknown too. Two unknown values are never the same, so nothing is joined on it.
    """
    of_name: dict[str, list[Use]] = defaultdict(list)
    for use in uses(rule, vocabulary):
        of_name[use.name].append(use)
    for name, found in of_name.items():
        doubtful = [use for use in found if use.part != "then" and use.field and use.field.unknown]
        if not doubtful:
            continue
        first = doubtful[0]
        field = first.field.name if first.field else ""
        for use in found:
            others = ((first.place, f"{field} may be unknown"),) if use is not first else ()
            if use.part == "then" and use.field and not use.field.unknown:
                what = f"${name} may be unknown, but {use.field.name} may not"
                yield Fault(use.place, what, f"give {use.field.name} a value that is always known", others)
            elif use.part != "then" and (use is not first or not use.bare):
                what = f"${name} stands for {field}, which may be unknown: nothing can be joined on it"
                yield Fault(use.place, what, "compare it with a value, or only show it", others)
