"""A sentence of a rule that tells what the rule does not know."""

from __future__ import annotations

from collections.abc import Iterator

from facts.errors import Fault
from facts.suggestions import did_you_mean
from kb.language.model import Rule, Vocabulary
from kb.language.texts import each, holes, stray_brace
from kb.language.uses import bound


def check(rule: Rule, vocabulary: Vocabulary) -> Iterator[Fault]:
    """``{t}`` in ``because`` is the value of ``$t``, which must have one: from ``when``, not only from ``unless``."""
    known = bound(rule)
    for _, text, place in each(rule.because, rule.place):
        for name in dict.fromkeys(holes(text)):
            if name not in known:
                yield Fault(place, f"because names {{{name}}}, but ${name} has no value", did_you_mean(name, known))
        if stray_brace(text):
            yield Fault(place, "a brace in because belongs to no {name}", "write {name} with the name of a variable")
