"""The interview in the terminal: questions with numbered answers, and keys for why, back and the like."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import typer
from rich.text import Text

from kb.explain.console import PlainConsole
from kb.explain.page import as_text, with_law
from kb.explain.say import Speaker
from kb.interview.counsel import Counsel
from kb.interview.session import Consultation
from kb.interview.telling import certain_lines, in_order, why_page
from kb.space.interview import UNKNOWN, Question


class Talk:
    """A conversation on standard error, so that standard output holds nothing but the ruling."""

    def __init__(self, counsel: Counsel, speaker: Speaker) -> None:
        self.counsel = counsel
        self.speaker = speaker
        self.console = PlainConsole(stderr=True, highlight=False)

    def held(self, consultation: Consultation) -> Consultation:
        """Asks until nothing is left to be asked; typer.Exit when the director leaves."""
        while consultation.question is not None:
            self._ask(consultation, consultation.question)
            consultation = self._replied(consultation)
        return consultation

    def _ask(self, consultation: Consultation, question: Question) -> None:
        lang = self.speaker.lang
        assert consultation.step is not None
        why = self.counsel.explaining.why(consultation, consultation.step)
        self.console.print()
        number = self.speaker.phrase("ask-number", n=len(consultation.given) + 1)
        self.console.print(Text(f"{number}: {question.asks[lang]}", "bold"))
        if question.help:
            self.console.print(Text(question.help[lang], "dim"))
        self.console.print(Text(self.speaker.phrase("ask-matters", laws=self.speaker.laws(why.laws)), "cyan"))
        certain = list(certain_lines(self.counsel.explaining.certain(consultation), self.speaker))
        if certain:
            told = " ".join(with_law(self.speaker, line) for line in certain)
            self.console.print(Text(f"{self.speaker.phrase('ask-certain')}: {told}", "green"))
        for n, answer in enumerate(self._choices(consultation), 1):
            self.console.print(Text(f"  {n:>2}  {question.answers[answer].says[lang]}"))

    def _replied(self, consultation: Consultation) -> Consultation:
        """After one reply that leads somewhere."""
        keys = {name: self.speaker.phrase(f"ask-key-{name}") for name in ("why", "unknown", "back", "restart", "quit")}
        while True:
            said = self._read(self.speaker.phrase("ask-keys"))
            if said == keys["quit"]:
                raise typer.Exit(130)
            if said == keys["unknown"]:
                return consultation.answer(UNKNOWN)
            if said == keys["back"]:
                return consultation.back()
            if said == keys["restart"]:
                return consultation.restart()
            choices = self._choices(consultation)
            if said.isascii() and said.isdigit() and 0 < int(said) <= len(choices):
                return consultation.answer(choices[int(said) - 1])
            self._explain(consultation) if said == keys["why"] else self.console.print(
                self.speaker.phrase("ask-not-a-key")
            )

    def _choices(self, consultation: Consultation) -> list[str]:
        """The answers in the order of what they say: earlier before later, none before one."""
        assert consultation.question is not None
        return in_order(self.counsel.interview, consultation.question.id, consultation.choices)

    def more(self, pages: Mapping[str, Callable[[], None]]) -> None:
        """After the ruling: what is behind it, each on its key; any other key ends."""
        while (said := self._read(self.speaker.phrase("ask-more"), ended="")) in pages:
            pages[said]()

    def _read(self, keys: str, ended: str | None = None) -> str:
        self.console.print(Text(keys, "dim"))
        self.console.print("> ", end="")
        try:
            return input().strip().lower()
        except (EOFError, KeyboardInterrupt):
            if ended is not None:
                return ended
            raise typer.Exit(130) from None

    def _explain(self, consultation: Consultation) -> None:
        assert consultation.step is not None and consultation.question is not None
        why = self.counsel.explaining.why(consultation, consultation.step)
        interview = self.counsel.adviser.survey.interview
        page = why_page(interview, consultation.question.id, why, self.speaker)
        self.console.print(Text(as_text(page, self.speaker)))
