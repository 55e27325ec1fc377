"""The ruling on one incident: one value, whose parts everything that tells it walks."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from facts.cards import Seat, Side
from facts.fact import Fact, Value, order_key
from facts.incident import Finding, Incident
from facts.observe import denied_marks, doubts, of_a_record
from facts.play import OF_A_CARD, Irregularity, irregularities
from facts.table import REVOKE
from kb.engine.proof import Proof, Step, counted, rests_on
from kb.engine.sets import Bits, Facts, Run, within
from kb.language.cache import digest
from kb.language.model import Edition
from kb.language.relied_on import (
    AT,
    AUTOMATIC,
    CORRECTED,
    DIRECTOR,
    ESTABLISHED,
    EVIDENCE,
    EXEMPT,
    HAND,
    MUST_CORRECT,
    NONE_YET,
    OPEN,
    OPTIONS,
    PLAY,
    RECTIFICATIONS,
    RESULT,
    REVOKES,
    ROLE,
    RULED_OUT,
    SEATED,
    STATUS,
    SUIT,
    TABLE_TRICKS,
    TRICK,
    WEIGHTED,
    WEIGHTED_FOR,
    WON,
)
from kb.language.vocabulary import Kind
from kb.ruling.certainty import Certainty, Presumed, Ways
from kb.ruling.laws import Law, OfItsDay, of_its_day
from kb.ruling.reasons import Citations, Lacking, lacking
from kb.ruling.result import Made, Result, offers, result
from kb.ruling.stand_ins import Unsaid
from kb.space.bits import first
from kb.space.choices import NOTICED
from kb.space.completions import completions
from kb.space.layout import Situations, ValueGroup
from kb.space.outcomes import EditionRun, shown_values

if TYPE_CHECKING:
    from facts.equity import Evidence, NotComputed  # most rulings need none of it

LISTED: Final = ("adjusted", "rectifications", "points", "options")
"""Parts of the ruling that say what is done now, in this order."""
SETTLING: Final = ("revokes", "status", "exempt", "automatic")
"""Parts of the ruling that say of one revoke what becomes of it."""
DECISIVE: Final = ("adjusted", "transfer", "exempt", "status")
"""The headline rests on the first of these parts that has any facts."""
GROUNDS: Final = ("automatic", "exempt", "status")
"""What is told of why it is so, in few words, is the first of these parts that has any facts."""
SUPPOSED: Final[Mapping[str, Mapping[str, str]]] = {
    "now": {NOTICED: "before-next-trick"},
    "played-on": {"next-trick": "played", NOTICED: "during-play"},
}
"""What may come of a revoke that nobody has noticed yet, where the record stops with its trick."""
COUNTED: Final = 20_000
"""The moment of what is counted when the play is over."""
NOT_FOUND_OUT: Final = frozenset({SEATED, EVIDENCE})
"""Kinds of fact that nobody finds out: who sits where, and what was computed from the cards."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a part of the ruling, with what concluded it."""

    fact: Fact
    law: tuple[str, ...]
    values: Mapping[str, Any]
    """What it shows, unknown values left out; ``if.withdraws`` is a mapping within."""
    reason: Step | None
    """The step that concluded it; None where it stands as given."""
    ways: tuple[Step, ...]
    """A step for each clause that concluded it, in the book's order, where several did in words of their own."""
    offers: tuple[Made, ...]
    """The results that it lets the director consider."""


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
    """Before the cap; the fewest, where the number is not known."""
    automatic_by: tuple[str, ...]
    exempt_by: tuple[str, ...]


