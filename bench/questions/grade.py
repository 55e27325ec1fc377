"""Grades answers to the questions of ``make.py`` without a model: the counts of right ones by kind and by answer.

    uv run bench/questions/grade.py items.jsonl answers.jsonl

An answer is a line ``{"id": 1, "answer": "1 trick"}``; of what cannot be decided also ``"missing": "won-by"``, the name
of the finding, without which it counts as half. What is not answered is wrong; what is no choice is told.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def main() -> None:
    items, answers = (_lines(Path(name)) for name in sys.argv[1:3])
    for by in ("kind", "answer"):
        parts: dict[str, list[float]] = defaultdict(list)
        for id, item in items.items():
            parts[item[by]].append(grade(item, answers.get(id, {})))
        print(f"| {by} | items | right |\n| --- | ---: | ---: |")
        for name, marks in parts.items():
            print(f"| {name} | {len(marks)} | {100 * sum(marks) / len(marks):.1f} % |")
    marks = [grade(item, answers.get(id, {})) for id, item in items.items()]
    print(f"| all | {len(marks)} | {100 * sum(marks) / len(marks):.1f} % |")
    for id, answer in answers.items():
        if id not in items or answer.get("answer") not in items[id]["choices"]:
            print(f"{id}: {answer.get('answer')!r} is none of the choices", file=sys.stderr)


def grade(item: Mapping[str, Any], answer: Mapping[str, Any]) -> float:
    """1 for a right answer, 0 for a wrong one; a half where it is not named, or misnamed, what is missing."""
    if answer.get("answer") != item["answer"]:
        return 0
    return 1 if item.get("missing") in (None, answer.get("missing")) else 0.5


def _lines(file: Path) -> dict[int, dict[str, Any]]:
    """Each object of a file of JSON Lines, by its id."""
    return {one["id"]: one for one in map(json.loads, file.read_text("utf-8").splitlines())}


if __name__ == "__main__":
    main()
