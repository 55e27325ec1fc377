"""A ruling in one line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from facts.cards import DECK, SEATS, SIDE
from facts.incident import Incident
from facts.observe.result import ALL
from kb.explain.say import Speaker
from kb.ruling.opening import Opening
from kb.ruling.ruling import RevokeRuled, Ruling

SURE: Final = ("established", "must-correct", "corrected")
"""What may be known of one revoke while the ruling on others is open."""
STANDING: Final = {"must-correct": "correct", "established": "exempt", "none-yet": "none-yet", "corrected": "corrected"}
WITHOUT_TRICKS: Final = {
    "correct": "correct-otherwise",
    "exempt": "exempt-otherwise",
    "corrected": "corrected-otherwise",
}
"""What a code says that moves no tricks by itself."""


def headline(ruling: Ruling, speaker: Speaker) -> str:
    """The ruling in one line."""
    if ruling.opening is not None and ruling.opening.is_open:
        return " ".join(_open(ruling, ruling.opening, speaker)) or speaker.phrase("undecided")
    if not ruling.revokes:
        return speaker.phrase(_no_revoke(ruling))
    if ruling.sections.facts("adjusted"):
        return _adjusted(ruling, speaker)
    moves = [
        speaker.phrase("moves", tricks=speaker.tricks(tricks), to=speaker.value(side, "side"))
        for side, tricks in ruling.transfer.items()
        if tricks
    ]
    states = {revoke.status for revoke in ruling.revokes}
    if moves and len(states) > 1:
        return " ".join(
            [*_each(ruling, speaker, [one for one in ruling.revokes if one.status != "established"]), *moves]
        )
    if not moves and len(ruling.revokes) > 1 and (said := [*_each(ruling, speaker, ruling.revokes)]):
        return " ".join([*said, *_nothing_moved(ruling, speaker)])
    return " ".join(moves) if moves else speaker.phrase(_standing(ruling))


def _no_revoke(ruling: Ruling) -> str:
    if ruling.items("rectifications"):
        return "no-revoke-done"
    return "no-revoke" if _all_seen(ruling.incident) else "no-revoke-seen"


def _open(ruling: Ruling, opening: Opening, speaker: Speaker) -> Iterator[str]:
    """What is certain of a ruling that hinges on something: how revokes stand, and how many tricks may go."""
    yield from _each(ruling, speaker, [one for one in ruling.revokes if one.status in SURE])
    for side, (least, most) in opening.range.items():
        to = speaker.value(side, "side")
        if least < most:
            yield speaker.phrase("moves-range", least=least, tricks=speaker.tricks(most), to=to)
        elif least:
            yield speaker.phrase("moves", tricks=speaker.tricks(least), to=to)


def _each(ruling: Ruling, speaker: Speaker, revokes: Iterable[RevokeRuled]) -> Iterator[str]:
    """How each of several revokes stands."""
    for one in revokes:
        place = {"hand": speaker.value(one.hand, "seat"), "trick": one.trick}
        if one.status == "none-yet":
            yield speaker.phrase("goes-on" if one.exempt_by else "none-yet")
        else:
            yield speaker.smooth(speaker.phrase(f"certain-{one.status}", **place))


def _nothing_moved(ruling: Ruling, speaker: Speaker) -> Iterator[str]:
    if ruling.items("points") or ruling.items("options"):
        return
    if any(one.status == "established" for one in ruling.revokes):
        yield speaker.phrase("none-moved" if ruling.edition.scored == "duplicate" else "none-moved-otherwise")


def _adjusted(ruling: Ruling, speaker: Speaker) -> str:
    """The score that is assigned, in declarer's tricks where he is known."""
    fact = ruling.sections.facts("adjusted")[0]
    index, declarer = ruling.edition.vocabulary.kinds[str(fact[0])].index, ruling.incident.declarer
    side, tricks = fact[index["side"]], int(fact[index["tricks"]] or 0)
    if declarer is not None and SIDE[declarer] != side:
        side, tricks = SIDE[declarer], ALL - tricks
    return speaker.phrase("adjusted", tricks=speaker.tricks(tricks), side=speaker.value(side, "side"))


def _all_seen(incident: Incident) -> bool:
    """Whether a revoke could not have escaped: findings speak of one, or every card is known that could show it."""
    if incident.revokes or incident.play is None:
        return bool(incident.revokes)
    cards = [card for _, _, _, card in incident.play.plays()]
    dealt = incident.deal is not None and all(incident.deal[seat] is not None for seat in SEATS)
    return None not in cards and (dealt or len(cards) == len(DECK))


def _standing(ruling: Ruling) -> str:
    """The phrase for a ruling that moves no trick."""
    states = {revoke.status for revoke in ruling.revokes}
    if ruling.items("points") or ruling.items("options"):
        return "settled-otherwise" if "established" in states else "settled-in-time"
    if any(revoke.status == "none-yet" and revoke.exempt_by for revoke in ruling.revokes):
        return "goes-on"
    key = next(key for state, key in STANDING.items() if state in states)
    return key if ruling.edition.scored == "duplicate" or key == "none-yet" else WITHOUT_TRICKS[key]
