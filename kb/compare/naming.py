"""What the editions of a comparison are called, and which change of one revoke two effects come to."""

from __future__ import annotations

from kb.language.model import Edition
from kb.space.outcome import Effect


def called(editions: tuple[Edition, Edition], lang: str) -> list[str]:
    """What they are called; the id with it where two of them are called the same."""
    titles = [edition.called(lang) for edition in editions]
    alike = titles[0] == titles[1] and editions[0].id != editions[1].id
    return [f"{name} [{edition.id}]" if alike else name for name, edition in zip(titles, editions, strict=True)]


def changed_pair(before: Effect, after: Effect) -> tuple[Effect, Effect] | None:
    """What becomes of the revokes that it is another thing of; None where it is the same or of several different."""
    if len(before) != len(after):
        return before, after
    pairs = {((old,), (new,)) for old, new in zip(before, after, strict=True) if old != new}
    return pairs.pop() if len(pairs) == 1 else None


def ended(sentence: str) -> str:
    """With a full stop, where it has no other end."""
    return sentence if sentence.endswith((".", "?", "!")) else f"{sentence}."
