"""Terms: what may stand as the value of a field in a rule. What a rule means is said by each evaluator for itself."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias, cast

from facts.fact import Value


class _Term(ABC):
    """What every term knows of itself."""

    __slots__ = ()

    @property
    @abstractmethod
    def variables(self) -> tuple[str, ...]:
        """The names of its variables, left to right."""

    @property
    def alone(self) -> str | None:
        """The name of the variable that is the whole term; None for any other."""
        return None

    @abstractmethod
    def value_in(self, bindings: Mapping[str, Value]) -> Value:
        """Its value; KeyError when one of its variables has none. A sum's variables hold integers."""

    @abstractmethod
    def mapped(self, change: Callable[[Value], Value]) -> Term:
        """The term with its constants changed; a sum's stay integers."""

    @abstractmethod
    def spelt(self, variable: Callable[[str], str], constant: Callable[[Value], str]) -> str:
        """The term in a notation of which these are the parts."""

    def __str__(self) -> str:
        """The term as it stands in the file."""
        return self.spelt("${}".format, _written)


@dataclass(frozen=True, slots=True)
class Constant(_Term):
    """A value, or None where there is none."""

    value: Value

    @property
    def variables(self) -> tuple[str, ...]:
        return ()

    def value_in(self, bindings: Mapping[str, Value]) -> Value:
        return self.value

    def mapped(self, change: Callable[[Value], Value]) -> Constant:
        return Constant(change(self.value))

    def spelt(self, variable: Callable[[str], str], constant: Callable[[Value], str]) -> str:
        return constant(self.value)

    def __repr__(self) -> str:
        """As the bare value, in which the digests of rules give it."""
        return repr(self.value)


@dataclass(frozen=True, slots=True)
class Variable(_Term):
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

    def spelt(self, variable: Callable[[str], str], constant: Callable[[Value], str]) -> str:
        return variable(self.name)

    def __repr__(self) -> str:
        """As a dataclass gives it, without its detours: the digest of an edition asks for thousands."""
        return f"Variable(name={self.name!r})"


@dataclass(frozen=True, slots=True)
class Sum(_Term):
    """``$t + 1`` or ``$d + $w``, of integers."""

    left: Variable
    right: Variable | Constant

    @property
    def variables(self) -> tuple[str, ...]:
        return self.left.variables + self.right.variables

    def value_in(self, bindings: Mapping[str, Value]) -> Value:
        return cast(int, self.left.value_in(bindings)) + cast(int, self.right.value_in(bindings))

    def mapped(self, change: Callable[[Value], Value]) -> Sum:
        return Sum(self.left.mapped(change), self.right.mapped(change))

    def spelt(self, variable: Callable[[str], str], constant: Callable[[Value], str]) -> str:
        return f"{self.left.spelt(variable, constant)} + {self.right.spelt(variable, constant)}"


Term: TypeAlias = Constant | Variable | Sum
NOTHING = Constant(None)
"""Of a test that compares with no term."""


def _written(value: Value) -> str:
    """A value as it stands in the file."""
    return str(value).lower() if isinstance(value, bool) else str(value)
