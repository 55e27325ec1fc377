"""What is certain so far, in one sentence with its laws: read off every ruling that is still possible."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
from typing import Final, TypeAlias

from facts.cards import OTHER_SIDE, SIDE, Side
from kb.explain.say import Speaker
from kb.explain.spoken import Outlook, sentence
from kb.interview.counsel import Counsel
from kb.interview.said import Said
from kb.language.known import AUTOMATIC, EXEMPT, MUST_CORRECT, RECTIFICATIONS, REVOKES, STATUS, TRANSFER
from kb.ruling.rule import rule
from kb.ruling.ruling import Ruling
from kb.space.decision_diagram import State
from kb.space.outcome import Acts

SHORTEST: Final = 3
"""Letters of what several laws have in common, for it to be named in their stead."""

Ends: TypeAlias = dict[tuple[object, ...], Ruling]
"""Seats and answers -> ruling."""


@dataclass(frozen=True)
class Band:
    """A sentence with its laws."""

    text: str
    laws: tuple[str, ...]
    always: bool
    """Whether it holds even if something is unusual."""


class Certain:
    """Tells what is certain under one law."""

    def __init__(self, counsel: Counsel, said: Said, known: Ends) -> None:
        """``known``: rulings that were looked at before."""
        self.law, self.said, self._acts, self._known = counsel.law, said, tuple(counsel.run.acts), known
        self.adviser = said.adviser

    @cached_property
    def _usual(self) -> tuple[Outlook, tuple[Ruling, ...], bool]:
        """What may come if nothing is unusual, some rulings that may, and whether it holds in any case."""
        usual, whole = self.outlook(self.said.usual), self.outlook(self.said.possible)
        sure = usual == whole or (usual.statuses == whole.statuses and usual.tricks == whole.tricks)
        return usual, tuple(self._ends(self.said.usual)), sure

    def band(self, speaker: Speaker) -> Band:
        """What is certain if nothing is unusual; of the seats that are known."""
        usual, ends, sure = self._usual
        text = " ".join([sentence(usual, self._names(speaker), speaker), *self._in_common(ends, usual, speaker)])
        return Band(speaker.capital(text), self._laws(ends), sure)

    def outlook(self, state: State) -> Outlook:
        """What may come of the situations of a state."""
        acts = [self._acts[one] for one in self.adviser.diagram.outcomes(state)]
        statuses = frozenset(str(entry[2]) for one in acts for entry in one if entry[0] == STATUS)
        there = [_passed(one) for one in acts]
        other = OTHER_SIDE[self._stand_in()]
        gained = [one.get(other, 0) for one in there]
        lost = [one.get(OTHER_SIDE[other], 0) for one in there]
        revokes = max(sum(entry[0] == REVOKES for entry in one) for one in acts)
        return Outlook(statuses, revokes, (min(gained), max(gained)), max(lost))

    def _stand_in(self) -> Side:
        """The side that revokes where all situations are laid out: South is declarer, West the defender."""
        return "EW" if self.said.role == "defender" else "NS"

    def _names(self, speaker: Speaker) -> dict[str, str]:
        hand = self.said.seats["revoke"]
        return {
            "hand": speaker.value(hand, "seat"),
            "side": speaker.value(OTHER_SIDE[SIDE[hand]], "side"),
            "own": speaker.value(SIDE[hand], "side"),
        }

    def _ends(self, state: State) -> Iterator[Ruling]:
        """Rulings of the situations at the ends of what may come: to be corrected, fewest tricks, most."""
        diagram, found = self.adviser.diagram, dict[tuple[frozenset[str], int], int]()
        for outcome in sorted(diagram.outcomes(state)):
            acts = self._acts[outcome]
            statuses = frozenset(str(entry[2]) for entry in acts if entry[0] == STATUS)
            tricks = _passed(acts).get(OTHER_SIDE[self._stand_in()], 0)
            found.setdefault((statuses, tricks), outcome)
        for outcome in found.values():
            way = diagram.ordinary(state, self.adviser.ordinary, outcome)
            named = {self.adviser.questions[number].id: frozenset({answer}) for number, answer in way}
            at = tuple(self.said.seats.items()), tuple(named.items())
            if at not in self._known:
                self._known[at] = rule(self.law, Said(self.adviser, self.said.seats, named).stated())
            yield self._known[at]

    def _laws(self, ends: Sequence[Ruling]) -> tuple[str, ...]:
        """The clauses behind status and tricks; for those of one law that differ, what they have in common."""
        found: dict[str, set[str]] = {STATUS: set(), AUTOMATIC: set(), EXEMPT: set()}
        for ruling in ends:
            for section, laws in found.items():
                laws |= {law for fact in ruling.facts(section) for law in ruling.citations.laws(fact)}
        if found[AUTOMATIC]:
            del found[EXEMPT]  # of what some end spares, nothing is said
        clauses = tuple(self.law.edition.clauses)
        named = [law for laws in found.values() for law in _shortened(sorted(laws, key=clauses.index))]
        return tuple(dict.fromkeys(named))

    def _in_common(self, ends: Sequence[Ruling], usual: Outlook, speaker: Speaker) -> Iterator[str]:
        """What is to be done in any case with the card, where the revoke has to be corrected."""
        if usual.statuses != {MUST_CORRECT} or not ends:
            return
        told = [[speaker.of(one).fact(fact) for fact in one.facts(RECTIFICATIONS)] for one in ends]
        for said in told[0][1:2]:
            if all(said in one for one in told):
                yield speaker.capital(said.rstrip(".")) + "."


def _passed(acts: Acts) -> dict[object, int]:
    return {entry[-2]: int(str(entry[-1])) for entry in acts if entry[0] == TRANSFER}


def _shortened(laws: Iterable[str]) -> list[str]:
    listed = list(laws)
    shared = "".join(one[0] for one in takewhile(lambda one: len({*one}) == 1, zip(*listed, strict=False)))
    return [shared] if len(listed) > 1 and len(shared) >= SHORTEST else listed
