"""Boards for the measurements: complete records of 52 cards on which a given number of slips were made."""

from __future__ import annotations

import json
from itertools import count
from random import Random
from typing import Any

from support.boards import _Board
from support.tables import shipped

from facts.incident import Incident
from facts.readers.incident_file import incident_of
from facts.yaml_reader import read_yaml


def boards(slips: int, how_many: int) -> list[tuple[dict[str, Any], Incident]]:
    """So many random boards, played to the end, on which so many revokes were made: as plain data, and as incidents."""
    found: list[tuple[dict[str, Any], Incident]] = []
    for seed in count():
        board = _Board(Random(seed))
        board.targets = sorted(board.rng.sample(range(1, 12), slips))
        board.play()
        board.after_play()
        stated = board.result()
        if len(board.slips) == slips and [len(row.split()) for row in stated["play"]] == [5] * 13:
            found.append((stated, incident_of(read_yaml(json.dumps(stated), "board.yaml"), shipped)))
            if len(found) == how_many:
                break
    return found
