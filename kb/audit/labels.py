"""The entries of an audit in the words of one language, and their places without the folder that all are in."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from facts.contract import Contract
from kb.audit.auditor import Audited, Auditor
from kb.audit.entries import Entry
from kb.audit.tally import ROLES, SETTLED, AuditTotals, entries_of
from kb.explain.say import Speaker
from kb.language.texts import fill


class AuditLabels:
    """Says what an audit found."""

    def __init__(self, auditor: Auditor) -> None:
        self.speaker: Speaker = auditor.speaker
        self.title = auditor.title

    def phrase(self, key: str, **places: object) -> str:
        """A phrase of audits with its places filled."""
        return self.speaker.phrase(f"audit-{key}", **places)

    def summary(self, tally: AuditTotals) -> Iterator[str]:
        """What was looked at and what was found, a sentence or two each."""
        yield self.phrase("looked-at", boards=tally.boards, played=tally.played, files=tally.units)
        yield self.phrase(
            "found", ruled=tally.ruled, revokes=tally.revokes, slips=tally.slipped, not_ruled=tally.not_ruled
        )
        yield self.phrase("settled", n=tally.by_settled["automatic"], of=tally.ruled, judge=tally.to_judge)
        yield self.phrase("verified", n=tally.verified) if tally.verified else self.phrase("unverified")

    def charts(self, tally: AuditTotals) -> Iterator[tuple[str, list[tuple[str, int]]]]:
        """Each chart: its title, and its bars with their numbers."""
        tricks = range(1, 14)
        automatic = range(max(tally.by_automatic, default=0) + 1)
        yield self.phrase("by-role"), [(self._role(role), tally.by_role[role]) for role in ROLES if tally.by_role[role]]
        yield self.phrase("by-trick"), [(str(trick), tally.by_trick[trick]) for trick in tricks]
        yield self.phrase("by-automatic"), [(str(number), tally.by_automatic[number]) for number in automatic]
        by = tally.by_settled
        yield self.phrase("by-settled"), [(self._name("settled", one), by[one]) for one in SETTLED if by[one]]

    def board(self, entry: Entry) -> str:
        """«7: 4♠ by North», as far as it is known."""
        contract = self._contract(entry)
        return f"{entry['board'] or '?'}: {contract}" if contract else str(entry["board"] or "?")

    def revoker(self, revoke: Entry) -> str:
        """«West (a defender)»."""
        hand = self.speaker.value(revoke["hand"], "seat")
        return f"{hand} ({self._role(revoke['role'])})" if revoke["role"] else hand

    def card(self, revoke: Entry) -> str:
        """«♠4 (♥)»: the card, and the suit that was asked for."""
        card = "–" if revoke["card"] is None else self.speaker.value(revoke["card"], "card")
        return f"{card} ({self._name('symbol', revoke['suit'])})" if revoke["suit"] else card

    def status(self, revoke: Entry) -> str:
        """The status with the laws it rests on."""
        return self._with_laws(self._name("status-word", revoke["status"]), revoke["status-by"])

    def automatic(self, revoke: Entry) -> str:
        """The automatic tricks with the laws they, or their absence, rest on."""
        return self._with_laws(str(revoke["automatic-tricks"]), revoke["automatic-by"] or revoke["exempt-by"])

    def slip(self, slip: Entry) -> str:
        """One slip of transcription."""
        hands = [self.speaker.value(hand, "seat") for hand in slip["hands"]]
        card = self.speaker.value(slip["card"], "card")
        places = {
            "trick": str(slip["trick"]),
            "hand": hands[0] if hands else "",
            "hands": ", ".join(hands),
            "card": card,
        }
        return fill(self._name("oddity", slip["kind"]), places)

    def kind(self, kind: str) -> str:
        """A kind of slip."""
        return self._name("slip-kind", kind)

    def _contract(self, entry: Entry) -> str:
        if entry.get("contract") is None:
            return ""
        told = self.speaker.contract(Contract.from_text(entry["contract"]))
        if entry["declarer"] is None:
            return told
        return self.speaker.phrase(
            "html-contract", contract=told, declarer=self.speaker.value(entry["declarer"], "seat")
        )

    def _role(self, role: str) -> str:
        return self.phrase("unknown") if role == "unknown" else self.speaker.value(role, "role")

    def _name(self, kind: str, value: str) -> str:
        return self.speaker.words.name(kind, value, self.speaker.lang)

    def _with_laws(self, told: str, laws: list[str]) -> str:
        return f"{told} [{', '.join(laws)}]" if laws else told


class Places:
    """The places of the entries of an audit."""

    def __init__(self, results: Sequence[Audited]) -> None:
        folders = {os.path.dirname(entry["source"]) for entry in entries_of(results)}  # noqa: PTH120 - or a zip's member
        try:
            self.folder = os.path.commonpath(folders) if folders else ""
        except ValueError:
            self.folder = ""
        """The folder that all are in; empty where there is none."""
        self._left_out = os.path.join(self.folder, "") if self.folder else ""  # noqa: PTH118

    def of(self, entry: Entry) -> str:
        """«Final/Open7.pbn:214»."""
        return f"{self.short(entry['source'])}:{entry['line']}"

    def short(self, text: str) -> str:
        """A text that begins with a source, without the folder."""
        return text.removeprefix(self._left_out)
