"""A ruling and everything that can be asked of it: explained in any voice, why not, what if."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Final

from fastapi import APIRouter, Query, Request, Response
from markupsafe import Markup

from facts.cards import SUITS
from facts.errors import InputError
from facts.incident import Incident
from facts.suggestions import did_you_mean
from kb.desk.additions import IN_ROWS, answered, asked, seated
from kb.desk.addressed import ruling_address, submission
from kb.desk.changing import changed, facts
from kb.desk.chips import chips_of
from kb.desk.desk import Desk, tell
from kb.desk.drawing import drawn
from kb.desk.laws import DeskLaws, law_named
from kb.desk.pages import PageRequest, address, redirect
from kb.desk.recent import Recent
from kb.desk.ruled import hinge_of
from kb.desk.submission import Submission
from kb.desk.tapped_trick import CARDS
from kb.explain.entered import entered, over
from kb.explain.html.document import Article, article
from kb.explain.page import Line, Page
from kb.explain.say import Speaker
from kb.explain.spoken import Announcement
from kb.explain.text import now, page
from kb.language.model import Edition
from kb.ruling.report import Report
from kb.ruling.ruling import Ruling
from kb.ruling.unfold import Unfolding, unfold
from kb.voices.voices import Voice, told
from kb.what_if.telling import differences
from kb.what_if.what_if import what_if
from kb.why_not.telling import page as why_page
from kb.why_not.why_not import WhyNot

MOST_ANSWERS: Final = 400
Entry = Annotated[int | None, Query(ge=1, le=10**9)]
"""The number of a kept ruling, if one is meant."""


def routes(desk: Desk) -> APIRouter:
    """The pages."""
    router, rulings = APIRouter(include_in_schema=False), RulingPages(desk)
    router.add_api_route("/ruling", rulings.ruling, methods=["GET"])
    router.add_api_route("/explain", rulings.explain, methods=["GET"])
    router.add_api_route("/why-not", rulings.why_not, methods=["GET"])
    router.add_api_route("/what-if", rulings.what_if, methods=["GET"])
    router.add_api_route("/seated", rulings.seated, methods=["GET"])
    return router


class RulingPages:
    """Pages about the ruling on what the address carries in ``f``."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self._answers: Recent[tuple[Submission, str, str], WhyNot] = Recent(MOST_ANSWERS)

    def ruling(self, request: Request, entry: Entry = None) -> Response:
        """What to say, who does what now, and the law behind each line; ``entry``: the kept ruling that it corrects."""
        visit, given = self.desk.visit(request), submission(request.query_params, self.desk.laws)
        ruling = self.desk.ruling(given)
        speaker = visit.speaker(ruling.edition)
        hinge = hinge_of(ruling, self.desk.laws, speaker.of(ruling), entry)
        chips = chips_of(dict(request.query_params), self.desk.laws, speaker)
        shown = of_ruling(given.word, ruling, speaker)
        return visit.page(
            "ruling.html", hinge=hinge, chips=chips, entry=entry or "", drawn=drawn(ruling, shown["speaker"]), **shown
        )

    def seated(self, request: Request, f: str, to: str = "", entry: Entry = None) -> Response:
        """The ruling, or its slip, with what was added: the seats, the trick, the contract, the result."""
        ruling = self.desk.ruling(Submission.of_word(f))
        added = answered(asked(ruling, self.desk.visit(request).speaker(ruling.edition)), request.query_params)
        new = Submission.of_incident(seated(ruling.incident, added, self.desk.laws.table))
        self.desk.ruling(new)
        if to == "/keep":
            return redirect("/keep", f=new.word)
        return redirect(ruling_address(new.incident(self.desk.laws.table), self.desk.laws, entry))

    def explain(self, request: Request, f: str, voice: str = "") -> Response:
        """Everything: the ruling in a voice, the table, the stepper, the proof, the clauses."""
        visit, ruling = self.desk.visit(request), self.desk.ruling(Submission.of_word(f))
        name = next((one for one in Voice if one == voice), None)
        return visit.page(
            "explain.html",
            word=f,
            body=explanation(self.desk, ruling, visit.speaker(ruling.edition), name),
            spoken=name or "",
            voices=[("", visit.t("voice-full")), *((one, visit.words.name("voice", one, visit.lang)) for one in Voice)],
        )

    def why_not(self, request: Request, f: str, law: str = "") -> Response:
        """Why a clause does not apply, and what would make it apply."""
        visit, given = self.desk.visit(request), Submission.of_word(f)
        ruling = self.desk.ruling(given)
        speaker = visit.speaker(ruling.edition)
        answer = None if not law else why_page(ruling, self.answer(given, ruling, law), speaker)
        shown = of_ruling(f, ruling, speaker)
        return visit.page("why-not.html", asked=law, answer=answer, chapters=chapters(ruling.edition, speaker), **shown)

    def answer(self, given: Submission, ruling: Ruling, law: str) -> WhyNot:
        """The answer for a clause; InputError if there is none of that number."""
        clauses = ruling.edition.clauses
        if law not in clauses:
            what = f"there is no clause {law[:40]} in this code"
            raise InputError.of("law", what, did_you_mean(law[:40], clauses))
        key = (given, self.desk.laws.version(law_named(ruling.incident)), law)
        return self._answers.get(key, lambda: self.desk.why_not(ruling, law))

    def what_if(
        self,
        request: Request,
        f: str,
        c: Annotated[list[str] | None, Query()] = None,
        card: str = "",
    ) -> Response:
        """The facts to tap; or, with changes, both rulings beside each other."""
        visit, changes = self.desk.visit(request), [one for one in c or [] if one]
        given = Submission.of_word(f)
        before = self.desk.ruling(given)
        if changes:
            return self._changed(visit, f, before, changes)
        return self._offers(visit, f, before, card)

    def _changed(self, visit: PageRequest, word: str, before: Ruling, changes: Sequence[str]) -> Response:
        try:
            both = what_if(
                before, changes, self.desk.laws.table, lambda one: self.desk.ruling(Submission.of_incident(one))
            )
        except InputError as error:
            return self._offers(visit, word, before, "", 422, [tell(fault) for fault in error.faults], changes[0])
        after = both.after
        speaker = visit.speaker(after.edition)
        speakers = [visit.speaker(one.edition).of(one) for one in (after, before)]
        pages = [page(one, told_of) for one, told_of in zip((after, before), speakers, strict=True)]
        law = [after.edition.called(visit.lang)] if law_named(before.incident) != law_named(after.incident) else []
        return visit.page(
            "changed.html",
            word=word,
            new=Submission.of_incident(after.incident).word,
            sides=list(zip(("if-after", "if-before"), pages, speakers, map(_texts, reversed(pages)), strict=True)),
            differences=differences(both, speaker),
            changes=[*changed(before, after, speaker), *law] or changes,
        )

    def _offers(
        self,
        visit: PageRequest,
        word: str,
        before: Ruling,
        card: str,
        status: int = 200,
        faults: Sequence[Any] = (),
        said: str = "",
    ) -> Response:
        speaker = visit.speaker(before.edition)
        shown = of_ruling(word, before, speaker)
        return visit.page(
            "what-if.html",
            status,
            groups=list(facts(before, speaker)),
            tricks=_tricks(before.incident, word, speaker),
            card=card,
            cards=[(speaker.value(one, "card"), f"card-{card}={one}") for one in CARDS] if card else [],
            laws=[one for one in self.desk.laws.titles(visit.lang) if one[0] != law_named(before.incident)],
            faults=faults,
            said=said,
            **shown,
        )


