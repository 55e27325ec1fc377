"""A ruling before and after a change of what happened, and the clauses that came and went."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from facts.errors import InputError
from facts.incident import Incident
from facts.readers.changes import all_changed
from facts.readers.incident import Tables
from kb.explain.as_json import as_json as ruling_json
from kb.explain.headline import headline
from kb.explain.page import Line, Page
from kb.explain.say import Speaker
from kb.explain.text import page
from kb.ruling.ruling import Ruling
from kb.space.completions import without_one


@dataclass(frozen=True, slots=True)
class WhatIf:
    """Two rulings, and the clauses in which they differ."""

    before: Ruling
    after: Ruling
    left_out: str = ""
    """The finding that is not said any more, as it cannot stand beside the changes."""

    @property
    def came(self) -> tuple[str, ...]:
        """The clauses cited only after the change, in the book's order."""
        return tuple(law for law in self.after.cited if law not in self.before.cited)

    @property
    def went(self) -> tuple[str, ...]:
        """The clauses cited only before it."""
        return tuple(law for law in self.before.cited if law not in self.after.cited)


def what_if(before: Ruling, changes: Sequence[str], tables: Tables, ruled: Callable[[Incident], Ruling]) -> WhatIf:
    """Both rulings; InputError when a change cannot be made or the changed incident cannot be ruled on.

    ``edition`` and ``elections`` can be changed like everything else. A finding that alone stands against what is
    changed is left out.
    """
    changed = all_changed(before.incident, changes, tables)
    try:
        return WhatIf(before, ruled(changed))
    except InputError:
        fewer: list[tuple[str, Ruling]] = []  # each without one of the findings that are as they were
        both = enumerate(zip(before.incident.revokes, changed.revokes, strict=False), 1)
        kept = {f"revokes.{at}.{name}" for at, (old, new) in both for name, _ in old.said.items() & new.said.items()}
        for name, without in without_one(changed):
            if name in kept:
                with suppress(InputError):
                    fewer.append((name.rpartition(".")[2], ruled(without)))
        if len(fewer) != 1:
            raise
    ((left_out, after),) = fewer
    return WhatIf(before, after, left_out)


def told(both: WhatIf, before: Speaker, after: Speaker, write: Callable[[Page, Speaker], str]) -> str:
    """The one ruling instead of the other, and what came and went; then both in full, the new one first."""
    texts = [write(Page("", (*sentence(both, before, after), *differences(both, after))), after)]
    for heading, ruling, speaker in (("if-after", both.after, after), ("if-before", both.before, before)):
        whole = page(ruling, speaker)
        texts.append(write(replace(whole, title=f"{speaker.phrase(heading)}: {whole.title}"), speaker))
    return "\n".join(texts)


def sentence(both: WhatIf, before: Speaker, after: Speaker) -> Sequence[Line]:
    """«Then: 1 trick. Instead of: 2 tricks»; only the first where they are alike."""
    then, instead = headline(both.after, after), headline(both.before, before)
    told = [Line(after.phrase("desk-if-then", ruling=then))]
    return told if then == instead else [*told, Line(after.phrase("desk-if-instead", ruling=instead))]


def differences(both: WhatIf, speaker: Speaker) -> Sequence[Line]:
    """What could not be said any more, the clauses that came and went; that nothing changed, if so."""
    lines = []
    if both.left_out:
        about = both.after.edition.table.findings[both.left_out].about
        lines.append(
            Line(speaker.phrase("if-without", what=about[speaker.lang].rstrip(":") if about else both.left_out))
        )
    if both.came:
        lines.append(Line(speaker.phrase("if-came", laws=speaker.laws(both.came))))
    if both.went:
        lines.append(Line(speaker.phrase("if-went", laws=speaker.laws(both.went))))
    same = not lines and page(both.before, speaker).lead == page(both.after, speaker).lead
    return [Line(speaker.phrase("if-same"))] if same else lines


def as_json(both: WhatIf, before: Speaker, after: Speaker, changes: Sequence[str]) -> dict[str, Any]:
    """Both rulings in full, the changes, and the clauses that came and went."""
    return {
        "changes": list(changes),
        "before": ruling_json(both.before, before),
        "after": ruling_json(both.after, after),
        **({"left-out": both.left_out} if both.left_out else {}),
        "came": list(both.came),
        "went": list(both.went),
    }
