"""An archive audited: which boards of a unit hold a revoke, and the ruling on each; the units handed out to workers.

Then what was found is counted, and told on one page.
"""

from __future__ import annotations

import os
import signal
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import (
    BrokenExecutor,
    CancelledError,
    Executor,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    as_completed,
)
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from multiprocessing import active_children, parent_process
from multiprocessing.process import BaseProcess
from pathlib import Path
from threading import Thread
from typing import Any, Final, TypeAlias

from facts.auction import slips_of_calls
from facts.cards import Seat
from facts.contract import Contract
from facts.errors import EngineError, InputError
from facts.incident import Incident
from facts.observe import denied, denied_marks, doubts
from facts.play import Irregularity, Oddity, failures_to_follow, slips
from facts.readers.archives import Unit, read_unit
from kb.explain.headline import headline
from kb.explain.page import Line, Page, part
from kb.explain.words import Speaker, load_words
from kb.language.cache import digest
from kb.language.folders import CASES
from kb.ruling.laws import OF_THE_DAY, Laws
from kb.ruling.make_ruling import rule
from kb.ruling.ruling import Ruling
from kb.ruling.verdict import verdict

AuditEntry: TypeAlias = dict[str, Any]
LEFT_OUT: Final = "left-out"
"""Of a file, or of a tag in it, of which nothing was read."""
_NOT_KNOWN: Final = "no file of a known suffix; named by itself it is read"


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
    boards: int
    played: int
    """Boards with cards or findings, so that a revoke could show."""
    entries: tuple[AuditEntry, ...]
    """In the order of the boards."""


def audit_units(job: Job, digest: str, units: Sequence[Unit]) -> list[Audited]:
    """The audit of each unit; EngineError when the rules here do not have this digest."""
    auditor = begin(job)
    if auditor.digest != digest:
        raise EngineError(f"the rules in {job.root} are not those the audit began with; give all workers the same")
    return [auditor.audit(unit) for unit in units]


class Auditor:
    def __init__(self, job: Job) -> None:
        self.job = job
        self._laws = Laws(job.root, "quick")
        self._tables = self._laws.tables(None if job.edition == OF_THE_DAY else job.edition)
        chosen = (self._laws.usual, ()) if job.edition in (None, OF_THE_DAY) else (job.edition, job.elections)
        law = self._laws.of(*chosen)
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
        number = played = 0
        entries: list[AuditEntry] = []
        if unit.left_out:
            entries.append({"entry": LEFT_OUT, "source": unit.source, "line": None, "what": _NOT_KNOWN})
        for number, board in enumerate(read_unit(unit, self._tables), 1):
            where: AuditEntry = {"source": unit.source, "line": 0, "number": number, "board": None}
            try:
                if isinstance(board, InputError):
                    raise board
                where |= {"line": board.place.line, "board": board.board}
                for remark in board.remarks:
                    entries.append({"entry": LEFT_OUT, **where, "line": remark.place.line, "what": remark.what})
                played += board.play is not None or bool(board.revokes)
                entries += self._entries(where, board)
            except InputError as error:
                line, faults = error.faults[0].place.line, [str(fault) for fault in error.faults]
                entries.append({"entry": "not-ruled", **where, "line": line, "faults": faults})
        return Audited(number, played, tuple(entries))

    def _entries(self, where: AuditEntry, board: Incident) -> list[AuditEntry]:
        incident = self._laws.under(board, self.job.edition, self.job.elections)
        failures = () if incident.play is None else failures_to_follow(incident.play, incident.deal)
        found = [] if incident.auction is None else [*slips_of_calls(incident.auction)]
        if incident.play is not None and not incident.events:
            found += [*slips(incident.play, incident.deal, failures), *denied_marks(incident)]
        listed = [slipped(where, incident, found, failures)] if found else []
        stated = incident.events or incident.revokes
        return [*(self._rule(where, incident) if stated or (failures and not doubts(incident)) else ()), *listed]

    def _rule(self, where: AuditEntry, incident: Incident) -> list[AuditEntry]:
        ruling = rule(self._laws.for_incident(incident), incident)
        if not ruling.revokes:
            return []
        entries = [ruled_entry(where, ruling, self.speaker)]
        if incident.play is not None and denied(incident):
            slip = Irregularity(Oddity.RESULT_DENIED, len(incident.play.tricks))
            entries.append(slipped(where, incident, [slip], ()))
        return entries


@lru_cache(1)
def begin(job: Job) -> Auditor:
    """Makes this process ready for the job, and those forked from it; RulesError where its edition is faulty."""
    return Auditor(job)


def ruled_entry(where: AuditEntry, ruling: Ruling, speaker: Speaker) -> AuditEntry:
    """A ruling without its proof; ``revoke rule`` gives the same one, by its receipt, with everything."""
    return {
        "entry": "ruling",
        **_place(where, ruling.incident),
        "edition": ruling.edition.id,
        "elections": list(ruling.edition.elections),
        "marked": _cards(ruling.incident.marked, ruling.incident),
        **verdict(ruling),
        "text": headline(ruling, speaker),
        "receipt": ruling.receipt,
    }


