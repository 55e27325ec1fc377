"""The reader of forms: what is refused and how, what is kept of it, and that its schema allows the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.json_schema import accepts
from support.tables import shipped, shipped_table

from facts.errors import Fault, Faults, InputError, Place
from facts.form import ONE_OR_MORE, Entries, FromFile, PlacedText, ReadBy, form_of, keys_of
from facts.incident import Incident, RevokeNamed, WeightedOutcome
from facts.readers.incident_file import UNDECLARED, annotation, read_incident
from facts.to_yaml import node_of
from facts.yaml_reader import Mapping, Node, read_yaml

SHAPES: list[type[FromFile]] = [RevokeNamed, WeightedOutcome, Incident]
INSIDE = {"weights": WeightedOutcome}
FINDINGS, EVENTS = shipped_table().findings, shipped_table().events
DECLARED = {
    **{name: annotation(one.type) for name, one in FINDINGS.items()},
    **{
        f"{event.id}.{name}": annotation(type_)
        for event in EVENTS.values()
        for name, (type_, _) in event.fields.items()
    },
    **UNDECLARED,
}
"""What each finding and field of an event is in Python."""
DEAL = "N:K74.J6.T543.Q432 962.Q8.AKQJ96.A7 JT8.AK9752..T986 AQ53.T43.872.KJ5"
RIGHT = {
    **dict.fromkeys(("hand", "dealer", "declarer"), ("N", "W")),
    **dict.fromkeys(("trick", "weight"), (1, 13)),
    **dict.fromkeys(("tricks", "equity-tricks"), (0, 12)),
    **dict.fromkeys(("edition", "board"), ("", "x")),
    "vulnerable": ["none"],
    "date": ["2009-05-01"],
    "jurisdiction": ["", "x"],
    "contract": ["4S", "Pass"],
    "deal": [DEAL],
    "cards": ["E HK H2 S4 H7", "s -"],
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


@pytest.mark.thorough
@settings(max_examples=400, deadline=None)
@given(st.data(), st.sampled_from(SHAPES))
def test_what_is_read_without_a_fault_is_what_the_schema_allows(data: st.DataObject, shape: type[FromFile]) -> None:
    plain = data.draw(stated(shape))
    schema = {**form_of(shape).schema(), "$defs": {name: {} for name in LATER}}
    assert faults_of(shape, plain) or accepts(schema, plain)


LATER = ("play", "events", "revokes")
"""Read by readers of their own."""


def faults_of(kind: Any, plain: Any) -> list[Fault]:
    faults = Faults()
    form_of(kind).read(node_of(plain, Place("f", 1)), faults)
    return faults


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
def test_the_schema_of_what_is_declared_allows_just_what_is_read(name: str, value: Any) -> None:
    assert (not faults_of(DECLARED[name], value)) == accepts(form_of(DECLARED[name]).schema(), value)


@dataclass(frozen=True)
class Leaf(FromFile):
    word: Annotated[str, ReadBy(str.upper)]
    count: int = 3


@dataclass(frozen=True)
class Other(FromFile):
    other: int
    count: int = 3


@dataclass(frozen=True)
class Branch(FromFile):
    place: Place
    places: dict[str, Place]
    leaves: Entries[Leaf]
    kind: Literal["a", "b"]
    names: tuple[PlacedText, ...] = ()
    kept: Node | None = None


def read(kind: Any, text: str) -> tuple[Any, list[str]]:
    faults = Faults()
    return form_of(kind).read(read_yaml(text, "f"), faults), [str(fault) for fault in faults]


def test_a_form_keeps_the_places_of_what_it_states() -> None:
    branch, faults = read(Branch, "leaves:\n  one: {word: x}\nkind: a\nnames: [p, q]\nkept: {z: 1}\n")
    assert faults == []
    assert branch.leaves == {"one": Leaf("X")}
    assert (str(branch.leaves.place), str(branch.leaves.places["one"])) == ("f:2:3", "f:2:3")
    assert (str(branch.place), str(branch.places["kind"])) == ("f:1:1", "f:3:7")
    assert [(one, str(one.place)) for one in branch.names] == [("p", "f:4:9"), ("q", "f:4:12")]
    assert isinstance(branch.kept, Mapping)


def test_everything_else_is_read_where_something_is_wrong() -> None:
    branch, faults = read(Branch, "leaves: {one: {wrd: x}, two: 3, three: {word: x, count: x}}\nnames: [p, 1]\n")
    assert sorted(faults) == [
        "f:1:16: 'wrd' is no key here; did you mean word?",
        "f:1:1: kind is missing; add kind: with its value",
        "f:1:30: 3 cannot stand here; write keys with their values",
        "f:1:57: 'x' cannot stand here; write a whole number without quotes",
        "f:2:12: 1 is not text; put it in quotes",
    ]
    assert (branch.leaves["three"], [*branch.names]) == (Leaf("X", 0), ["p", ""])


@pytest.mark.parametrize(
    ("text", "value"),
    [("{word: x}", Leaf("X")), ("{other: 1}", Other(1)), ("[1, 2]", (1, 2))],
)
def test_of_several_forms_the_one_is_read_that_is_meant(text: str, value: Any) -> None:
    assert read(Leaf | tuple[int, ...] | Other, text) == (value, [])


def test_a_mistyped_key_tells_which_is_meant() -> None:
    said = read(Leaf | Other, "{wrd: x}")[1]
    assert said == ["f:1:2: 'wrd' is no key here; did you mean word?"]


@dataclass(frozen=True)
class Open(FromFile):
    is_: Annotated[tuple[str, ...], ONE_OR_MORE]
    rest: Entries[int]


def test_what_stands_under_other_keys_may_be_allowed() -> None:
    found, faults = read(Open, "{is: [a, b], c: 3, d: x}")
    assert (found.is_, found.rest) == (("a", "b"), {"c": 3, "d": 0})
    assert (str(found.rest.places["d"]), faults) == (
        "f:1:20",
        ["f:1:23: 'x' cannot stand here; write a whole number without quotes"],
    )


@pytest.mark.parametrize("right", [{"is": "a"}, {"is": ["a"], "b": 1}])
def test_of_one_value_the_list_may_be_left_out(right: Any) -> None:
    assert form_of(Open).read(node_of(right, Place("f", 1)), Faults()).is_ == ("a",)
    assert accepts(form_of(Open).schema(), right) and not accepts(form_of(Open).schema(), {**right, "b": "x"})


def test_only_some_names_may_be_asked_for() -> None:
    assert read(dict[Literal["NS", "EW"], int], "{NS: 1, EWW: 2}")[1] == [
        "f:1:9: 'EWW' is no key here; did you mean EW?"
    ]


@pytest.mark.parametrize("shape", SHAPES)
def test_what_is_no_mapping_is_no_instance(shape: type[FromFile]) -> None:
    assert read(shape, "[x]")[1] == ["f:1:1: a list cannot stand here; write keys with their values"]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("tricks: true", "1:9: true cannot stand here; write a whole number without quotes"),
        ('tricks: "3"', "1:9: '3' cannot stand here; write a whole number without quotes"),
        ("tricks: 14", "1:9: 14 cannot stand here; write a number from 0 to 13"),
        ("tricks: -1", "1:9: -1 cannot stand here; write a number from 0 to 13"),
        ("tricks:", "1:8: an empty value cannot stand here; write a whole number without quotes"),
        ("edition: 2017", "1:10: 2017 cannot stand here; write text"),
        ("board: true", "1:8: true cannot stand here; write text"),
        ("elections: x", "1:12: 'x' cannot stand here; write a list"),
        ("elections: [x, 3]", "1:16: 3 cannot stand here; write text"),
        ("dealer: [N]", "1:9: a list cannot stand here; write one of N, E, S, W"),
        ("dealer: {N: E}", "1:9: a mapping cannot stand here; write one of N, E, S, W"),
        ("vulnerable: boths", "1:13: 'boths' cannot stand here; did you mean both?"),
        ("revokes: [N]", "1:11: 'N' cannot stand here; write its fields, such as {hand: W, trick: 5}"),
        ("weights: [N]", "1:11: 'N' cannot stand here; write keys with their values"),
        ("revokes: [{hand: N, trick: 1, faced: 1}]", "1:38: 1 cannot stand here; write true or false"),
        ("weights: [{tricks: 9}]", "1:11: weight is missing; add weight: with its value"),
        ("revokes: [{hand: N, won-by: [N]}]", "1:29: a list cannot stand here; write one of N, E, S, W"),
        ("revokes: [{hand: N, played-after: N}]", "1:35: 'N' cannot stand here; write a list"),
        ("revokes: [{hand: N, later-tricks: -1}]", "1:35: -1 cannot stand here; write a number from 0 to 12"),
        ("revokes: [{hand: N, trick: 1, won_by: N}]", "1:31: 'won_by' is no key here; did you mean won-by?"),
        ("events: [{attention: {by: N, to: {hand: N, trick: 1, of: N}}}]", "1:54: 'of' is no key here; write one of hand, trick"),
        ("events: [{agreed: ''}]", "1:19: by is missing; add by: with its value"),
    ],
)  # fmt: skip
def test_a_fault_is_told_at_its_place(text: str, fault: str) -> None:
    with pytest.raises(InputError) as caught:
        read_incident(text, "f", shipped)
    assert [str(one) for one in caught.value.faults] == [f"f:{fault}"]


def test_numbers_within_bounds_are_read_and_a_number_may_name_a_board() -> None:
    incident = read_incident("board: 12\ntricks: 13\nrevokes: [{hand: N, trick: 13, later-tricks: 0}]", "f", shipped)
    (found,) = incident.revokes
    assert (incident.board, incident.tricks, found.trick, found.said) == ("12", 13, 13, {"later-tricks": 0})


@pytest.mark.parametrize("written", ["play-ended", "play-ended: {}", "play-ended: ''"])
def test_an_empty_mapping_is_an_event_without_fields(written: str) -> None:
    (event,) = read_incident(f"events:\n  - {written}\n", "f", shipped).events
    assert (event.name, event.said) == ("play-ended", {})
    with pytest.raises(InputError, match="'now' cannot stand here; write its fields"):
        read_incident("events:\n  - play-ended: now\n", "f", shipped)
