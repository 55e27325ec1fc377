"""The ruling on one incident, with its proof."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from facts.cards import Seat, Side
from facts.fact import Fact, Value
from facts.incident import Incident
from facts.play import Irregularity, irregularities
from kb.engine.proof import Proof
from kb.engine.sets import Bits
from kb.language.known import (
    AUTOMATIC,
    DIRECTOR,
    ESTABLISHED,
    EVIDENCE,
    EXEMPT,
    HAND,
    NONE_YET,
    OPEN,
    OPTIONS,
    PLAY,
    RECTIFICATIONS,
    RESULT,
    REVOKES,
    ROLE,
    STATUS,
    SUIT,
    TABLE,
    TRANSFER,
    TRICK,
    WON,
)
from kb.language.model import Edition
from kb.ruling.citations import Citations
from kb.ruling.of_its_day import OfItsDay, of_its_day
from kb.ruling.opening import Open, Opening
from kb.ruling.presumed import Presumed, presumed
from kb.ruling.result import Result, result
from kb.ruling.sections import Item, Sections
from kb.ruling.unsaid import Unsaid
from kb.space.bits import first

if TYPE_CHECKING:
    from facts.double_dummy import NotComputed
    from facts.equity import Evidence  # most rulings need none of it


@dataclass(frozen=True, slots=True)
class RevokeRuled:
    """One revoke and what becomes of it."""

    play: int
    """The moment that names the play."""
    hand: Seat
    player: Seat
    """Declarer for a card of dummy's."""
    side: Side
    role: str | None
    trick: int
    suit: str | None
    card: str | None
    status: str
    status_by: tuple[str, ...]
    won_by: Seat | None
    automatic_tricks: int
    """Before the cap."""
    automatic_by: tuple[str, ...]
    exempt_by: tuple[str, ...]