def slipped(
    where: AuditEntry, incident: Incident, irregularities: Iterable[Irregularity], failures: Sequence[tuple[int, Seat]]
) -> AuditEntry:
    """A board with slips of transcription, and the cards that do not follow suit in it."""
    return {
        "entry": "transcription-fault",
        **_place(where, incident),
        "slips": [
            {
                "kind": str(slip.kind),
                "trick": slip.trick or None,
                "hands": list(slip.hands),
                "card": None if slip.card is None else slip.card.text,
                "call": slip.call,
            }
            for slip in irregularities
        ],
        "not-followed": _cards(failures, incident),
    }


def _place(where: AuditEntry, incident: Incident) -> AuditEntry:
    return {
        **where,
        "contract": None if incident.contract is None else str(incident.contract),
        "declarer": incident.declarer,
        **({} if incident.date is None else {"date": incident.date.isoformat()}),
    }


def _cards(which: Iterable[tuple[int, Seat]], incident: Incident) -> list[AuditEntry]:
    """Trick, hand and card, as first played."""
    tricks = () if incident.play is None else incident.play.tricks
    cards = [(trick, hand, tricks[trick - 1].card_of(hand) if trick <= len(tricks) else None) for trick, hand in which]
    return [{"trick": trick, "hand": hand, "card": None if card is None else card.text} for trick, hand, card in cards]


CONNECT_SECONDS: Final = 10


@contextmanager
def workers(number: int, cluster: str | None = None) -> Iterator[Executor]:
    """So many processes of this machine, or the workers of the dask cluster whose scheduler has that address.

    InputError when there is no such cluster, EngineError when workers were lost so often that it cannot go on.
    """
    if cluster is not None:
        with _cluster(cluster) as executor:
            yield executor
        return
    others = active_children()
    pool = ThreadPoolExecutor(1) if number <= 1 else ProcessPoolExecutor(number, initializer=_be_a_worker)
    try:
        yield pool
    except BrokenExecutor:
        raise EngineError("a worker was ended from outside, perhaps for want of memory; start it again") from None
    finally:
        for worker in active_children():  # whatever they are working on, nobody waits for it any more
            if worker not in others:
                worker.kill()
        pool.shutdown(cancel_futures=True)  # its thread has ended, which else Python's own end may find half gone


@contextmanager
def _cluster(address: str) -> Iterator[Executor]:
    def refused(problem: str, mend: str) -> InputError:
        return InputError.of(f"--cluster {address}", problem, mend)

    try:
        from distributed import Client, KilledWorker  # noqa: PLC0415 - an extra, and slow to import
        from distributed.comm import CommClosedError  # noqa: PLC0415
    except ImportError as error:
        raise refused(f"dask.distributed is missing ({error})", "install the extra 'cluster'") from None
    try:
        client: Any = Client(address, timeout=CONNECT_SECONDS)
    except (OSError, ValueError) as error:
        raise refused(f"there is no scheduler ({error})", "start one with: dask scheduler") from None
    with client:
        try:
            yield client.get_executor(pure=False)
        except (KilledWorker, CommClosedError, CancelledError) as error:
            raise EngineError(f"the cluster lost its workers ({error}); start it again") from None


