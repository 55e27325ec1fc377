"""JSON Schema of the rules as data, as ``revoke lawbook --format json`` writes them."""

from __future__ import annotations

from typing import get_args

from facts.form import TEXT, Schema
from kb.language.model import Encoding, Operator
from kb.language.vocabulary import StatedBy, Vocabulary

_NAMES: Schema = {"type": "array", "items": TEXT}
_TEXTS: Schema = {"type": "object", "additionalProperties": TEXT}
_ANY_TEXT: Schema = {"type": "string"}
_YES_NO: Schema = {"type": "boolean"}
_NONE: Schema = {"enum": [None]}
_VALUE: Schema = {"anyOf": [{"type": "string"}, {"type": "integer"}, _YES_NO, _NONE]}


def data_schema(vocabulary: Vocabulary) -> Schema:
    """The schema; a draft may have kinds of fact of its own, so that they are not listed."""
    texts = {"$ref": "#/$defs/texts"}
    said = _closed(dict.fromkeys(vocabulary.languages, TEXT))
    top = {
        "form": {"enum": [1]},
        **dict.fromkeys(("edition", "digest", "authority", "in-force"), TEXT),
        "until": _ANY_TEXT,
        "title": texts,
        "lineage": _NAMES,
        "elections": _NAMES,
        "offers": _all_of(_NAMES),
        "scored": {"enum": ["duplicate", "otherwise"]},
        "languages": _NAMES,
        "words": _all_of(_NAMES),
        "kinds": _all_of(_ref("kind")),
        "laws": _all_of(texts),
        "clauses": {"type": "array", "items": _ref("clause")},
    }
    return {**_closed(top), "$defs": {"texts": said, **_of_kinds(texts), **_of_clauses(texts), **_of_rules()}}


def _of_kinds(texts: Schema) -> Schema:
    bounds = {"anyOf": [_NONE, {"type": "array", "items": {"type": "integer"}}]}
    kind = {
        "fields": {"type": "array", "items": _ref("field")},
        "says": texts,
        "stated-by": {"enum": list(get_args(StatedBy))},
        "one-per": {"anyOf": [_NONE, _NAMES]},
        "section": {"anyOf": [_NONE, TEXT]},
        "shows": _all_of(_VALUE),
        "cites": _YES_NO,
        "first": _NAMES,
        "asks": _TEXTS,
        "happened": _TEXTS,
        "untold": _YES_NO,
    }
    return {"kind": _closed(kind), "field": _closed({"name": TEXT, "type": TEXT, "unknown": _YES_NO, "bounds": bounds})}


def _of_clauses(texts: Schema) -> Schema:
    clause = {
        "ref": TEXT,
        "law": _ANY_TEXT,
        "says": texts,
        "encoded-as": {"enum": list(get_args(Encoding))},
        "reason": _TEXTS,
        "source": _closed({"recalled": _YES_NO, **dict.fromkeys(("in", "page", "link"), _ANY_TEXT)}),
        "minutes": {"type": "array", "items": _ref("note")},
        "notes": {"type": "array", "items": _ref("note")},
        "rules": {"type": "array", "items": _ref("rule")},
    }
    rule = {
        "id": TEXT,
        "when": {"type": "array", "items": {"anyOf": [_ref("condition"), _ref("count"), _ref("total")]}, "minItems": 1},
        "unless": {"type": "array", "items": _ref("condition")},
        "then": {"type": "array", "items": _ref("conclusion"), "minItems": 1},
        "because": texts,
        "once-with": _NAMES,
    }
    note = _closed({"says": texts, **dict.fromkeys(("by", "date", "link"), _ANY_TEXT)})
    return {"clause": _closed(clause), "note": note, "rule": _closed(rule)}


def _of_rules() -> Schema:
    operator, term = {"enum": list(get_args(Operator))}, _ref("term")
    number = _closed({"operator": operator, "term": term})
    among = _closed({"field": TEXT, "among": {"type": "array", "items": _VALUE, "minItems": 1}})
    variable = _closed({"variable": TEXT})
    terms = {"type": "array", "items": term, "minItems": 2, "maxItems": 2}
    return {
        "condition": _closed({"kind": TEXT, "tests": {"type": "array", "items": _ref("test")}}),
        "count": _closed({"count": _ref("condition"), "is": number}),
        "total": _closed({"total": _ref("condition"), "field": TEXT, "is": number}),
        "conclusion": _closed({"kind": TEXT, "fields": _all_of(term)}),
        "test": {"anyOf": [_closed({"field": TEXT, "operator": operator, "term": term}), among]},
        "term": {"anyOf": [_closed({"constant": _VALUE}), variable, _closed({"sum": terms})]},
    }


def _ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def _all_of(schema: Schema) -> Schema:
    return {"type": "object", "additionalProperties": schema}


def _closed(properties: Schema) -> Schema:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}
