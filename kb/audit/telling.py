"""An audit counted and told: the numbers, and one page of what was found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from facts.contract import Contract
from kb.audit.auditor import Audited, Auditor, Entry
from kb.explain.page import Line, Page, part
from kb.explain.say import Speaker


def totals(results: Iterable[Audited]) -> Entry:
    """The numbers of these units, the last of the JSON lines."""
    units = [*results]
    entries = Counter(entry["entry"] for entry in entries_of(units))
    return {
        "entry": "summary",
        "files": len(units),
        "boards": sum(one.boards for one in units),
        "played": sum(one.played for one in units),
        "with-revoke": entries["ruling"],
        "revokes": sum(len(entry["revokes"]) for entry in entries_of(units, "ruling")),
        "transcription-faults": entries["transcription-fault"],
        "not-ruled": entries["not-ruled"],
    }


def entries_of(results: Iterable[Audited], kind: str | None = None) -> Iterator[Entry]:
    """Every entry, or those of one kind, in their order."""
    return (entry for one in results for entry in one.entries if kind is None or entry["entry"] == kind)


def page(auditor: Auditor, results: Sequence[Audited], numbers: Entry) -> Page:
    """The numbers, then a line for each revoke, for each kind of slip in each file, and for what was not ruled on."""
    speaker = auditor.speaker
    not_ruled = (Line(fault) for entry in entries_of(results, "not-ruled") for fault in entry["faults"])
    return Page(
        f"{speaker.phrase('audit-title')}: {auditor.title}",
        tuple(Line(told) for told in _summary(numbers, speaker)),
        (
            *part(speaker.phrase("audit-revokes"), _revokes(results, speaker)),
            *part(speaker.phrase("audit-slips"), _slips(results, speaker)),
            *part(speaker.phrase("audit-not-ruled"), not_ruled),
        ),
    )


def _summary(numbers: Entry, speaker: Speaker) -> Iterator[str]:
    """What was looked at and what was found, a line each."""
    looked_at = {key: numbers[key] for key in ("boards", "played", "files")}
    found = {"slips": numbers["transcription-faults"], "not_ruled": numbers["not-ruled"]}
    yield speaker.phrase("audit-looked-at", **looked_at)
    yield speaker.phrase("audit-found", ruled=numbers["with-revoke"], revokes=numbers["revokes"], **found)


def _revokes(results: Sequence[Audited], speaker: Speaker) -> Iterator[Line]:
    """A line for each revoke."""

    def with_laws(told: str, laws: list[str]) -> str:
        return f"{told} [{', '.join(laws)}]" if laws else told

    def with_more(told: str, more: Any, kind: str) -> str:
        return f"{told} ({speaker.words.name(kind, more, speaker.lang)})" if more else told

    for entry in entries_of(results, "ruling"):
        for one in entry["revokes"]:
            status = speaker.words.name("status-word", one["status"], speaker.lang)
            automatic = f"{speaker.phrase('audit-automatic')} {one['automatic-tricks']}"
            card = "–" if one["card"] is None else speaker.value(one["card"], "card")
            told = (
                f"{entry['source']}:{entry['line']}",
                _board(entry, speaker),
                with_more(speaker.value(one["hand"], "seat"), one["role"], "role"),
                f"{speaker.phrase('html-trick')} {one['trick']}",
                with_more(card, one["suit"], "symbol"),
                with_laws(status, one["status-by"]),
                with_laws(automatic, one["automatic-by"] or one["exempt-by"]),
                entry["text"],
            )
            yield Line(", ".join(told))


def _slips(results: Sequence[Audited], speaker: Speaker) -> Iterator[Line]:
    """A line for each kind of slip in each file, with the lines of the boards."""
    lines: dict[tuple[str, str], list[int]] = {}
    for entry in entries_of(results, "transcription-fault"):
        for kind in dict.fromkeys(slip["kind"] for slip in entry["slips"]):
            lines.setdefault((entry["source"], kind), []).append(entry["line"])
    for (source, kind), found in lines.items():
        boards, at = speaker.phrase("audit-boards"), speaker.phrase("audit-lines")
        named = speaker.words.name("slip-kind", kind, speaker.lang)
        yield Line(f"{source}, {named}, {boards} {len(found)}, {at} {' '.join(map(str, found))}")


def _board(entry: Entry, speaker: Speaker) -> str:
    """«7: 4♠ by North», as far as it is known."""
    board, declarer = str(entry["board"] or "?"), entry["declarer"]
    if entry["contract"] is None:
        return board
    told = speaker.contract(Contract.from_text(entry["contract"]))
    if declarer is not None:
        told = speaker.phrase("html-contract", contract=told, declarer=speaker.value(declarer, "seat"))
    return f"{board}: {told}" if told else board