def _be_a_worker() -> None:
    """An interruption is for the main process to deal with; when that is gone, so is this one, whatever it is at."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def end_with(parent: BaseProcess) -> None:
        parent.join()
        os._exit(1)

    if (parent := parent_process()) is not None:
        Thread(target=end_with, args=(parent,), daemon=True).start()


PIECE_BYTES: Final = 400_000
PIECE_UNITS: Final = 100
"""A piece of work ends when it has so many bytes or units: about a tenth of a second of work."""


def pieces(units: Sequence[Unit]) -> Iterator[list[int]]:
    """The numbers of the units that workers can do, in pieces of work."""
    taken: list[int] = []
    size = 0
    for number, unit in enumerate(units):
        if unit.once:
            continue
        taken.append(number)
        size += unit.size
        if size >= PIECE_BYTES or len(taken) >= PIECE_UNITS:
            yield taken
            taken, size = [], 0
    if taken:
        yield taken


def audited(auditor: Auditor, units: Sequence[Unit], workers: Executor) -> Iterator[tuple[int, Audited]]:
    """The number of each unit and its audit, as it is done.

    Standard input and pipes, which no other process can read, are audited here.
    """
    for number, unit in enumerate(units):
        if unit.once:
            yield number, auditor.audit(unit)
    running = {
        workers.submit(audit_units, auditor.job, auditor.digest, [units[number] for number in piece]): piece
        for piece in pieces(units)
    }
    for work in as_completed(running):
        yield from zip(running.pop(work), work.result(), strict=True)


# --- told


def totals(results: Iterable[Audited]) -> AuditEntry:
    """The numbers of these units, the last of the JSON lines."""
    units = [*results]
    entries = Counter(entry["entry"] for entry in entries_of(units))
    left_out = sum(entry["line"] is None for entry in entries_of(units, LEFT_OUT))
    return {
        "entry": "summary",
        "files": len(units) - left_out,
        "boards": sum(unit.boards for unit in units),
        "played": sum(unit.played for unit in units),
        "with-revoke": entries["ruling"],
        "revokes-found": sum(len(entry["revokes"]) for entry in entries_of(units, "ruling")),
        "transcription-faults": entries["transcription-fault"],
        "not-ruled": entries["not-ruled"],
        "left-out": entries[LEFT_OUT],
    }


def entries_of(results: Iterable[Audited], kind: str | None = None) -> Iterator[AuditEntry]:
    """Every entry, or those of one kind, in their order."""
    return (entry for unit in results for entry in unit.entries if kind is None or entry["entry"] == kind)


def audit_page(auditor: Auditor, results: Sequence[Audited], numbers: AuditEntry) -> Page:
    """The numbers, then a line for each revoke, for each kind of slip in each file, and for what was not ruled on."""
    speaker = auditor.speaker
    looked_at = {key: numbers[key] for key in ("boards", "played", "files")}
    counts = {"ruled": numbers["with-revoke"], "revokes": numbers["revokes-found"]}
    counts |= {"slips": numbers["transcription-faults"], "not_ruled": numbers["not-ruled"]}
    not_ruled = (Line(fault) for entry in entries_of(results, "not-ruled") for fault in entry["faults"])
    return Page(
        f"{speaker.phrase('audit-title')}: {auditor.title}",
        (Line(speaker.phrase("audit-looked-at", **looked_at)), Line(speaker.phrase("audit-found", **counts))),
        (
            *part(speaker.phrase("audit-revokes"), _revokes(results, speaker)),
            *part(speaker.phrase("audit-slips"), _slips(results, speaker)),
            *part(speaker.phrase("audit-not-ruled"), not_ruled),
            *part(speaker.phrase("audit-left-out"), _left_out(results)),
        ),
    )


def _revokes(results: Sequence[Audited], speaker: Speaker) -> Iterator[Line]:
    """A line for each revoke."""

    def with_laws(text: str, laws: list[str]) -> str:
        return f"{text} [{', '.join(laws)}]" if laws else text

    def with_more(text: str, more: Any, kind: str) -> str:
        return f"{text} ({speaker.words.name(kind, more, speaker.lang)})" if more else text

    for entry in entries_of(results, "ruling"):
        for revoke in entry["revokes"]:
            status = speaker.words.name("status-word", revoke["status"], speaker.lang)
            automatic = f"{speaker.phrase('audit-automatic')} {revoke['automatic-tricks']}"
            card = "–" if revoke["card"] is None else speaker.value(revoke["card"], "card")
            columns = (
                f"{entry['source']}:{entry['line']}",
                _board(entry, speaker),
                with_more(speaker.value(revoke["hand"], "seat"), revoke["role"], "role"),
                f"{speaker.phrase('html-trick')} {revoke['trick']}",
                with_more(card, revoke["suit"], "symbol"),
                with_laws(status, revoke["status-by"]),
                with_laws(automatic, revoke["automatic-by"] or revoke["exempt-by"]),
                entry["text"],
            )
            yield Line(", ".join(columns))


def _left_out(results: Sequence[Audited]) -> Iterator[Line]:
    for entry in entries_of(results, LEFT_OUT):
        line = "" if entry["line"] is None else f":{entry['line']}"
        yield Line(f"{entry['source']}{line}: {entry['what']}")


def _slips(results: Sequence[Audited], speaker: Speaker) -> Iterator[Line]:
    """A line for each kind of slip in each file, with the lines of the boards."""
    lines: dict[tuple[str, str], list[int]] = {}
    for entry in entries_of(results, "transcription-fault"):
        for kind in dict.fromkeys(slip["kind"] for slip in entry["slips"]):
            lines.setdefault((entry["source"], kind), []).append(entry["line"])
    for (source, kind), numbers in lines.items():
        boards, lines_word = speaker.phrase("audit-boards"), speaker.phrase("audit-lines")
        slip_name = speaker.words.name("slip-kind", kind, speaker.lang)
        yield Line(f"{source}, {slip_name}, {boards} {len(numbers)}, {lines_word} {' '.join(map(str, numbers))}")


def _board(entry: AuditEntry, speaker: Speaker) -> str:
    """«7: 4♠ by North», as far as it is known."""
    board, declarer = str(entry["board"] or "?"), entry["declarer"]
    if entry["contract"] is None:
        return board
    contract = speaker.contract(Contract.from_text(entry["contract"]))
    if declarer is not None:
        contract = speaker.phrase("html-contract", contract=contract, declarer=speaker.value(declarer, "seat"))
    return f"{board}: {contract}" if contract else board
