"""The statements of an incident: each thing that is said, presumed or not known of it, and what else it might be, as
changes of the incident. What is supposed, added, corrected or asked for is tapped from this list.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, get_args

from facts.cards import DECK, OTHER_SIDE, PARTNER, SEATS, SIDE, Seat
from facts.contract import Vulnerable
from facts.errors import InputError
from facts.incident import Finding, Incident, Player
from facts.observe import TOLD
from facts.table import NOTHING, FindingKind, numbers, written
from facts.to_yaml import plain
from kb.explain.hinge import asked
from kb.explain.say import Speaker
from kb.explain.unfold import event_words, named
from kb.ruling.ruling import Ruling
from kb.space.choices import domain, values_of
from kb.space.completions import Completions
from kb.space.layout import Key

NUMBERS: Final = tuple(map(str, range(14)))
CONTRACT: Final = "contract"
BOARD: Final[Mapping[str, tuple[str, tuple[str, ...]]]] = {
    "declarer": ("seat", SEATS),
    "vulnerable": ("vulnerable", get_args(Vulnerable)),
    "tricks": ("number", NUMBERS),
    CONTRACT: ("text", ()),
    "board": ("text", ()),
    "equity-tricks": ("number", NUMBERS),
}
"""What is said of no revoke, and so is not declared with the findings: keys, types and values."""
SUPPOSED: Final = ("declarer", "vulnerable", "tricks", "equity-tricks")
ADDED: Final = ("declarer", "vulnerable", "tricks", CONTRACT, "board")
ROLES: Final = get_args(Player)[:3]
FOLLOWS: Final = ("declarer", "dummy", "same-player", "partner")
"""Parts that leave one seat, once declarer or the first to revoke is named."""
Way: TypeAlias = tuple[str, tuple[str, ...]]
"""What something might be, and the changes that make it so."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing that is stated, presumed or not known."""

    name: str
    """As a change of the incident names it."""
    label: str
    now: str
    """What it is: in words, or as it is written where it stands in a form."""
    stated: bool
    ways: tuple[Way, ...]
    """What else it might be; none where it is written."""


@dataclass(frozen=True, slots=True)
class Saying:
    """One way to state a finding."""

    words: str
    written: str
    """As a change of the incident states it."""
    values: frozenset[Any]
    """What it leaves possible."""


# --- what can be said of one finding


def every_value(ways: Completions, key: Key) -> list[Any]:
    """The values that a finding may have wherever the revoke may have been, in their order."""
    kind, places = ways.table.findings[key[1]], (given for given, _ in ways.places(key[0]))
    return list(DECK) if kind.type.name == "card" else list(domain(kind, places, ways.table))


def answers(
    ways: Completions, key: Key, speaker: Speaker, wanted: Iterable[Any], possible: Iterable[Any]
) -> list[Saying]:
    """The answers that say some of the wanted values and, of those that are possible, no other; in their order."""
    kind, can_be, all_wanted = ways.table.findings[key[1]], set(possible), set(wanted)
    found = []
    for answer in kind.answers.values():
        meant = {value for given, _ in ways.places(key[0]) for value in values_of(answer, given, ways.table)} & can_be
        if meant and meant <= all_wanted:
            found.append(Saying(answer.says[speaker.lang], _written(answer.id, kind), frozenset(meant)))
    order = every_value(ways, key)
    return sorted(found, key=lambda one: min(map(order.index, one.values)))


def values(ways: Completions, key: Key, speaker: Speaker, wanted: Iterable[Any]) -> list[Saying]:
    """Each of these values by itself."""
    kind = ways.table.findings[key[1]]
    return [Saying(value_words(one, kind, speaker), _written(one, kind), frozenset([one])) for one in wanted]


def value_words(value: Any, kind: FindingKind, speaker: Speaker) -> str:
    """A value by itself: a seat, a suit or a number as it is, a word by the answer that says it."""
    if isinstance(value, tuple):
        return ", ".join(speaker.value(seat, "seat") for seat in value) or speaker.phrase("nobody")
    named = written(value)
    if named in kind.answers:
        return kind.answers[named].says[speaker.lang]
    if len(several := numbers(value)) > 1:
        return speaker.phrase("from-to", least=several[0], most=several[-1])
    if kind.type.name != "words":
        return speaker.value(named, kind.type.name)
    said = next((one.says for one in kind.answers.values() if value in one.values), None)
    return speaker.value(named, "seat") if said is None else said[speaker.lang]


