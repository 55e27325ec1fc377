"""Rule on a trick entered card by card: every tap is a link, so that it works anywhere and goes back."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

from facts.cards import SUITS
from kb.desk.desk import Desk
from kb.desk.pages import Visit, address, redirect
from kb.desk.tapped import CONTRACTS, Tapped
from kb.explain.say import Voice
from kb.language.folders import DEFAULT_EDITION


def routes(desk: Desk) -> APIRouter:
    """The page."""
    router = APIRouter(include_in_schema=False)

    @router.get("/trick")
    def trick(request: Request) -> Response:
        """The next thing to tap, or on to the ruling."""
        visit = desk.visit(request)
        voice = visit.voice(desk.shelf.edition(DEFAULT_EDITION))
        tapped = Tapped.of(request.query_params)
        if tapped.step:
            return visit.page("trick.html", **_step(tapped, tapped.step, visit, voice))
        if not tapped.strayed:
            back = address("/trick", **tapped.back())
            return visit.page("trick-followed.html", back=back, so_far=_so_far(tapped, visit, voice))
        return redirect("/ruling", f=tapped.given().word)

    return router


def _step(tapped: Tapped, step: str, visit: Visit, voice: Voice) -> dict[str, Any]:
    choices = tapped.choices(step) if step != "revoker" else tapped.strayed
    taps = [
        (choice, _said(choice, step, visit, voice), address("/trick", **tapped.with_(step, choice)))
        for choice in choices
    ]
    seat = voice.value(tapped.turn, "seat") if step == "cards" else ""
    if step in ("next-trick", "later-tricks"):
        seat = voice.value(tapped.side, "side")
    return {
        "step": step,
        "asks": visit.t(f"trick-{step}", who=seat),
        "help": visit.t("trick-revoker-help") if step == "revoker" else "",
        "rows": _rows(step, taps),
        "back": address("/trick", **tapped.back()) if tapped.said else "",
        "so_far": _so_far(tapped, visit, voice),
    }


def _rows(step: str, taps: list[tuple[str, str, str]]) -> list[list[tuple[str, str, str]]]:
    """Cards in a row for each suit, contracts in a row for each level, anything else in one."""
    if step == "cards":
        return [[tap for tap in taps if tap[0][0] == suit] for suit in SUITS]
    if step == "contract":
        width = CONTRACTS.index("2C")
        return [taps[at : at + width] for at in range(0, len(taps), width)]
    return [taps]


def _said(choice: str, step: str, visit: Visit, voice: Voice) -> str:
    if step == "cards":
        return voice.value(choice, "card")
    if step == "contract":
        return choice[0] + visit.words.name("symbol", choice[1:], visit.lang)
    if step in ("declarer", "leader", "revoker"):
        return voice.value(choice, "seat")
    return visit.words.name("desk-word", choice, visit.lang) if step == "next-trick" else choice


def _so_far(tapped: Tapped, visit: Visit, voice: Voice) -> str:
    """What has been tapped, in one line."""
    said = tapped.said
    parts = []
    if "contract" in said:
        parts.append(_said(said["contract"], "contract", visit, voice))
    if "declarer" in said:
        parts.append(visit.t("trick-by", who=voice.value(said["declarer"], "seat")))
    if "trick" in said:
        parts.append(visit.t("trick-number", n=said["trick"]))
    if "leader" in said:
        cards = " ".join(voice.value(card, "card") for card in tapped.cards)
        parts.append(f"{visit.t('trick-led', who=voice.value(said['leader'], 'seat'))} {cards}".rstrip())
    return " · ".join(parts)
