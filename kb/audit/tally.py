"""What an audit found, in numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from kb.audit.auditor import Audited
from kb.audit.entries import Entry

SETTLED: Final = ("automatic", "adjusted", "otherwise", "exempt", "not-established", "open")
"""What settles a board with a revoke: automatic tricks alone, an adjusted score, points or a choice; nothing, as it is
exempt or was never established; or it is open."""
ROLES: Final = ("declarer", "dummy", "defender", "unknown")


@dataclass(slots=True)
class AuditTotals:
    """The numbers of an audit."""

    units: int = 0
    boards: int = 0
    played: int = 0
    verified: int = 0
    ruled: int = 0
    """Boards with a revoke."""
    slipped: int = 0
    not_ruled: int = 0
    revokes: int = 0
    to_judge: int = 0
    """Boards with a revoke on which something is left to the director."""
    by_role: Counter[str] = field(default_factory=Counter)
    by_trick: Counter[int] = field(default_factory=Counter)
    by_automatic: Counter[int] = field(default_factory=Counter)
    """Automatic tricks of a revoke, before any cap -> revokes."""
    by_settled: Counter[str] = field(default_factory=Counter)
    """One of SETTLED -> boards."""

    @staticmethod
    def of(results: Iterable[Audited]) -> AuditTotals:
        """The numbers of these units."""
        tally = AuditTotals()
        for one in results:
            tally.units += 1
            tally.boards += one.boards
            tally.played += one.played
            tally.verified += one.verified
            for entry in one.entries:
                tally._count(entry)
        return tally

    def _count(self, entry: Entry) -> None:
        self.slipped += entry["entry"] == "transcription-fault"
        self.not_ruled += entry["entry"] == "not-ruled"
        if entry["entry"] != "ruling":
            return
        self.ruled += 1
        self.revokes += len(entry["revokes"])
        self.to_judge += any(item["kind"] != "adjusted-score" for item in entry["director"])
        self.by_settled[settled(entry)] += 1
        for revoke in entry["revokes"]:
            self.by_role[revoke["role"] or "unknown"] += 1
            self.by_trick[revoke["trick"]] += 1
            self.by_automatic[revoke["automatic-tricks"]] += 1

    def as_json(self) -> Entry:
        """The last of the JSON lines."""
        return {
            "entry": "summary",
            "files": self.units,
            "boards": self.boards,
            "played": self.played,
            "with-revoke": self.ruled,
            "revokes": self.revokes,
            "transcription-faults": self.slipped,
            "not-ruled": self.not_ruled,
            "verified": self.verified,
            "left-to-judge": self.to_judge,
            "by-role": {role: self.by_role[role] for role in ROLES if self.by_role[role]},
            "by-trick": {str(trick): number for trick, number in sorted(self.by_trick.items())},
            "by-automatic-tricks": {str(tricks): number for tricks, number in sorted(self.by_automatic.items())},
            "settled-by": {what: self.by_settled[what] for what in SETTLED if self.by_settled[what]},
        }


def settled(entry: Entry) -> str:
    """Which of SETTLED a ruling is."""
    if any(item["kind"] == "adjusted-score" for item in entry["director"]):
        return "adjusted"
    if any(entry["transfer"].values()):
        return "automatic"
    if entry.get("points") or entry.get("options"):
        return "otherwise"
    if entry["open"]:
        return "open"
    return "exempt" if any(revoke["status"] == "established" for revoke in entry["revokes"]) else "not-established"


def entries_of(results: Iterable[Audited], kind: str | None = None) -> Iterator[Entry]:
    """Every entry, or those of one kind, in their order."""
    return (entry for one in results for entry in one.entries if kind is None or entry["entry"] == kind)
