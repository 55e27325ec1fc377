"""The API for scoring programs: the objects of ``--format json``, or every fault with its place."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field

from facts.errors import Fault, InputError, Place
from facts.incident import DEFAULT_EDITION, Incident
from facts.readers.incident_file import incident_of
from facts.table import Table
from facts.yaml_reader import Mapping, Node, Sequence, read_yaml
from kb.desk.desk import Desk, Submission, bare_fault, format_name, refuse_too_long
from kb.desk.guard import DeskRoute
from kb.schemas import all_schemas
from kb.voices import Voice, saved

Name = Annotated[str, Field(max_length=80)]


class SubmissionBody(BaseModel):
    """What happened: an incident file as an object, or as text an incident, PBN or LIN file or a handviewer address."""

    model_config = ConfigDict(extra="forbid")

    incident: dict[str, Any] | None = None
    text: Annotated[str, Field(max_length=1_000_000)] | None = None
    edition: Name | None = None
    """Edition to rule by, or `of-the-day` for that of its date, instead of the incident's own."""
    elections: Annotated[list[Name], Field(max_length=20)] | None = None
    lang: Name | None = None
    voice: Voice | None = None
    """Whom ``text`` of a ruling is told to; in full when left out."""


class FaultTold(BaseModel):
    """One thing wrong: where, what, and how to mend it."""

    file: str
    line: int
    column: int
    what: str
    mend: str
    check: str | None = None
    pointer: str | None = None
    """JSON pointer to it in an incident that was given as an object, and has no lines."""


class FaultsBody(BaseModel):
    """Everything that is wrong."""

    faults: list[FaultTold]


class RulingPart(BaseModel):
    """Its keys have hyphens, and there may be more of them than are named here."""

    model_config = ConfigDict(extra="allow", alias_generator=lambda name: name.replace("_", "-"))


class RevokeTold(RulingPart):
    """A revoke; null: not known, or not as yet."""

    hand: str | None
    player: str | None
    side: str | None
    role: str | None
    trick: int | None
    suit: str | None
    card: str | None
    status: str
    status_by: list[str]
    won_by: str | None
    automatic_tricks: int | None
    automatic_by: list[str]
    exempt_by: list[str]


class EntryTold(RulingPart):
    """Something that a ruling says, with the clauses behind it."""

    law: list[str]


class RulingTold(RulingPart):
    """A ruling. Where something is not known on which it hinges, `open`, `branches` and `range` tell it."""

    source: str
    board: str | None
    edition: str
    elections: list[str]
    revokes: list[RevokeTold]
    transfer: dict[str, int]
    rectifications: list[EntryTold]
    director: list[EntryTold]
    open: list[EntryTold]
    cited: list[str]
    remarks: list[EntryTold] = []
    points: list[EntryTold] = []
    options: list[EntryTold] = []
    result: dict[str, Any]
    branches: dict[str, Any] = {}
    range: dict[str, list[int]] = {}
    presumed: list[EntryTold]
    irregular: list[dict[str, Any]]
    lang: str
    text: str
    voice: Voice | None
    receipt: str
    version: str
    proof: dict[str, Any]
    record: dict[str, Any]


class RulingsBody(BaseModel):
    """A ruling for each board that could be ruled on, and what is wrong with the others."""

    rulings: list[RulingTold]
    faults: list[FaultTold]


FAULT_RESPONSES: dict[int | str, dict[str, Any]] = {
    422: {"model": FaultsBody, "description": "What cannot be read or ruled on."},
    503: {"model": FaultsBody, "description": "An engine failed."},
}


router = APIRouter(prefix="/api", tags=["rulings"], responses=FAULT_RESPONSES, route_class=DeskRoute)


