"""A program: the rules of an edition in their strata."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from kb.language.model import Rule
from kb.language.strata import reads, strata
from kb.language.vocabulary import Vocabulary


class Program:
    """Rules that the checks accept, for any engine; immutable, and can be pickled. RulesError without strata."""

    def __init__(self, vocabulary: Vocabulary, rules: Iterable[Rule]) -> None:
        self.vocabulary = vocabulary
        self.rules = tuple(rules)
        of_rule = {id(rule): number for number, layer in enumerate(strata(self.rules)) for rule in layer}
        self.strata = tuple(of_rule[id(rule)] for rule in self.rules)
        """The stratum of each rule."""
        self.kinds = frozenset(read.kind for rule in self.rules for read in reads(rule))
        """The kinds that some rule reads."""
        self.concluded = frozenset(then.kind for rule in self.rules for then in rule.then)
        """The kinds that some rule concludes."""
        self.vague = frozenset(k.name for k in vocabulary.kinds.values() if any(field.unknown for field in k.fields))
        """The kinds with a field that may be unknown."""

    def __reduce__(self) -> tuple[Callable[..., Program], tuple[object, ...]]:
        return Program, (self.vocabulary, self.rules)
