"""JSON Schema of the rule files, so that an editor completes kinds, fields and words while they are written."""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter

from kb.language.file_shapes import EditionShape, ElectionShape, LawFile, LawsFile, VocabularyShape
from kb.language.model import BASE_TYPES, Kind, Vocabulary

Schema = dict[str, Any]

_FORM = {"type": "string", "pattern": r"^\s*(\$|[<>]=?\s*[-$0-9]|not\s)"}
_FILES: dict[str, Any] = {
    "law": LawFile | LawsFile,
    "edition": EditionShape,
    "election": ElectionShape,
    "vocabulary": VocabularyShape,
}


def schemas(vocabulary: Vocabulary) -> dict[str, Schema]:
    """The schema of each sort of file: ``law``, ``edition``, ``election`` and ``vocabulary``."""
    return {name: _schema(name, shape, vocabulary) for name, shape in _FILES.items()}


def _schema(name: str, shape: Any, vocabulary: Vocabulary) -> Schema:
    schema = TypeAdapter(shape).json_schema(by_alias=True)
    definitions: Schema = schema.setdefault("$defs", {})
    _name_texts(schema)
    definitions["texts"] = _closed({language: {"type": "string"} for language in vocabulary.languages}, required=True)
    if "RuleShape" in definitions:
        definitions.update(_of_rules(vocabulary))
        definitions["RuleShape"]["properties"].update(
            when={"type": "array", "items": _ref("condition"), "minItems": 1},
            unless={"anyOf": [{"type": "array", "items": _ref("exception")}, _ref("exceptions")]},
            then={"anyOf": [_ref("conclusions"), {"type": "array", "items": _ref("conclusions"), "minItems": 1}]},
        )
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "title": name}


def _ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def _name_texts(schema: Any) -> None:
    """Let every sentence demand its languages."""
    if isinstance(schema, dict):
        for key, value in schema.items():
            if key in ("says", "because", "title", "reason", "note", "asks") and isinstance(value, dict):
                schema[key] = _ref("texts")
            else:
                _name_texts(value)


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
        "exceptions": _closed(tested),
        "conclusions": {**_closed(concluded), "minProperties": 1},
    }


def _closed(properties: Schema, required: bool = False) -> Schema:
    schema = {"type": "object", "properties": properties, "additionalProperties": False}
    return {**schema, "required": list(properties)} if required else schema


def _tests(kind: Kind) -> Schema:
    return _closed({field.name: _ref(f"value-{field.type}") for field in kind.fields})


def _value(type_: str, vocabulary: Vocabulary) -> Schema:
    plain: Schema = {"type": {"integer": "integer", "yes-no": "boolean"}.get(type_, "string")}
    if plain["type"] == "string" and (words := vocabulary.values_of(type_)):
        plain["enum"] = [*words]
    return {"anyOf": [plain, {"type": "array", "items": plain, "minItems": 1}, _FORM]}
