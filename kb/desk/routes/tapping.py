"""A trick entered card by card: every tap is a link, so it works anywhere and goes back; then come the questions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias
from urllib.parse import parse_qsl

from fastapi import APIRouter, Request, Response

from facts.cards import SUITS
from kb.desk.addressed import asking_address
from kb.desk.desk import Desk
from kb.desk.guard import DeskRoute
from kb.desk.pages import PageRequest, address, redirect
from kb.desk.resulting import Contested
from kb.desk.tapped_trick import CONTRACTS, NO_MORE, UNKNOWN, WHOLE, TappedTrick, added
from kb.explain.say import Speaker
from kb.language.folders import DEFAULT_EDITION

Tap: TypeAlias = tuple[str, str, str]
"""What is tapped, its words, and the address that it leads to."""


def routes(desk: Desk) -> APIRouter:
    """The page."""
    router = APIRouter(include_in_schema=False, route_class=DeskRoute)

    @router.get("/trick")
    def trick(request: Request, law: str = "") -> Response:
        """The next thing to tap, or on to the questions."""
        visit, edition = desk.visit(request), desk.laws.edition(law or DEFAULT_EDITION)
        speaker, tapped = visit.speaker(edition), TappedTrick.of(request.query_params, law)
        shared: dict[str, Any] = {
            "back": _address(tapped.back()),
            "so_far": " · ".join(_so_far(tapped, visit, speaker)),
            "law": law,
        }
        if tapped.step:
            laws = desk.laws.titles(visit.lang) if not tapped.said and not tapped.given else []
            return visit.page("trick.html", laws=laws, **shared, **_step(tapped, tapped.step, visit, speaker))
        if tapped.given:
            came = added(tapped, dict(parse_qsl(tapped.given)), desk.laws, speaker)
            return visit.page("choose.html", choice=came, **shared) if isinstance(came, Contested) else redirect(came)
        if not tapped.strayed:
            return visit.page("trick-followed.html", **shared)
        return redirect(asking_address(tapped.incident(desk.laws.table), desk.laws))

    return router


def _address(fields: dict[str, str]) -> str:
    return address("/trick", **fields) if fields.keys() - {"law"} else ""


def _step(tapped: TappedTrick, step: str, visit: PageRequest, speaker: Speaker) -> dict[str, Any]:
    taps = [
        (choice, _said(choice, step, visit, speaker), address("/trick", **tapped.with_(step, choice)))
        for choice in tapped.choices(step)
    ]
    rows = _rows(step, taps)
    if step == "cards" and 0 < len(tapped.cards) < WHOLE and tapped.strayed:
        rows.append([("", visit.t("trick-no-more"), address("/trick", **tapped.with_(step, NO_MORE)))])
    who = speaker.value(tapped.turn, "seat") if step == "cards" else ""
    help_ = visit.t("trick-revoker-help") if step == "revoker" else ""
    return {"step": step, "asks": visit.t(f"trick-{step}", who=who), "help": help_, "rows": rows}


def _rows(step: str, taps: list[Tap]) -> list[list[Tap]]:
    """Cards in a row for each suit, contracts in a row for each level, anything else in one."""
    if step == "cards":
        return [[tap for tap in taps if tap[0][0] == suit] for suit in SUITS]
    if step == "contract":
        width = CONTRACTS.index("2C")
        return [taps[at : at + width] for at in range(0, len(taps), width)]
    return [taps]


def _said(choice: str, step: str, visit: PageRequest, speaker: Speaker) -> str:
    if step == "contract":
        return choice[0] + visit.words.name("symbol", choice[1:], visit.lang)
    if choice == UNKNOWN:
        return visit.t("trick-unknown")
    return speaker.value(choice, {"cards": "card", "trick": "number"}.get(step, "seat"))


def _so_far(tapped: TappedTrick, visit: PageRequest, speaker: Speaker) -> Iterator[str]:
    """What has been tapped of the trick."""
    said = tapped.said
    if "contract" in said:
        yield _said(said["contract"], "contract", visit, speaker)
    if "declarer" in said:
        yield visit.t("trick-by", who=speaker.value(said["declarer"], "seat"))
    if said.get("trick", UNKNOWN) != UNKNOWN:
        yield visit.t("trick-number", n=said["trick"])
    if "leader" in said:
        cards = " ".join(speaker.value(card, "card") for card in tapped.cards)
        yield f"{visit.t('trick-led', who=speaker.value(said['leader'], 'seat'))} {cards}".rstrip()
