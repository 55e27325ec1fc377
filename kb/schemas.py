"""JSON Schema of every sort of file that is written by hand, so that an editor completes names while they are typed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from facts.form import TEXT, Schema, form_of
from facts.incident import Incident
from facts.readers.incident_file import AFTER, NAMING, OF, UNDECLARED, TrickText, annotation, words_of
from facts.table import UNKNOWN, AllStated, FindingKind, Table, Type
from kb.cases.cases import Case
from kb.language.model import EditionForm, ElectionForm, LawFile
from kb.language.relied_on import OPEN
from kb.language.rule import SpokenRules
from kb.language.vocabulary import BASE_TYPES, NUMBER_TYPES, Kind, Vocabulary, VocabularyForm
from kb.prove.properties import PropertiesFile
from kb.space.measures import MeasuresFile
from kb.space.read_interview import InterviewForm

_LAW: Schema = {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}


def all_schemas(vocabulary: Vocabulary, table: Table) -> dict[str, Schema]:
    """The schema of each sort of file, by the name of the sort."""
    texts = {"texts": _closed(dict.fromkeys(vocabulary.languages, TEXT), vocabulary.languages)}
    rules = {**texts, **_of_rules(vocabulary)}
    own_kinds = ("condition", "exception", "conclusion")  # of kinds of fact of one's own, in a file beside the law
    beside = {**rules, **{name: {**rules[name], "additionalProperties": {"type": "object"}} for name in own_kinds}}
    finding = _closed({key: {} for one in table.every for key in _finding(one)})
    interview = _laid_over({**form_of(InterviewForm).schema(), "$defs": {"finding": finding, **texts}})
    made = {
        "law": {**form_of(LawFile).schema(), "$defs": rules, "belonging": {**vocabulary.belonging}},
        "edition": {**form_of(EditionForm).schema(), "$defs": texts},
        "election": {**form_of(ElectionForm).schema(), "$defs": rules},
        "vocabulary": {**form_of(VocabularyForm).schema(), "$defs": texts},
        "words": _laid_over(_words(vocabulary, texts["texts"])),
        "interview": interview,
        "wider": interview,
        "table": {**form_of(Table).schema(), "$defs": {"states": form_of(AllStated).schema(), **texts}},
        "measures": {**form_of(MeasuresFile).schema(), "$defs": beside},
        "spoken": {**form_of(SpokenRules).schema(), "$defs": beside},
        "properties": _laid_over({**form_of(PropertiesFile).schema(), "$defs": beside}),
        "case": _case(vocabulary, table),
        "incident": {**form_of(Incident).schema(), "$defs": _parts_of_an_incident(table)},
    }
    opening = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    return {sort: {**opening, **schema, "title": sort} for sort, schema in made.items()}


def _closed(properties: Schema, required: tuple[str, ...] = ()) -> Schema:
    closed = {"type": "object", "properties": properties, "additionalProperties": False}
    return {**closed, "required": list(required)} if required else closed


def _parts_of_an_incident(table: Table) -> Schema:
    happenings = {
        name: {**_event(kind.fields, kind.one_of), "description": next(iter(kind.means.values()), "")}
        for name, kind in table.events.items()
    }
    bare = [name for name, kind in table.events.items() if not kind.fields]
    event = {**_closed({"after": AFTER.schema(), **happenings}), "minProperties": 1, "maxProperties": 2}
    return {
        "auction": TEXT,
        "play": {"type": "array", "items": form_of(TrickText).schema()},
        "event": event,
        "events": {"type": "array", "items": {"anyOf": [_ref("event"), {"enum": bare}]}},
        "revoke": _closed(_finding(table)),
        "revokes": {"type": "array", "items": _ref("revoke")},
        "irregularities": {
            "type": "array",
            "items": {"anyOf": [*map(_irregularity, table.matters.values())] or [False]},
        },
    }


def _finding(table: Table) -> Schema:
    naming = {name: form_of(kind).schema() for name, kind in UNDECLARED.items()}
    return {**naming, **{name: _value(kind) for name, kind in table.findings.items()}}


def _irregularity(table: Table) -> Schema:
    return _closed({OF: {"const": table.of}, **_finding(table)}, (OF,))


def _value(kind: FindingKind) -> Schema:
    """What a finding may be: a value, the name of an answer, or unknown."""
    plain = form_of(annotation(kind.type)).schema()
    answers = [name for name in kind.answers if name not in words_of(kind.type)]
    others: list[Schema] = [{"enum": [*answers, UNKNOWN]}]
    others += [{"type": "string", "pattern": r"^\d+\.\.\d+$"}] if kind.type.name == "number" else []
    others += [{"type": "array", "items": {"enum": [*kind.type.words]}}] if " " in "".join(kind.type.words) else []
    description = "\n\n".join([*texts.values()][0] for texts in (kind.means, kind.asks, kind.help) if texts)
    return {"anyOf": [plain, *others], "description": description}


def _event(fields: Mapping[str, tuple[Type, bool]], one_of: tuple[str, ...]) -> Schema:
    properties = {name: form_of(annotation(kind)).schema() for name, (kind, _) in fields.items()}
    schema = _closed(properties, tuple(name for name, (_, needed) in fields.items() if needed))
    if one_of:
        schema["oneOf"] = [{"required": [name]} for name in one_of]
    return schema if fields else {"anyOf": [schema, {"enum": ["", None]}]}


def _case(vocabulary: Vocabulary, table: Table) -> Schema:
    findings = dict.fromkeys(name for one in table.every for name in one.findings)
    unknown = {"enum": ["hand", "trick", *findings, "declarer", "rest"]}
    naming = {key: schema for key, schema in _finding(table).items() if key in NAMING}
    sections = ("rectifications", "director", "points", "options", "remarks")
    case = {"$ref": "#/$defs/case"}
    definitions = {
        **_parts_of_an_incident(table),
        **{section: _entry(section, vocabulary) for section in sections},
        "own-part": {"anyOf": [_entry(section, vocabulary) for section in vocabulary.sections] or [_closed({})]},
        "open": _closed({OF: {"enum": [*table.matters]}, **naming, "what": unknown, "law": _LAW}),
        "ruled-revoke": _closed(_of_a_revoke(vocabulary, table)),
        "incident": form_of(Incident).schema(),
        "case": form_of(Case).schema(),
    }
    return {"anyOf": [case, {"type": "array", "items": case}], "$defs": definitions}


def _of_a_revoke(vocabulary: Vocabulary, table: Table) -> Schema:
    """The keys under which a ruling tells of a revoke."""
    finding, seat = _finding(table), {"enum": ["N", "E", "S", "W"]}
    laws = {"type": "array", "items": {"type": "string"}}
    return {
        **{key: finding[key] for key in ("hand", "trick", "suit", "card") if key in finding},
        "won-by": seat,
        "player": seat,
        "side": {"enum": ["NS", "EW"]},
        "role": {"enum": list(vocabulary.words.get("role", ()))},
        "status": {"enum": [*vocabulary.words.get("status-word", ()), OPEN]},
        "automatic-tricks": {"type": "integer"},
        **dict.fromkeys(("status-by", "automatic-by", "exempt-by"), laws),
    }


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


def _words(vocabulary: Vocabulary, texts: Schema) -> Schema:
    free = {"type": "object", "additionalProperties": texts}
    lists = {  # what is not known has a name as well
        kind: _closed(dict.fromkeys((*words, OPEN), texts)) for kind, words in vocabulary.words.items()
    }
    names = {"type": "object", "properties": lists, "additionalProperties": free}
    return _closed({"names": names, "phrases": free}, ("names", "phrases"))


def _laid_over(schema: Any) -> Any:
    """The schema of a file of the same form that gives only what it adds: nothing but languages is required."""
    if not isinstance(schema, dict):
        return schema
    return {key: part if key == "$defs" else _laid_over(part) for key, part in schema.items() if key != "required"}


def schema_text(schema: Schema) -> str:
    return json.dumps(schema, ensure_ascii=False, separators=(",", ":")) + "\n"


_FORM = {"type": "string", "pattern": r"^\s*(\$|[<>]=?\s*[-$0-9]|not\s)"}


def _ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def _listed(name: str, least: int = 1) -> Schema:
    """Kinds of fact, one in each item of a list, or all in a mapping."""
    single = {**_ref(name), "maxProperties": 1}
    return {"anyOf": [_ref(name), {"type": "array", "items": single, "minItems": least}]}


def _of_rules(vocabulary: Vocabulary) -> Schema:
    kinds = vocabulary.kinds.values()
    tested = {kind.name: _ref(f"tests-{kind.name}") for kind in kinds}
    concluded = {kind.name: _ref(f"fact-{kind.name}") for kind in kinds}
    counted, number, nonempty = {**_ref("exception"), "maxProperties": 1}, _ref("value-integer"), {"minProperties": 1}
    total = _closed({"of": counted, "field": {"type": "string"}, "is": number}, ("of", "field", "is"))
    count = _closed({"of": counted, "is": number}, ("of", "is"))
    return {
        **{f"value-{name}": _tested(name, vocabulary) for name in (*BASE_TYPES, *vocabulary.words)},
        **{f"tests-{kind.name}": _tests(kind) for kind in kinds},
        **{
            f"fact-{kind.name}": {**_ref(f"tests-{kind.name}"), "required": _needed(kind, vocabulary)} for kind in kinds
        },
        "condition": {**_closed({**tested, "total": total, "count": count}), **nonempty},
        "exception": {**_closed(tested), **nonempty},
        "conclusion": {**_closed(concluded), **nonempty},
        "conditions": _listed("condition"),
        "exceptions": _listed("exception", 0),
        "conclusions": _listed("conclusion"),
    }


def _needed(kind: Kind, vocabulary: Vocabulary) -> list[str]:
    """The fields that a conclusion must state: not what belongs to another of them."""
    theirs = {part for owner, parts in vocabulary.belonging.items() if owner in kind.index for part in parts}
    return [name for name in kind.index if name not in theirs]


def _tests(kind: Kind) -> Schema:
    """Of a kind an editor shows its sentence, the question that it answers, and its fields; of a field what it may be,
    and its place in the sentence."""
    says, asks = (next(iter(texts.values()), "") for texts in (kind.says, kind.asks))
    fields = {
        field.name: {
            **_ref(f"value-{field.type}"),
            "description": f"{field.type}{', or not known' if field.unknown else ''}: {says}",
        }
        for field in kind.fields
    }
    return {**_closed(fields), "description": "\n\n".join(filter(None, (says, asks, kind.signature)))}


def _tested(type_: str, vocabulary: Vocabulary) -> Schema:
    plain: Schema = {"type": {**dict.fromkeys(NUMBER_TYPES, "integer"), "yes-no": "boolean"}.get(type_, "string")}
    if plain["type"] == "string" and (words := vocabulary.values_of(type_)):
        plain["enum"] = [*words]
    return {"anyOf": [plain, {"type": "array", "items": plain, "minItems": 1}, _FORM]}