def described(api: dict[str, Any], desk: Desk) -> dict[str, Any]:
    """The description of the API with the schema of an incident, as an edition's files have it, and the token that
    `/api/login` gives."""
    edition = desk.edition(DEFAULT_EDITION)
    schema, parts = json.dumps(all_schemas(edition.vocabulary, edition.table)["incident"]), api["components"]
    incident = json.loads(schema.replace("#/$defs/", "#/components/schemas/Incident-"))
    apart = {f"Incident-{name}": part for name, part in incident.pop("$defs").items()}
    del incident["$schema"]
    parts["schemas"] |= {"Incident": incident, **apart}  # beside each other, where generators of clients look for them
    of_it = {"anyOf": [{"$ref": "#/components/schemas/Incident"}, {"type": "null"}]}
    parts["schemas"][SubmissionBody.__name__]["properties"]["incident"] = of_it
    parts["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    return {**api, "security": [{}, {"token": []}]}  # a desk on its own computer asks nobody


def fault_json(fault: Fault) -> dict[str, Any]:
    """A fault as an object; its file is named without its folder."""
    file, pointed, pointer = fault.place.file.partition("#")
    place = bare_fault(replace(fault, place=replace(fault.place, file=file))).place
    fields = {"file": place.file, "line": place.line, "column": place.column, "what": fault.what, "mend": fault.mend}
    return {**fields, **({"check": fault.check} if fault.check else {}), **({"pointer": pointer} if pointed else {})}


def _pointing(node: Node, at: str) -> Node:
    """The node with JSON pointers for its places."""
    here = Place(at, 1)
    if isinstance(node, Sequence):
        return Sequence(tuple(_pointing(item, f"{at}/{number}") for number, item in enumerate(node.items)), here)
    if isinstance(node, Mapping):
        below = {key: f"{at}/{key.replace('~', '~0').replace('/', '~1')}" for key in node.entries}
        entries = {key: _pointing(entry, below[key]) for key, entry in node.entries.items()}
        return Mapping(entries, {key: Place(pointer, 1) for key, pointer in below.items()}, here)
    return replace(node, place=here)


async def _desk(request: Request) -> Desk:
    desk: Desk = request.app.state.desk
    return desk


DeskDep = Annotated[Desk, Depends(_desk)]


@router.post("/rule", response_model=RulingsBody)
def rule(desk: DeskDep, asked: SubmissionBody) -> Response:
    """The ruling on each board, as `revoke rule --format json` gives it."""
    if (asked.incident is None) == (asked.text is None):
        raise InputError.of("incident", "give either incident or text", "and not both")

    def tables(edition: str | None) -> Table:
        return desk.table(asked.edition or edition)

    boards: Iterable[Incident | InputError]
    if asked.text is not None:
        boards = Submission(asked.text, format_name(asked.text)).boards(tables)
    else:
        text = json.dumps(_without_nulls(asked.incident), ensure_ascii=False, indent=1)
        refuse_too_long(text)
        incident = incident_of(_pointing(read_yaml(text, "incident"), "incident#"), tables)
        boards = [replace(incident, place=Place("incident", 1))]
    languages, usual = desk.words.languages, desk.settings.lang
    lang = usual if usual in languages else languages[0]
    if asked.lang is not None:
        lang = desk.words.language(asked.lang, "lang")
    rulings, faults = list[dict[str, Any]](), list[Fault]()
    for board in boards:
        try:
            if isinstance(board, InputError):
                raise board
            # as on the command line an edition asked for takes the place of the board's own, its elections with it
            ruling = desk.rule(desk.laws.under(board, asked.edition, asked.elections or ()))
            rulings.append(saved(ruling, desk.speaker(ruling.edition, lang), asked.voice))
        except InputError as error:
            faults += error.faults
    if not rulings:
        raise InputError(faults)
    return JSONResponse({"rulings": rulings, "faults": [fault_json(fault) for fault in faults]})


def _without_nulls(value: Any) -> Any:
    """An object without the keys that a program has nothing to say of; in a file they would stand for a text."""
    if isinstance(value, dict):
        return {key: _without_nulls(item) for key, item in value.items() if item is not None}
    return [_without_nulls(item) for item in value] if isinstance(value, list) else value
