"""What may be added to what was found out: the seats of those who are known only by the part they play, which trick it
was, the contract, the result.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from facts.cards import OTHER_SIDE, PARTNER, SEATS, SIDE, Seat
from facts.errors import InputError
from facts.incident import Finding, Incident
from facts.readers.changes import all_changed
from facts.readers.incident import Tables
from facts.to_yaml import plain
from kb.desk.changing import OF_THE_TABLE
from kb.explain.hinge import asked as question
from kb.explain.say import Speaker
from kb.ruling.ruling import Ruling

TRICKS: Final = tuple(map(str, range(1, 13)))
"""To the thirteenth everybody plays the one card that is left."""
FOLLOWS: Final = ("declarer", "dummy", "same-player", "partner")
"""Parts that leave one seat, once declarer or the first to revoke is named."""


CONTRACT: Final = "contract"
IN_ROWS: Final = (CONTRACT, "tricks")
"""What is tapped, not chosen from a list."""
BOARD: Final = (*OF_THE_TABLE, (CONTRACT, "text", ()), ("board", "text", ()))
"""What is said of the whole board, as of OF_THE_TABLE."""


@dataclass(frozen=True, slots=True)
class Addition:
    """Something that may be added."""

    name: str
    """As a change of the incident names it."""
    label: str
    choices: tuple[tuple[str, str], ...]
    """Values with their words; none where it is written."""
    now: str = ""
    """What is stated already."""
    of_board: bool = False


def asked(ruling: Ruling, speaker: Speaker) -> list[Addition]:
    """What has not been said, and the result; nothing of a record, which says it in its own way."""
    incident = ruling.incident
    if incident.play is not None or incident.deal is not None:
        return []
    return [*_of_revokes(ruling, speaker), *_of_the_board(incident, speaker)]


def _of_revokes(ruling: Ruling, speaker: Speaker) -> Iterator[Addition]:
    standing = speaker.of(ruling)
    for number, found in enumerate(ruling.incident.revokes):
        if found.hand is None and found.player not in FOLLOWS:
            seats = tuple((str(seat), speaker.value(seat, "seat")) for seat in SEATS)
            yield Addition(f"revoke-{number + 1}.hand", question(ruling.opening, (number, "hand"), standing), seats)
        if found.trick is None:
            tricks = tuple((one, one) for one in TRICKS)
            yield Addition(f"revoke-{number + 1}.trick", question(ruling.opening, (number, "trick"), standing), tricks)


def _of_the_board(incident: Incident, speaker: Speaker) -> Iterator[Addition]:
    for key, type_, choices in BOARD:
        now = getattr(incident, key)
        if key == "declarer" and now is not None:
            continue  # a seat is changed where it was asked
        said = tuple((one, speaker.value(one, type_)) for one in choices)
        label = speaker.capital(speaker.value(key, "board-key"))
        yield Addition(key, label, said, "" if now is None else str(now), key != "declarer")


def answered(additions: Iterable[Addition], fields: Mapping[str, str]) -> dict[str, str]:
    """What the fields of a form say of these; InputError for half a contract."""
    said = {one.name: fields[one.name][:40] for one in additions if one.name in fields}
    level, strain = fields.get("level", ""), fields.get("strain", "")
    if bool(level) != bool(strain):
        raise InputError.of(CONTRACT, f"{level or strain} is half a contract", "give both its level and its strain")
    return said | ({CONTRACT: f"{level}{strain}{fields.get('doubled', '')}"[:40]} if level else {})


def seated(incident: Incident, said: Mapping[str, str], tables: Tables) -> Incident:
    """The incident with what was added, and every seat that follows from it; InputError where a seat is another's.

    ``said``: by the names under which it was asked; what is empty is not stated.
    """
    given = {key: text.strip() for key, text in said.items()}
    declarer = next((seat for seat in SEATS if seat == given.get("declarer", incident.declarer)), None)
    was = plain(incident)
    changes = [f"{key}={text}" for key, text in given.items() if not key.endswith(".hand") and (text or key in was)]
    first: Seat | None = None
    for number, found in enumerate(incident.revokes, 1):
        hand = found.hand or _hand(found, given.get(f"revoke-{number}.hand") or None, declarer, first)
        if hand is not None and found.hand is None:
            changes += [f"revoke-{number}.player=", f"revoke-{number}.hand={hand}"]
        first = first or hand
    return all_changed(incident, changes, tables)


def _hand(found: Finding, said: str | None, declarer: Seat | None, first: Seat | None) -> Seat | None:
    """Whose card it was, if that is said or follows."""
    may_be = _hands(found, declarer, first)
    if said is None:
        return may_be[0] if len(may_be) == 1 else None
    if said not in may_be:
        what = f"by the answers it was not {said}'s card" if said in SEATS else f"{said[:20]} is no seat"
        mend = "look at whose card it was, and who was declarer, or change that answer"
        raise InputError.of("table", what, mend)
    return may_be[may_be.index(said)]


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
