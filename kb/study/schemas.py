"""JSON Schema of every sort of file that is written by hand, so that an editor completes names while they are typed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import Any, Final

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from facts.cards import Card
from facts.contract import Contract
from facts.deal import Deal
from facts.events import HAPPENINGS
from facts.incident import Finding
from facts.readers.incident import IncidentFile
from facts.shapes import keys_of
from kb.explain.words import NAMED_TYPES
from kb.language.model import Vocabulary
from kb.language.schema import Schema, schemas
from kb.space.interview import REVOKES
from kb.space.read_interview import InterviewShape
from kb.study.cases import CaseFile

CARD: Final = r"^\s*([SHDCshdc♠♥♦♣♤♡♢♧]([2-9TJQKAtjqka]|10))\s*$"
TEXT_FORMS: Final[dict[Callable[..., object], str]] = {
    Card.from_text: CARD,
    Contract.from_text: r"^\s*([1-7](NT|nt|[SHDCshdc])[Xx]{0,2}|[Pp]ass|PASS)\s*$",
    Deal.from_pbn: r"^\s*[NESWnesw]:",
}
"""What is read from text by a function of its own, and the form of that text."""
NO_FIELDS: Final = [name for name, what in HAPPENINGS.items() if not keys_of(what)]
_LAW: Schema = {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}


class Sort(StrEnum):
    """The sorts of files."""

    LAW = "law"
    EDITION = "edition"
    ELECTION = "election"
    VOCABULARY = "vocabulary"
    WORDS = "words"
    INTERVIEW = "interview"
    WIDER = "wider"
    CASE = "case"
    INCIDENT = "incident"


def all_schemas(vocabulary: Vocabulary) -> dict[Sort, Schema]:
    """The schema of each sort of file."""
    made: dict[str, Schema] = {
        **schemas(vocabulary),
        "words": _words(vocabulary),
        "interview": _interview(vocabulary),
        "wider": _laid_over(_interview(vocabulary)),
        "case": _case(vocabulary),
        "incident": _incident(),
    }
    opening = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    return {sort: {**opening, **made[sort], "title": sort.value} for sort in Sort}


class _Plain(GenerateJsonSchema):
    """Knows the form of what is read from text."""

    def function_plain_schema(self, schema: core_schema.PlainValidatorFunctionSchema) -> JsonSchemaValue:
        form = TEXT_FORMS.get(schema["function"]["function"])
        return {"type": "string"} if form is None else {"type": "string", "pattern": form}

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        return self.generate_inner(schema["schema"])

    def nullable_schema(self, schema: core_schema.NullableSchema) -> JsonSchemaValue:
        return self.generate_inner(schema["schema"])


def _of(shape: Any) -> Schema:
    """The schema of a pydantic shape, its definitions apart."""
    return TypeAdapter(shape).json_schema(by_alias=True, schema_generator=_Plain)


def _closed(properties: Schema, required: tuple[str, ...] = ()) -> Schema:
    closed = {"type": "object", "properties": properties, "additionalProperties": False}
    return {**closed, "required": list(required)} if required else closed


def _texts(vocabulary: Vocabulary) -> Schema:
    return _closed({language: {"type": "string"} for language in vocabulary.languages}, tuple(vocabulary.languages))


def _incident() -> Schema:
    schema = _of(IncidentFile)
    properties, definitions = schema["properties"], schema.setdefault("$defs", {})
    happenings: Schema = {}
    for name, what in HAPPENINGS.items():
        of = _of(what)
        definitions.update(of.pop("$defs", {}))
        happenings[name] = of if of.get("properties") else {"anyOf": [of, {"enum": [""]}]}
    after = {"type": "string", "pattern": r"^([1-9]|1[0-3])\.[1-4]$"}
    one = {**_closed({"after": after, **happenings}), "minProperties": 1, "maxProperties": 2}
    row = {"type": "string", "pattern": r"^\s*[NESWnesw](\s+\S+){1,4}\s*$"}
    properties["board"] = {"anyOf": [{"type": "string"}, {"type": "integer"}]}
    properties["play"] = {"type": "array", "items": row}
    properties["events"] = {"type": "array", "items": {"anyOf": [one, {"enum": NO_FIELDS}]}}
    return schema


def _case(vocabulary: Vocabulary) -> Schema:
    case, incident = _of(CaseFile), _incident()
    definitions = {**case.pop("$defs", {}), **incident.pop("$defs", {}), "incident": incident}
    case["properties"]["incident"] = {"$ref": "#/$defs/incident"}
    expected = definitions["Expectation"]["properties"]
    expected["revokes"]["items"] = _closed(dict(_of_a_revoke(vocabulary)), ("hand", "trick"))
    for section in ("rectifications", "director", "open", "points", "options", "remarks"):
        expected[section]["items"] = _entry(section, vocabulary)
    for laws in ("cited", "not-cited"):
        expected[laws]["items"] = {"anyOf": [{"type": "string"}, {"type": "integer"}]}
    definitions["case"] = case
    one = {"$ref": "#/$defs/case"}
    return {"anyOf": [one, {"type": "array", "items": one}], "$defs": definitions}


def _of_a_revoke(vocabulary: Vocabulary) -> Iterator[tuple[str, Schema]]:
    """The keys under which a ruling tells of a revoke."""
    finding = _of(Finding)["properties"]
    yield from ((key, finding[key]) for key in ("hand", "trick", "suit", "card"))
    yield "won-by", {"enum": ["N", "E", "S", "W"]}
    yield "player", {"enum": ["N", "E", "S", "W"]}
    yield "side", {"enum": ["NS", "EW"]}
    yield from ((key, {"enum": list(vocabulary.words.get(words, ()))}) for key, words in _WORDS_OF_A_REVOKE.items())
    yield "automatic-tricks", {"type": "integer"}
    yield from ((key, {"type": "array", "items": {"type": "string"}}) for key in _LAWS_OF_A_REVOKE)


_WORDS_OF_A_REVOKE: Final = {"role": "role", "status": "status-word"}
_LAWS_OF_A_REVOKE: Final = ("status-by", "automatic-by", "exempt-by")


def _entry(section: str, vocabulary: Vocabulary) -> Schema:
    """An entry of a part of the ruling: what the kinds of that part show, with the words it may be."""
    allowed: dict[str, list[Any] | None] = {"tricks": None} if section == "director" else {}
    for kind in vocabulary.kinds.values():
        for key, shown in kind.shows.items() if kind.section == section else ():
            words: tuple[Any, ...] = (shown,)
            if isinstance(shown, str) and shown.startswith("$"):
                words = vocabulary.words.get(kind.field_named(shown[1:]).type, ())
            name = key.partition(".")[0]
            so_far = allowed.setdefault(name, [])
            if not words or key != name or so_far is None:
                allowed[name] = None
            else:
                so_far += [word for word in words if word not in so_far]
    if section == "director":
        allowed["kind"] = ["adjusted-score", *(allowed.get("kind") or [])]
    return _closed({"law": _LAW, **{key: {} if words is None else {"enum": words} for key, words in allowed.items()}})


def _words(vocabulary: Vocabulary) -> Schema:
    texts = _texts(vocabulary)
    named: Schema = {name: {"type": "object", "additionalProperties": texts} for name in NAMED_TYPES}
    for name, words in vocabulary.words.items():
        named[name] = _closed(dict.fromkeys(words, texts), words)
    free = {"type": "object", "additionalProperties": texts}
    names = {**_closed(named, tuple(named)), "additionalProperties": free}
    return _closed({"names": names, "phrases": free}, ("names", "phrases"))


def _interview(vocabulary: Vocabulary) -> Schema:
    schema = _of(InterviewShape)
    finding, incident = (_closed({key: {} for key in keys_of(shape)}) for shape in (Finding, IncidentFile))
    written: dict[str, Schema] = {**dict.fromkeys(REVOKES, finding), "incident": incident}
    written.update(dict.fromkeys(("unknown", "asks", "about", "help", "says"), _texts(vocabulary)))
    for shape in (schema, *schema["$defs"].values()):
        shape["properties"].update({key: known for key, known in written.items() if key in shape["properties"]})
    return schema


def _laid_over(schema: Schema) -> Schema:
    """The schema of a file of the same form that gives only what it adds: nothing is required."""
    for shape in (schema, *schema["$defs"].values()):
        shape.pop("required", None)
    return schema


def schema_text(schema: Schema) -> str:
    """A schema as it stands in a file."""
    return json.dumps(schema, ensure_ascii=False, separators=(",", ":")) + "\n"
