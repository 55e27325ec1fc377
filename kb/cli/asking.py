"""The director's questions at the terminal: ``revoke ask``."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

import typer
from rich.text import Text

from facts.errors import Fault, InputError
from facts.incident import Incident
from facts.suggestions import did_you_mean
from facts.to_yaml import as_yaml
from facts.yaml_reader import Scalar, read_text, read_yaml
from kb.cli.common import (
    Boards,
    EditionOption,
    ElectionOption,
    EngineOption,
    LangOption,
    RulesOption,
    write,
)
from kb.cli.terminal import tell
from kb.explain.as_json import as_json
from kb.explain.console import PlainConsole, print_proof
from kb.explain.page import as_text, with_law
from kb.explain.say import Speaker
from kb.interview.counsel import Counsel
from kb.interview.session import Consultation
from kb.interview.telling import answer_text, certain_lines, ending_page, in_order, why_page
from kb.language.folders import DEFAULT_EDITION
from kb.ruling.rule import rule
from kb.ruling.ruling import Ruling
from kb.space.interview import UNKNOWN, Question


def read_answers(consultation: Consultation, file: Path) -> Consultation:
    """The end of the interview with the answers of a file; ends the command with status 1 if they will not do."""
    try:
        node = read_yaml(read_text(file), str(file))
        given, questions = node.entries, consultation.adviser.survey.interview.questions
        faults = [
            Fault(given[name].place, f"the interview has no question {name}", did_you_mean(name, questions))
            for name in given
            if name not in questions
        ]
        if faults:
            raise InputError(faults)
        while consultation.question is not None:
            name, choices = consultation.question.id, (*consultation.choices, UNKNOWN)
            if name not in given:
                mend = f"add {name}: {' | '.join(choices)}"
                raise InputError.of(node.place, f"the question {name} is asked and not answered", mend)
            answer = given[name]
            said = str(answer.value) if isinstance(answer, Scalar) else ""
            if said not in choices:
                what = f"{said or 'this'} is no answer that is possible here"
                raise InputError.of(answer.place, what, f"one of: {', '.join(choices)}")
            consultation = consultation.answer(said)
        return consultation
    except InputError as error:
        tell(error.faults)
        raise typer.Exit(1) from None


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
        lang, speaker, explaining = self.speaker.lang, self.speaker, self.counsel.explaining
        assert consultation.step is not None
        why = explaining.why(consultation, consultation.step)
        self.console.print()
        number = speaker.phrase("ask-number", n=len(consultation.given) + 1)
        self.console.print(Text(f"{number}: {question.asks[lang]}", "bold"))
        if question.help:
            self.console.print(Text(question.help[lang], "dim"))
        self.console.print(Text(speaker.phrase("ask-matters", laws=speaker.laws(why.laws)), "cyan"))
        if certain := list(certain_lines(explaining.certain(consultation), speaker)):
            told = " ".join(with_law(speaker, line) for line in certain)
            self.console.print(Text(f"{speaker.phrase('ask-certain')}: {told}", "green"))
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
            if said == keys["why"]:
                assert consultation.step is not None and consultation.question is not None
                why = self.counsel.explaining.why(consultation, consultation.step)
                interview = self.counsel.adviser.survey.interview
                page = why_page(interview, consultation.question.id, why, self.speaker)
                self.console.print(Text(as_text(page, self.speaker)))
            else:
                self.console.print(self.speaker.phrase("ask-not-a-key"))

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


AskForm: TypeAlias = Literal["text", "json"]


def ask_command(
    edition: EditionOption = None,
    election: ElectionOption = None,
    lang: LangOption = "en",
    answers: Annotated[
        Path | None, typer.Option("--answers", help="A YAML file of answers, «question: answer», instead of asking.")
    ] = None,
    save: Annotated[Path | None, typer.Option("--save", help="Write the incident into this file.")] = None,
    export: Annotated[
        Path | None, typer.Option("--export", help="Write the whole interview into one HTML file, and ask nothing.")
    ] = None,
    form: Annotated[AskForm, typer.Option("--format", help="Form of the ruling.")] = "text",
    engine: EngineOption = None,
    rules: RulesOption = None,
) -> None:
    """Asks as few questions as it can, each with the law that makes it matter, until the ruling is certain."""
    boards = Boards(rules, lang, engine, edition, election)
    named = edition or DEFAULT_EDITION
    counsel = Counsel.of(boards.laws.of(named, election or (), "quick"))
    speaker = Speaker(boards.words, counsel.law.edition.vocabulary, lang)
    if export is not None:
        write(export, _exported(counsel, speaker))
        return
    begun, talk = counsel.adviser.begin(), Talk(counsel, speaker)
    ended = talk.held(begun) if answers is None else read_answers(begun, answers)
    incident = replace(counsel.stated(ended), edition=named, elections=counsel.law.edition.elections)
    ruling = rule(boards.laws.for_incident(incident), incident)
    if form == "json":
        print(json.dumps(as_json(ruling, speaker), ensure_ascii=False))
    else:
        print(as_text(ending_page(ended, ruling, speaker, answered=False), speaker), end="")
    if save is not None and counsel.settled(ended):
        write(save, incident_file(incident))
        print(speaker.phrase("ask-saved", file=save), file=sys.stderr)
    elif save is not None:
        print(speaker.phrase("ask-not-saved"), file=sys.stderr)
        raise typer.Exit(1)
    if answers is None and form == "text":
        _offer(talk, ended, ruling)


def _exported(counsel: Counsel, speaker: Speaker) -> str:
    """The whole interview as a page; a progress bar on standard error tells how far it is."""
    from rich.progress import Progress  # noqa: PLC0415 - only for this

    from kb.interview.page import interview_page  # noqa: PLC0415

    with Progress(console=PlainConsole(stderr=True), transient=True) as shown:
        task = shown.add_task(speaker.phrase("ask-exporting"))
        return interview_page(counsel, speaker, lambda done, of: shown.update(task, completed=done, total=of))


def _offer(talk: Talk, ended: Consultation, ruling: Ruling) -> None:
    """Proof, law and answers, so that the ruling stays in view until they are wanted."""
    speaker, interview = talk.speaker, talk.counsel.interview
    law = [f"{law}  {ruling.edition.clauses[law].says[speaker.lang].strip()}" for law in ruling.cited]
    answers = [answer_text(interview, *one, speaker.lang) for one in ended.given]
    pages: dict[str, Callable[[], None]] = {
        speaker.phrase("ask-key-law"): lambda: print("\n".join(law)),
        speaker.phrase("ask-key-answers"): lambda: print("\n".join(answers)),
    }
    if talk.counsel.settled(ended):
        pages = {speaker.phrase("ask-key-proof"): lambda: print_proof(ruling, speaker), **pages}
    talk.more(pages)


def incident_file(incident: Incident) -> str:
    """The incident with the law it is to be ruled by."""
    elections = f"elections: [{', '.join(incident.elections)}]\n" if incident.elections else ""
    return f"edition: {json.dumps(incident.edition, ensure_ascii=False)}\n{elections}{as_yaml(incident)}"
