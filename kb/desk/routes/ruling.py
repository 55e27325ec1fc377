"""A ruling and everything that can be asked of it: explained in any voice, why not, what if."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Query, Response

from facts.cards import DECK
from facts.errors import InputError
from facts.incident import Incident
from facts.readers.changes import all_changed
from kb.desk.addressed import Submission, amended, chips_of, query_in, query_of, restated, submission
from kb.desk.desk import Told, law_named, tell
from kb.desk.guard import DeskRoute
from kb.desk.pages import Asked, PageRequest, redirect
from kb.desk.statements import (
    asked_again,
    by_cards,
    changed,
    clash,
    drawn,
    entries,
    entry_changes,
    half,
    hinge,
    misread,
    of_ruling,
    supposed,
)
from kb.explain.html import article
from kb.explain.page import Page
from kb.explain.say import Speaker
from kb.explain.text import page as page_of
from kb.interview.address import address
from kb.language.model import Edition
from kb.voices import Voice, told
from kb.why_not.what_if import WhatIf, differences
from kb.why_not.what_if import what_if as with_changes
from kb.why_not.why_not import page as why_page
from kb.why_not.why_not import why_not as answered_why

Entry = Annotated[int | None, Query(ge=1, le=10**9)]
"""The number of a kept ruling, if one is meant."""


router = APIRouter(include_in_schema=False, route_class=DeskRoute)


@router.get("/ruling")
def ruling(page: Asked, entry: Entry = None) -> Response:
    """What to say, who does what now, and the law behind each line; ``entry``: the kept ruling that it corrects."""
    if not page.request.url.query:
        return redirect("/")
    return _ruling(page, query_of(page.request), entry)


def _ruling(page: PageRequest, query: Mapping[str, str], entry: int | None, status: int = 200, **form: Any) -> Response:
    """``form``: what was typed in the form of the result and cannot be, with what is wrong with it."""
    desk, given = page.desk, submission(query, page.desk)
    ruling = page.ruling(given)
    speaker = page.speaker(ruling.edition)
    shown = of_ruling(given.word, ruling, speaker)
    shown["hinge"] = hinge(ruling, desk, shown["speaker"], query)
    shown |= {"drawn": drawn(ruling, shown["speaker"]), "entry": entry or "", "chips": chips_of(query, desk, speaker)}
    return page.page("ruling.html", status, **shown, **form)


@router.get("/result")
def result(page: Asked, f: str, to: str = "", entry: Entry = None) -> Response:
    """The ruling, or the form to keep it, with what was entered: contract, board, result, the trick and its cards."""
    desk, fields, query = page.desk, dict(page.request.query_params), query_in(f)
    ruling, speaker = page.ruled(f)
    labels = entries(ruling, speaker.of(ruling))
    changes, wrong = entry_changes(ruling.incident, labels, fields), half(fields, speaker)
    try:
        incident = all_changed(ruling.incident, changes, desk.table)
        more, against = by_cards(ruling, incident, query, desk, speaker)
    except InputError as error:
        more, against = [], misread(error, labels, speaker)
        if not (wrong or against):
            raise
    if wrong := wrong or against:
        return _ruling(page, query, entry, 422, wrong=wrong, typed=fields)
    changes += more
    try:
        incident = all_changed(incident, more, desk.table)
        new = restated(query, changes, incident, desk)
        page.ruling(new)
    except InputError:
        wrong = clash(incident, desk, query, speaker)
        return _ruling(page, query, entry, 422, wrong=wrong, typed=fields)
    if to == "/keep":
        return redirect("/keep", f=new.word)
    if again := asked_again(query, amended(query, changes), desk):
        return redirect("/ask", **again, entry=entry)
    return redirect("/ruling", **query_in(new.word), entry=entry)


@router.get("/explain")
def explain(page: Asked, f: str, voice: str = "") -> Response:
    """Everything: the ruling in a voice, the deal and the tricks, the clauses."""
    ruling, speaker = page.ruled(f)
    name = next((one for one in Voice if one == voice), None)
    body = article(ruling, told(ruling, speaker, name), speaker)
    voices = [("", page.t("voice-full")), *((one, page.words.name("voice", one, page.lang)) for one in Voice)]
    return page.page("explain.html", word=f, body=body, spoken=name or "", voices=voices)


@router.get("/why-not")
def why_not(page: Asked, f: str, law: str = "") -> Response:
    """Why a clause does not apply, and what would make it apply."""
    ruling, speaker = page.ruled(f)
    answer = None
    if law:
        ruling.edition.clause(law)
        answer = why_page(ruling, answered_why(ruling, law), speaker)
    shown = of_ruling(f, ruling, speaker)
    return page.page("why-not.html", asked=law, answer=answer, chapters=chapters(ruling.edition, speaker), **shown)


@router.get("/what-if")
def what_if(page: Asked, f: str, c: Annotated[list[str] | None, Query()] = None, card: str = "") -> Response:
    """The facts to tap; or, with changes, both rulings beside each other."""
    desk, changes, faults = page.desk, [one for one in c or [] if one], list[Told]()
    before, speaker = page.ruled(f)
    if changes:
        try:
            both = with_changes(before, changes, desk.table, lambda one: page.ruling(Submission.of_incident(one)))
        except InputError as error:
            faults, card = [tell(fault) for fault in error.faults], ""
        else:
            return _changed(page, f, both, changes)
    return page.page(
        "what-if.html",
        422 if faults else 200,
        groups=list(supposed(before, speaker)),
        tricks=_tricks(before.incident, f, speaker),
        card=card,
        cards=[(speaker.value(one, "card"), f"card-{card}={one}") for one in map(str, DECK)] if card else [],
        laws=[one for one in desk.titles(page.lang) if one[0] != law_named(before.incident)],
        faults=faults,
        said=changes[0] if changes else "",
        **of_ruling(f, before, speaker),
    )


def _changed(page: PageRequest, word: str, both: WhatIf, changes: Sequence[str]) -> Response:
    before, after = both.before, both.after
    speaker = page.speaker(after.edition)
    speakers = [page.speaker(one.edition).of(one) for one in (after, before)]
    pages = [page_of(one, told_of) for one, told_of in zip((after, before), speakers, strict=True)]
    law = [after.edition.called(page.lang)] if law_named(before.incident) != law_named(after.incident) else []
    return page.page(
        "changed.html",
        word=word,
        new=restated(query_in(word), changes, after.incident, page.desk).word,
        sides=list(zip(("if-after", "if-before"), pages, speakers, map(_texts, reversed(pages)), strict=True)),
        differences=differences(both, speaker),
        changes=[*changed(before, after, speaker), *law] or changes,
    )


def _texts(told: Page) -> frozenset[str]:
    """Everything that a page says."""
    lines = [*told.lead, *(line for one in told.parts for line in one.lines)]
    return frozenset(one.text for line in lines for one in (line, *line.under))


def chapters(edition: Edition, speaker: Speaker) -> list[tuple[str, list[tuple[str, str]]]]:
    """The clauses of an edition, law by law: what a list to choose from shows."""
    found: dict[str, list[tuple[str, str]]] = {}
    for ref, clause in edition.clauses.items():
        if clause.law:
            says = clause.says[speaker.lang]
            found.setdefault(clause.law, []).append((ref, says if len(says) < 70 else f"{says[:68]}…"))
    titles = ((law, edition.laws[law][speaker.lang] if law in edition.laws else "") for law in found)
    return [(f"{speaker.laws([law])}: {title}" if title else speaker.laws([law]), found[law]) for law, title in titles]


def _tricks(incident: Incident, word: str, speaker: Speaker) -> list[list[tuple[str, str, str]]]:
    """The tricks of a record, each card with the address where it can be changed."""
    if incident.play is None:
        return []
    return [
        [
            (
                speaker.value(seat, "seat"),
                "–" if card is None else speaker.value(card.text, "card"),
                address("/what-if", f=word, card=f"{number}.{nth}"),
            )
            for nth, (seat, card) in enumerate(trick.items(), 1)
        ]
        for number, trick in enumerate(incident.play.tricks, 1)
    ]
