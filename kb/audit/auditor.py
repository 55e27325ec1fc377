"""One unit of an archive, audited: which of its boards hold a revoke, and the ruling on each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from facts.errors import EngineError, InputError
from facts.incident import Incident
from facts.observe.observe import denied
from facts.play import Irregularity, Oddity, doubtful, followed, slips
from facts.readers.archives import Reading, Unit, UnreadError, read_unit
from kb.audit.entries import Entry, not_ruled, ruled, slipped
from kb.audit.sample import Sample
from kb.cases.run import CASES
from kb.explain.say import Speaker
from kb.explain.words import load_words
from kb.language.digest import digest
from kb.language.folders import DEFAULT_EDITION
from kb.ruling.laws import OF_THE_DAY, Laws
from kb.ruling.rule import rule


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


def _digest_of_files(root: Path) -> str:
    """Words and sentences count too: they stand in the entries."""
    files = sorted(file for file in root.rglob("*.yaml") if file.parent.name != CASES)
    return digest(f"{file.relative_to(root)}\n{file.read_text('utf-8', 'replace')}" for file in files)


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
        self.digest = digest([_digest_of_files(job.root), law.edition.digest])
        """Of the rules, wherever they lie: the same for all workers."""
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
        incident = self._under(reading.board)
        if incident.events or incident.revokes:
            return self._rule(reading, incident)
        if incident.play is None:
            return [], False
        failures, in_order = followed(incident.play, incident.deal)
        if not failures and in_order:
            return [], self._check(reading, incident)
        found = slips(incident.play, incident.deal, failures)
        listed = [slipped(reading, incident, found, failures)] if found else []
        if not failures or doubtful(failures, found):
            return listed, self._check(reading, incident, bool(failures))
        entries, checked = self._rule(reading, incident)
        return entries + listed, checked

    def _rule(self, reading: Reading, incident: Incident) -> tuple[list[Entry], bool]:
        law = self._laws.for_incident(incident)
        ruling = rule(law, incident)
        checked = self._sample.has_ruled(reading) and self._sample.verify(law, ruling.incident)
        if not ruling.revokes:
            return [], checked
        entries = [ruled(reading, ruling, self.speaker)]
        if incident.play is not None and denied(incident):
            slip = Irregularity(Oddity.RESULT_DENIED, len(incident.play.tricks))
            entries.append(slipped(reading, incident, [slip], ()))
        return entries, checked

    def _check(self, reading: Reading, incident: Incident, may_revoke: bool = False) -> bool:
        """Asks the rules, now and then, about a board on which by its cards there is nothing to rule."""
        sampled = self._sample.has_unruled(reading)
        if not sampled and not self.job.thorough:
            return False
        law = self._laws.for_incident(incident)
        if not may_revoke and rule(law, incident).revokes:
            raise EngineError(
                f"{incident.place}: everyone followed suit or showed out for good, and by {law.edition.id} there is a "
                "revoke all the same; an audit cannot be done by these rules"
            )
        return sampled and self._sample.verify(law, incident)

    def _under(self, incident: Incident) -> Incident:
        """The incident under the edition and elections asked for."""
        return self._laws.under(incident, self.job.edition, self.job.elections)
