"""The question on which a ruling hinges: how to find out, and each answer a link to what then follows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from facts.cards import SEATS
from facts.errors import InputError
from facts.readers.changes import all_changed
from facts.table import FindingKind
from kb.desk.addressed import WORD, address, law_of, ruling_address
from kb.desk.laws import DeskLaws
from kb.desk.sayings import Saying, answers, values
from kb.explain.hinge import asked
from kb.explain.say import Speaker
from kb.explain.spoken import Announcement
from kb.ruling.opening import Opening
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


class HingePage:
    """Tells the question on which a ruling hinges.

    ``query``: what the address of the ruling states; where it states answers, so does every address that follows.
    """

    def __init__(self, ruling: Ruling, laws: DeskLaws, speaker: Speaker, query: Mapping[str, str]) -> None:
        self.ruling, self.laws, self.speaker, self.query = ruling, laws, speaker, query
        self.interview = None if WORD in query else laws.counsel(law_of(query)).interview

    def hinge(self) -> Hinge | None:
        """Nothing where it hinges on nothing, or on what is still to come, of which nobody can be asked."""
        opening, speaker = self.ruling.opening, self.speaker
        if opening.asking is None or opening.ahead:
            return None
        asks, (number, name) = asked(opening, opening.asking.key, speaker), opening.asking.key
        kind = opening.completions.table.findings.get(name)
        if number == BOARD or kind is None:
            return Hinge(asks, speaker.phrase("desk-hinge-decide"), ())
        way = kind.finds_out[speaker.lang] if kind.finds_out else ""
        finds_out = speaker.phrase("desk-hinge-find", way=way) if way else speaker.phrase("desk-hinge-decide")
        return Hinge(asks, finds_out, tuple(self._answers(opening, kind, number)))

    def _answers(self, opening: Opening, kind: FindingKind, number: int) -> Iterator[HingeAnswer]:
        assert opening.asking is not None
        found: dict[tuple[str, str], list[tuple[str, str]]] = {}
        for said, (_, bits) in zip(groups(opening, self.speaker), opening.asking.answers, strict=True):
            after = self.ruling.after(bits)
            cited = "" if after.is_open else self.speaker.laws(after.decisive)
            then = Announcement(after, self.speaker).head, cited
            for one in said:
                if at := self._after(kind.id, number, one.written):
                    words = self.speaker.capital(_words(one, kind, self.ruling, self.speaker))
                    found.setdefault(then, []).append((words, at))
        return (HingeAnswer(tuple(ways), *then) for then, ways in found.items())

    def _after(self, name: str, number: int, value: str) -> str:
        """Where an answer leads to; empty where another answer rules it out."""
        question = self.interview.questions.get(name) if self.interview and not number else None
        if question is not None and value in question.answers:
            return address("/ask", **{**self.query, name: value})
        entry = self.query.get("entry")
        try:
            new = all_changed(self.ruling.incident, [f"revoke-{number + 1}.{name}={value}"], self.laws.table)
        except InputError:
            return ""
        return ruling_address(new, self.laws, int(entry) if entry else None)


def _words(said: Saying, kind: FindingKind, ruling: Ruling, speaker: Speaker) -> str:
    """An answer by the seats that it names, where it is known who sits there."""
    if kind.type.name != "seat" or ruling.incident.revokes[0].hand is None or not said.values <= {*SEATS}:
        return said.words
    return speaker.phrase("book-or").join(speaker.value(seat, "seat") for seat in SEATS if seat in said.values)


def groups(opening: Opening, speaker: Speaker) -> list[list[Saying]]:
    """The answers to the question on which the ruling hinges, those that come to the same beside each other."""
    asking = opening.asking
    assert asking is not None
    held = opening.completions.values[asking.key]
    possible = [value for value, bits in held.items() if value is not None and bits & opening.among]
    found = []
    for wanted, _ in asking.answers:
        said = answers(opening.completions, asking.key, speaker, wanted, possible)
        left = [value for value in wanted if not any(value in one.values for one in said)]
        found.append([*said, *values(opening.completions, asking.key, speaker, left)])
    return found
