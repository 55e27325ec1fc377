"""Nothing imports what stands above it, features import only those they need, and no two modules import each other."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path
from typing import Final

import pytest
from support.imports import between, circles, imports, modules
from support.layers import DOOR, FACES, FEATURES, FLOORS, allowed, homes

HERE: Final = Path(__file__).parents[1]


def test_every_module_has_its_place() -> None:
    assert set(homes()) == set(modules())
    listed = {place for places in FLOORS.values() for place in places}
    assert listed <= set(modules()), "listed, but not there"


def test_each_imports_only_what_it_may() -> None:
    at = homes()
    may = {group: {group, *allowed(group)} for group in (*FLOORS, *FEATURES, *FACES, DOOR)}
    found = {
        f"{module} imports {other} of {at[other]}"
        for module, others in imports().items()
        for other in others
        if at[other] not in may[at[module]]
    }
    assert not found


def test_features_need_what_they_are_allowed() -> None:
    arrows = between(homes())
    unused = {(one, other) for one, others in FEATURES.items() for other in others if other not in arrows[one]}
    assert not unused, "take it off the list"


def test_features_stand_above_those_they_need() -> None:
    order = list(FEATURES)
    assert all(order.index(other) < order.index(one) for one, others in FEATURES.items() for other in others)


def test_no_circle() -> None:
    assert not circles(imports())


@pytest.mark.parametrize(
    ("arrows", "found"),
    [
        ({"a": {"b"}, "b": {"c"}, "c": set()}, []),
        ({"a": {"b"}, "b": {"a"}, "c": {"a"}}, [["a", "b"]]),
        ({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"e"}, "e": {"d"}}, [["a", "b", "c"], ["d", "e"]]),
    ],
)
def test_circles_are_seen(arrows: dict[str, set[str]], found: list[list[str]]) -> None:
    assert circles(arrows) == found


def test_imports_in_functions_and_for_types_are_seen() -> None:
    assert "facts.readers.lin" in imports()["facts.readers.archives"]
    assert "facts.equity" in imports()["kb.ruling.ruling"], "under TYPE_CHECKING"


def test_no_class_name_means_two_things() -> None:
    """The front door's classes are those of the same name below it."""
    classes = [
        node.name
        for package in ("facts", "kb")
        for file in (HERE / package).rglob("*.py")
        if file.name != "front.py"
        for node in ast.parse(file.read_text("utf-8")).body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    ]
    assert [name for name, times in Counter(classes).items() if times > 1] == []
