"""Laws that rule by the plain definition of the rule language instead of an engine."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from kb.explain.words import Words, load_words
from kb.ruling.law import Law
from kb.ruling.laws import Laws
from kb.space.sayable import Sayable
from kb.verify.plain_runs import PlainEngine, PlainSets


class PlainSayable(Sayable):
    """What cannot be together, by the plain definition."""

    @cached_property
    def sets(self) -> PlainSets:
        """The rules, ready to run."""
        return PlainSets(self.vocabulary, self.rules)


class PlainLaw(Law):
    """An edition with its elections that no engine runs."""

    @cached_property
    def sayable(self) -> Sayable:
        """What can be said of a table, and what of it cannot be together."""
        return PlainSayable(self.edition.table, self.edition.vocabulary, self.program.kinds)

    @cached_property
    def sets(self) -> PlainSets:
        """For many situations."""
        return PlainSets(self.edition.vocabulary, self.edition.rules)

    @cached_property
    def engine(self) -> PlainEngine:
        """For one."""
        return PlainEngine(self.program)

    @cached_property
    def words(self) -> Words:
        """The words in which its rulings are told."""
        return load_words(self.root, self.edition.vocabulary)

    @property
    def quick(self) -> PlainEngine:
        """The same: there is no quicker one."""
        return self.engine


class PlainLaws(Laws):
    """Such laws under one root."""

    def of(self, edition: str | Path, elections: Sequence[str] = (), *_: object) -> PlainLaw:
        """As of ``Laws``; no engine can be asked for."""
        law = super().of(edition, elections)
        assert isinstance(law, PlainLaw)
        return law

    def _made(self, edition: str, elections: tuple[str, ...], *_: str) -> Law:
        return PlainLaw(edition, elections, self.root)
