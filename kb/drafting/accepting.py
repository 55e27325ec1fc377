"""Cases whose ruling has changed on purpose: what is ruled now is written as expected, the rest left as it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import yaml

from facts.errors import InputError
from facts.yaml_reader import read_text
from kb.cases.cases import Expectation, Outcome, fits
from kb.drafting.case_text import EXPECTED_OF_A_REVOKE, block
from kb.ruling.verdict import verdict

SECTIONS: Final = ("rectifications", "director", "open", "points", "options", "remarks")


@dataclass(frozen=True, slots=True)
class Accepted:
    """An expectation as it is to be written."""

    file: Path
    case: str
    """Its id."""
    number: int
    """Of the expectation among those of its case, from 0."""
    ruled: Mapping[str, Any]
    """The ruling, as JSON."""
    expected: Expectation


def accepted(failed: Iterable[Outcome]) -> Iterator[Accepted]:
    """Each expectation that was not met, with what is ruled; what is refused cannot be accepted and is left out."""
    for one in failed:
        if one.ruling is not None:
            number = one.case.expect.index(one.expected)
            yield Accepted(Path(one.case.place.file), one.case.id, number, verdict(one.ruling), one.expected)


def files_rewritten(changes: Iterable[Accepted]) -> Iterator[tuple[Path, str]]:
    """Each file with the text that has them in it; InputError for one that is no longer what was tried."""
    by_file: dict[Path, list[Accepted]] = {}
    for change in changes:
        by_file.setdefault(change.file, []).append(change)
    for file, some in by_file.items():
        yield file, rewritten(read_text(file), some)


def rewritten(text: str, changes: Sequence[Accepted]) -> str:
    """The text of a file of cases with these expectations in it."""
    root: Any = yaml.compose(text, Loader=yaml.SafeLoader)
    cases = {_of(case, "id").value: case for case in (root.value if isinstance(root, yaml.SequenceNode) else [root])}
    try:
        spans = [(_of(cases[one.case], "expect").value[one.number], one) for one in changes]
    except LookupError:
        what = "this file was changed since its cases were tried"
        raise InputError.of(next(one.file for one in changes), what, "try them again") from None
    for node, change in sorted(spans, key=lambda span: span[0].start_mark.index, reverse=True):
        start, end = node.start_mark.index, node.end_mark.index
        old = text[start:end]
        margin = " " * node.start_mark.column
        lines = block(as_ruled(yaml.safe_load(old if node.flow_style else margin + old), change))
        text = text[:start] + f"\n{margin}".join(lines) + old[len(old.rstrip()) :] + text[end:]
    return text


def _of(node: yaml.Node, key: str) -> Any:
    return next(value for name, value in node.value if name.value == key)


def as_ruled(written: Mapping[str, Any], change: Accepted) -> dict[str, Any]:
    """An expectation as it is written, each of its keys with what is ruled now."""
    ruled, expected, new = change.ruled, change.expected, dict(written)
    if "revokes" in new:
        new["revokes"] = [_revoke(one, new["revokes"]) for one in ruled["revokes"]]
    if "transfer" in new:
        new["transfer"] = ruled["transfer"]
    known = expected.cited if "cited" not in expected.only else ()
    cited = [law for law in ruled["cited"] if law in (*known, *expected.not_cited) or "cited" in expected.only]
    new |= {"cited": cited} if cited or "cited" in new else {}
    if "not-cited" in new:
        new["not-cited"] = [law for law in expected.not_cited if law not in ruled["cited"]]
    for section in SECTIONS:
        if section in new:
            new[section] = _section(getattr(expected, section), ruled.get(section, []), section in expected.only)
    if "parts" in new:
        parts = ruled.get("parts", {})
        new["parts"] = {key: _section(expected.parts[key], parts.get(key, []), False) for key in new["parts"]}
    if "result" in new:
        new["result"] = {key: (ruled["result"] or {}).get(key) for key in new["result"]}
    return {key: value for key, value in new.items() if value != [] or key in written}


def _revoke(ruled: Mapping[str, Any], written: list[Mapping[str, Any]]) -> dict[str, Any]:
    """A revoke with the keys that were expected of it, or the usual ones."""
    same = (one for one in written if all(one.get(key) in (None, ruled[key]) for key in ("hand", "trick", "card")))
    keys = next(same, dict.fromkeys(EXPECTED_OF_A_REVOKE))
    return {key: ruled.get(key) for key in keys}


def _section(wanted: Any, ruled: list[dict[str, Any]], only: bool) -> list[dict[str, Any]]:
    """The entries that still fit; all that there are where nothing else may be, or nothing was expected."""
    kept = [one for one in wanted or () if any(fits(one, other) for other in ruled)]
    return ruled if only or not wanted else kept
