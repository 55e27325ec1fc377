"""One unit of an archive, audited: which of its boards hold a revoke, the ruling on each, and all of it counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

from facts.cards import Seat
from facts.errors import EngineError, InputError
from facts.incident import Incident
from facts.observe import denied
from facts.play import Irregularity, Oddity, doubtful, failures_to_follow, slips
from facts.readers.archives import Reading, Unit, read_unit
from kb.explain.headline import headline
from kb.explain.say import Speaker
from kb.explain.words import load_words
from kb.language.digest import digest
from kb.language.folders import CASES, DEFAULT_EDITION
from kb.ruling.law import OF_THE_DAY, Laws
from kb.ruling.rule import rule
from kb.ruling.ruling import Ruling
from kb.ruling.verdict import verdict

Entry: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Job:
    """What an audit is done by; small, since it goes to every worker with every piece of work."""

    root: Path
    edition: str | None = None
    """None: each board by its own edition; OF_THE_DAY: by that of its date."""
    elections: tuple[str, ...] = ()
    lang: str = "en"


@dataclass(frozen=True, slots=True)
class Audited:
    """What came of one unit."""

    boards: int
    played: int
    """Boards with cards or findings, so that a revoke could show."""
    entries: tuple[Entry, ...]
    """In the order of the boards."""


def begin(job: Job) -> Auditor:
    """Makes this process ready for the job; RulesError where its edition is faulty."""
    auditor = Auditor(job)
    _READY.clear()
    _READY[job, auditor.digest] = auditor
    return auditor


def audit_units(job: Job, digest: str, units: Sequence[Unit]) -> list[Audited]:
    """The audit of each unit; EngineError when the rules here do not have this digest."""
    auditor = _READY.get((job, digest)) or begin(job)
    if auditor.digest != digest:
        raise EngineError(f"the rules in {job.root} are not those the audit began with; give all workers the same")
    return [auditor.audit(unit) for unit in units]


_READY: dict[tuple[Job, str], Auditor] = {}
"""The auditor of this process; processes forked from it have it too."""


class Auditor:
    """Audits units by one job."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self._laws = Laws(job.root, "quick")
        named = (DEFAULT_EDITION, ()) if job.edition in (None, OF_THE_DAY) else (job.edition, job.elections)
        law = self._laws.of(*named)
        words = load_words(job.root, law.edition.vocabulary)
        self.speaker = Speaker(words, law.edition.vocabulary, words.language(job.lang))
        of_the_day = job.edition == OF_THE_DAY
        self.title = self.speaker.phrase("audit-of-the-day") if of_the_day else law.edition.called(job.lang)
        files = sorted(file for file in job.root.rglob("*.yaml") if file.parent.name != CASES)
        texts = (f"{file.relative_to(job.root)}\n{file.read_text('utf-8', 'replace')}" for file in files)
        self.digest = digest([digest(texts), law.edition.digest])
        """Of the rules, wherever they lie: the same for all workers; words and sentences, too, stand in the entries."""

    def audit(self, unit: Unit) -> Audited:
        """What a director wants to know of a unit."""
        boards = played = 0
        entries: list[Entry] = []
        for reading in read_unit(unit):
            boards += 1
            board = reading.board
            if isinstance(board, Incident):
                played += board.play is not None or bool(board.revokes)
            try:
                entries += self._entries(reading)
            except InputError as error:
                entries.append(not_ruled(reading, error))
        return Audited(boards, played, tuple(entries))

    def _entries(self, reading: Reading) -> list[Entry]:
        """The entries of one board."""
        if isinstance(reading.board, InputError):
            raise reading.board
        incident = self._laws.under(reading.board, self.job.edition, self.job.elections)
        if incident.events or incident.revokes:
            return self._rule(reading, incident)
        if incident.play is None:
            return []
        failures = failures_to_follow(incident.play, incident.deal)
        found = slips(incident.play, incident.deal, failures)
        listed = [slipped(reading, incident, found, failures)] if found else []
        if not failures or doubtful(failures, found):
            return listed
        return self._rule(reading, incident) + listed

    def _rule(self, reading: Reading, incident: Incident) -> list[Entry]:
        ruling = rule(self._laws.for_incident(incident), incident)
        if not ruling.revokes:
            return []
        entries = [ruled(reading, ruling, self.speaker)]
        if incident.play is not None and denied(incident):
            slip = Irregularity(Oddity.RESULT_DENIED, len(incident.play.tricks))
            entries.append(slipped(reading, incident, [slip], ()))
        return entries


