"""Reading ``interview.yaml``: every fault in it at once, each with its place.

A question that bears the name of a finding has its texts, its answers and what they fill in from the declaration of the
finding, as far as the file does not say otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from facts.errors import InputError, Place, RulesError
from facts.readers.said import read_findings
from facts.suggestions import did_you_mean
from facts.table import FindingKind, Table
from facts.yaml_reader import Mapping as MappingNode
from facts.yaml_reader import Node, Sequence, read_text, read_yaml
from kb.language.faults import Faults
from kb.language.file_shapes import Texts as TextsShape
from kb.language.model import Edition, Texts
from kb.language.nodes import entries, items, string
from kb.language.shape import Shape, shape_faults
from kb.language.texts import read_texts
from kb.space.further import further, reads, together
from kb.space.interview import REVOKES, UNKNOWN, Answer, Filling, Interview, Needs, Question, filled

INTERVIEW: Final = "interview.yaml"
WIDER: Final = "wider.yaml"
LEVELS: Final = 5
"""From the file down to an answer: questions, question, answers, answer."""

_Needed = dict[str, str | list[str]]


class StandsShape(Shape):
    """What is filled in of each revoke."""

    first: dict[str, Any] | None = None
    second: dict[str, Any] | None = None
    third: dict[str, Any] | None = None


class AnswerShape(StandsShape):
    """One answer."""

    says: TextsShape | None = None
    when: _Needed | list[_Needed] | None = None
    stands: StandsShape | None = None


class QuestionShape(Shape):
    """One question."""

    asks: TextsShape | None = None
    about: TextsShape | None = None
    help: TextsShape | None = None
    when: _Needed | list[_Needed] | None = None
    answers: dict[str, AnswerShape] | list[str] | None = None


class InterviewShape(Shape):
    """interview.yaml"""

    unknown: TextsShape
    further: _Needed | list[_Needed] | None = None
    questions: dict[str, QuestionShape]


def load_interview(root: Path, *editions: Edition, wider: bool = False) -> Interview:
    """The interview beside the vocabulary, about what can be said under all of these editions, of which there is one
    at least; RulesError with every fault.

    ``wider``: with what ``wider.yaml`` tells apart beyond it, if there is such a file.
    """
    files = [root / INTERVIEW, *([root / WIDER] if wider and (root / WIDER).is_file() else [])]
    try:
        node, *over = [read_yaml(read_text(file), str(file)) for file in files]
    except InputError as error:
        raise RulesError(error.faults) from None
    reader = _Reader(together(edition.table for edition in editions), editions[0].vocabulary.languages)
    interview = reader.interview(_laid_over(node, over[0], LEVELS) if over else node, reads(editions))
    if reader.faults:
        raise RulesError(sorted(set(reader.faults)))
    return interview


def _laid_over(base: Node, over: Node, levels: int) -> Node:
    """The file with another laid over it: questions and answers keep what they have and take over what is new."""
    base = _by_name(base)
    if not (levels and isinstance(base, MappingNode) and isinstance(over, MappingNode)):
        return over
    merged = {
        key: node if key not in base.entries or key == "when" else _laid_over(base.entries[key], node, levels - 1)
        for key, node in over.entries.items()
    }
    return replace(base, entries={**base.entries, **merged}, keys={**base.keys, **over.keys})


def _by_name(node: Node) -> Node:
    """A list of answers as answers with nothing beside their names; anything else as it is."""
    if not isinstance(node, Sequence):
        return node
    return _named({string(item): item.place for item in node.items}, node.place)


def _named(names: Mapping[str, Place], place: Place) -> MappingNode:
    return MappingNode({name: MappingNode({}, {}, at) for name, at in names.items()}, dict(names), place)


class _Reader:
    def __init__(self, table: Table, languages: tuple[str, ...]) -> None:
        self.table, self.languages = table, languages
        self.faults = Faults()
        self.known: dict[str, Question] = {}

    def interview(self, node: Node, read: frozenset[str]) -> Interview:
        self.faults.extend(shape_faults(node, InterviewShape))
        at = entries(node)
        questions = at.get("questions")
        for id_, question in entries(questions).items():
            self.known[id_] = self.question(id_, question, _key(questions, id_))
        if "further" in at:
            self.known |= further(self.table, read, self.known, self.needs(at["further"]))
        return Interview(self.known, self.texts(at.get("unknown")), self.table, node.place)

    def question(self, id_: str, node: Node, place: Place) -> Question:
        at, kind = entries(node), self.table.findings.get(id_)
        declared = _named(dict.fromkeys(kind.answers if kind else (), place), place)
        own = _by_name(at["answers"]) if "answers" in at else declared
        answers = {name: self.answer(name, one, _key(own, name), kind) for name, one in entries(own).items()}
        if UNKNOWN in answers:
            self.faults.add(answers[UNKNOWN].place, f"{UNKNOWN} is the answer of every question", "leave it out")
        if not answers:
            self.faults.add(place, f"{id_} has no answer", "add answers: with at least two")
        return Question(
            id_,
            self.said("asks", node, kind.asks if kind else {}, place),
            self.said("about", node, kind.about if kind else {}, place),
            self.texts(at["help"]) if "help" in at else kind.help if kind else {},
            self.needs(at.get("when")),
            answers,
            place,
        )

    def answer(self, id_: str, node: Node, place: Place, kind: FindingKind | None) -> Answer:
        at = entries(node)
        declared = kind.answers.get(id_) if kind else None
        fills = {(one.revoke, one.key): one for one in self.fillings(node)}
        if kind and declared:
            fills.setdefault((0, kind.id), Filling(0, kind.id, filled(declared), place))
        says = self.said("says", node, declared.says if declared else {}, place)
        stands = tuple(self.fillings(at["stands"])) if "stands" in at else ()
        return Answer(id_, says, self.needs(at.get("when")), tuple(fills.values()), place, stands)

    def said(self, key: str, node: Node, declared: Texts, place: Place) -> Texts:
        """A text of the file, or else of the declaration."""
        if key not in entries(node):
            if not declared:
                self.faults.add(place, f"{key} is missing", f"add {key}: with the text in each language")
            return declared
        return self.texts(entries(node)[key])

    def texts(self, node: Node | None) -> Texts:
        return read_texts(node, self.languages, self.faults)

    def needs(self, node: Node | None) -> Needs:
        alternatives = items(node) or ((node,) if isinstance(node, MappingNode) else ())
        return tuple({q: self.among(q, one, alt) for q, one in entries(alt).items()} for alt in alternatives)

    def among(self, question: str, node: Node, parent: Node) -> frozenset[str]:
        """The answers to an earlier question that a condition allows."""
        if question not in self.known:
            mend = did_you_mean(question, self.known)
            self.faults.add(_key(parent, question), f"{question} is no question before this one", mend)
            return frozenset()
        answers = self.known[question].answers
        text = string(node)
        named = [(item.place, string(item)) for item in items(node)] or [(node.place, text.removeprefix("not "))]
        for place, name in named:
            if name not in answers:
                self.faults.add(place, f"{question} has no answer {name}", did_you_mean(name, answers))
        names = frozenset(name for _, name in named)
        return frozenset(answers) - names if text.startswith("not ") else names

    def fillings(self, node: Node) -> Iterator[Filling]:
        """The keys filled in of each revoke, read as those of an incident file."""
        for number, part in enumerate(REVOKES):
            if isinstance(one := entries(node).get(part), MappingNode):
                if "hand" in one.entries:
                    self.faults.add(one.keys["hand"], "nobody's seat is known", "write such as player: defender")
                found = read_findings(Sequence((one,), one.place), self.table, self.faults)
                for finding in found:
                    naming = {"player": finding.player, "trick": finding.trick}
                    said = {**{key: value for key, value in naming.items() if value is not None}, **finding.said}
                    yield from (Filling(number, key, value, one.keys[key]) for key, value in said.items())


def _key(node: Node | None, key: str) -> Place:
    assert isinstance(node, MappingNode)
    return node.keys[key]
