"""The ruling after a change of the facts, and the rulings that tempt: right if one thing had been otherwise."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final

from facts.errors import InputError
from facts.form import Texts
from facts.incident import Incident
from facts.readers.changes import all_changed
from facts.readers.incident_file import Tables
from kb.explain.as_json import ruling_json
from kb.explain.as_text import page_of
from kb.explain.headline import Sentence, headline, sentences
from kb.explain.page import Line, Page
from kb.explain.words import Speaker
from kb.ruling.certainty import Certainty
from kb.ruling.ruling import Ruling
from kb.space.bits import union
from kb.space.choices import meant
from kb.space.completions import without_one
from kb.space.layout import FindingKey
from kb.space.nearest_situations import Around, blank, nearest
from kb.space.outcomes import EditionRun


@dataclass(frozen=True, slots=True)
class WhatIf:
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
        kept = {f"revokes.{nth}.{name}" for nth, (old, new) in both for name, _ in old.said.items() & new.said.items()}
        for name, without in without_one(changed):
            if name in kept:
                with suppress(InputError):
                    fewer.append((name.rpartition(".")[2], ruled(without)))
        if len(fewer) != 1:
            raise
    ((left_out, ruling),) = fewer
    return WhatIf(before, ruling, left_out)


def what_if_text(both: WhatIf, old: Speaker, new: Speaker, write: Callable[[Page, Speaker], str]) -> str:
    """The one ruling instead of the other, and what came and went; then both in full, the new one first."""
    texts = [write(Page("", (*headline_lines(both, old, new), *difference_lines(both, new))), new)]
    for heading, ruling, speaker in (("if-after", both.after, new), ("if-before", both.before, old)):
        whole = page_of(ruling, speaker)
        texts.append(write(replace(whole, title=f"{speaker.phrase(heading)}: {whole.title}"), speaker))
    return "\n".join(texts)


def headline_lines(both: WhatIf, old: Speaker, new: Speaker) -> Sequence[Line]:
    """«Then: 1 trick. Instead of: 2 tricks»; only the first where they are alike."""
    then, instead = headline(both.after, new), headline(both.before, old)
    lines = [Line(new.phrase("desk-if-then", ruling=then))]
    return lines if then == instead else [*lines, Line(new.phrase("desk-if-instead", ruling=instead))]


def difference_lines(both: WhatIf, speaker: Speaker) -> Sequence[Line]:
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
    same = not lines and page_of(both.before, speaker).lead == page_of(both.after, speaker).lead
    return [Line(speaker.phrase("if-same"))] if same else lines


def what_if_json(both: WhatIf, old: Speaker, new: Speaker, changes: Sequence[str]) -> dict[str, Any]:
    """Both rulings in full, the changes, and the clauses that came and went."""
    return {
        "changes": list(changes),
        "before": ruling_json(both.before, old),
        "after": ruling_json(both.after, new),
        **({"left-out": both.left_out} if both.left_out else {}),
        "came": list(both.came),
        "went": list(both.went),
    }


IN_TIME: Final = ("noticed", "before-next-trick")
"""What is found out by the same look as whether the play has gone on."""
LATENESS: Final = ("noticed", "claim")
"""What is mistaken where the story is of it: the first, though it is not stated, if the second is."""


@dataclass(frozen=True)
class Rival:
    key: FindingKey
    if_: Texts
    """The condition, in each language, with the names of the hands and cards in it."""
    ruling: Ruling
    laws: tuple[str, ...]
    """What it would rest on, and this one does not; at least one."""


def rivals(ruling: Ruling) -> Iterator[Rival]:
    """Those of a ruling that is certain; what is only presumed nobody mistakes, but for when a claim was doubted."""
    certainty = ruling.certainty
    if certainty.is_open or len(certainty.completions.incident.revokes) != 1:
        return
    choices, statements = certainty.completions.choices, certainty.completions.incident.revokes[0].said
    usual = {key: choice.how == "presumed" for key, choice in choices.items()}
    tempting = [key for key in choices if not usual[key] or (key[1] == LATENESS[0] and LATENESS[1] in statements)]
    for key in sorted(tempting, key=usual.__getitem__):
        least, more = [key[1]], [key[1], *(name for name in statements if _is_looked_up(ruling, name))]
        for name, if_ in choices[key].kind.if_.items() if choices[key].how != "unknown" else ():
            each = (_otherwise(ruling, certainty, key, name, names) for names in (least, more))
            if other_ruling := next(filter(None, each), None):
                laws = tuple(law for law in other_ruling.decisive if law not in ruling.cited)
                if laws and sentences(other_ruling) not in (sentences(ruling), (Sentence("undecided"),)):
                    yield Rival(key, if_, other_ruling, laws)


def _is_looked_up(ruling: Ruling, name: str) -> bool:
    """Whether a finding goes without saying where another is so: nothing unusual, and nothing that a story is of."""
    kind, said = ruling.certainty.completions.about(0).findings.get(name), ruling.incident.revokes[0].said
    return kind is None or kind.presumed is None or (name, said[name]) == IN_TIME


def _otherwise(ruling: Ruling, certainty: Certainty, key: FindingKey, name: str, names: Sequence[str]) -> Ruling | None:
    """The ruling if one thing were as an answer says, these findings being free; None if that cannot be, or is so."""
    law = certainty.law
    try:
        around = Around(certainty.completions, blank(certainty.completions, key[0]), law.sayable, names)
    except InputError:  # too many situations
        return None
    by_value, kind = around.values.get(key, {}), certainty.completions.choices[key].kind
    now = {value for value, bits in certainty.completions.values[key].items() if bits & certainty.among}
    places = [place for place, _ in around.places(key[0])]
    values = {value for given in places for value in meant(kind, name, given, around.about(key[0]))}
    among = around.possible & union(bits for value, bits in by_value.items() if value in values)
    if values & now or not among:
        return None
    run = EditionRun(law.edition, around.situations, law.program.sets)
    return Ruling(ruling.incident, Certainty(law, around, run, nearest(among, around.same.values())[1]))