def _written(value: Any, kind: FindingKind) -> str:
    text = ",".join(value) if isinstance(value, tuple) else written(value)
    return {"yes": "true", "no": "false"}[text] if kind.type.name == "yes-no" else text


# --- what may be supposed


def supposed(ruling: Ruling, speaker: Speaker) -> Iterator[tuple[str, list[Statement]]]:
    """Statements in groups, each under its title: every revoke, the events, the board.

    ``speaker``: one that says seats, even where the ruling has other words for them.
    """
    incident = ruling.incident
    for number in range(len(incident.revokes)):
        yield _of_revoke(ruling, number, speaker)
    if incident.events:
        drop, table = speaker.phrase("desk-if-drop"), ruling.edition.table
        listed = [
            Statement(f"event-{n}", f"{n}.", event_words(event, table, speaker), True, ((drop, (f"event-{n}=",)),))
            for n, event in enumerate(incident.events, 1)
        ]
        yield speaker.phrase("desk-if-events"), listed
    board = list[Statement]()
    for key in SUPPOSED:
        now, (type_, choices) = getattr(incident, key.replace("-", "_")), BOARD[key]
        said = None if now is None else speaker.value(str(now), type_)
        label, ways = speaker.value(key, "board-key"), [(speaker.value(one, type_), one) for one in choices]
        board.append(_statement(key, label, said, ways, now is not None, speaker))
    yield speaker.phrase("desk-if-board"), board


def _of_revoke(ruling: Ruling, number: int, speaker: Speaker) -> tuple[str, list[Statement]]:
    """Whose card it was, at which trick, and every finding that is stated or that it would matter to state."""
    ways, found, at = ruling.opening.completions, ruling.incident.revokes[number], f"revoke-{number + 1}."
    standing, (hand, trick) = speaker.of(ruling), named(number, ruling)
    who = standing.value(hand, "seat")
    drop = (f"{at}player=",) if found.player else ()
    hands: list[Way] = [(speaker.value(seat, "seat"), (*drop, f"{at}hand={seat}")) for seat in SEATS]
    if found.hand is None:
        roles = (role for role in ROLES if role != found.player)
        hands += [(speaker.value(role, "role"), (f"{at}player={role}",)) for role in roles]
    known = bool(found.hand or found.player)
    unknown: list[Way] = [(speaker.phrase("desk-if-unknown"), drop or (f"{at}hand=",))] if known else []
    hands = [*(one for one in hands if not known or one[0] != who), *unknown]
    label, whose = speaker.capital(speaker.phrase("asks-hand")), who if known else speaker.phrase("desk-if-unknown")
    listed = [Statement(f"{at}hand", label, whose, known, tuple(hands))]
    now = None if found.trick is None else str(found.trick)
    tricks = [(one, one) for one in NUMBERS[1:]]
    listed.append(_statement(f"{at}trick", speaker.phrase("asks-trick"), now, tricks, bool(now), speaker))
    for kind in ways.table.findings.values():
        key, may_be = (number, kind.id), ways.values.get((number, kind.id), {})
        if kind.id not in found.said and kind.not_stated != NOTHING and may_be.keys() <= {None, TOLD}:
            continue
        every, held = every_value(ways, key), [value for value in may_be if value not in (None, TOLD)]
        known = kind.id in found.said or len(held) == 1
        now = value_words(found.said.get(kind.id, held[0] if held else None), kind, speaker) if known else None
        offered = answers(ways, key, speaker, every, every) or values(ways, key, speaker, every)
        others = [(one.words, one.written) for one in offered if not (known and one.values.issuperset(held))]
        label = kind.means[speaker.lang].partition(";")[0]
        listed.append(_statement(f"{at}{kind.id}", label, now, others, kind.id in found.said, speaker))
    title = speaker.phrase("of-revoke", hand=who, trick=standing.value(trick, "trick"))
    return standing.capital(title), listed


def _statement(
    name: str, label: str, now: str | None, ways: Iterable[tuple[str, str]], stated: bool, speaker: Speaker
) -> Statement:
    """``ways``: values in words, and as they are written; last, where it is stated, that it is not known."""
    unknown = speaker.phrase("desk-if-unknown")
    others = [*(one for one in ways if one[0] != now), *([(unknown, "")] if stated else [])]
    changes = tuple((said, (f"{name}={value}",)) for said, value in others)
    return Statement(name, speaker.capital(label), now or unknown, stated, changes)