def of_ruling(word: str, ruling: Ruling, speaker: Speaker) -> dict[str, Any]:
    """What a page needs to show a ruling; ``speaker``: one that says seats."""
    told_of, report = speaker.of(ruling), Report(ruling)
    return {
        "word": word,
        "now": tuple(dict.fromkeys(now(report, told_of))),
        "score": entered(report, told_of),
        "acted": {told_of.phrase("now"), told_of.phrase("hinges")},
        "told": page(ruling, told_of),
        "say": to_say(ruling, told_of),
        "additions": asked(ruling, speaker),
        "in_rows": IN_ROWS,
        "strains": [*reversed(SUITS), "NT"],
        "contract": ruling.incident.contract,
        "over": over,
        "speaker": told_of,
        "edition": ruling.edition,
    }


def _texts(told: Page) -> frozenset[str]:
    """Everything that a page says."""
    lines = [*told.lead, *(line for one in told.parts for line in one.lines)]
    return frozenset(one.text for line in lines for one in (line, *line.under))


def to_say(ruling: Ruling, speaker: Speaker) -> tuple[Line, ...]:
    """The ruling in a few words, then what is said at the table."""
    announced = Announcement(Report(ruling), speaker)
    return (Line(announced.head), *announced.lines)


def explanation(desk: Desk, ruling: Ruling, speaker: Speaker, name: Voice | None) -> Markup:
    """The HTML of the whole explanation, without the page around it."""
    if desk.laws.by_draft(law_named(ruling.incident)):
        desk.laws.tried(unfolded, ruling.incident)
    stages = unfolded(desk.laws, ruling.incident)
    return article(Article(ruling, stages, told(ruling, speaker, name), speaker))


def unfolded(laws: DeskLaws, incident: Incident) -> Unfolding:
    """The ruling after every card."""
    return unfold(laws.law(law_named(incident), "python"), incident)


def chapters(edition: Edition, speaker: Speaker) -> list[tuple[str, list[tuple[str, str]]]]:
    """The clauses of an edition, law by law: what a list to choose from shows."""
    found: dict[str, list[tuple[str, str]]] = {}
    for ref, clause in edition.clauses.items():
        if clause.law:
            says = clause.says[speaker.lang]
            found.setdefault(clause.law, []).append((ref, says if len(says) < 70 else f"{says[:68]}…"))
    titles = ((law, edition.laws.get(law, {}).get(speaker.lang, "")) for law in found)
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
