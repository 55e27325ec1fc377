"""The rules as data: the checked model can be built from them again, and they are as their schema says."""

from __future__ import annotations

import json
from typing import Any

import pytest
from support.json_schema import accepts
from support.ruling import ROOT, law
from typer.testing import CliRunner

from kb.cli.lawbook import app
from kb.language.edition import load_edition
from kb.language.folders import editions
from kb.language.model import NOWHERE, Clause, Conclusion, Condition, Edition, Note, Rule, Source, Tally, Test
from kb.language.terms import NOTHING, Constant, Sum, Variable
from kb.language.vocabulary import Field, Kind, Vocabulary
from kb.lawbook.as_data import as_data
from kb.schemas.lawbook import data_schema

pytestmark = pytest.mark.thorough

EDITIONS = [*((one, ()) for one in editions(ROOT)), ("duplicate-2007", ("acbl-2007",))]


def term(data: Any) -> Any:
    match data:
        case {"constant": value}:
            return Constant(value)
        case {"variable": name}:
            return Variable(name)
    return Sum(*map(term, data["sum"]))


def condition(data: Any) -> Condition:
    tests = [
        Test(
            one["field"],
            one.get("operator", "="),
            term(one["term"]) if "term" in one else NOTHING,
            NOWHERE,
            tuple(one.get("among", ())),
        )
        for one in data["tests"]
    ]
    return Condition(data["kind"], tuple(tests), NOWHERE)


def item(data: Any) -> Condition | Tally:
    for how in ("count", "total"):
        if how in data:
            number = data["is"]
            return Tally(
                how, condition(data[how]), data.get("field"), number["operator"], term(number["term"]), NOWHERE
            )
    return condition(data)


def rule(data: Any, clause: str) -> Rule:
    then = [
        Conclusion(one["kind"], {name: term(of) for name, of in one["fields"].items()}, NOWHERE) for one in data["then"]
    ]
    when, unless = tuple(map(item, data["when"])), tuple(map(condition, data["unless"]))
    return Rule(data["id"], clause, when, unless, tuple(then), data["because"], NOWHERE, tuple(data["once-with"]))


def kind(name: str, data: Any) -> Kind:
    fields = tuple(
        Field(one["name"], one["type"], one["unknown"], one["bounds"] and tuple(one["bounds"]))
        for one in data["fields"]
    )
    key = None if data["one-per"] is None else tuple(data["one-per"])
    told = (frozenset(data["first"]), data["asks"], data["happened"], data["untold"])
    return Kind(
        name,
        fields,
        data["says"],
        data["stated-by"],
        NOWHERE,
        key,
        data["section"],
        data["shows"],
        data["cites"],
        *told,
    )


def source(data: Any) -> Source:
    return Source(read="recalled" if data["recalled"] else "seen", in_=data["in"], page=data["page"], link=data["link"])


def note(data: Any) -> Note:
    return Note(data["says"], data["by"], data["date"], data["link"])


def rebuilt(data: Any) -> Edition:
    """The model that was written, but for the places in the files."""
    clauses = {
        one["ref"]: Clause(
            one["ref"], one["law"], one["says"], one["encoded-as"], NOWHERE,
            tuple(rule(each, one["ref"]) for each in one["rules"]), one["reason"],
            source(one["source"]), tuple(map(note, one["minutes"])), tuple(map(note, one["notes"])),
        )
        for one in data["clauses"]
    }  # fmt: skip
    words = {name: tuple(some) for name, some in data["words"].items()}
    vocabulary = Vocabulary(
        words, {name: kind(name, one) for name, one in data["kinds"].items()}, tuple(data["languages"])
    )
    head = (data["edition"], data["title"], data["authority"], data["in-force"], vocabulary, data["laws"], clauses)
    return Edition(*head, elections=tuple(data["elections"]), scored=data["scored"], until=data["until"])


def without_places(value: Any) -> Any:
    """A value of the model as plain data in which no place stands."""
    if hasattr(value, "__dataclass_fields__") and not isinstance(value, Constant | Variable | Sum):
        names = [name for name in value.__dataclass_fields__ if "place" not in name]
        return {name: without_places(getattr(value, name)) for name in names}
    if isinstance(value, dict):
        return {key: without_places(one) for key, one in value.items()}
    if isinstance(value, tuple | list):
        return [without_places(one) for one in value]
    return value


@pytest.mark.parametrize(("edition", "elections"), EDITIONS)
def test_the_model_is_built_again(edition: str, elections: tuple[str, ...]) -> None:
    code = load_edition(ROOT, edition, elections)
    data = json.loads(json.dumps(as_data(code)))
    made = rebuilt(data)
    assert made.digest == code.digest == data["digest"]
    for part in ("id", "title", "authority", "in_force", "until", "laws", "clauses", "elections", "scored"):
        assert without_places(getattr(made, part)) == without_places(getattr(code, part)), part
    for part in ("words", "kinds", "languages"):
        assert without_places(getattr(made.vocabulary, part)) == without_places(getattr(code.vocabulary, part)), part
    assert data["lineage"] == [*code.lineage] and {**data["offers"]} == {
        ref: [*one] for ref, one in code.offers.items()
    }
    assert [*data["clauses"]] and [one["ref"] for one in data["clauses"]] == [*code.clauses], "in the order of the book"


@pytest.mark.parametrize(("edition", "elections"), EDITIONS)
def test_it_is_as_its_schema_says(edition: str, elections: tuple[str, ...]) -> None:
    data = json.loads(json.dumps(as_data(load_edition(ROOT, edition, elections))))
    schema = data_schema(law().edition.vocabulary)
    assert accepts(schema, data)
    assert not accepts(schema, {**data, "more": 1})
    data["clauses"][-1]["rules"][0]["when"][0] = {"kind": "liable"}
    assert not accepts(schema, data)


def test_the_command_writes_it() -> None:
    done = CliRunner().invoke(app, ["auction-1912", "--format", "json"])
    assert done.exit_code == 0
    assert json.loads(done.output) == json.loads(json.dumps(as_data(load_edition(ROOT, "auction-1912"))))
