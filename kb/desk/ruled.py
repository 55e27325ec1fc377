"""The question on which a ruling hinges: how to find out, and each answer a link to what then follows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from facts.cards import SEATS
from facts.errors import InputError
from facts.readers.changes import all_changed
from facts.table import FindingKind
from kb.desk.addressed import ruling_address
from kb.desk.laws import DeskLaws
from kb.desk.sayings import Saying
from kb.desk.tapped_trick import groups
from kb.explain.answers import asked
from kb.explain.say import Speaker
from kb.explain.spoken import Announcement
from kb.ruling.report import Report
from kb.ruling.ruling import Ruling
from kb.space.layout import BOARD


@dataclass(frozen=True, slots=True)
class HingeAnswer:
    """Answers to the question on which a ruling hinges that come to the same, and what then follows."""

    ways: tuple[tuple[str, str], ...]
    """Each in words, with the address of the ruling after it."""
    then: str
    laws: str


@dataclass(frozen=True, slots=True)
class Hinge:
    """The question on which a ruling hinges."""

    asks: str
    finds_out: str
    """How it is found out, as a sentence."""
    answers: tuple[HingeAnswer, ...]
    """Those that can be stated in one way."""


def hinge_of(ruling: Ruling, laws: DeskLaws, speaker: Speaker, entry: int | None = None) -> Hinge | None:
    """Nothing where it hinges on nothing; ``entry``: the number of the kept ruling that is being corrected."""
    opening = ruling.opening
    if opening is None or opening.asking is None or opening.ahead:
        return None  # and nobody can be asked what is still to come
    asks, (number, name) = asked(opening, opening.asking.key, speaker), opening.asking.key
    kind = opening.completions.table.findings.get(name)
    if number == BOARD or kind is None:
        return Hinge(asks, speaker.phrase("desk-hinge-decide"), ())
    way = kind.finds_out.get(speaker.lang)
    finds_out = speaker.phrase("desk-hinge-find", way=way) if way else speaker.phrase("desk-hinge-decide")
    return Hinge(asks, finds_out, tuple(_answers(ruling, kind, number, laws, speaker, entry)))


def _answers(
    ruling: Ruling, kind: FindingKind, number: int, laws: DeskLaws, speaker: Speaker, entry: int | None
) -> Iterator[HingeAnswer]:
    opening = ruling.opening
    assert opening is not None and opening.asking is not None
    found: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for said, (_, bits) in zip(groups(opening, speaker), opening.asking.answers, strict=True):
        after = Report(ruling.after(bits))
        then = Announcement(after, speaker).head, "" if after.is_open else speaker.laws(after.decisive)
        for one in said:
            try:
                new = all_changed(ruling.incident, [f"revoke-{number + 1}.{kind.id}={one.written}"], laws.table)
            except InputError:
                continue  # another answer rules it out
            words = speaker.capital(_words(one, kind, ruling, speaker))
            found.setdefault(then, []).append((words, ruling_address(new, laws, entry)))
    return (HingeAnswer(tuple(ways), *then) for then, ways in found.items())


def _words(said: Saying, kind: FindingKind, ruling: Ruling, speaker: Speaker) -> str:
    """An answer by the seats that it names, where it is known who sits there."""
    if kind.type.name != "seat" or ruling.incident.revokes[0].hand is None or not said.values <= {*SEATS}:
        return said.words
    return speaker.phrase("book-or").join(speaker.value(seat, "seat") for seat in SEATS if seat in said.values)
