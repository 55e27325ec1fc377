"""A ruling and everything that can be asked of it: explained in any voice, why not, what if."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request, Response
from markupsafe import Markup

from facts.errors import InputError
from facts.incident import Incident
from facts.suggestions import did_you_mean
from kb.desk.additions import answered, asked, seated
from kb.desk.addressed import WORD, answers_of, query_of, ruling_address, submission
from kb.desk.changing import changed, facts
from kb.desk.chips import chips_of
from kb.desk.desk import Desk, tell
from kb.desk.drawing import drawn
from kb.desk.guard.request import DeskRoute
from kb.desk.laws import DeskLaws, law_named
from kb.desk.pages import PageRequest, address, redirect
from kb.desk.recent import Recent
from kb.desk.resulting import choice, clash, half, misread
from kb.desk.ruled import HingePage
from kb.desk.shown import of_ruling
from kb.desk.submission import Submission
from kb.desk.tapped_trick import CARDS
from kb.explain.html.document import Article, article
from kb.explain.page import Page
from kb.explain.say import Speaker
from kb.explain.text import page
from kb.explain.unfold import Unfolding, unfold
from kb.language.model import Edition
from kb.ruling.ruling import Ruling
from kb.voices.voices import Voice, told
from kb.what_if.what_if import differences, what_if
from kb.why_not.telling import page as why_page
from kb.why_not.why_not import WhyNot

MOST_ANSWERS: Final = 400
Entry = Annotated[int | None, Query(ge=1, le=10**9)]
"""The number of a kept ruling, if one is meant."""


def routes(desk: Desk) -> APIRouter:
    """The pages."""
    router, rulings = APIRouter(include_in_schema=False, route_class=DeskRoute), RulingPages(desk)
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
        if not request.url.query:
            return redirect("/")
        return self._ruling(self.desk.visit(request), query_of(request), entry)

    def _ruling(
        self, visit: PageRequest, query: Mapping[str, str], entry: int | None, status: int = 200, **form: Any
    ) -> Response:
        """``form``: what was typed in the form of the result and cannot be, with what is wrong with it."""
        given = submission(query, self.desk.laws)
        ruling = self.desk.ruling(given)
        speaker = visit.speaker(ruling.edition)
        hinge = HingePage(ruling, self.desk.laws, speaker.of(ruling), query).hinge()
        shown = of_ruling(given.word, ruling, speaker)
        shown |= {"hinge": hinge, "drawn": drawn(ruling, shown["speaker"]), "entry": entry or ""}
        if WORD not in query and shown["additions"]:
            shown["trick"] = address("/trick", given=urlencode(query), law=query.get("laws", ""))
        return visit.page("ruling.html", status, chips=chips_of(query, self.desk.laws, speaker), **{**shown, **form})

    def seated(self, request: Request, f: str, to: str = "", entry: Entry = None) -> Response:
        """The ruling, or its slip, with what was added: the seats, the trick, the contract, the result."""
        visit, laws = self.desk.visit(request), self.desk.laws
        ruling = self.desk.ruling(Submission.of_word(f))
        speaker, fields = visit.speaker(ruling.edition), dict(request.query_params)
        query = answers_of(ruling.incident, laws) or {WORD: f}
        if wrong := half(fields, speaker):
            return self._ruling(visit, query, entry, 422, wrong=wrong, typed=fields)
        additions = asked(ruling, speaker)
        try:
            incident = seated(ruling.incident, answered(additions, fields), laws.table)
        except InputError as error:
            if wrong := misread(error, additions, speaker):
                return self._ruling(visit, query, entry, 422, wrong=wrong, typed=fields)
            raise
        try:
            new = Submission.of_incident(incident)
            self.desk.ruling(new)
        except InputError:
            wrong = clash(incident, laws, query, speaker)
            return self._ruling(visit, query, entry, 422, wrong=wrong, typed=fields)
        if to == "/keep":
            return redirect("/keep", f=new.word)
        if chosen := choice(ruling.incident, incident, laws, speaker):
            return self._ruling(visit, query, entry, choice=chosen)
        return redirect(ruling_address(incident, laws, entry))

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


def _texts(told: Page) -> frozenset[str]:
    """Everything that a page says."""
    lines = [*told.lead, *(line for one in told.parts for line in one.lines)]
    return frozenset(one.text for line in lines for one in (line, *line.under))


def explanation(desk: Desk, ruling: Ruling, speaker: Speaker, name: Voice | None) -> Markup:
    """The HTML of the whole explanation, without the page around it."""
    if desk.laws.by_draft(law_named(ruling.incident)):
        desk.laws.tried(unfolded, ruling.incident)
    stages = unfolded(desk.laws, ruling.incident)
    return article(Article(ruling, stages, told(ruling, speaker, name), speaker))


def unfolded(laws: DeskLaws, incident: Incident) -> Unfolding:
    """The ruling after every card."""
    return unfold(laws.law(law_named(incident), "quick"), incident)


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
