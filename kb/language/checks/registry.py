"""The checks by what they look at; a check is a function with an id, and its docstring is its page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from inspect import cleandoc
from typing import Any, Final, TypeAlias

from facts.errors import Fault
from kb.language.model import Rule
from kb.language.vocabulary import Vocabulary

Find: TypeAlias = Callable[..., Iterator[Fault]]
"""Called with what it looks at, it gives the faults in it."""


@dataclass(frozen=True, slots=True)
class Check:
    """One check: it finds as its function does, each fault with the id of the check."""

    id: str
    find: Find

    def __call__(self, *of: Any) -> Iterator[Fault]:
        """What it finds, each fault with its id."""
        for fault in self.find(*of):
            yield fault if fault.check else replace(fault, check=self.id)

    @property
    def page(self) -> str:
        """What it refuses and why, with an example; Markdown."""
        return cleandoc(self.find.__doc__ or "")

    @property
    def summary(self) -> str:
        """Its first paragraph on one line."""
        return " ".join(self.page.split("\n\n")[0].split())


class Checks(list[Check]):
    """All checks that look at the same thing; as a decorator, it makes a function one of them."""

    def __call__(self, id: str) -> Callable[[Find], Check]:
        """Puts a function on the list under an id."""

        def register(find: Find) -> Check:
            self.append(Check(id, find))
            return self[-1]

        return register


of_a_rule: Final = Checks()
"""Called with a rule and the vocabulary."""
of_an_edition: Final = Checks()
of_all_editions: Final = Checks()
"""Called with the vocabulary and all editions."""


def rule_faults(rule: Rule, vocabulary: Vocabulary) -> Iterator[Fault]:
    """What the checks find wrong with a rule; nothing where a part of it could not be read, as is told already."""
    for check in of_a_rule if rule.whole else ():
        yield from check(rule, vocabulary)
