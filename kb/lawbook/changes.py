"""How a clause differs from the one it replaces: its words, struck and inserted, and its rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final, Literal

from kb.language.model import Clause, Rule

ALIKE: Final = 0.5
"""Of two sentences less alike the one is told after the other: struck and inserted in turn, nobody could read them."""


@dataclass(frozen=True, slots=True)
class RedlinePiece:
    """Part of a sentence."""

    how: Literal["kept", "gone", "new"]
    text: str
    """Whole words; a blank stands between it and the next."""


@dataclass(frozen=True, slots=True)
class Changed:
    """What differs in a clause."""

    before: Clause
    new: frozenset[str]
    """The ids of its rules that are not in the other."""
    gone: tuple[Rule, ...]
    """The rules of the other that are not in it."""

    def reworded(self, now: Clause, lang: str) -> bool:
        """Whether its sentence is another."""
        return self.before.says[lang].split() != now.says[lang].split()


def changed(before: Clause, now: Clause) -> Changed | None:
    """How a clause differs from the one in its place; None if it says the same and has the same rules."""
    old, new = [_meant(rule) for rule in before.rules], [_meant(rule) for rule in now.rules]
    added = frozenset(rule.id for rule, one in zip(now.rules, new, strict=True) if one not in old)
    gone = tuple(rule for rule, one in zip(before.rules, old, strict=True) if one not in new)
    same = (before.says, before.encoded_as, before.notes, before.reason) == (
        *(now.says, now.encoded_as, now.notes, now.reason),
    )
    return None if same and not added and not gone else Changed(before, added, gone)


def redline(old: str, new: str) -> tuple[RedlinePiece, ...]:
    """A sentence with what is struck from the old one and what is new; nothing if they have too little in common."""
    a, b = old.split(), new.split()
    matcher = SequenceMatcher(None, a, b, autojunk=False)
    return tuple(_pieces(matcher, a, b)) if matcher.ratio() >= ALIKE else ()


def _pieces(matcher: SequenceMatcher[str], a: list[str], b: list[str]) -> Iterator[RedlinePiece]:
    for how, start, end, first, last in matcher.get_opcodes():
        if how == "equal":
            yield RedlinePiece("kept", " ".join(b[first:last]))
            continue
        if start < end:
            yield RedlinePiece("gone", " ".join(a[start:end]))
        if first < last:
            yield RedlinePiece("new", " ".join(b[first:last]))


def _meant(rule: Rule) -> tuple[list[str], dict[str, str]]:
    """All of a rule but its name and its place."""
    return [*rule.said][1:], dict(rule.because)
