"""What can be changed of an incident: each fact stated, and what else might have been, as changes that are one tap."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, get_args

from facts.cards import SEATS, SUITS
from facts.incident import ClaimFound, FailedTo, Incident, NextTrick, Noticed, Vulnerable
from facts.plain import plain
from kb.desk.pages import Visit
from kb.explain.say import Voice

SIDES: Final = ("NS", "EW")
YES_NO: Final = ("true", "false")
OF_FINDING: Final[dict[str, tuple[str, Sequence[str]]]] = {
    "hand": ("seat", SEATS),
    "trick": ("number", tuple(map(str, range(1, 14)))),
    "suit": ("suit", SUITS),
    "won-by": ("seat", SEATS),
    "next-trick": ("desk-word", get_args(NextTrick)),
    "later-tricks": ("number", tuple(map(str, range(13)))),
    "noticed": ("desk-word", get_args(Noticed)),
    "claim": ("desk-word", get_args(ClaimFound)),
    "failed-to": ("desk-word", get_args(FailedTo)),
    "faced": ("desk-word", YES_NO),
    "required-faced": ("desk-word", YES_NO),
    "later-win-playable": ("desk-word", YES_NO),
    "asked-by": ("seat", SEATS),
    "next-board-call-by": ("side", SIDES),
    "dummy-lost-rights": ("desk-word", YES_NO),
    "other-side-revoked": ("desk-word", ("no", "same-trick", "same-board")),
    "repeats": ("number", ("0", "1", "2")),
}
"""The keys of a finding that can be changed, the type their values are said as, and those values."""
OF_INCIDENT: Final[dict[str, tuple[str, Sequence[str]]]] = {
    "declarer": ("seat", SEATS),
    "vulnerable": ("vulnerable", get_args(Vulnerable)),
    "tricks": ("number", tuple(map(str, range(14)))),
    "equity-tricks": ("number", tuple(map(str, range(14)))),
}
"""The same for keys of the incident itself."""
FORGETTABLE: Final = ("won-by", "later-tricks", "asked-by", "next-board-call-by", *OF_INCIDENT)
"""Of these nothing need be stated."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing stated, or silently taken as usual, and what else it might be."""

    name: str
    value: str
    stated: bool
    others: tuple[tuple[str, str], ...]
    """What it might be, and the change that makes it so."""


def facts(incident: Incident, visit: Visit, voice: Voice) -> Iterator[tuple[str, list[Fact]]]:
    """Groups of facts under a title: each finding, the events, the incident itself."""
    data = plain(incident)
    for number, (finding, said) in enumerate(zip(incident.revokes, data.get("revokes", []), strict=True), 1):
        prefix = f"revoke-{number}."
        title = visit.t("if-revoke", hand=voice.value(finding.hand, "seat"), trick=finding.trick)
        values = {key: getattr(finding, key.replace("-", "_")) for key in OF_FINDING}
        yield title, [_fact(key, values[key], key in said, prefix, visit, voice) for key in OF_FINDING]
    if incident.events:
        yield visit.t("if-events"), [_event(number, one.name, visit) for number, one in enumerate(incident.events, 1)]
    board = {key: getattr(incident, key.replace("-", "_")) for key in OF_INCIDENT}
    yield visit.t("if-board"), [_fact(key, board[key], key in data, "", visit, voice) for key in OF_INCIDENT]


def _fact(key: str, value: object, stated: bool, prefix: str, visit: Visit, voice: Voice) -> Fact:
    kind, choices = (OF_FINDING | OF_INCIDENT)[key]
    now = "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
    others = [(_said(one, kind, visit, voice), f"{prefix}{key}={one}") for one in choices if one != now]
    if now and key in FORGETTABLE:
        others.append((visit.t("if-unknown"), f"{prefix}{key}="))
    said = _said(now, kind, visit, voice) if now else visit.t("if-unknown")
    return Fact(visit.words.name("desk-fact", key, visit.lang), said, stated, tuple(others))


def _event(number: int, name: str, visit: Visit) -> Fact:
    said = visit.words.name("desk-event", name, visit.lang)
    return Fact(visit.t("if-event", n=number), said, True, ((visit.t("if-drop"), f"event-{number}="),))


def _said(value: str, kind: str, visit: Visit, voice: Voice) -> str:
    if kind == "number":
        return value
    return voice.value(value, kind) if kind in ("seat", "side", "suit") else visit.words.name(kind, value, visit.lang)
