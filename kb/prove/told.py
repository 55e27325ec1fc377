"""A verdict on a property in words, for a text or a page to lay out."""

from __future__ import annotations

from dataclasses import dataclass

from facts.incident import Incident
from kb.language.model import Edition
from kb.prove.verdict import Standing


@dataclass(frozen=True)
class ToldExample:
    """A situation, one of a pair, or a clause."""

    words: str
    incident: Incident | None
    """None of a clause."""
    rulings: tuple[tuple[Edition, str], ...] = ()
    """What the editions that are compared say of it; none of what is expected."""


@dataclass(frozen=True)
class ToldException:
    """Where a property is not expected to hold."""

    words: str
    """How often, and why."""
    examples: tuple[ToldExample, ...]


@dataclass(frozen=True)
class ToldVerdict:
    """What came of one property."""

    id: str
    says: str
    because: str
    """Why it ought to hold."""
    laws: tuple[str, ...]
    standing: Standing
    fails: bool
    """Whether something has to be mended."""
    stands: str
    """The standing in words, with the number of situations."""
    examples: tuple[ToldExample, ...]
    cases: tuple[str, ...]
    """Those in which it does not hold, and ought to."""
    exceptions: tuple[ToldException, ...]
