"""Rule by interview: one question a page; the answers stand in the address, so that going back is the browser's."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from fastapi import APIRouter, Request, Response

from kb.desk.desk import Desk
from kb.desk.laws import under
from kb.desk.pages import PageRequest, address
from kb.desk.recent import Recent
from kb.desk.routes.ruling import of_ruling
from kb.desk.submission import Submission
from kb.explain.say import Speaker
from kb.interview.counsel import Counsel
from kb.interview.session import Consultation
from kb.interview.telling import certain_lines, ending_page, why_page
from kb.language.folders import DEFAULT_EDITION
from kb.space.interview import UNKNOWN

MOST_PAGES: Final = 2_000
Context = dict[str, Any]


def routes(desk: Desk) -> APIRouter:
    """The pages."""
    router, asking = APIRouter(include_in_schema=False), AskingPages(desk)
    router.add_api_route("/ask", asking.page, methods=["GET"])
    return router


class AskingPages:
    """Asks, and rules at the end."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self._pages: Recent[tuple[str, str, str, str], tuple[str, Context]] = Recent(MOST_PAGES)

    def page(self, request: Request, law: str = DEFAULT_EDITION, a: str = "") -> Response:
        """The next question, or the ruling."""
        visit = self.desk.visit(request)
        key = (law, self.desk.laws.version(law), a, visit.lang)
        template, context = self._pages.get(key, lambda: self._made(visit, law, a))
        return visit.page(template, law=law, laws=self.desk.laws.titles(visit.lang), **context)

    def _made(self, visit: PageRequest, law: str, a: str) -> tuple[str, Context]:
        counsel = self.desk.laws.counsel(law)
        with counsel.lock:
            consultation = answered(counsel.adviser.begin(), a)
            speaker = visit.speaker(counsel.law.edition)
            shared = _so_far(consultation, law, speaker)
            if consultation.question is not None:
                return "question.html", {**shared, **_question(counsel, consultation, law, speaker)}
            return "ending.html", {**shared, **self._ending(counsel, consultation, law, speaker)}

    def _ending(self, counsel: Counsel, ended: Consultation, law: str, speaker: Speaker) -> Context:
        given = Submission.of_incident(under(counsel.stated(ended), law))
        ruling = self.desk.ruling(given)
        shown, page = of_ruling(given.word, ruling, speaker), ending_page(ended, ruling, speaker)
        settled = counsel.settled(ended)
        return {**shown, "settled": settled, "told": page, "say": shown["say"] if settled else page.lead}


def answered(consultation: Consultation, a: str) -> Consultation:
    """After the answers of an address, as far as they make sense."""
    for said in filter(None, a.split(",")):
        question, _, answer = said.partition(":")
        if consultation.question is None or consultation.question.id != question:
            break
        if answer not in (*consultation.choices, UNKNOWN):
            break
        consultation = consultation.answer(answer)
    return consultation


def written(consultation: Consultation) -> str:
    """The answers as they stand in an address."""
    return ",".join(f"{question}:{answer}" for question, answer in consultation.given)


def _address(consultation: Consultation, law: str) -> str:
    return address("/ask", law="" if law == DEFAULT_EDITION else law, a=written(consultation))


def _so_far(consultation: Consultation, law: str, speaker: Speaker) -> Context:
    """What has been answered, and the ways back."""
    return {
        "number": len(consultation.given) + 1,
        "back": _address(consultation.back(), law) if consultation.given else "",
        "restart": _address(consultation.restart(), law),
        "so_far": list(_answers(consultation, law, speaker)),
    }


def _answers(consultation: Consultation, law: str, speaker: Speaker) -> Iterator[tuple[str, str, str]]:
    """Each question, the answer, and the address where it is asked again."""
    interview = consultation.adviser.survey.interview
    for at, (question, answer) in enumerate(consultation.given):
        asked = interview.questions[question]
        says = interview.unknown if answer == UNKNOWN else asked.answers[answer].says
        again = replace(consultation, given=consultation.given[:at])
        yield asked.asks[speaker.lang], says[speaker.lang], _address(again, law)


def _question(counsel: Counsel, consultation: Consultation, law: str, speaker: Speaker) -> Context:
    question, step = consultation.question, consultation.step
    assert question is not None and step is not None
    why = counsel.explaining.why(consultation, step)
    interview = counsel.adviser.survey.interview
    return {
        "asks": question.asks[speaker.lang],
        "help": question.help[speaker.lang] if question.help else "",
        "answers": [
            (question.answers[answer].says[speaker.lang], _address(consultation.answer(answer), law))
            for answer in consultation.choices
        ],
        "unknown": (interview.unknown[speaker.lang], _address(consultation.answer(UNKNOWN), law)),
        "why": why_page(interview, question.id, why, speaker),
        "certain": list(certain_lines(counsel.explaining.certain(consultation), speaker)),
        "speaker": speaker,
        "edition": counsel.law.edition,
    }
