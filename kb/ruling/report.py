"""A ruling laid out to be told: what each part of it rests on and what it hinges on, without words or language."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

from facts.fact import Fact
from kb.engine.plain import Facts, by_kind
from kb.engine.proof import Step, counted
from kb.language.known import CORRECTED, ESTABLISHED, EXEMPT, MUST_CORRECT, PLAY
from kb.language.vocabulary import Kind
from kb.ruling.certain import Reason, Ways
from kb.ruling.findings import findings, happened
from kb.ruling.offers import Offer, offers
from kb.ruling.reasons import Branch, Firing, grounds, reason_of, reasons, support, trees
from kb.ruling.receipt import receipt
from kb.ruling.result import Result
from kb.ruling.rule import supposed
from kb.ruling.ruling import Item, RevokeRuled, Ruling
from kb.space.questions import Group

LISTED: Final = ("adjusted", "rectifications", "points", "options")
"""Parts of the ruling that say what is done now, in this order."""
SETTLING: Final = ("revokes", "status", "exempt", "automatic")
"""Parts of the ruling that say of one revoke what becomes of it."""
DECISIVE: Final = ("adjusted", "transfer", "exempt", "status")
"""The headline rests on the first of these parts that has any facts."""
GROUNDS: Final = ("automatic", "exempt", "status")
"""What is told of why it is so, in few words, is the first of these parts that has any facts."""
LAST: Final = 1000
"""After every round of a stratum."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a part of the ruling, with what concluded it."""

    fact: Fact
    law: tuple[str, ...]
    values: Mapping[str, Any]
    """As of ``Item``."""
    reason: Reason | None
    """The step that concluded it; None where it stands as given."""
    ways: tuple[Reason, ...]
    """A step for each clause that concluded it, in the book's order, where several did in words of their own."""
    offers: tuple[Offer, ...]
    """The results that it lets the director consider."""


@dataclass(frozen=True, slots=True)
class RevokeReport:
    """One revoke, and why it is ruled on so."""

    revoke: RevokeRuled
    reasons: tuple[Reason, ...]
    """The law's steps that lead to what becomes of it; not those that belong to another revoke."""
    either: tuple[Ways, ...]
    """The ways to each conclusion that is certain though it is not known in which of them it came about."""


