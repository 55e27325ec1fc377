"""The reader of dataclasses: what is refused and how, and that pydantic, which describes the same classes, agrees."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from facts.errors import Fault, InputError
from facts.events import RevokeNamed
from facts.incident import WeightedOutcome
from facts.readers.incident import IncidentFile, read_incident
from facts.readers.mending import faults_in
from facts.readers.said import NAMING, annotation
from facts.readers.shapes import read_shape, reading
from facts.readers.shipped import shipped_table
from facts.shapes import FromFile, keys_of
from facts.yaml_nodes import Steps
from facts.yaml_reader import read_yaml

SHAPES: list[type[FromFile]] = [RevokeNamed, WeightedOutcome, IncidentFile]
ADAPTERS = {shape: TypeAdapter(shape) for shape in SHAPES}
INSIDE = {"weights": WeightedOutcome}
FINDINGS, EVENTS = shipped_table().findings, shipped_table().events
DECLARED = {
    **{name: annotation(one.type) for name, one in FINDINGS.items()},
    **{
        f"{event.id}.{name}": annotation(type_)
        for event in EVENTS.values()
        for name, (type_, _) in event.fields.items()
    },
    **NAMING,
}
"""What each finding and field of an event is in Python."""
DEAL = "N:K74.J6.T543.Q432 962.Q8.AKQJ96.A7 JT8.AK9752..T986 AQ53.T43.872.KJ5"
RIGHT = {
    **dict.fromkeys(("hand", "dealer", "declarer"), ("N", "W")),
    **dict.fromkeys(("trick", "weight"), (1, 13)),
    **dict.fromkeys(("tricks", "equity-tricks"), (0, 12)),
    **dict.fromkeys(("edition", "board"), ("", "x")),
    "vulnerable": ["none"],
    "contract": ["4S", "Pass"],
    "deal": [DEAL],
    "elections": [[], ["x"]],
    **{key: [[]] for key in ("play", "events", "revokes")},
}
"""Key -> what may stand there, but for the keys of INSIDE."""
STRANGE = ["won_by", "Hand", "trik", "self"]
ODD = st.sampled_from([
    "", "N", "NS", "H", "yes", "led", "st", "a; b", "3", "true", 0, 1, 14, 101, -1, 10**14, True, False,
    [], ["N"], ["N", 3, "Q"], {}, {"by": "S"}, [{}], DEAL.replace("K74", "K744"),
])  # fmt: skip


@st.composite
def stated(draw: st.DrawFn, shape: type[FromFile]) -> dict[str, Any]:
    """The keys of a class, but for a few that are left out, strange, or have an odd value."""
    keys = keys_of(shape)
    some = st.lists(st.sampled_from([*keys, *STRANGE]), max_size=2)
    left_out = draw(some)
    plain = {key: draw(right(key)) for key in keys if key not in left_out}
    return plain | {key: draw(ODD) for key in draw(some)}


def right(key: str) -> st.SearchStrategy[Any]:
    return st.lists(stated(INSIDE[key]), max_size=2) if key in INSIDE else st.sampled_from(RIGHT[key])


@settings(max_examples=400, deadline=None)
@given(st.data(), st.sampled_from(SHAPES))
def test_pydantic_accepts_and_refuses_the_same(data: st.DataObject, shape: type[FromFile]) -> None:
    text = json.dumps(data.draw(stated(shape)))
    node, found, expected = read_yaml(text, "f"), list[Fault](), list[Fault]()
    instance = read_shape(shape, node, found)
    try:
        assert instance == ADAPTERS[shape].validate_json(text, strict=True)
    except ValidationError as error:
        expected += faults_in(error, node, lambda path: allowed(shape, path))
        assert instance is None
    assert sorted(found) == sorted(expected)


def allowed(shape: type[FromFile], path: Steps) -> tuple[str, ...]:
    return keys_of(INSIDE[str(path[0])] if path else shape)


STATED = [
    "N",
    "W",
    "NS",
    "EW",
    "H",
    "S10",
    "h4",
    3,
    0,
    12,
    13,
    ["W"],
    ["N", "E"],
    {"hand": "N", "trick": 3},
    {"hand": "Q"},
]


@given(
    st.sampled_from([*DECLARED]),
    ODD | st.sampled_from([*STATED, *(word for one in FINDINGS.values() for word in one.type.words)]),
)
def test_pydantic_accepts_and_refuses_the_same_of_what_is_declared(name: str, value: Any) -> None:
    """What describes findings and fields of events is what reads them."""
    text = json.dumps(value)
    node, found, expected = read_yaml(text, "f"), list[Fault](), list[Fault]()
    read = reading(DECLARED[name])(node, found)
    try:
        assert read == TypeAdapter(DECLARED[name]).validate_json(text, strict=True)
    except ValidationError as error:
        expected += faults_in(error, node, lambda _: keys_of(RevokeNamed))
    assert sorted(found) == sorted(expected)


@pytest.mark.parametrize("shape", SHAPES)
def test_what_is_no_mapping_is_no_instance(shape: type[FromFile]) -> None:
    faults: list[Fault] = []
    assert read_shape(shape, read_yaml("[x]", "f"), faults) is None
    assert [str(fault) for fault in faults] == ["f:1:1: a list cannot stand here; write its fields, such as {by: S}"]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("tricks: true", "1:9: true cannot stand here; write a whole number without quotes"),
        ('tricks: "3"', "1:9: '3' cannot stand here; write a whole number without quotes"),
        ("tricks: 14", "1:9: 14 cannot stand here; write a number up to 13"),
        ("tricks: -1", "1:9: -1 cannot stand here; write a number from 0 on"),
        ("tricks:", "1:8: an empty value cannot stand here; write a whole number without quotes"),
        ("edition: 2017", "1:10: 2017 cannot stand here; write text"),
        ("board: true", "1:8: true cannot stand here; write text"),
        ("elections: x", "1:12: 'x' cannot stand here; write a list"),
        ("elections: [x, 3]", "1:16: 3 cannot stand here; write text"),
        ("dealer: [N]", "1:9: a list cannot stand here; write one of N, E, S, W"),
        ("dealer: {N: E}", "1:9: a mapping cannot stand here; write one of N, E, S, W"),
        ("vulnerable: boths", "1:13: 'boths' cannot stand here; did you mean both?"),
        ("revokes: [N]", "1:11: this is no finding; write its fields, such as {hand: W, trick: 5}"),
        ("weights: [N]", "1:11: 'N' cannot stand here; write its fields, such as {by: S}"),
        ("revokes: [{hand: N, trick: 1, faced: 1}]", "1:38: 1 cannot stand here; write true or false"),
        ("weights: [{tricks: 9}]", "1:11: weight is missing; add weight: with its value"),
        ("revokes: [{hand: N, won-by: [N]}]", "1:29: a list cannot stand here; write one of N, E, S, W"),
        ("revokes: [{hand: N, played-after: N}]", "1:35: 'N' cannot stand here; write a list"),
        ("revokes: [{hand: N, later-tricks: -1}]", "1:35: -1 cannot stand here; write a number from 0 on"),
        ("revokes: [{hand: N, trick: 1, won_by: N}]", "1:31: 'won_by' is no key here; did you mean won-by?"),
        ("events: [{attention: {by: N, to: {hand: N, trick: 1, of: N}}}]", "1:54: 'of' is no key here; write one of hand, trick"),
        ("events: [{agreed: ''}]", "1:19: by is missing; add by: with its value"),
    ],
)  # fmt: skip
def test_a_fault_is_told_at_its_place(text: str, fault: str) -> None:
    with pytest.raises(InputError) as caught:
        read_incident(text, "f")
    assert [str(one) for one in caught.value.faults] == [f"f:{fault}"]


def test_numbers_within_bounds_are_read_and_a_number_may_name_a_board() -> None:
    incident = read_incident("board: 12\ntricks: 13\nrevokes: [{hand: N, trick: 13, later-tricks: 0}]", "f")
    (found,) = incident.revokes
    assert (incident.board, incident.tricks, found.trick, found.said) == ("12", 13, 13, {"later-tricks": 0})


@pytest.mark.parametrize("written", ["play-ended", "play-ended: {}", "play-ended: ''"])
def test_an_empty_mapping_is_an_event_without_fields(written: str) -> None:
    (event,) = read_incident(f"events:\n  - {written}\n", "f").events
    assert (event.name, event.said) == ("play-ended", {})
    with pytest.raises(InputError, match="the fields of the event belong here"):
        read_incident("events:\n  - play-ended: now\n", "f")
