"""Whatever the table of an edition lets a file say of one or two revokes is ruled on and told, or refused with a place."""

from __future__ import annotations

import json
import os
from random import Random
from typing import Any

import pytest
from support.ruling import ROOT, laws

from facts.cards import SEATS
from facts.errors import InputError
from facts.readers.incident_file import incident_of
from facts.table import FindingKind, Table
from facts.yaml_reader import read_yaml
from kb.explain.page import as_text
from kb.explain.words import Speaker, load_words
from kb.language.folders import edition_ids
from kb.ruling.make_ruling import rule
from kb.voices import Voice, saved, told

pytestmark = pytest.mark.thorough
DRAWS = 2_000 if os.environ.get("REVOKE_ALL") else 60
WHO: tuple[dict[str, str], ...] = ({}, {"hand": "W"}, {"hand": "N"}, {"player": "defender"}, {"player": "dummy"})
NEXT: tuple[dict[str, str], ...] = (
    {"player": "partner"},
    {"player": "same-player"},
    {"player": "opponent"},
    {"hand": "S"},
)
VALUES: dict[str, tuple[Any, ...]] = {
    "yes-no": (True, False),
    "number": (0, 1, 2, "1..3", "0..2"),
    "suit": ("S", "H"),
    "card": ("S4", "HK", "DA"),
    "seat": SEATS,
}


def value(kind: FindingKind, chance: Random) -> Any:
    """Something that a file may say of it, or nearly."""
    if kind.answers and chance.random() < 0.6:
        return chance.choice([*kind.answers])
    if kind.type.name == "seat" and kind.type.many:
        return chance.sample(SEATS, chance.randint(0, 3))
    return chance.choice(kind.type.words or VALUES.get(kind.type.name, SEATS))


def drawn(table: Table, chance: Random) -> dict[str, Any]:
    """What a file may say of a board."""
    revokes = [dict(chance.choice(WHO)), *([dict(chance.choice(NEXT))] if chance.random() < 0.3 else [])]
    for one in revokes:
        one.update({name: value(kind, chance) for name, kind in table.findings.items() if chance.random() < 0.12})
        if chance.random() < 0.3:
            one["trick"] = chance.choice((1, 3, 11, 12, 13))
    board = {"declarer": chance.choice(SEATS)} if chance.random() < 0.5 else {}
    return {**board, "revokes": revokes, **({"contract": "4S"} if chance.random() < 0.3 else {})}


@pytest.mark.parametrize("edition", edition_ids(ROOT))
def test_it_is_told_in_every_voice(edition: str) -> None:
    law, chance, ruled = laws().of(edition), Random(edition), 0
    words = load_words(ROOT, law.edition.vocabulary)
    for _ in range(DRAWS):
        said = json.dumps(drawn(law.edition.table, chance))
        try:
            ruling = rule(law, incident_of(read_yaml(said, "drawn.yaml"), lambda _: law.edition.table))
        except InputError as error:
            assert all(fault.place.file and fault.mend for fault in error.faults), said
            continue
        ruled += 1
        speaker = Speaker(words, law.edition.vocabulary, chance.choice(words.languages))
        for voice in (None, *Voice):
            assert as_text(told(ruling, speaker, voice), speaker), said
        assert saved(ruling, speaker)["text"], said
    assert ruled > DRAWS / 4
