"""The whole interview of one edition in one HTML file that needs no network."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, TypeAlias

from kb.explain.headline import headline
from kb.explain.html.templates import render
from kb.explain.page import Line, sentence, with_law
from kb.explain.say import Speaker
from kb.explain.text import page
from kb.interview.counsel import Counsel
from kb.interview.session import Consultation
from kb.interview.why_asked import CertainNow
from kb.ruling.rule import rule
from kb.ruling.ruling import Ruling
from kb.space.decision_diagram import State
from kb.space.interview import Needs

Progress: TypeAlias = Callable[[int, int], object]
"""Is told how much is done, and of how much."""
LABELS: Final = (
    "ask-title",
    "ask-number",
    "ask-matters",
    "ask-certain",
    "ask-answered",
    "ask-back",
    "ask-restart",
    "ask-several",
    "ask-separates",
    "ask-remaining",
    "ask-ending",
    "ask-endings",
    "ask-and",
    "ask-ordinarily",
    "ask-ruling",
    "ask-needs-script",
    "law",
)
"""The phrases that the page's script uses."""


def interview_page(counsel: Counsel, speaker: Speaker, progress: Progress | None = None) -> str:
    """The file; ``progress`` is told how many questions and rulings are written, and of how many."""
    return render(
        "interview/page.html",
        lang=speaker.lang,
        title=f"{speaker.phrase('ask-title')} – {counsel.law.edition.called(speaker.lang)}",
        speaker=speaker,
        data=interview_data(counsel, speaker, progress),
    )


def interview_data(counsel: Counsel, speaker: Speaker, progress: Progress | None = None) -> dict[str, Any]:
    """What the page's script works on: questions, the tree of questions and rulings, and every text once.

    A node of the tree is ``{q, laws, sure, to}``: number of the question, laws and lines by number, and for each
    answer by number the node that follows; or the end ``{o, head, lead, parts}``: number of the outcome, and what
    is told of it, each line ``[depth, text]``. The first node is the beginning.
    """
    return _Data(counsel, speaker, progress or _untold).made()


def _untold(done: int, of: int) -> None:
    """Progress that nobody is told of."""


class _Data:
    def __init__(self, counsel: Counsel, speaker: Speaker, progress: Progress) -> None:
        self.counsel = counsel
        self.progress = progress
        self.speaker = speaker
        self.interview = counsel.adviser.survey.interview
        self.numbers = {
            question.id: {answer: number for number, answer in enumerate(question.answers)}
            for question in counsel.adviser.questions
        }
        self.texts: dict[str, int] = {}
        self.tree: list[dict[str, Any]] = []
        self.laws: dict[State, list[int]] = {}
        self.size = counsel.adviser.planner.size(counsel.adviser.start)

    def made(self) -> dict[str, Any]:
        self.node(self.counsel.adviser.begin())
        edition = self.counsel.law.edition
        return {
            "questions": [self.question(number) for number in range(len(self.counsel.adviser.questions))],
            "tree": self.tree,
            "texts": list(self.texts),
            "laws": [[law, clause.says[self.speaker.lang]] for law, clause in edition.clauses.items() if clause.says],
            "unknown": self.interview.unknown[self.speaker.lang],
            "say": {key: self.speaker.words.phrases[key][self.speaker.lang] for key in LABELS},
        }

    def text(self, text: str) -> int:
        return self.texts.setdefault(text, len(self.texts))

    def question(self, number: int) -> dict[str, Any]:
        """``when``: any of these lists holds, of pairs of a question and some answers to it, by number."""
        question, lang = self.counsel.adviser.questions[number], self.speaker.lang
        return {
            "asks": question.asks[lang],
            "about": question.about[lang],
            "help": question.help[lang] if question.help else "",
            "when": self.needs(question.when),
            "answers": [
                {"says": answer.says[lang], "when": self.needs(answer.when)} for answer in question.answers.values()
            ],
        }

    def needs(self, needs: Needs) -> list[list[tuple[int, list[int]]]]:
        number = self.counsel.adviser.number
        return [
            [(number[name], sorted(self.numbers[name][answer] for answer in answers)) for name, answers in need.items()]
            for need in needs
        ]

    def node(self, consultation: Consultation) -> int:
        """The number of the node made of a consultation."""
        here = len(self.tree)
        self.tree.append({})
        self.progress(len(self.tree), self.size)
        if consultation.step is None or consultation.question is None:
            self.tree[here] = self.end(consultation)
            return here
        if consultation.state not in self.laws:
            why = self.counsel.explaining.why(consultation, consultation.step)
            order = list(self.counsel.law.edition.clauses)
            self.laws[consultation.state] = [order.index(law) for law in why.laws]
        certain = self.counsel.explaining.certain(consultation)
        answers = self.numbers[consultation.question.id]
        said = sorted((branch.answer for branch in consultation.step.branches), key=answers.__getitem__)
        self.tree[here] = {
            "q": consultation.step.question,
            "laws": self.laws[consultation.state],
            "sure": [self.text(with_law(self.speaker, line)) for line in _certain_lines(certain, self.speaker)],
            "to": {str(answers[answer]): self.node(consultation.answer(answer)) for answer in said},
        }
        return here

    def end(self, consultation: Consultation) -> dict[str, Any]:
        """The end of an interview."""
        ruling = rule(self.counsel.law, self.counsel.stated(consultation))
        return {"o": self.counsel.adviser.diagram.outcome[consultation.state], **self.told(ruling)}

    def told(self, ruling: Ruling) -> dict[str, Any]:
        """What is told of a ruling."""
        speaker = self.speaker.of(ruling)
        told = page(ruling, speaker)
        return {
            "head": self.text(headline(ruling, speaker)),
            "lead": self.lines(told.lead),
            "parts": [[self.text(part.title), self.lines(part.lines)] for part in told.parts],
        }

    def lines(self, lines: tuple[Line, ...], depth: int = 0) -> list[tuple[int, int]]:
        made: list[tuple[int, int]] = []
        for line in lines:
            made.append((depth, self.text(with_law(self.speaker, line))))
            made += self.lines(line.under, depth + 1)
        return made


def _certain_lines(certain: CertainNow, speaker: Speaker) -> Iterator[Line]:
    """What is certain whatever the answer."""
    speaker = speaker.of(certain.ruling)
    if certain.status is not None:
        yield Line(speaker.phrase("ask-status", status=speaker.value(certain.status, "status-word")))
    for side, tricks in certain.least.items():
        key, name = ("moves", "to") if certain.settled else ("ask-least", "side")
        yield Line(speaker.phrase(key, tricks=speaker.tricks(tricks), **{name: speaker.value(side, "side")}))
    yield from (Line(sentence(speaker.fact(fact))) for fact in certain.facts)
