"""One unit of an archive, audited: which of its boards hold a revoke, the ruling on each, and all of it counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any, Final, TypeAlias
from zlib import crc32

from facts.cards import Seat
from facts.errors import EngineError, InputError
from facts.incident import Incident
from facts.observe.observe import denied
from facts.play import Irregularity, Oddity, doubtful, failures_to_follow, slips
from facts.readers.archives import Reading, Unit, UnreadError, read_unit
from kb.engine import Engine, engine_for
from kb.engine.durable import LARGE
from kb.engine.quick import demand_whole
from kb.explain.headline import headline
from kb.explain.say import Speaker
from kb.explain.words import load_words
from kb.language.digest import digest
from kb.language.folders import CASES, DEFAULT_EDITION
from kb.ruling.law import OF_THE_DAY, Law, Laws, default_engine
from kb.ruling.rule import rule, ruled_once
from kb.ruling.ruling import Ruling
from kb.ruling.verdict import verdict

OF_RULED: Final = 10
"""One in so many of the boards that are ruled on."""
OF_UNRULED: Final = 200
"""One in so many of those on which, by their cards, there is nothing to rule."""


class Sample:
    """Asks both engines about some boards, chosen by source and number: the same however the work is divided."""

    def __init__(self) -> None:
        self._usable = default_engine()[0] == "durable"
        self._engines: dict[int, Engine] = {}
        self._one_at_a_time = Lock()

    def has(self, reading: Reading, one_of: int) -> bool:
        """Whether this board is in it, where one of so many is."""
        return crc32(f"{reading.source}:{reading.number}".encode()) % one_of == 0

    def verify(self, law: Law, incident: Incident) -> bool:
        """Whether both engines were asked; EngineError when the proof is not what the rules say, or theirs differ.

        False where durable-rules cannot be used, or the board is too large for it.
        """
        facts = ruled_once(law, incident).example
        if len(facts) > LARGE:
            return False
        proof = law.engine.run(facts)
        demand_whole(proof, incident.place)
        if not self._usable:
            return False
        with self._one_at_a_time:
            if id(law) not in self._engines:
                self._engines[id(law)] = engine_for("durable", law.program)
            reference = self._engines[id(law)].run(facts)
        if reference != proof:
            raise EngineError(f"{incident.place}: the engines do not agree on this board by {law.edition.id}")
        return True


Entry: TypeAlias = dict[str, Any]


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


@dataclass(frozen=True, slots=True)
class Job:
    """What an audit is done by; small, since it goes to every worker with every piece of work."""

    root: Path
    edition: str | None = None
    """None: each board by its own edition; OF_THE_DAY: by that of its date."""
    elections: tuple[str, ...] = ()
    lang: str = "en"
    thorough: bool = False
    """Whether the rules are asked about every board."""


@dataclass(frozen=True, slots=True)
class Audited:
    """What came of one unit."""

    boards: int
    played: int
    """Boards with cards or findings, so that a revoke could show."""
    verified: int
    """Boards on which durable-rules was asked as well, and gave the same proof."""
    entries: tuple[Entry, ...]
    """In the order of the boards."""
    read: bool = True
    """Whether the unit could be read at all; if not, it may be another time."""


def begin(job: Job) -> Auditor:
    """Makes this process ready for the job; RulesError where its edition is faulty."""
    auditor = Auditor(job)
    _READY.clear()
    _READY[job, auditor.digest] = auditor
    return auditor


def audit_units(job: Job, digest: str, units: Sequence[Unit]) -> list[Audited | None]:
    """The audit of each unit; None for a file that cannot be seen from here, where some other machine saw it.

    EngineError when the engines do not agree, or the rules here do not have this digest.
    """
    auditor = _READY.get((job, digest)) or begin(job)
    if auditor.digest != digest:
        raise EngineError(f"the rules in {job.root} are not those the audit began with; give all workers the same")
    seen = [unit.refused is not None or unit.once or Path(unit.path).exists() for unit in units]
    return [auditor.audit(unit) if here else None for unit, here in zip(units, seen, strict=True)]


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
        if job.lang not in words.languages:
            what, mend = "the rules are not written in it", f"choose {' or '.join(words.languages)}"
            raise InputError.of(f"--lang {job.lang}", what, mend)
        self.speaker = Speaker(words, law.edition.vocabulary, job.lang)
        of_the_day = job.edition == OF_THE_DAY
        self.title = self.speaker.phrase("audit-of-the-day") if of_the_day else law.edition.called(job.lang)
        files = sorted(file for file in job.root.rglob("*.yaml") if file.parent.name != CASES)
        texts = (f"{file.relative_to(job.root)}\n{file.read_text('utf-8', 'replace')}" for file in files)
        self.digest = digest([digest(texts), law.edition.digest])
        """Of the rules, wherever they lie: the same for all workers; words and sentences, too, stand in the entries."""
        self._sample = Sample()

    @property
    def state_digest(self) -> str:
        """Of everything that what is noted of a unit depends on, besides the unit."""
        job = self.job
        return digest([self.digest, repr((job.edition, job.elections, job.lang, job.thorough))])

    def audit(self, unit: Unit) -> Audited:
        """What a director wants to know of a unit."""
        boards = played = verified = 0
        read = True
        entries: list[Entry] = []
        for reading in read_unit(unit):
            boards += 1
            board = reading.board
            read &= not isinstance(board, UnreadError)
            if isinstance(board, Incident):
                played += board.play is not None or bool(board.revokes)
            try:
                found, checked = self._audit(reading)
            except InputError as error:
                found, checked = [not_ruled(reading, error)], False
            verified += checked
            entries += found
        return Audited(boards, played, verified, tuple(entries), read)

    def _audit(self, reading: Reading) -> tuple[list[Entry], bool]:
        """The entries of one board, and whether it was in the sample."""
        if isinstance(reading.board, InputError):
            raise reading.board
        incident = self._laws.under(reading.board, self.job.edition, self.job.elections)
        if incident.events or incident.revokes:
            return self._rule(reading, incident)
        if incident.play is None:
            return [], False
        failures = failures_to_follow(incident.play, incident.deal)
        found = slips(incident.play, incident.deal, failures)
        listed = [slipped(reading, incident, found, failures)] if found else []
        if not failures or doubtful(failures, found):
            return listed, self._check(reading, incident, bool(failures))
        entries, checked = self._rule(reading, incident)
        return entries + listed, checked

    def _rule(self, reading: Reading, incident: Incident) -> tuple[list[Entry], bool]:
        law = self._laws.for_incident(incident)
        ruling = rule(law, incident)
        checked = self._sample.has(reading, OF_RULED) and self._sample.verify(law, ruling.incident)
        if not ruling.revokes:
            return [], checked
        entries = [ruled(reading, ruling, self.speaker)]
        if incident.play is not None and denied(incident):
            slip = Irregularity(Oddity.RESULT_DENIED, len(incident.play.tricks))
            entries.append(slipped(reading, incident, [slip], ()))
        return entries, checked

    def _check(self, reading: Reading, incident: Incident, may_revoke: bool = False) -> bool:
        """Asks the rules, now and then, about a board on which by its cards there is nothing to rule."""
        sampled = self._sample.has(reading, OF_UNRULED)
        if not sampled and not self.job.thorough:
            return False
        law = self._laws.for_incident(incident)
        if not may_revoke and rule(law, incident).revokes:
            raise EngineError(
                f"{incident.place}: everyone followed suit or showed out for good, and by {law.edition.id} there is a "
                "revoke all the same; an audit cannot be done by these rules"
            )
        return sampled and self._sample.verify(law, incident)


SETTLED: Final = ("automatic", "adjusted", "otherwise", "exempt", "not-established", "open")
"""What settles a board with a revoke: automatic tricks alone, an adjusted score, points or a choice; nothing, as it is
exempt or was never established; or it is open."""
ROLES: Final = ("declarer", "dummy", "defender", "unknown")


def totals(results: Sequence[Audited]) -> Entry:
    """The numbers of these units, the last of the JSON lines. ``by-automatic-tricks``: of a revoke, before any cap."""
    counted: dict[str, Counter[Any]] = {name: Counter() for name in ("entry", "role", "trick", "automatic", "settled")}
    revokes = left = 0
    for entry in entries_of(results):
        counted["entry"][entry["entry"]] += 1
        if entry["entry"] == "ruling":
            revokes += len(entry["revokes"])
            left += any(item["kind"] != "adjusted-score" for item in entry["director"])
            counted["settled"][settled(entry)] += 1
            for revoke in entry["revokes"]:
                counted["role"][revoke["role"] or "unknown"] += 1
                counted["trick"][revoke["trick"]] += 1
                counted["automatic"][revoke["automatic-tricks"]] += 1
    by = {
        name: {str(key): counted[name][key] for key in keys if counted[name][key]}
        for name, keys in (
            ("role", ROLES),
            ("trick", sorted(counted["trick"])),
            ("automatic", sorted(counted["automatic"])),
            ("settled", SETTLED),
        )
    }
    return {
        "entry": "summary",
        "files": len(results),
        "boards": sum(one.boards for one in results),
        "played": sum(one.played for one in results),
        "with-revoke": counted["entry"]["ruling"],
        "revokes": revokes,
        "transcription-faults": counted["entry"]["transcription-fault"],
        "not-ruled": counted["entry"]["not-ruled"],
        "verified": sum(one.verified for one in results),
        "left-to-judge": left,
        "by-role": by["role"],
        "by-trick": by["trick"],
        "by-automatic-tricks": by["automatic"],
        "settled-by": by["settled"],
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