@dataclass(frozen=True)
class Report:
    """A ruling laid out to be told. Each part is worked out when it is first asked for, once."""

    ruling: Ruling
    """What needs no laying out is told from here: incident, edition, result, presumptions, irregularities."""

    @cached_property
    def revokes(self) -> tuple[RevokeReport, ...]:
        """Each revoke, in the order of play."""
        return tuple(self._revoke(one) for one in self.ruling.revokes)

    @cached_property
    def facts(self) -> Facts:
        """Every fact, given or concluded, by kind and in the order of the proof."""
        proof = self.ruling.proof
        return by_kind(sorted([*proof.ground, *(step.fact for step in proof.steps)], key=proof.rank))

    @cached_property
    def perhaps(self) -> Mapping[Fact, tuple[str, ...]]:
        """The conclusions that are not certain though what matters most is, each with its laws."""
        opening = self.ruling.opening
        return {} if opening is None else {one.fact: one.laws for one in opening.perhaps}

    @cached_property
    def possible(self) -> Facts:
        """Every fact, and beside them the conclusions that are not certain."""
        return by_kind([*(fact for held in self.facts.values() for fact in held), *self.perhaps])

    @cached_property
    def now(self) -> tuple[Entry, ...]:
        """What is done now, a choice that comes before all else first."""
        chosen = (self._entry(item) for item in self.ruling.chosen_first)
        return (*chosen, *self.in_order)

    @cached_property
    def in_order(self) -> tuple[Entry, ...]:
        """What is done now; what a vocabulary has parts of its own for comes last."""
        own = self.ruling.edition.vocabulary.sections
        return tuple(entry for section in (*LISTED, *own) for entry in self.entries(section))

    @cached_property
    def own(self) -> Mapping[str, tuple[Entry, ...]]:
        """Part of the ruling that the vocabulary adds -> its entries; those that have any."""
        parts = {section: self.entries(section) for section in self.ruling.edition.vocabulary.sections}
        return {section: entries for section, entries in parts.items() if entries}

    def entries(self, section: str) -> tuple[Entry, ...]:
        """The entries of a part of the ruling, in the order of the proof, but for what is chosen first."""
        first = {item.fact for item in self.ruling.chosen_first}
        return tuple(one for one in self.every_entry(section) if one.fact not in first)

    def every_entry(self, section: str) -> tuple[Entry, ...]:
        """The entries of a part of the ruling, in the order of the proof, with what is chosen first."""
        return tuple(self._entry(item) for item in self.ruling.items(section))

    @cached_property
    def capped(self) -> int | None:
        """The automatic tricks that are transferred, where fewer are than the revokes cost one by one."""
        moved = sum(self.ruling.transfer.values())
        return moved if moved < sum(one.automatic_tricks for one in self.ruling.revokes) else None

    @cached_property
    def is_open(self) -> bool:
        """Whether what matters most is not certain."""
        return self.ruling.opening is not None and self.ruling.opening.is_open

    @cached_property
    def scored(self) -> Result | None:
        """The result, once it is settled: nothing is open, and no card has still to be put right."""
        waits = any(one.status not in (ESTABLISHED, CORRECTED) for one in self.ruling.revokes)
        return None if self.is_open or waits else self.ruling.result

    @cached_property
    def supposed(self) -> Mapping[str, Report]:
        """What follows of a revoke nobody has noticed, from attention now and once play has gone on; maybe nothing."""
        return {how: Report(after) for how, after in supposed(self.ruling).items()}

    @cached_property
    def answers(self) -> tuple[tuple[Group, Report], ...]:
        """The answers to the question on which it hinges, each with what follows; none where it is certain."""
        asking = None if self.ruling.opening is None else self.ruling.opening.asking
        given = () if asking is None else asking.answers
        return tuple((values, Report(self.ruling.after(bits))) for values, bits in given)

    @cached_property
    def reasons(self) -> tuple[Reason, ...]:
        """The law's steps behind the whole ruling, one for each fact on the way."""
        return self._reasons(self.ruling.citations.conclusions())

    @cached_property
    def kinds(self) -> tuple[Kind, ...]:
        """The kinds that rules conclude, by when this ruling came to them, or else the rules could have."""
        places: dict[str, tuple[int, int]] = {}
        program = self.ruling.proof.program
        for rule, stratum in zip(program.rules, program.strata, strict=True):
            for then in rule.then:
                places[then.kind] = min(places.get(then.kind, (stratum, LAST)), (stratum, LAST))
        met: dict[str, list[tuple[int, int]]] = {}
        for one in self.reasons:
            met.setdefault(str(one.fact[0]), []).append(self.ruling.proof.place(one.fact))
        places |= {name: min(of) for name, of in met.items()}
        kinds = self.ruling.edition.vocabulary.kinds.values()
        return tuple(sorted((kind for kind in kinds if kind.name in places), key=lambda kind: places[kind.name]))

    @cached_property
    def decisive(self) -> tuple[str, ...]:
        """The laws that the headline rests on."""
        citations = self.ruling.citations
        return citations.sort(law for fact in self._first_of(DECISIVE) for law in citations.laws(fact))

    @cached_property
    def grounds(self) -> tuple[tuple[Reason, tuple[str, ...]], ...]:
        """Why tricks go or do not go, or else how the revoke stands: the steps that conclude it, with their laws."""
        return grounds(self.ruling.proof, self.ruling.citations, self._first_of(GROUNDS))

    @cached_property
    def support(self) -> tuple[Firing, ...]:
        """Every step behind the conclusions, in the order of the proof."""
        return support(self.ruling.proof, self.ruling.citations)

    def without_unsaid(self, one: Firing) -> Firing:
        """A step without what nobody has said, its values too; what had to be missing stays as it is."""
        step = Step(self._said(one.reason.fact), one.reason.rule, tuple(map(self._said, one.premises)))
        return replace(one, reason=reason_of(self.ruling.proof, step), premises=step.premises)

    @cached_property
    def trees(self) -> tuple[Branch, ...]:
        """A tree for each conclusion that cites, down to what was observed."""
        return trees(self.ruling.proof, self.ruling.citations)

    @cached_property
    def findings(self) -> tuple[Fact, ...]:
        """The observed facts that the ruling rests on, in the order of play and then of the proof."""
        return findings(self.ruling)

    @cached_property
    def happened(self) -> tuple[Fact, ...]:
        """The findings, and in their order what is taken for granted of the very cards that revoked."""
        return happened(self.ruling)

    @cached_property
    def receipt(self) -> str:
        """The id of the law and the facts that it rests on."""
        return receipt(self.ruling.edition, self.ruling.rests_on)

    def _entry(self, item: Item) -> Entry:
        proof, citations = self.ruling.proof, self.ruling.citations
        step = proof.first_step(item.fact)
        by_clause = {one.rule.clause: one for one in reversed(proof.steps_for(item.fact))}
        several = len(by_clause) > 1 and all(map(citations.is_law, by_clause))
        return Entry(
            item.fact,
            item.law,
            item.values,
            None if step is None else reason_of(proof, step),
            tuple(reason_of(proof, by_clause[ref]) for ref in citations.sort(by_clause)) if several else (),
            tuple(offers(self.ruling, item)),
        )

    def _revoke(self, revoke: RevokeRuled) -> RevokeReport:
        settling = tuple(self._settling(revoke))
        own = tuple(one for one in self._reasons(settling) if self._about(one.fact, revoke))
        either = self.ruling.citations.either
        return RevokeReport(revoke, own, tuple(either[fact] for fact in settling if fact in either))

    def _reasons(self, facts: tuple[Fact, ...]) -> tuple[Reason, ...]:
        return reasons(self.ruling.proof, self.ruling.citations, facts)

    def _first_of(self, sections: tuple[str, ...]) -> tuple[Fact, ...]:
        """The facts of the first of these parts that has any; a revoke that is put right is exempt from nothing."""
        right = {one.play for one in self.ruling.revokes if one.status in (MUST_CORRECT, CORRECTED)}
        for one in sections:
            facts = self.ruling.sections.facts(one)
            if told := tuple(fact for fact in facts if one != EXEMPT or fact[self._index(fact)[PLAY]] not in right):
                return told
        return ()

    def _settling(self, revoke: RevokeRuled) -> Iterator[Fact]:
        """The conclusions about one revoke."""
        for fact in (fact for section in SETTLING for fact in self.ruling.sections.facts(section)):
            if fact[self._index(fact)[PLAY]] == revoke.play:
                yield fact

    def _about(self, fact: Fact, revoke: RevokeRuled) -> bool:
        """Whether a fact is not one of another revoke, under which it is told."""
        at = self._index(fact).get(PLAY)
        return at is None or fact[at] == revoke.play or fact[at] not in {one.play for one in self.ruling.revokes}

    def _said(self, premise: Fact) -> Fact:
        """A fact, or the facts that were counted, without what nobody has said."""
        facts = counted(premise)
        told = tuple(self.ruling.unsaid.facts([premise] if facts is None else facts, self.ruling.edition.vocabulary))
        return told[0] if facts is None else (*premise[:2], *told)  # type: ignore[arg-type]

    def _index(self, fact: Fact) -> Mapping[str, int]:
        return self.ruling.edition.vocabulary.kind_of(fact).index