def ruled(reading: Reading, ruling: Ruling, speaker: Speaker) -> Entry:
    """A ruling without its proof; ``revoke rule`` gives the same one, by its receipt, with everything."""
    return {
        "entry": "ruling",
        **_place(reading, ruling.incident),
        "edition": ruling.edition.id,
        "elections": list(ruling.edition.elections),
        "marked": _cards(ruling.incident.marked, ruling.incident),
        **verdict(ruling),
        "text": headline(ruling, speaker),
        "receipt": ruling.receipt,
    }


def slipped(
    reading: Reading, incident: Incident, found: Iterable[Irregularity], failures: Sequence[tuple[int, Seat]]
) -> Entry:
    """A board with slips of transcription, and the cards that do not follow suit in it."""
    return {
        "entry": "transcription-fault",
        **_place(reading, incident),
        "slips": [
            {
                "kind": str(slip.kind),
                "trick": slip.trick,
                "hands": list(slip.hands),
                "card": None if slip.card is None else slip.card.text,
            }
            for slip in found
        ],
        "not-followed": _cards(failures, incident),
    }


def not_ruled(reading: Reading, error: InputError) -> Entry:
    """A board that could not be read, or contradicts itself."""
    board = reading.board.board if isinstance(reading.board, Incident) else None
    return {
        "entry": "not-ruled",
        "source": reading.source,
        "line": error.faults[0].place.line,
        "number": reading.number,
        "board": board,
        "faults": [str(fault) for fault in error.faults],
    }


def _place(reading: Reading, incident: Incident) -> Entry:
    return {
        "source": reading.source,
        "line": incident.place.line,
        "number": reading.number,
        "board": incident.board,
        "contract": None if incident.contract is None else str(incident.contract),
        "declarer": incident.declarer,
        **({} if incident.date is None else {"date": incident.date.isoformat()}),
    }


def _cards(which: Iterable[tuple[int, Seat]], incident: Incident) -> list[Entry]:
    """Trick, hand and card, as first played."""
    tricks = () if incident.play is None else incident.play.tricks
    cards = [(trick, hand, tricks[trick - 1].card_of(hand) if trick <= len(tricks) else None) for trick, hand in which]
    return [{"trick": trick, "hand": hand, "card": None if card is None else card.text} for trick, hand, card in cards]


SETTLED: Final = ("automatic", "adjusted", "otherwise", "exempt", "not-established", "open")
"""What settles a board with a revoke: automatic tricks alone, an adjusted score, points or a choice; nothing, as it is
exempt or was never established; or it is open."""
ROLES: Final = ("declarer", "dummy", "defender", "unknown")


def totals(results: Iterable[Audited]) -> Entry:
    """The numbers of these units, the last of the JSON lines. ``by-automatic-tricks``: of a revoke, before any cap."""
    units = [*results]
    entries = Counter(entry["entry"] for entry in entries_of(units))
    rulings = [*entries_of(units, "ruling")]
    revokes = [revoke for entry in rulings for revoke in entry["revokes"]]
    judged = [entry for entry in rulings if any(item["kind"] != "adjusted-score" for item in entry["director"])]

    def counted(values: Iterable[Any], order: Sequence[str] = ()) -> dict[str, int]:
        found = Counter("unknown" if value is None else value for value in values)
        return {str(value): found[value] for value in order or sorted(found, key=_number_first) if found[value]}

    return {
        "entry": "summary",
        "files": len(units),
        "boards": sum(one.boards for one in units),
        "played": sum(one.played for one in units),
        "with-revoke": entries["ruling"],
        "revokes": len(revokes),
        "transcription-faults": entries["transcription-fault"],
        "not-ruled": entries["not-ruled"],
        "left-to-judge": len(judged),
        "by-role": counted((one["role"] for one in revokes), ROLES),
        "by-trick": counted(one["trick"] for one in revokes),
        "by-automatic-tricks": counted(one["automatic-tricks"] for one in revokes),
        "settled-by": counted(map(settled, rulings), SETTLED),
    }


def _number_first(value: Any) -> tuple[bool, Any]:
    return isinstance(value, str), value


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
