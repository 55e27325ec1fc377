"""A case as the text of its file, from a ruling or from what has been expected before."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import yaml

from facts.to_yaml import happened
from kb.ruling.ruling import Ruling
from kb.ruling.verdict import verdict

ONE_LINE: Final = 100
"""Letters of a value that still stands on the line of its key."""
EXPECTED_OF_A_REVOKE: Final = ("hand", "trick", "status", "automatic-tricks")
EXPECTED_OF_A_RECTIFICATION: Final = ("kind", "seat", "card", "law")


def as_case(ruling: Ruling, id: str, title: str) -> str:
    """A case that expects this ruling; its source and its reason are for the editor to write."""
    return case_text(
        {
            "id": id,
            "source": "where it comes from is still to be written",
            "title": title,
            "incident": happened(ruling.incident),
            "expect": [expected_of(ruling)],
            "why": "why the law says so is still to be written",
        }
    )


def expected_of(ruling: Ruling) -> dict[str, Any]:
    """What a case expects that takes a ruling as it is."""
    ruled = verdict(ruling)
    elections = {"elections": list(ruling.edition.elections)} if ruling.edition.elections else {}
    done = [_only(one, EXPECTED_OF_A_RECTIFICATION) for one in ruled["rectifications"]]
    return {
        "edition": ruling.edition.id,
        **elections,
        "revokes": [_only(one, EXPECTED_OF_A_REVOKE) for one in ruled["revokes"]],
        "transfer": ruled["transfer"],
        "cited": ruled["cited"],
        **({"rectifications": done} if done else {}),
        **({"parts": ruled["parts"]} if "parts" in ruled else {}),
        "open": ruled["open"],
    }


def _only(entry: Mapping[str, Any], keys: tuple[str, ...]) -> dict[str, Any]:
    return {key: entry[key] for key in keys if entry.get(key) is not None}


def case_text(case: Mapping[str, Any]) -> str:
    """The case as an item of a file of cases."""
    lines = [*block({key: value for key, value in case.items() if key in ("id", "source", "title")})]
    lines += ["incident:", *(f"  {line}" for line in block(case["incident"])), "expect:"]
    for expected in case["expect"]:
        first, *rest = block(expected)
        lines += [f"  - {first}", *(f"    {line}" for line in rest)]
    lines += block({key: case[key] for key in ("why", "evidence") if key in case})
    return "\n".join([f"- {lines[0]}", *(f"  {line}" for line in lines[1:])]) + "\n"


def block(entries: Mapping[str, Any]) -> Iterator[str]:
    """Keys with their values, a list of longer ones with an item a line."""
    for key, value in entries.items():
        line = f"{key}: {_flow(value)}"
        if isinstance(value, list) and value and len(line) > ONE_LINE:
            yield f"{key}:"
            yield from (f"  - {_flow(one)}" for one in value)
        else:
            yield line


def _flow(value: Any) -> str:
    """A value on one line."""
    text: str = yaml.safe_dump(value, default_flow_style=True, width=10**9, allow_unicode=True, sort_keys=False)
    return text.removesuffix("\n").removesuffix("\n...")
