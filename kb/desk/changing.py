"""What can be changed of an incident: each fact as it is stated or meant, and what else might be, as changes to tap."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias, get_args

from facts.cards import SEATS
from facts.contract import Vulnerable
from facts.incident import Incident, Player
from facts.observe.observe import TOLD
from facts.table import NOTHING, FindingKind
from kb.desk.sayings import answers, every_value, value_words, values
from kb.explain.say import Speaker
from kb.explain.unfold import event_words, named
from kb.ruling.ruling import Ruling

NUMBERS: Final = tuple(map(str, range(14)))
OF_THE_TABLE: Final = (
    ("declarer", "seat", SEATS),
    ("vulnerable", "vulnerable", get_args(Vulnerable)),
    ("tricks", "number", NUMBERS),
)
"""What is said of no revoke, and so is not declared with the findings: keys, types and values."""
JUDGED: Final = ("equity-tricks", "number", NUMBERS)
ROLES: Final = get_args(Player)[:3]
Way: TypeAlias = tuple[str, tuple[str, ...]]
"""What something might be, and the changes that make it so."""


@dataclass(frozen=True, slots=True)
class ShownFact:
    """One thing that is stated, presumed or not known."""

    name: str
    value: str
    stated: bool
    others: tuple[Way, ...]


def facts(ruling: Ruling, speaker: Speaker) -> Iterator[tuple[str, list[ShownFact]]]:
    """Groups of facts under a title: each finding, the events, the incident itself.

    ``speaker``: one that says seats, even where the ruling has other words for them.
    """
    incident = ruling.incident
    for number in range(len(incident.revokes)):
        revoke = _Revoke(ruling, number, speaker)
        yield revoke.title, list(revoke.facts())
    if incident.events:
        yield speaker.phrase("desk-if-events"), list(_events(ruling, speaker))
    yield speaker.phrase("desk-if-board"), list(_board(incident, speaker))


def changed(before: Ruling, after: Ruling, speaker: Speaker) -> list[str]:
    """The facts that are otherwise, each with what it is now."""
    old, new = (
        {(title, one.name): one.value for title, some in facts(ruling, speaker) for one in some}
        for ruling in (before, after)
    )
    return [f"{key[1]}: {value}" for key, value in new.items() if old.get(key) != value]


def _events(ruling: Ruling, speaker: Speaker) -> Iterator[ShownFact]:
    for number, event in enumerate(ruling.incident.events, 1):
        drop = ((speaker.phrase("desk-if-drop"), (f"event-{number}=",)),)
        yield ShownFact(f"{number}.", event_words(event, ruling.edition.table, speaker), True, drop)


def _board(incident: Incident, speaker: Speaker) -> Iterator[ShownFact]:
    for key, type_, choices in (*OF_THE_TABLE, JUDGED):
        now = getattr(incident, key.replace("-", "_"))
        ways = [(speaker.value(one, type_), (f"{key}={one}",)) for one in choices]
        told = None if now is None else speaker.value(str(now), type_)
        yield _fact(speaker.value(key, "board-key"), told, ways, () if now is None else (f"{key}=",), speaker)


def _fact(name: str, now: str | None, ways: Iterable[Way], forget: tuple[str, ...], speaker: Speaker) -> ShownFact:
    """``forget``: the changes after which it is not stated; none where it is not."""
    unknown = speaker.phrase("desk-if-unknown")
    others = [(said, changes) for said, changes in ways if said != now]
    return ShownFact(
        speaker.capital(name), now or unknown, bool(forget), (*others, *([(unknown, forget)] if forget else []))
    )


class _Revoke:
    """What is said of one revoke."""

    def __init__(self, ruling: Ruling, number: int, speaker: Speaker) -> None:
        self.ways, self.number, self.speaker = ruling.opening.completions, number, speaker
        self.found = ruling.incident.revokes[number]
        self.at = f"revoke-{number + 1}."
        standing, (hand, trick) = speaker.of(ruling), named(number, ruling)
        self.hand = standing.value(hand, "seat")
        self.title = standing.capital(speaker.phrase("of-revoke", hand=self.hand, trick=standing.value(trick, "trick")))

    def facts(self) -> Iterator[ShownFact]:
        """Whose card it was, at which trick, and every finding that is stated or that it would matter to state."""
        yield self._hand()
        now = None if self.found.trick is None else str(self.found.trick)
        ways = [(one, (f"{self.at}trick={one}",)) for one in NUMBERS[1:]]
        yield _fact(self.speaker.phrase("asks-trick"), now, ways, (f"{self.at}trick=",) if now else (), self.speaker)
        for kind in self.ways.table.findings.values():
            held = self.ways.values.get((self.number, kind.id), {})
            if kind.id in self.found.said or kind.not_stated == NOTHING or not held.keys() <= {None, TOLD}:
                yield self._finding(kind)

    def _hand(self) -> ShownFact:
        hand, player, speaker = self.found.hand, self.found.player, self.speaker
        now = self.hand if hand or player else None
        drop = (f"{self.at}player=",) if player else ()
        ways = [(speaker.value(seat, "seat"), (*drop, f"{self.at}hand={seat}")) for seat in SEATS]
        if hand is None:
            ways += [(speaker.value(role, "role"), (f"{self.at}player={role}",)) for role in ROLES if role != player]
        return _fact(speaker.phrase("asks-hand"), now, ways, drop or ((f"{self.at}hand=",) if hand else ()), speaker)

    def _finding(self, kind: FindingKind) -> ShownFact:
        key, said = (self.number, kind.id), self.found.said
        every = every_value(self.ways, key)
        held = [value for value in self.ways.values.get(key, {}) if value not in (None, TOLD)]
        known = kind.id in said or len(held) == 1
        now = value_words(said.get(kind.id, held[0] if held else None), kind, self.speaker) if known else None
        offered = answers(self.ways, key, self.speaker, every, every) or values(self.ways, key, self.speaker, every)
        new = (one for one in offered if not (known and one.values.issuperset(held)))
        others = [(one.words, (f"{self.at}{kind.id}={one.written}",)) for one in new]
        forget = (f"{self.at}{kind.id}=",) if kind.id in said else ()
        return _fact(kind.means[self.speaker.lang].partition(";")[0], now, others, forget, self.speaker)
