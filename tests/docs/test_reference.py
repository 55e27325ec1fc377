"""What docs/reference says of a ruling as JSON is so in rulings of the cases, and in what the desk declares of one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from support.cases import sample
from support.reference import KEYS
from support.ruling import speaker_of

from kb.desk.routes.api import RevokeTold, RulingTold
from kb.explain.words import Speaker
from kb.voices import saved

SORTS: dict[str, type | tuple[type, ...]] = {"text": str, "number": int, "yes or no": bool, "object": dict}
WHOLE, *PARTS = KEYS


@pytest.fixture(scope="module")
def told() -> list[dict[str, Any]]:
    """Rulings of every edition, as a program reads them."""
    made = (saved(one, Speaker(speaker_of().words, one.edition.vocabulary, "en")) for _, one in sample(120))
    return [json.loads(json.dumps(one)) for one in made]


def values(told: list[dict[str, Any]]) -> Iterator[tuple[str, str, Any]]:
    """Part, key and value of all that the pages tell of."""
    for ruling in told:
        yield from ((WHOLE, key, value) for key, value in ruling.items())
        for part in PARTS:
            inside = ruling.get(part, [])
            yield from (
                (part, key, v) for one in (inside if isinstance(inside, list) else [inside]) for key, v in one.items()
            )


def test_each_key_is_told_with_its_type_and_when_it_is_null(told: list[dict[str, Any]]) -> None:
    for part, key, value in values(told):
        sort, _, *absent = KEYS[part][key]
        if value is None:
            assert "null" in "".join(absent), f"{part}: {key} is null"
        else:
            assert isinstance(value, list if sort.startswith("list of") else SORTS[sort]), f"{part}: {key}"


def test_no_key_is_missing_but_where_that_is_said(told: list[dict[str, Any]]) -> None:
    for ruling in told:
        lacking = {key for key, (_, _, *absent) in KEYS[WHOLE].items() if not absent and key not in ruling}
        assert lacking == set()


def test_the_desk_declares_no_other() -> None:
    def keys(of: type[RulingTold | RevokeTold]) -> set[str]:
        return {name.replace("_", "-") for name in of.model_fields}

    assert keys(RulingTold) <= {*KEYS[WHOLE]}
    assert keys(RevokeTold) == {*KEYS["revokes"]}
