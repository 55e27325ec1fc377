"""The checks by what they look at; a check is a function with an id, and its docstring is its page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from inspect import cleandoc
from typing import Final, Generic, ParamSpec

from facts.errors import Fault
from kb.language.model import Edition, Rule
from kb.language.vocabulary import Vocabulary

Of = ParamSpec("Of")


@dataclass(frozen=True, slots=True)
class Check(Generic[Of]):
    """One check: called with what it looks at, it gives the faults in it, each with the id of the check."""

    id: str
    find: Callable[Of, Iterator[Fault]]
    whole: bool
    """Whether it says nothing about a rule of which a part could not be read."""

    def __call__(self, *of: Of.args, **named: Of.kwargs) -> Iterator[Fault]:
        """What it finds, each fault with its id."""
        for fault in self.find(*of, **named):
            yield fault if fault.check else replace(fault, check=self.id)

    @property
    def page(self) -> str:
        """What it refuses and why, with an example; Markdown."""
        return cleandoc(self.find.__doc__ or "")

    @property
    def summary(self) -> str:
        """Its first paragraph on one line."""
        return " ".join(self.page.split("\n\n")[0].split())


class Checks(Generic[Of]):
    """All checks that look at the same thing; as a decorator, it makes a function one of them."""

    def __init__(self, of: str) -> None:
        self.of = of
        """What they look at."""
        self._checks: list[Check[Of]] = []

    def __call__(self, id: str, *, whole: bool = False) -> Callable[[Callable[Of, Iterator[Fault]]], Check[Of]]:
        """Puts a function on the list under an id; ``whole``: it says nothing of what could not be read whole."""

        def register(find: Callable[Of, Iterator[Fault]]) -> Check[Of]:
            self._checks.append(Check(id, find, whole))
            return self._checks[-1]

        return register

    def __iter__(self) -> Iterator[Check[Of]]:
        return iter(self._checks)


of_a_rule: Final[Checks[Rule, Vocabulary]] = Checks("a rule")
of_an_edition: Final[Checks[Edition]] = Checks("an edition")
of_its_table: Final[Checks[Edition]] = Checks("the table of an edition")
of_all_editions: Final[Checks[Vocabulary, Iterable[Edition]]] = Checks("the vocabulary and all editions")
