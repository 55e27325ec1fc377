"""JSON Schema of the rule files, so that an editor completes kinds, fields and words while they are written."""

from __future__ import annotations

from typing import Any

from facts.form import TEXT, Schema
from facts.readers.form import schema_of
from kb.language.forms import EditionForm, ElectionForm, LawFile, LawsFile, VocabularyForm
from kb.language.vocabulary import BASE_TYPES, NUMBERS, Field, Kind, Texts, Vocabulary

_FORM = {"type": "string", "pattern": r"^\s*(\$|[<>]=?\s*[-$0-9]|not\s)"}
_FILES: dict[str, Any] = {
    "law": LawFile | LawsFile,
    "edition": EditionForm,
    "election": ElectionForm,
    "vocabulary": VocabularyForm,
}


def schemas(vocabulary: Vocabulary) -> dict[str, Schema]:
    """The schema of each sort of file: ``law``, ``edition``, ``election`` and ``vocabulary``."""
    return {name: _schema(name, kind, vocabulary) for name, kind in _FILES.items()}


def texts_schema(vocabulary: Vocabulary) -> Schema:
    """A sentence in each language."""
    return _closed(dict.fromkeys(vocabulary.languages, TEXT), required=True)


def beside_schema(kind: Any, vocabulary: Vocabulary) -> Schema:
    """The schema of a file of rules beside the law, which may have kinds of fact of its own."""
    definitions = {"texts": texts_schema(vocabulary), **_of_rules(vocabulary)}
    for name in ("condition", "exception", "conclusion"):
        definitions[name] = {**definitions[name], "additionalProperties": {"type": "object"}}
    exceptions = definitions["exceptions"]
    exceptions["anyOf"][1] = {**exceptions["anyOf"][1], "additionalProperties": {"type": "object"}}
    return {**schema_of(kind), "$defs": definitions}


def _schema(name: str, kind: Any, vocabulary: Vocabulary) -> Schema:
    rules = _of_rules(vocabulary) if name in ("law", "election") else {}
    definitions = {"texts": texts_schema(vocabulary), **rules}
    opening = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    return {**opening, **schema_of(kind), "$defs": definitions, "title": name}


def _ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def _of_rules(vocabulary: Vocabulary) -> Schema:
    """What may stand in ``when``, ``unless`` and ``then``."""
    kinds = vocabulary.kinds.values()
    tested = {kind.name: _ref(f"tests-{kind.name}") for kind in kinds}
    concluded = {kind.name: _ref(f"fact-{kind.name}") for kind in kinds}
    of, number = _ref("exception"), _ref("value-integer")
    total = _closed({"of": of, "field": {"type": "string"}, "is": number}, required=True)
    count = _closed({"of": of, "is": number}, required=True)
    one = {"minProperties": 1, "maxProperties": 1}
    return {
        **{f"value-{name}": _value(name, vocabulary) for name in (*BASE_TYPES, *vocabulary.words)},
        **{f"tests-{kind.name}": _tests(kind) for kind in kinds},
        **{f"fact-{kind.name}": {**_ref(f"tests-{kind.name}"), "required": list(kind.index)} for kind in kinds},
        "condition": {**_closed({**tested, "total": total, "count": count}), **one},
        "exception": {**_closed(tested), **one},
        "conclusion": {**_closed(concluded), "minProperties": 1},
        "conditions": {"type": "array", "items": _ref("condition"), "minItems": 1},
        "exceptions": {"anyOf": [{"type": "array", "items": _ref("exception")}, _closed(tested)]},
        "conclusions": {"anyOf": [_ref("conclusion"), {"type": "array", "items": _ref("conclusion"), "minItems": 1}]},
    }


def _closed(properties: Schema, required: bool = False) -> Schema:
    schema = {"type": "object", "properties": properties, "additionalProperties": False}
    return {**schema, "required": list(properties)} if required else schema


def _tests(kind: Kind) -> Schema:
    fields = {
        field.name: {**_ref(f"value-{field.type}"), "description": _field_told(field, kind)} for field in kind.fields
    }
    return {**_closed(fields), "description": _told(kind)}


def _told(kind: Kind) -> str:
    """What an editor shows of a kind of fact: its sentence, the question that it answers, and its fields."""
    return "\n\n".join(filter(None, (_said(kind.says), _said(kind.asks), kind.signature)))


def _field_told(field: Field, kind: Kind) -> str:
    """The same of a field: what it may be, and its place in the sentence."""
    unknown = ", or not known" if field.unknown else ""
    return f"{field.type}{unknown}: {_said(kind.says)}"


def _said(texts: Texts) -> str:
    return next(iter(texts.values()), "")


def _value(type_: str, vocabulary: Vocabulary) -> Schema:
    plain: Schema = {"type": {**dict.fromkeys(NUMBERS, "integer"), "yes-no": "boolean"}.get(type_, "string")}
    if plain["type"] == "string" and (words := vocabulary.values_of(type_)):
        plain["enum"] = [*words]
    return {"anyOf": [plain, {"type": "array", "items": plain, "minItems": 1}, _FORM]}