@dataclass(frozen=True, repr=False)
class Ruling:
    """What follows from an incident under an edition of the law."""

    incident: Incident
    edition: Edition
    proof: Proof
    opening: Opening | None = None
    """What may be so, where something is not stated; None where nothing could be said beside the record."""
    evidence: Mapping[int, Evidence | NotComputed] = field(default_factory=dict)
    """Double dummy's answer for each revoke that it was asked about, by the moment that names the play."""

    def __repr__(self) -> str:
        """The edition, the tricks that go over or else how the revokes stand, and the clauses cited."""
        edition = "+".join((self.edition.id, *self.edition.elections))
        between = {side: (n, n) for side, n in self.transfer.items()} if self.opening is None else self.opening.range
        told = [
            f"{least if least == most else f'{least} to {most}'} trick{'s' if most > 1 else ''} to {side}"
            for side, (least, most) in between.items()
            if most
        ]
        told = told or [revoke.status for revoke in self.revokes] or ["no revoke"]
        return f"<Ruling {edition}: {' and '.join(told)}; {' '.join(self.cited) or 'no law'}>"

    def law_called(self, lang: str) -> str:
        """The law it goes by in a heading: edition and elections, jurisdiction, day, as far as they are stated."""
        when = "" if self.incident.date is None else self.incident.date.isoformat()
        return " · ".join(filter(None, (self.edition.called(lang), self.incident.jurisdiction, when)))

    @cached_property
    def of_its_day(self) -> OfItsDay:
        """How that law stands to the day and jurisdiction of the incident."""
        return of_its_day(self.incident, self.edition)

    @cached_property
    def citations(self) -> Citations:
        """The clauses behind each fact of the proof."""
        return Citations(self.edition, self.proof, None if self.opening is None else self.opening.certain.either)

    @cached_property
    def sections(self) -> Sections:
        """The conclusions, sorted into the parts of a ruling as the vocabulary says."""
        return Sections(self.edition.vocabulary, self.proof, self.citations)

    @cached_property
    def cited(self) -> tuple[str, ...]:
        """Every clause the ruling rests on, in the book's order."""
        return self.citations.cited()

    @cached_property
    def presumed(self) -> tuple[Presumed, ...]:
        """What the ruling takes for granted."""
        return () if self.opening is None else presumed(self.opening)

    @cached_property
    def unsaid(self) -> Unsaid:
        """What nobody has said, and something stands for."""
        return Unsaid.of(self.opening)

    @cached_property
    def example(self) -> frozenset[Fact]:
        """The facts of one situation that may be so: all of them where everything is known."""
        if self.opening is None:
            return self.proof.ground
        certain = self.opening.certain
        return frozenset(certain.facts_of(first(certain.among)))

    @cached_property
    def whole(self) -> Proof:
        """A proof of all that follows in one situation that may be; its own holds of several only what is certain."""
        if self.opening is None or self.opening.among.bit_count() == 1:
            return self.proof
        return self.opening.certain.law.engine.run(self.example)

    @cached_property
    def rests_on(self) -> frozenset[Fact]:
        """The facts that the ruling rests on; those that may be so and are not certain begin with ``maybe``."""
        if self.opening is None:
            return self.proof.ground
        run, among, vocabulary = self.opening.run, self.opening.among, self.edition.vocabulary
        given = {f: bits & among for held in run.situations.facts.values() for f, bits in held.items() if bits & among}
        read = {fact: bits for fact, bits in given.items() if fact[0] in self.opening.certain.law.shown}
        certain = self.unsaid.facts((fact for fact, bits in read.items() if bits == among), vocabulary)
        maybe = self.unsaid.facts((fact for fact, bits in read.items() if bits != among), vocabulary)
        evidence = (fact for fact in self.proof.ground if fact[0] == EVIDENCE)
        return frozenset([*certain, *evidence, *(("maybe", *fact) for fact in maybe)])

    @property
    def open(self) -> tuple[Open, ...]:
        """What is not known and would change the ruling."""
        return () if self.opening is None else self.opening.open

    def after(self, among: Bits) -> Ruling:
        """The ruling where only some of the situations are left."""
        assert self.opening is not None
        narrowed = self.opening.narrowed(among)
        return Ruling(self.incident, self.edition, narrowed.certain.proof, narrowed, self.evidence)

    @cached_property
    def revokes(self) -> tuple[RevokeRuled, ...]:
        """Each revoke, in the order of play."""
        found = (*self.sections.facts(REVOKES), *(() if self.opening is None else self.opening.doubtful))
        facts = sorted(found, key=lambda fact: self._field(fact, PLAY))  # type: ignore[arg-type, return-value]
        return tuple(self._revoke(fact) for fact in facts)

    @cached_property
    def transfer(self) -> Mapping[Side, int]:
        """Automatic tricks certainly gained by each side, after the cap; the fewest, where the number is not known."""
        if self.opening is not None:
            return {side: least for side, (least, _) in self.opening.range.items()}
        gained: dict[Side, int] = {"NS": 0, "EW": 0}
        for fact in self.sections.facts(TRANSFER):
            gained[self._field(fact, "to")] += self._field(fact, "tricks")  # type: ignore[index, operator]
        return gained

    @cached_property
    def result(self) -> Result | None:
        """The result; None where the declarer is not known."""
        return result(self.incident, self.edition, self.proof.facts(TABLE), self.sections.facts(RESULT))

    @cached_property
    def irregular(self) -> tuple[Irregularity, ...]:
        """What is wrong with the record itself, once replaced cards are in place; gaps in it are not."""
        incident, final = self.incident, self.incident.timeline.final
        if final is None:
            return ()
        return irregularities(final, incident.deal, incident.contract, incident.declarer)

    def items(self, section: str) -> tuple[Item, ...]:
        """The items of a part of the ruling, in the order of the proof."""
        return self.sections.items(section)

    @cached_property
    def chosen_first(self) -> tuple[Item, ...]:
        """What the side that did not revoke chooses before anything else is done."""
        kind_of = self.edition.vocabulary.kind_of
        return tuple(one for one in self.items(DIRECTOR) if kind_of(one.fact).first.intersection(one.fact))

    @property
    def says_more(self) -> bool:
        """Whether something is to be done although there was no revoke."""
        parts = (RECTIFICATIONS, OPTIONS, DIRECTOR, *self.edition.vocabulary.sections)
        return not self.revokes and any(map(self.sections.facts, parts))

    def was_established(self, revoke: RevokeRuled) -> bool:
        """Whether it became established, though perhaps it has to be corrected all the same."""
        return any(play == revoke.play for (play,) in self.proof.read(ESTABLISHED, PLAY))

    def winner(self, trick: int) -> Seat | None:
        """Whose card won a trick, if known."""
        return next((hand for at, hand in self.proof.read(WON, TRICK, HAND) if at == trick), None)

    def role(self, hand: Seat) -> str | None:
        """Declarer, dummy or defender, if known."""
        return next((role for seat, role in self.proof.read(ROLE, HAND, "is") if seat == hand), None)

    def _field(self, fact: Fact, name: str) -> Value:
        return self.edition.vocabulary.field(fact, name)

    def _automatic(self, play: Value, facts: tuple[Fact, ...]) -> int:
        """The automatic tricks of a revoke before the cap; the fewest, where the number is not known."""
        if self.opening is None:
            return sum(int(self._field(one, "tricks") or 0) for one in facts)
        return self.opening.fewest(play)

    def _of_play(self, section: str, play: Value) -> tuple[Fact, ...]:
        return tuple(fact for fact in self.sections.facts(section) if self._field(fact, PLAY) == play)

    def _revoke(self, fact: Fact) -> RevokeRuled:
        of = {name: fact[at] for name, at in self.edition.vocabulary.kind_of(fact).index.items()}
        play, hand = of["play"], of["hand"]
        status, automatic = self._of_play(STATUS, play), self._of_play(AUTOMATIC, play)
        suit = self._of_play(SUIT, play)
        role = self.role(hand)  # type: ignore[arg-type]
        laws = self.citations
        return RevokeRuled(
            play=play,  # type: ignore[arg-type]
            hand=hand,  # type: ignore[arg-type]
            player=self.incident.declarer if role == "dummy" and self.incident.declarer else hand,  # type: ignore[arg-type]
            side=of["side"],  # type: ignore[arg-type]
            role=role,
            trick=of["trick"],  # type: ignore[arg-type]
            suit=str(self._field(suit[0], "suit")) if suit else None,
            card=of["card"],  # type: ignore[arg-type]
            status=str(self._field(status[0], "is")) if status else NONE_YET if self.opening is None else OPEN,
            status_by=laws.sort(law for one in status for law in laws.laws(one)),
            won_by=self.winner(of["trick"]),  # type: ignore[arg-type]
            automatic_tricks=self._automatic(play, automatic),
            automatic_by=laws.sort(law for one in automatic for law in laws.laws(one)),
            exempt_by=laws.sort(law for one in self._of_play(EXEMPT, play) for law in laws.laws(one)),
        )
