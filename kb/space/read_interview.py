"""Reading ``interview.yaml``: every fault in it at once, each with its place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, get_args

from facts.errors import InputError, Place, RulesError
from facts.incident import Finding
from facts.readers.incident import IncidentFile
from facts.readers.mending import nearest
from facts.readers.shapes import stated_in
from facts.source import Mapping as MappingNode
from facts.source import Node, Scalar, Sequence, read_text, read_yaml
from kb.language.faults import Faults
from kb.language.file_shapes import Texts as TextsShape
from kb.language.model import Vocabulary
from kb.language.nodes import entries, items, string
from kb.language.shape import Shape, shape_faults
from kb.language.texts import PlacedTexts, read_texts
from kb.space.interview import (
    INCIDENT_KEYS,
    REVOKES,
    UNKNOWN,
    Answer,
    Filling,
    Interview,
    Needs,
    Part,
    Question,
    Relation,
    Relative,
)

INTERVIEW: Final = "interview.yaml"
WIDER: Final = "wider.yaml"
LEVELS: Final = 5
"""From the file down to an answer: questions, question, answers, answer."""
PARTS: Final[tuple[Part, ...]] = (*REVOKES, "incident")

_Needed = dict[str, str | list[str]]


class FillsShape(Shape):
    """What an answer fills in."""

    first: dict[str, Any] | None = None
    second: dict[str, Any] | None = None
    third: dict[str, Any] | None = None
    incident: dict[str, Any] | None = None


class AnswerShape(FillsShape):
    """One answer."""

    says: TextsShape
    when: _Needed | list[_Needed] | None = None


class QuestionShape(Shape):
    """One question."""

    asks: TextsShape
    about: TextsShape
    help: TextsShape | None = None
    when: _Needed | list[_Needed] | None = None
    answers: dict[str, AnswerShape]
    if_unknown: FillsShape | None = None


class InterviewShape(Shape):
    """interview.yaml"""

    unknown: TextsShape
    questions: dict[str, QuestionShape]


def load_interview(root: Path, vocabulary: Vocabulary, wider: bool = False) -> Interview:
    """The interview beside the vocabulary; RulesError with every fault.

    ``wider``: with what ``wider.yaml`` tells apart beyond it, if there is such a file.
    """
    files = [root / INTERVIEW, *([root / WIDER] if wider and (root / WIDER).is_file() else [])]
    try:
        node, *over = [read_yaml(read_text(file), str(file)) for file in files]
    except InputError as error:
        raise RulesError(error.faults) from None
    reader = _Reader(vocabulary)
    interview = reader.interview(_laid_over(node, over[0], LEVELS) if over else node)
    if reader.faults:
        raise RulesError(sorted(set(reader.faults)))
    return interview


def _laid_over(base: Node, over: Node, levels: int) -> Node:
    """The file with another laid over it: questions and answers keep what they have and take over what is new."""
    if not (levels and isinstance(base, MappingNode) and isinstance(over, MappingNode)):
        return over
    merged = {
        key: node if key not in base.entries or key == "when" else _laid_over(base.entries[key], node, levels - 1)
        for key, node in over.entries.items()
    }
    return replace(base, entries={**base.entries, **merged}, keys={**base.keys, **over.keys})


class _Reader:
    def __init__(self, vocabulary: Vocabulary) -> None:
        self.languages = vocabulary.languages
        self.faults = Faults()
        self.known: dict[str, Question] = {}
        self.unknown = PlacedTexts({}, {})

    def interview(self, node: Node) -> Interview:
        self.faults.extend(shape_faults(node, InterviewShape))
        self.unknown = self.texts(entries(node).get("unknown"))
        questions = entries(node).get("questions")
        for id_, question in entries(questions).items():
            self.known[id_] = self.question(id_, question, _key(questions, id_))
        return Interview(dict(self.known), self.unknown, node.place)

    def question(self, id_: str, node: Node, place: Place) -> Question:
        at = entries(node)
        answers = {
            answer: self.answer(answer, one, _key(at.get("answers"), answer))
            for answer, one in entries(at.get("answers")).items()
        }
        if UNKNOWN in answers:
            self.faults.add(answers[UNKNOWN].place, f"{UNKNOWN} is the answer of every question", "say if-unknown:")
        if "if-unknown" in at:
            answers[UNKNOWN] = self.answer(UNKNOWN, at["if-unknown"], at["if-unknown"].place)
        if not answers:
            self.faults.add(place, f"{id_} has no answer", "add answers: with at least two")
        return Question(
            id_,
            self.texts(at.get("asks")),
            self.texts(at.get("about")),
            self.texts(at["help"]) if "help" in at else {},
            self.needs(at.get("when")),
            answers,
            place,
        )

    def answer(self, id_: str, node: Node, place: Place) -> Answer:
        at = entries(node)
        says = self.unknown if id_ == UNKNOWN else self.texts(at.get("says"))
        fills = tuple(filling for part in PARTS if part in at for filling in self.fillings(part, at[part]))
        return Answer(id_, says, self.needs(at.get("when")), fills, place)

    def texts(self, node: Node | None) -> PlacedTexts:
        return read_texts(node, self.languages, self.faults)

    def needs(self, node: Node | None) -> Needs:
        alternatives = items(node) or ((node,) if isinstance(node, MappingNode) else ())
        return tuple({q: self.among(q, one, alt) for q, one in entries(alt).items()} for alt in alternatives)

    def among(self, question: str, node: Node, parent: Node) -> frozenset[str]:
        """The answers to an earlier question that a condition allows."""
        if question not in self.known:
            mend = nearest(question, self.known)
            self.faults.add(_key(parent, question), f"{question} is no question before this one", mend)
            return frozenset()
        answers = self.known[question].answers
        text = string(node)
        named = [(item.place, string(item)) for item in items(node)] or [(node.place, text.removeprefix("not "))]
        for place, name in named:
            if name not in answers:
                self.faults.add(place, f"{question} has no answer {name}", nearest(name, answers))
        names = frozenset(name for _, name in named)
        return frozenset(answers) - names if text.startswith("not ") else names

    def fillings(self, part: Part, node: Node) -> Iterator[Filling]:
        """The keys filled in, each of the type the incident file wants."""
        relatives = {key: self.relatives(value) for key, value in entries(node).items()}
        values = self.checked(part, node, relatives)
        for key, value in relatives.items():
            name = key.replace("-", "_")
            if name in values:
                yield Filling(part, name, value if _relative(value) else values[name], _key(node, key))

    def checked(self, part: Part, node: Node, relatives: Mapping[str, Any]) -> Mapping[str, Any]:
        """The values as a reader of incident files would have them."""
        if not isinstance(node, MappingNode):
            return {}
        stated = {key: _sample(node.entries[key], value) for key, value in relatives.items() if value is not None}
        if part != "incident":
            needed = {"hand": Scalar("N", node.place), "trick": Scalar(1, node.place)}
            return stated_in(Finding, replace(node, entries=needed | stated), self.faults)
        if strange := [key for key in node.keys if key not in INCIDENT_KEYS]:
            what = f"{strange[0]} is no key here"
            self.faults.add(node.keys[strange[0]], what, nearest(strange[0], INCIDENT_KEYS))
            return {}
        return stated_in(IncidentFile, replace(node, entries=stated), self.faults)

    def relatives(self, node: Node) -> Any:
        """A plain value, its ``$names`` replaced."""
        if items(node):
            return tuple(self.relatives(item) for item in items(node))
        text = string(node)
        if not text.startswith("$"):
            return node.plain()
        relation, _, of = text[1:].rpartition("-of-")
        if of not in REVOKES or (relation or "hand") not in get_args(Relation):
            names = [f"${relation}-of-{of}" for of in REVOKES for relation in get_args(Relation)[1:]]
            names += [f"${of}" for of in REVOKES]
            self.faults.add(node.place, f"nothing is called {text}", nearest(text, names))
            return None
        return Relative(relation or "hand", of)  # type: ignore[arg-type]


def _relative(value: Any) -> bool:
    return isinstance(value, Relative) or (isinstance(value, tuple) and any(map(_relative, value)))


def _sample(node: Node, value: Any) -> Node:
    """The node with some seat or side for each name, so that its type can be checked."""
    if isinstance(value, tuple) and isinstance(node, Sequence):
        pairs = zip(node.items, value, strict=True)
        return replace(node, items=tuple(_sample(item, one) for item, one in pairs if one is not None))
    return Scalar(value.seen_from("N"), node.place) if isinstance(value, Relative) else node


def _key(node: Node | None, key: str) -> Place:
    assert isinstance(node, MappingNode)
    return node.keys[key]