def changed(before: Ruling, after: Ruling, speaker: Speaker) -> list[str]:
    """The statements that are otherwise, each with what it is now."""
    old, new = (
        {(title, one.label): one.now for title, some in supposed(ruling, speaker) for one in some}
        for ruling in (before, after)
    )
    return [f"{key[1]}: {now}" for key, now in new.items() if old.get(key) != now]


# --- what may be added


def additions(ruling: Ruling, speaker: Speaker) -> list[Statement]:
    """What may be added to what was found out: the seats of those who are known only by the part they play, which trick
    it was, the contract, the result; nothing of a record, which says it in its own way.
    """
    incident, standing, found = ruling.incident, speaker.of(ruling), list[Statement]()
    if incident.play is not None or incident.deal is not None:
        return []
    seats = [(speaker.value(seat, "seat"), str(seat)) for seat in SEATS]
    tricks = [(one, one) for one in NUMBERS[1:-1]]  # to the thirteenth everybody plays the one card that is left
    for number, one in enumerate(incident.revokes):
        unseated = one.hand is None and one.player not in FOLLOWS
        for key, open_, ways in (("hand", unseated, seats), ("trick", one.trick is None, tricks)):
            if open_:
                label = asked(ruling.opening, (number, key), standing)
                found.append(_addition(f"revoke-{number + 1}.{key}", label, ways, None))
    for key in ADDED:
        now, (type_, choices) = getattr(incident, key), BOARD[key]
        if key == "declarer" and now is not None:
            continue  # a seat is changed where it was asked
        ways = [(speaker.value(one, type_), one) for one in choices]
        found.append(_addition(key, speaker.capital(speaker.value(key, "board-key")), ways, now))
    return found


def _addition(name: str, label: str, ways: Iterable[tuple[str, str]], now: object) -> Statement:
    changes = tuple((said, (f"{name}={value}",)) for said, value in ways)
    return Statement(name, label, "" if now is None else str(now), now is not None, changes)


def of_board(one: Statement) -> bool:
    """Whether it is said of the whole board, and of nobody's seat."""
    return one.name in ADDED and one.name != "declarer"


def answered(listed: Iterable[Statement], fields: Mapping[str, str]) -> dict[str, str]:
    """What the fields of a form say of these; a contract by its level, its strain and whether it was doubled."""
    said = {one.name: fields[one.name][:40] for one in listed if one.name in fields}
    level = fields.get("level", "")
    contract = f"{level}{fields.get('strain', '')}{fields.get('doubled', '')}"[:40]
    return said | ({CONTRACT: contract} if level else {})


def seated(incident: Incident, said: Mapping[str, str]) -> list[str]:
    """What was added to an incident, as changes of it, and every seat that follows from it; InputError where a seat is
    another's.

    ``said``: by the names under which it was asked; what is empty is not stated.
    """
    given = {key: text.strip() for key, text in said.items()}
    declarer = next((seat for seat in SEATS if seat == given.get("declarer", incident.declarer)), None)
    was = plain(incident)
    changes = [f"{key}={text}" for key, text in given.items() if not key.endswith(".hand") and (text or key in was)]
    first: Seat | None = None
    for number, found in enumerate(incident.revokes, 1):
        hand, may_be = found.hand, _hands(found, declarer, first)
        if hand is None:
            seat = given.get(f"revoke-{number}.hand")
            if seat and seat not in may_be:
                what = f"by the answers it was not {seat}'s card" if seat in SEATS else f"{seat[:20]} is no seat"
                mend = "look at whose card it was, and who was declarer, or change that answer"
                raise InputError.of("table", what, mend)
            hand = may_be[may_be.index(seat)] if seat else may_be[0] if len(may_be) == 1 else None
            changes += [] if hand is None else [f"revoke-{number}.player=", f"revoke-{number}.hand={hand}"]
        first = first or hand
    return changes


def _hands(found: Finding, declarer: Seat | None, first: Seat | None) -> tuple[Seat, ...]:
    """The seats of a part, as far as it is known who is declarer, and who was the first to revoke."""
    seen_from = first if found.player in ("same-player", "partner", "opponent") else declarer
    if found.player is None or seen_from is None:
        return SEATS
    if found.player in ("declarer", "same-player"):
        return (seen_from,)
    if found.player in ("dummy", "partner"):
        return (PARTNER[seen_from],)
    return tuple(seat for seat, side in SIDE.items() if side == OTHER_SIDE[SIDE[seen_from]])
