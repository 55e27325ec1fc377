"""The answers of a file, given to the interview instead of a person's."""

from __future__ import annotations

from pathlib import Path

import typer

from facts.errors import Fault, InputError
from facts.suggestions import did_you_mean
from facts.yaml_reader import Node, Scalar, read_text, read_yaml
from kb.cli.options import tell
from kb.interview.session import Consultation
from kb.space.interview import UNKNOWN


def read_answers(consultation: Consultation, file: Path) -> Consultation:
    """The end of the interview with the answers of a file; ends the command with status 1 if they will not do."""
    try:
        return _answered(consultation, read_yaml(read_text(file), str(file)))
    except InputError as error:
        tell(error.faults)
        raise typer.Exit(1) from None


def _answered(consultation: Consultation, node: Node) -> Consultation:
    given = node.entries
    questions = consultation.adviser.survey.interview.questions
    faults = [
        Fault(given[name].place, f"the interview has no question {name}", did_you_mean(name, questions))
        for name in given
        if name not in questions
    ]
    if faults:
        raise InputError(faults)
    while consultation.question is not None:
        name = consultation.question.id
        if name not in given:
            mend = f"add {name}: {' | '.join((*consultation.choices, UNKNOWN))}"
            raise InputError.of(node.place, f"the question {name} is asked and not answered", mend)
        consultation = consultation.answer(_said(given[name], (*consultation.choices, UNKNOWN)))
    return consultation


def _said(answer: Node, choices: tuple[str, ...]) -> str:
    said = str(answer.value) if isinstance(answer, Scalar) else ""
    if said not in choices:
        what = f"{said or 'this'} is no answer that is possible here"
        raise InputError.of(answer.place, what, f"one of: {', '.join(choices)}")
    return said
