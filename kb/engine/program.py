"""A program: rules made ready for any engine, with fields by position, variables sorted out and strata settled."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property

from kb.engine.plans import _Planner
from kb.language.model import Rule
from kb.language.strata import strata
from kb.language.vocabulary import Vocabulary


class Program:
    """The rules of an edition, ready to run; immutable, and can be pickled.

    Raises RulesError when a variable has no value, a rule has too many conditions, or there are no strata.
    """

    def __init__(self, vocabulary: Vocabulary, rules: Iterable[Rule]) -> None:
        self.vocabulary = vocabulary
        self.rules = tuple(rules)
        self.strata = strata(self.rules)
        of_rule = {id(rule): stratum for stratum, layer in enumerate(self.strata) for rule in layer}
        self.plans = tuple(
            _Planner(vocabulary, rule, number).plan(of_rule[id(rule)]) for number, rule in enumerate(self.rules)
        )
        self.kinds = frozenset(kind for plan in self.plans for kind in plan.kinds)
        """The kinds that some rule reads."""
        self.concluded = frozenset(kind for plan in self.plans for kind, _ in plan.heads)
        """The kinds that some rule concludes."""
        self.vague = frozenset(k.name for k in vocabulary.kinds.values() if any(field.unknown for field in k.fields))
        """The kinds with a field that may be unknown."""

    def __reduce__(self) -> tuple[Callable[..., Program], tuple[object, ...]]:
        return Program, (self.vocabulary, self.rules)

    @cached_property
    def lists(self) -> Mapping[str, str]:
        """What generated code calls the list of the facts of a kind, for the kinds that some rule reads."""
        return {kind: f"facts_{number}" for number, kind in enumerate(sorted(self.kinds))}

    def needed(self, kind: str) -> bool:
        """Whether any rule reads facts of this kind; others need not be built for an engine."""
        return kind in self.kinds
