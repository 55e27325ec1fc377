"""Terms: what may stand as the value of a field in a rule. What a rule means is said by each evaluator for itself.

Each knows the names of its ``variables``, left to right; the one that it is ``alone``; its ``value_in`` bindings, a
KeyError where a variable has none; and itself ``mapped``, with its constants changed. As text it is as it stands in the
file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar, TypeAlias, cast

from facts.fact import Value


@dataclass(frozen=True, slots=True)
class Constant:
    """A value, or None where there is none."""

    value: Value
    variables: ClassVar[tuple[str, ...]] = ()
    alone: ClassVar[None] = None

    def value_in(self, bindings: Mapping[str, Value]) -> Value:
        return self.value

    def mapped(self, change: Callable[[Value], Value]) -> Constant:
        return Constant(change(self.value))

    def __str__(self) -> str:
        return str(self.value).lower() if isinstance(self.value, bool) else str(self.value)

    def __repr__(self) -> str:
        """As the bare value, in which the digests of rules give it."""
        return repr(self.value)


@dataclass(frozen=True, slots=True)
class Variable:
    """``$t``; the name without the dollar."""

    name: str

    @property
    def variables(self) -> tuple[str, ...]:
        return (self.name,)

    @property
    def alone(self) -> str | None:
        return self.name

    def value_in(self, bindings: Mapping[str, Value]) -> Value:
        return bindings[self.name]

    def mapped(self, change: Callable[[Value], Value]) -> Variable:
        return self

    def __str__(self) -> str:
        return f"${self.name}"

    def __repr__(self) -> str:
        """As a dataclass gives it, without its detours: the digest of an edition asks for thousands."""
        return f"Variable(name={self.name!r})"


@dataclass(frozen=True, slots=True)
class Sum:
    """``$t + 1`` or ``$d + $w``, of integers."""

    left: Variable
    right: Variable | Constant
    alone: ClassVar[None] = None

    @property
    def variables(self) -> tuple[str, ...]:
        return self.left.variables + self.right.variables

    def value_in(self, bindings: Mapping[str, Value]) -> Value:
        return cast(int, self.left.value_in(bindings)) + cast(int, self.right.value_in(bindings))

    def mapped(self, change: Callable[[Value], Value]) -> Sum:
        return Sum(self.left.mapped(change), self.right.mapped(change))

    def __str__(self) -> str:
        return f"{self.left} + {self.right}"


Term: TypeAlias = Constant | Variable | Sum
NO_TERM = Constant(None)
"""Of a test that compares with no term."""
