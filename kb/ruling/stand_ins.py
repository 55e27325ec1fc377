"""What nobody has said of an incident, and so must never be told: seats, sides, tricks and suits that stand for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from facts.cards import PARTNER, SIDE, SUITS, Card
from facts.fact import Fact
from facts.templates import is_named
from kb.language.vocabulary import Vocabulary
from kb.space.completions import Completions
from kb.space.layout import BOARD

_TYPES: Final[Mapping[str, str]] = {
    **dict.fromkeys(
        "hand player seat of won-by withdraws declarer after by first next partner then".split(),  # noqa: SIM905
        "seat",
    ),
    **dict.fromkeys(("side", "to", "from", "other", "against"), "side"),
    **dict.fromkeys(("play", "at", "since"), "moment"),
    "trick": "trick",
    "suit": "suit",
    "card": "card",
}
"""The types of what stands under the keys of plain data, as far as something may be unsaid there."""


@dataclass(frozen=True)
class Unsaid:
    """The parts that seats and sides play which nobody has named, and the tricks and suits that nobody has named."""

    seats: Mapping[str, str]
    """Seat -> ``declarer``, ``dummy``, ``revoker``, ``partner`` or ``defender``."""
    sides: Mapping[str, str]
    """Side -> ``declaring`` or ``defending``."""
    tricks: Mapping[int, int]
    """What stands for a trick -> which revoke it is the trick of, from 1."""
    following: frozenset[int]
    """The tricks after these, and what stands for one that names nothing, unless somebody has named them."""
    suits: frozenset[str] = frozenset()
    """What stands for suits that were to be played."""

    @staticmethod
    def of(ways: Completions) -> Unsaid:
        """What is unsaid of an incident that has these completions."""
        revokes = ways.incident.revokes
        unsaid = [n for n, one in enumerate(revokes) if one.trick is None and "trick" in ways.about(n).names]
        tricks = {int([*ways.values[n, "trick"]][0]): n + 1 for n in reversed(unsaid)}
        standing = {int([*ways.values[n, "trick"]][0]) for n, one in enumerate(revokes) if one.trick is None}
        following = frozenset(
            standing.union(trick + 1 for trick in tricks) - {*tricks, *(one.trick for one in revokes)}
        )
        suits = _suits(ways)
        declarer = [*ways.values.get((BOARD, "declarer"), {ways.incident.declarer: 0})][0]
        hands = [[*ways.values[n, "hand"]][0] for n, _ in enumerate(revokes)]
        seats, sides = dict[str, str](), dict[str, str]()
        if declarer is None or not revokes or any(revoke.hand is not None for revoke in revokes):
            return Unsaid(seats, sides, tricks, following, suits)
        first = next((hand for hand in hands if SIDE[hand] != SIDE[declarer]), None)
        for seat, side in SIDE.items():
            if side != SIDE[declarer]:
                seats[seat] = "defender" if first is None else "revoker" if seat == first else "partner"
        if ways.incident.declarer is None:
            seats |= {declarer: "declarer", PARTNER[declarer]: "dummy"}
            sides = {side: "declaring" if side == SIDE[declarer] else "defending" for side in SIDE.values()}
        return Unsaid(seats, sides, tricks, following, suits)

    def told(self, data: Any, key: str = "") -> Any:
        """Plain data without what is unsaid: parts for seats and sides, none for tricks, «revoke-1+110» for moments."""
        if isinstance(data, dict):
            return {self.sides.get(name, name): self.told(value, name) for name, value in data.items()}
        if isinstance(data, list):
            return [self.told(value, key) for value in data]
        return self._value(data, _TYPES.get(key, "text"))

    def facts(self, facts: Iterable[Fact], vocabulary: Vocabulary) -> Iterator[Fact]:
        """Facts without what is unsaid."""
        for fact in facts:
            fields = vocabulary.kind_of(fact).fields
            yield (fact[0], *(self._value(value, field.type) for value, field in zip(fact[1:], fields, strict=True)))

    def _value(self, value: Any, type_: str) -> Any:
        """A value of a type, a part for a seat or side, and no trick that nobody has named, nor the one after it."""
        match type_:
            case "seat":
                return self.seats.get(value, value)
            case "side":
                return self.sides.get(value, value)
            case "trick":
                return None if value in self.tricks or value in self.following else value
            case "suit" | "card":
                return None if value in self.suits or not is_named(value) else value
            case "moment" | "play":
                return self.moment(value) if isinstance(value, int) else value
        return value

    def moment(self, value: int) -> int | str:
        """A moment, told from the revoke whose trick nobody has named: «revoke-1+110»."""
        trick, moment = divmod(value, 1000)
        return f"revoke-{self.tricks[trick]}+{moment}" if trick in self.tricks else value


def _suits(ways: Completions) -> frozenset[str]:
    """The suits that stand for those of revokes where nobody has named any, be it by a card."""
    incident = ways.incident
    stated = (revoke.known.get(key) for revoke in incident.revokes for key in ("suit", "card", "cards"))
    happened = (value for event in incident.events for value in event.said.values())
    if incident.play is not None or any(stated) or any(isinstance(value, Card) or value in SUITS for value in happened):
        return frozenset()
    suits = (suit for (_, name), values in ways.values.items() if name == "suit" for suit in values)
    return frozenset(suits).intersection(SUITS)
