"""Rulings that tempt: those there would be if one thing that a person could mistake had been answered otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from facts.errors import InputError
from facts.form import Texts
from kb.explain.headline import Sentence, sentences
from kb.ruling.opening import Opening
from kb.ruling.ruling import Ruling
from kb.space.around import Around, blank, nearest
from kb.space.bits import union
from kb.space.choices import meant
from kb.space.layout import Key
from kb.space.outcome import EditionRun

IN_TIME: Final = ("noticed", "before-next-trick")
"""What is found out by the same look as whether the play has gone on."""
LATENESS: Final = ("noticed", "claim")
"""What is mistaken where the story is of it: the first, though it is not stated, if the second is."""


@dataclass(frozen=True)
class Rival:
    """A ruling that would be right if one thing were otherwise."""

    key: Key
    if_: Texts
    """The condition, in each language, with the names of the hands and cards in it."""
    ruling: Ruling
    laws: tuple[str, ...]
    """What it would rest on, and this one does not; at least one."""


def rivals(ruling: Ruling) -> Iterator[Rival]:
    """Those of a ruling that is certain; what is only presumed nobody mistakes, but for when a claim was doubted."""
    opening = ruling.opening
    if opening.is_open or len(opening.completions.incident.revokes) != 1:
        return
    choices, said = opening.completions.choices, opening.completions.incident.revokes[0].said
    usual = {key: one.how == "presumed" for key, one in choices.items()}
    tempting = [key for key in choices if not usual[key] or (key[1] == LATENESS[0] and LATENESS[1] in said)]
    for key in sorted(tempting, key=usual.__getitem__):
        least, more = [key[1]], [key[1], *(name for name in said if _is_looked_up(ruling, name))]
        for name, if_ in choices[key].kind.if_.items() if choices[key].how != "unknown" else ():
            each = (_otherwise(ruling, opening, key, name, names) for names in (least, more))
            if other := next(filter(None, each), None):
                laws = tuple(one for one in other.decisive if one not in ruling.cited)
                if laws and sentences(other) not in (sentences(ruling), (Sentence("undecided"),)):
                    yield Rival(key, if_, other, laws)


def _is_looked_up(ruling: Ruling, name: str) -> bool:
    """Whether a finding goes without saying where another is so: nothing unusual, and nothing that a story is of."""
    kind, said = ruling.edition.table.findings.get(name), ruling.incident.revokes[0].said
    return kind is None or kind.presumed is None or (name, said[name]) == IN_TIME


def _otherwise(ruling: Ruling, opening: Opening, key: Key, name: str, names: Sequence[str]) -> Ruling | None:
    """The ruling if one thing were as an answer says, these findings being free; None if that cannot be, or is so."""
    law = opening.law
    try:
        around = Around(opening.completions, blank(opening.completions, key[0]), law.sayable, names)
    except InputError:  # too many situations
        return None
    held, kind = around.values.get(key, {}), opening.completions.choices[key].kind
    now = {value for value, bits in opening.completions.values[key].items() if bits & opening.among}
    places = [given for given, _ in around.places(key[0])]
    values = {value for given in places for value in meant(kind, name, given, around.table)}
    among = around.possible & union(bits for value, bits in held.items() if value in values)
    if values & now or not among:
        return None
    run = EditionRun(law.edition, around.situations, law.sets)
    there = Opening(law, around, run, nearest(among, around.same.values())[1])
    return Ruling(ruling.incident, there, there.proof)
