"""JSON Schema of every sort of file that is written by hand, so that an editor completes names while they are typed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from typing import Any, Final

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from facts.cards import Card
from facts.contract import Contract
from facts.deal import Deal
from facts.readers.incident import IncidentFile
from facts.readers.said import NAMING, annotation, words_of
from facts.shapes import keys_of
from facts.table import FindingKind, Table, Type
from kb.cases.cases import CaseFile
from kb.explain.phrases import NAMES
from kb.explain.words import NAMED_TYPES
from kb.language.model import Vocabulary
from kb.language.schema import Schema, schemas
from kb.ruling.ruling import OPEN
from kb.space.interview import REVOKES
from kb.space.read_interview import InterviewShape

CARD: Final = r"^\s*([SHDCshdc♠♥♦♣♤♡♢♧]([2-9TJQKAtjqka]|10))\s*$"
TEXT_FORMS: Final[dict[Callable[..., object], str]] = {
    Card.from_text: CARD,
    Contract.from_text: r"^\s*([1-7](NT|nt|[SHDCshdc])[Xx]{0,2}|[Pp]ass|PASS)\s*$",
    Deal.from_pbn: r"^\s*[NESWnesw]:",
}
"""What is read from text by a function of its own, and the form of that text."""
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
    TABLE = "table"
    CASE = "case"
    INCIDENT = "incident"


def all_schemas(vocabulary: Vocabulary, table: Table) -> dict[Sort, Schema]:
    """The schema of each sort of file."""
    made: dict[str, Schema] = {
        **schemas(vocabulary),
        "words": _words(vocabulary),
        "interview": _interview(vocabulary, table),
        "wider": _laid_over(_interview(vocabulary, table)),
        "table": _table(vocabulary),
        "case": _case(vocabulary, table),
        "incident": _incident(table),
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


def _incident(table: Table) -> Schema:
    schema = _of(IncidentFile)
    properties = schema["properties"]
    happenings = {name: _event(kind.fields, kind.one_of) for name, kind in table.events.items()}
    bare = [name for name, kind in table.events.items() if not kind.fields]
    after = {"type": "string", "pattern": r"^([1-9]|1[0-3])\.[1-4]$"}
    one = {**_closed({"after": after, **happenings}), "minProperties": 1, "maxProperties": 2}
    row = {"type": "string", "pattern": r"^\s*[NESWnesw](\s+\S+){1,4}\s*$"}
    properties["board"] = {"anyOf": [{"type": "string"}, {"type": "integer"}]}
    properties["play"] = {"type": "array", "items": row}
    properties["events"] = {"type": "array", "items": {"anyOf": [one, {"enum": bare}]}}
    properties["revokes"] = {"type": "array", "items": _closed(_finding(table))}
    return schema


def _finding(table: Table) -> Schema:
    """The keys of a finding."""
    naming = {name: _inline(kind) for name, kind in NAMING.items()}
    return {**naming, **{name: _value(kind) for name, kind in table.findings.items()}}


def _value(kind: FindingKind) -> Schema:
    """What a finding may be: a value, or the name of an answer."""
    plain = _inline(annotation(kind.type))
    named = [name for name in kind.answers if name not in words_of(kind.type) and kind.type.name != "yes-no"]
    others: list[Schema] = [{"enum": named}] if named else []
    others += [{"type": "string", "pattern": r"^\d+\.\.\d+$"}] if kind.type.name == "number" else []
    return {**({"anyOf": [plain, *others]} if others else plain), "description": kind.means.get("en", "")}


def _event(fields: Mapping[str, tuple[Type, bool]], one_of: tuple[str, ...]) -> Schema:
    properties = {name: _inline(annotation(kind)) for name, (kind, _) in fields.items()}
    of = _closed(properties, tuple(name for name, (_, needed) in fields.items() if needed))
    if one_of:
        of["oneOf"] = [{"required": [name]} for name in one_of]
    return of if fields else {"anyOf": [of, {"enum": [""]}]}


def _inline(kind: Any) -> Schema:
    """The schema of a type, without definitions apart."""
    of = _of(kind)
    definitions = of.pop("$defs", {})
    return {**definitions[of["$ref"].rpartition("/")[2]]} if "$ref" in of else of


def _table(vocabulary: Vocabulary) -> Schema:
    """The schema of table.yaml: its keys and languages; the rest is checked when it is read."""
    texts = _texts(vocabulary)
    spoken = dict.fromkeys(("means", "asks", "about", "help", "says", "because"), texts)
    finding = {"type": "object", "properties": spoken, "required": ["is", "means"]}
    event = {"type": "object", "properties": spoken, "required": ["means"]}
    anything: Schema = {key: {} for key in ("when", "stated", "not-stated", "facts", "unless")}
    impossible = _closed({**anything, "because": texts}, ("because",))
    return _closed(
        {
            "moments": {"type": "object"},
            "yes-no": {"type": "object", "additionalProperties": texts},
            "findings": {"type": "object", "additionalProperties": finding},
            "events": {"type": "object", "additionalProperties": event},
            "impossible": {"type": "array", "items": impossible},
        }
    )


def _case(vocabulary: Vocabulary, table: Table) -> Schema:
    case, incident = _of(CaseFile), _incident(table)
    definitions = {**case.pop("$defs", {}), **incident.pop("$defs", {}), "incident": incident}
    case["properties"]["incident"] = {"$ref": "#/$defs/incident"}
    expected = definitions["Expectation"]["properties"]
    expected["revokes"]["items"] = _closed(dict(_of_a_revoke(vocabulary, table)), ("hand", "trick"))
    for section in ("rectifications", "director", "points", "options", "remarks"):
        expected[section]["items"] = _entry(section, vocabulary)
    unknown = {"enum": ["hand", "trick", *table.findings, "declarer", "rest"]}
    naming = {key: one for key, one in _finding(table).items() if key in NAMING}
    expected["open"]["items"] = _closed({**naming, "what": unknown, "law": _LAW})
    for laws in ("cited", "not-cited"):
        expected[laws]["items"] = {"anyOf": [{"type": "string"}, {"type": "integer"}]}
    definitions["case"] = case
    one = {"$ref": "#/$defs/case"}
    return {"anyOf": [one, {"type": "array", "items": one}], "$defs": definitions}


def _of_a_revoke(vocabulary: Vocabulary, table: Table) -> Iterator[tuple[str, Schema]]:
    """The keys under which a ruling tells of a revoke."""
    finding = _finding(table)
    yield from ((key, finding[key]) for key in ("hand", "trick", "suit", "card"))
    yield "won-by", {"enum": ["N", "E", "S", "W"]}
    yield "player", {"enum": ["N", "E", "S", "W"]}
    yield "side", {"enum": ["NS", "EW"]}
    yield "role", {"enum": list(vocabulary.words.get("role", ()))}
    yield "status", {"enum": [*vocabulary.words.get("status-word", ()), OPEN]}
    yield "automatic-tricks", {"type": "integer"}
    yield from ((key, {"type": "array", "items": {"type": "string"}}) for key in _LAWS_OF_A_REVOKE)


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
        known = (*words, *NAMES.get(name, ()))
        named[name] = _closed(dict.fromkeys(known, texts), known)
    free = {"type": "object", "additionalProperties": texts}
    names = {**_closed(named, tuple(named)), "additionalProperties": free}
    return _closed({"names": names, "phrases": free}, ("names", "phrases"))


def _interview(vocabulary: Vocabulary, table: Table) -> Schema:
    schema = _of(InterviewShape)
    finding, incident = (_closed({key: {} for key in keys}) for keys in (_finding(table), keys_of(IncidentFile)))
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