@dataclass(frozen=True, repr=False)
class Ruling:
    """What follows from an incident under an edition of the law. Each part is worked out when it is first asked for."""

    incident: Incident
    certainty: Certainty
    """What may be so, where something is not stated."""
    proved: Proof | None = None
    """With what was found by double dummy; None where nobody asked it."""
    evidence: Mapping[int, Evidence | NotComputed] = field(default_factory=dict)
    """Double dummy's answer for each revoke that it was asked about, by the moment that names the play."""

    def __repr__(self) -> str:
        """The edition, the tricks that go over or else how the revokes stand, and the clauses cited."""
        summary = [
            f"{least if least == most else f'{least} to {most}'} trick{'s' if most > 1 else ''} to {side}"
            for side, (least, most) in self.certainty.range.items()
            if most
        ]
        summary = summary or [revoke.status for revoke in self.revokes] or ["no revoke"]
        return f"<Ruling {self.edition.named}: {' and '.join(summary)}; {' '.join(self.cited) or 'no law'}>"

    # what it goes by and rests on

    @cached_property
    def proof(self) -> Proof:
        return self.proved or self.certainty.proof

    @property
    def edition(self) -> Edition:
        return self.certainty.law.edition

    def law_called(self, lang: str) -> str:
        """The law it goes by in a heading: edition and elections, jurisdiction, day, as far as they are stated."""
        when = "" if self.incident.date is None else self.incident.date.isoformat()
        return " · ".join(filter(None, (self.edition.called(lang), self.incident.jurisdiction, when)))

    @cached_property
    def of_its_day(self) -> OfItsDay:
        """How that law stands to the day and jurisdiction of the incident."""
        return of_its_day(self.incident, self.edition)

    @cached_property
    def unsaid(self) -> Unsaid:
        """What nobody has said, and something stands for."""
        return Unsaid.of(self.certainty.completions)

    @cached_property
    def example(self) -> frozenset[Fact]:
        """The facts of one situation that may be so: all of them where everything is known."""
        return frozenset(self.certainty.facts_of(first(self.certainty.among)))

    @property
    def situations(self) -> Situations:
        """Those that may be, with the evidence of the ruling."""
        among, situations = self.certainty.among, self.certainty.run.situations
        evidence = Facts((fact, among) for fact in self.proof.ground if fact[0] == EVIDENCE)
        return Situations(among, {**within(situations.facts, among, situations.everything), EVIDENCE: evidence})

    @cached_property
    def whole(self) -> Proof:
        """A proof of all that follows in one situation that may be; its own holds of several only what is certain."""
        return self.proof if self.certainty.known else self.certainty.law.engine.run(self.example)

    @cached_property
    def rests_on(self) -> frozenset[Fact]:
        """The facts that the ruling rests on; those that may be so and are not certain begin with ``maybe``."""
        run, among, vocabulary = self.certainty.run, self.certainty.among, self.edition.vocabulary
        base = {f: bits & among for facts in run.situations.facts.values() for f, bits in facts.items() if bits & among}
        read = {fact: bits for fact, bits in base.items() if fact[0] in self.certainty.law.shown}
        certain = self.unsaid.facts((fact for fact, bits in read.items() if bits == among), vocabulary)
        maybe = self.unsaid.facts((fact for fact, bits in read.items() if bits != among), vocabulary)
        evidence = (fact for fact in self.proof.ground if fact[0] == EVIDENCE)
        return frozenset([*certain, *evidence, *(("maybe", *fact) for fact in maybe)])

    @cached_property
    def receipt(self) -> str:
        """A short id: the same law on the same facts always gives the same one."""
        return digest([self.edition.digest, *map(repr, sorted(self.rests_on, key=order_key))])

    @cached_property
    def irregular(self) -> tuple[Irregularity, ...]:
        """What is wrong with the record itself, once replaced cards are in place; gaps in it are not."""
        incident, final, at_hand = self.incident, self.incident.timeline.final, self.incident.timeline.at_hand
        if final is None or at_hand is None:
            return ()
        lie = {irregularity for irregularity in irregularities(at_hand, incident.deal) if irregularity.card}
        seen = irregularities(final, incident.deal, incident.contract, incident.declarer)
        irregular = (irregularity for irregularity in seen if irregularity in lie or irregularity.kind not in OF_A_CARD)
        return tuple(dict.fromkeys((*doubts(incident), *denied_marks(incident), *irregular)))

    # what is not known

    @property
    def is_open(self) -> bool:
        """Whether what matters most is not certain."""
        return self.certainty.is_open

    @property
    def presumed(self) -> tuple[Presumed, ...]:
        """What the ruling takes for granted."""
        return self.certainty.presumed

    def after(self, among: Bits) -> Ruling:
        """The ruling where only some of the situations are left."""
        return Ruling(self.incident, self.certainty.narrowed(among), evidence=self.evidence)

    @cached_property
    def answers(self) -> tuple[tuple[ValueGroup, Ruling], ...]:
        """The answers to the question on which it hinges, each with what follows; none where it is certain."""
        asking = self.certainty.asking
        return () if asking is None else tuple((values, self.after(bits)) for values, bits in asking.answers)

    @cached_property
    def supposed(self) -> Mapping[str, Ruling]:
        """What follows of a revoke nobody has noticed, from attention now and once play has gone on; maybe nothing."""
        incident, law, ways = self.incident, self.certainty.law, self.certainty.completions
        revokes = ((n, one) for n, one in enumerate(ways.incident.revokes) if one.of == REVOKE)
        unnoticed = {(one.trick, one.hand) for n, one in revokes if ways.choices[n, NOTICED].how == "presumed"}
        waits = [(revoke.trick, revoke.hand) for revoke in self.revokes if revoke.status == NONE_YET]
        stops = incident.play is not None and {trick for trick, _ in waits} == {len(incident.play.tricks)}
        found = any(one.of == REVOKE for one in incident.revokes)
        if found or incident.over or incident.rest is not None or not stops or not unnoticed >= {*waits}:
            return {}
        return {
            how: opened(
                law,
                incident,
                of_a_record(incident, [Finding(hand, trick, said=said, shown=True) for trick, hand in waits]),
            )
            for how, said in SUPPOSED.items()
        }

    # its parts

    @cached_property
    def citations(self) -> Citations:
        """The clauses behind each fact of the proof."""
        return Citations(self.edition, self.proof, self.certainty.either)

    @cached_property
    def cited(self) -> tuple[str, ...]:
        """Every clause the ruling rests on, in the book's order."""
        return self.citations.cited()

    @cached_property
    def parts(self) -> Mapping[str, list[Kind]]:
        """Part of the ruling -> the kinds of its conclusions, where the law concludes any."""
        by_part: dict[str, list[Kind]] = {}
        for kind in self.edition.vocabulary.kinds.values():
            if kind.section is not None and (kind.name in self.proof.program.concluded or self.proof.facts(kind.name)):
                by_part.setdefault(kind.section, []).append(kind)
        return by_part

    def facts(self, part: str) -> tuple[Fact, ...]:
        """The conclusions of a part, kinds in the order of the vocabulary."""
        return tuple(fact for kind in self.parts.get(part, ()) for fact in self.proof.facts(kind.name))

    def entries(self, part: str) -> tuple[Entry, ...]:
        """The entries of a part; conclusions that show the same are one entry, with the laws of all."""
        merged: dict[str, Entry] = {}
        for kind in self.parts.get(part, ()):
            for fact in self.proof.facts(kind.name):
                values, law = _known(kind, fact), self.citations.laws(fact)
                same = merged.get(repr(values))
                if same is not None:
                    merged[repr(values)] = replace(same, law=self.citations.sort((*same.law, *law)))
                    continue
                ways = self.citations.ways(fact)
                if len(ways) < 2 or not all(self.citations.is_law(step.rule.clause) for step in ways):
                    ways = []
                offered = tuple(offers(self.incident, values))
                merged[repr(values)] = Entry(fact, law, values, self.proof.first_step(fact), tuple(ways), offered)
        return tuple(merged.values())

    @cached_property
    def director(self) -> tuple[Entry, ...]:
        """What is left to the director, but for what is chosen before all else."""
        first = {entry.fact for entry in self.chosen_first}
        return tuple(entry for entry in self.entries(DIRECTOR) if entry.fact not in first)

    @cached_property
    def chosen_first(self) -> tuple[Entry, ...]:
        """What the side that did not revoke chooses before anything else is done."""
        kind_of = self.edition.vocabulary.kind_of
        return tuple(entry for entry in self.entries(DIRECTOR) if kind_of(entry.fact).first.intersection(entry.fact))

    @cached_property
    def own(self) -> Mapping[str, tuple[Entry, ...]]:
        """Part of the ruling that the vocabulary adds -> its entries; those that have any."""
        parts = {part: self.entries(part) for part in self.edition.vocabulary.sections}
        return {part: entries for part, entries in parts.items() if entries}

    @cached_property
    def in_order(self) -> tuple[Entry, ...]:
        """What is done now; what a vocabulary has parts of its own for comes last."""
        return tuple(entry for part in (*LISTED, *self.edition.vocabulary.sections) for entry in self.entries(part))

    @cached_property
    def now(self) -> tuple[Entry, ...]:
        """The same, and before it a choice that comes before all else."""
        return (*self.chosen_first, *self.in_order)

    @property
    def says_more(self) -> bool:
        """Whether something is to be done although there was no revoke."""
        parts = (RECTIFICATIONS, OPTIONS, DIRECTOR, *self.edition.vocabulary.sections)
        return not self.revokes and any(map(self.facts, parts))

    @property
    def transfer(self) -> Mapping[Side, int]:
        """Automatic tricks certainly gained by each side, after the cap; the fewest, where the number is not known."""
        return {side: least for side, (least, _) in self.certainty.range.items()}

    @cached_property
    def result(self) -> Result | None:
        """The result; None where the declarer is not known, or nothing of the tricks."""
        made = result(self.incident, self.edition, self.proof.facts(TABLE_TRICKS), self.facts(RESULT))
        alone = next(iter(self.proof.read(WEIGHTED_FOR, "side")), (None,))[0]
        if made is not None and alone is not None:
            return replace(made, weighted_for=alone)
        return made if made is None or self.proof.facts(WEIGHTED) else replace(made, weighted=())

    @cached_property
    def scored(self) -> Result | None:
        """The result, where nothing is open."""
        return None if self.is_open else self.result

    # its revokes

    @cached_property
    def revokes(self) -> tuple[RevokeRuled, ...]:
        """Each revoke, in the order of play."""
        facts = (*self.facts(REVOKES), *self.certainty.doubtful)
        return tuple(map(self._revoke, sorted(facts, key=self._play)))  # type: ignore[arg-type]

    def _revoke(self, fact: Fact) -> RevokeRuled:
        fields: dict[str, Any] = {name: fact[position] for name, position in self._index(fact).items()}
        play, hand, role, laws = fields[PLAY], fields[HAND], self.role(fields[HAND]), self.citations
        suit, status, automatic, exempt = (
            [fact for fact in self.facts(key) if self._play(fact) == play] for key in (SUIT, STATUS, AUTOMATIC, EXEMPT)
        )
        return RevokeRuled(
            play=play,
            hand=hand,
            player=self.incident.declarer if role == "dummy" and self.incident.declarer else hand,
            side=fields["side"],
            role=role,
            trick=fields[TRICK],
            suit=str(suit[0][self._index(suit[0])["suit"]]) if suit else None,
            card=fields["card"],
            status=str(status[0][self._index(status[0])["is"]]) if status else OPEN,
            status_by=laws.sort(law for fact in status for law in laws.laws(fact)),
            won_by=self.winner(fields[TRICK]),
            automatic_tricks=self.certainty.fewest(play),
            automatic_by=laws.sort(law for fact in automatic for law in laws.laws(fact)),
            exempt_by=laws.sort(law for fact in exempt for law in laws.laws(fact)),
        )

    def reasons_for(self, revoke: RevokeRuled) -> tuple[Step, ...]:
        """The law's steps that lead to what becomes of a revoke; those that belong to another are told there."""
        others = {other_revoke.play for other_revoke in self.revokes} - {revoke.play}
        return tuple(
            step for step in self.citations.reasons(self._settling(revoke)) if self._play(step.fact) not in others
        )

    def either(self, revoke: RevokeRuled) -> tuple[Ways, ...]:
        """The ways to what becomes of a revoke, where it is certain and not known in which of them it came about."""
        return tuple(self.citations.either[fact] for fact in self._settling(revoke) if fact in self.citations.either)

    def was_established(self, revoke: RevokeRuled) -> bool:
        """Whether it became established, though perhaps it has to be corrected all the same."""
        return any(play == revoke.play for (play,) in self.proof.read(ESTABLISHED, PLAY))

    def winner(self, trick: int) -> Seat | None:
        """Whose card won a trick, if known."""
        return next((hand for trick_won, hand in self.proof.read(WON, TRICK, HAND) if trick_won == trick), None)

    def role(self, hand: Seat) -> str | None:
        """Declarer, dummy or defender, if known."""
        return next((role for seat, role in self.proof.read(ROLE, HAND, "is") if seat == hand), None)

    # why it is so

    @cached_property
    def reasons(self) -> tuple[Step, ...]:
        """The law's steps behind the whole ruling, one for each fact on the way."""
        return self.citations.reasons(self.citations.conclusions())

    @cached_property
    def decisive(self) -> tuple[str, ...]:
        """The laws that the headline rests on."""
        return self.citations.sort(law for fact in self._first_of(DECISIVE) for law in self.citations.laws(fact))

    @cached_property
    def grounds(self) -> tuple[tuple[Step, tuple[str, ...]], ...]:
        """Why tricks go or do not go, or else how the revoke stands: the steps that conclude it, with their laws."""
        return tuple(self.citations.grounds(self._first_of(GROUNDS)))

    def lacking(self, step: Step) -> tuple[Lacking, ...]:
        """What had to be missing for a step."""
        return lacking(self.proof, step)

    def without_unsaid(self, step: Step) -> Step:
        """A step without what nobody has said."""
        return Step(self._said(step.fact), step.rule, tuple(map(self._said, step.premises)))

    @property
    def known(self) -> Mapping[str, Collection[Fact]]:
        """Every fact, given or concluded, by kind and in the order of the proof."""
        return self.proof.by_kind

    @cached_property
    def perhaps(self) -> Mapping[Fact, tuple[str, ...]]:
        """The conclusions that are not certain though what matters most is, each with its laws."""
        return {conclusion.fact: conclusion.laws for conclusion in self.certainty.perhaps}

    @cached_property
    def findings(self) -> tuple[Fact, ...]:
        """The observed facts that the ruling rests on, in the order of play and then of the proof."""
        stated, ground = self.edition.stated, self.proof.ground
        premises = {fact for step in self.citations.support() for fact in rests_on(step.premises)} & ground
        shown = (fact for fact in premises if fact[0] not in NOT_FOUND_OUT and fact[0] in stated)
        return self._in_time({*shown} - self.certainty.taken)

    @cached_property
    def happened(self) -> tuple[Fact, ...]:
        """The findings, and in their order what is taken for granted of the very cards that revoked."""
        plays, taken = {revoke.play for revoke in self.revokes}, self.certainty.taken & self.proof.ground
        return self._in_time(
            {*self.findings, *(fact for fact in taken if fact[self._index(fact).get(PLAY, 0)] in plays)}
        )

    def _in_time(self, facts: Iterable[Fact]) -> tuple[Fact, ...]:
        return tuple(sorted(facts, key=lambda fact: (_moment(self._index(fact), fact), self.proof.rank(fact))))

    def _first_of(self, parts: tuple[str, ...]) -> tuple[Fact, ...]:
        """The facts of the first of these parts that has any; a revoke that is put right is exempt from nothing."""
        right = {revoke.play for revoke in self.revokes if revoke.status in (MUST_CORRECT, CORRECTED)}
        for part in parts:
            if facts := tuple(fact for fact in self.facts(part) if part != EXEMPT or self._play(fact) not in right):
                return facts
        return ()

    def _settling(self, revoke: RevokeRuled) -> list[Fact]:
        """The conclusions about one revoke."""
        return [fact for part in SETTLING for fact in self.facts(part) if self._play(fact) == revoke.play]

    def _said(self, premise: Fact) -> Fact:
        """A fact, or the facts that were counted, without what nobody has said."""
        facts = counted(premise)
        cleaned = tuple(self.unsaid.facts([premise] if facts is None else facts, self.edition.vocabulary))
        return cleaned[0] if facts is None else (*premise[:2], *cleaned)  # type: ignore[arg-type]

    def _index(self, fact: Fact) -> Mapping[str, int]:
        return self.edition.vocabulary.kind_of(fact).index

    def _play(self, fact: Fact) -> Value:
        """The play that a fact is about, if it is about one."""
        position = self._index(fact).get(PLAY)
        return None if position is None else fact[position]


