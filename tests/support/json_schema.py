"""As much of JSON Schema as the schemas of the project use."""

from __future__ import annotations

import re
from typing import Any

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int, "null": type(None)}
KNOWN = {
    *("$schema", "$defs", "$ref", "title", "description", "type", "enum", "const", "pattern", "anyOf", "oneOf"),
    *("discriminator", "items", "minItems", "maxItems", "required", "minProperties", "maxProperties", "properties"),
    *("additionalProperties", "propertyNames", "minimum", "maximum", "default"),
    "belonging",  # of a law: a note for the completion of the workshop
}


def accepts(schema: Any, value: Any, root: Any = None) -> bool:
    """Whether the schema allows a value; AssertionError for a keyword that is not known here."""
    root = schema if root is None else root
    assert schema.keys() <= KNOWN, schema.keys() - KNOWN
    if "$ref" in schema and not accepts(root["$defs"][schema["$ref"].rsplit("/", 1)[1]], value, root):
        return False
    choices = schema.get("anyOf", schema.get("oneOf"))
    if choices and not any(accepts(choice, value, root) for choice in choices):
        return False
    return _plain(schema, value) and _list(schema, value, root) and _object(schema, value, root)


def _plain(schema: Any, value: Any) -> bool:
    if "type" in schema and type(value) is not TYPES[schema["type"]]:
        return False
    if value not in schema.get("enum", [value]) or value != schema.get("const", value):
        return False
    if isinstance(value, str):
        return re.search(schema.get("pattern", ""), value) is not None
    return not isinstance(value, int) or schema.get("minimum", value) <= value <= schema.get("maximum", value)


def _list(schema: Any, value: Any, root: Any) -> bool:
    if not isinstance(value, list):
        return True
    enough = schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value))
    return enough and all(accepts(schema.get("items", {}), item, root) for item in value)


def _object(schema: Any, value: Any, root: Any) -> bool:
    if not isinstance(value, dict):
        return True
    if not {*schema.get("required", [])} <= value.keys():
        return False
    if not schema.get("minProperties", 0) <= len(value) <= schema.get("maxProperties", len(value)):
        return False
    if not all(accepts(schema.get("propertyNames", {}), key, root) for key in value):
        return False
    known, more = schema.get("properties", {}), schema.get("additionalProperties", True)
    return all(
        accepts(known[key], item, root)
        if key in known
        else more is True or (more is not False and accepts(more, item, root))
        for key, item in value.items()
    )