def opened(law: Law, stated: Incident, whole: Incident, seen: Run | None = None) -> Ruling:
    """The ruling in all ways of filling in what is not said, with what its record shows (run ``seen``) as findings."""
    ways = completions(whole, law.sayable)
    run = EditionRun(law.edition, ways.situations, law.program.sets, seen)
    among = ways.possible
    for _, bits in sorted(run.run.facts.get(RULED_OUT, {}).items()):
        among = among & ~bits or among
    return Ruling(stated, Certainty(law, ways, run, among))


def _known(kind: Kind, fact: Fact) -> dict[str, Any]:
    """What an entry shows of a conclusion, without what is not known."""
    values: dict[str, Any] = {}
    for key, value in shown_values(kind, fact).items():
        outer, _, inner = key.partition(".")
        if value is not None and inner:
            values.setdefault(outer, {})[inner] = value
        elif value is not None:
            values[outer] = value
    return values


def _moment(index: Mapping[str, int], fact: Fact) -> int:
    """When it was; without a moment it comes first, or at the end of its trick; tricks counted come last."""
    if "tricks" in index:
        return COUNTED
    for name, scale, end in ((AT, 1, 0), (PLAY, 1, 0), (TRICK, 1000, 700)):
        if name in index:
            return scale * int(fact[index[name]] or 0) + end
    return 0
