"""Whether what is claimed of a law holds in every situation, and where it does not; told on a page and as JSON."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Literal, TypeAlias

from facts.table import REVOKE
from facts.to_yaml import as_yaml, without_law
from kb.engine.sets import Bits, Held, Run
from kb.explain.as_text import now, revoke_line
from kb.explain.headline import headline
from kb.explain.page import Line, Page, Part
from kb.explain.words import Speaker
from kb.language.edition import load_edition
from kb.language.model import Edition
from kb.language.rule import Condition
from kb.prove.properties import (
    APPLIES,
    EXCEPTED,
    REFUTED,
    WHOLE_BURDEN,
    WHOLE_RULING,
    Demand,
    Expected,
    Property,
    load_properties,
)
from kb.ruling.laws import Law
from kb.ruling.make_ruling import ruled_once
from kb.space.bits import union
from kb.space.interview import Needs
from kb.space.measures import PARTIES, Burden, beside, burden_of, heavier, read_burden
from kb.space.outcomes import EditionRun, OutcomeEntry, different
from kb.space.read_interview import load_interview
from kb.space.universe import Pairs, Universe, observed, pairs, shifted

Standing: TypeAlias = Literal["holds", "expected", "refuted", "needless", "empty"]
"""``expected``: it fails only where its exceptions say so; ``needless``: an exception of which there is no example;
``empty``: there is nothing of which it could be true or false."""


@dataclass(frozen=True)
class Witness:
    universe: Universe
    situations: tuple[int, ...]
    """Of the universe: one, or both of a pair."""


@dataclass(frozen=True)
class Excepted:
    expected: Expected
    times: int
    witness: Witness | None
    """None: nowhere."""


@dataclass(frozen=True)
class Verdict:
    claim: Property
    tried: int
    """So many situations, or pairs of them, it speaks of."""
    refuted: int
    """In so many of them it does not hold, and ought to."""
    witness: Witness | None
    excepted: tuple[Excepted, ...] = ()

    @property
    def standing(self) -> Standing:
        if self.refuted:
            return "refuted"
        if not self.tried:
            return "empty"
        if not all(exception.times for exception in self.excepted):
            return "needless"
        return "expected" if self.excepted else "holds"

    @property
    def fails(self) -> bool:
        """Whether something has to be mended: the law, or what is claimed of it."""
        return self.standing in ("refuted", "needless", "empty")


def judged(claim: Property, universe: Universe, tried: Pairs, refuted: Pairs, excepted: Mapping[int, Bits]) -> Verdict:
    """The verdict on a claim about pairs of situations, by how far apart they are; 0 apart: about each situation.

    ``excepted``: number of an exception -> where it holds."""
    remaining, seen = {distance: bits for distance, bits in refuted.items() if bits}, list[Excepted]()
    for expected in claim.expected:
        where = excepted.get(expected.number, 0)
        taken = {d: bits & (where | shifted(where, d)) for d, bits in remaining.items()}
        remaining = {d: bits & ~taken[d] for d, bits in remaining.items()}
        seen.append(Excepted(expected, _size(taken), _witness(universe, taken)))
    return Verdict(claim, _size(tried), _size(remaining), _witness(universe, remaining), tuple(seen))


def _size(where: Pairs) -> int:
    return sum(bits.bit_count() for bits in where.values())


def _witness(universe: Universe, where: Pairs) -> Witness | None:
    """The situation, or the first of a pair, that is least unusual; and then the second."""
    filled = {distance: bits for distance, bits in where.items() if bits}
    if not filled:
        return None
    number = universe.plainest(union(filled.values()))
    if filled.keys() == {0}:
        return Witness(universe, (number,))
    others = union(1 << number + distance for distance, bits in filled.items() if bits >> number & 1)
    return Witness(universe, (number, universe.plainest(others)))


Weight: TypeAlias = tuple[Burden, Mapping[OutcomeEntry, Bits]]
"""What is compared of rulings, in every situation: what they weigh; and everything that they say, or nothing."""


def weight_of(run: EditionRun, burden: Burden, compared: Collection[str], parties: Collection[str]) -> Weight:
    """As much of an edition's rulings as is compared."""
    parts = burden.parts if WHOLE_BURDEN in compared else compared
    levels = {key: level for key, level in burden.levels.items() if key[0] in parties and key[1] in parts}
    return replace(burden, levels=levels), {**run.ruling, **run.judgement} if WHOLE_RULING in compared else {}


def otherwise(demand: Demand | None, a: Weight, b: Weight) -> Bits:
    """Where the second ruling is not as demanded beside the first."""
    more = heavier(a[0], b[0]) if demand != "never-less" else 0
    less = heavier(b[0], a[0]) if demand != "never-more" else 0
    return more | less | different(a[1], b[1])


class Proving:
    def __init__(self, root: Path, edition: Edition, of: str = REVOKE) -> None:
        """RulesError when what is claimed cannot be read. ``of``: the matter whose situations they are."""
        self.root, self.edition, self.of = root, edition, of
        self.universe = Universe(load_interview(root, edition, of=of))
        self.claimed = load_properties(root, edition, self.universe.interview)

    @cached_property
    def run(self) -> EditionRun:
        return EditionRun(self.edition, observed(self.universe))

    @cached_property
    def beside(self) -> Run:
        """The same with what is claimed of it."""
        return beside(self.claimed.measures, self.run, self.claimed.rules)

    @cached_property
    def burden(self) -> Burden:
        return read_burden(self.claimed.measures, self.beside)

    def verdicts(self, names: Collection[str] = ()) -> Iterator[Verdict]:
        wanted = (claim for claim in self.claimed.properties.values() if not names or claim.id in names)
        return map(self.verdict, wanted)

    def verdict(self, claim: Property) -> Verdict:
        if claim.pairing is not None:
            return self._of_pairs(claim)
        if claim.against is not None:
            return self._between(claim, claim.against)
        among = answering(self.universe, claim.among)
        applies = among & self._concluded(APPLIES, claim.id) if claim.applies else among
        refuted = among & self._concluded(REFUTED, claim.id)
        wanted = {item.kind for rule in claim.rules for item in rule.when if isinstance(item, Condition)}
        speaks = refuted or all(self.beside.facts.get(kind) for kind in wanted)
        tried = applies if speaks else 0
        return judged(claim, self.universe, {0: tried}, {0: refuted & tried}, self._excepted(claim))

    def _of_pairs(self, claim: Property) -> Verdict:
        among, by_distance = answering(self.universe, claim.among), dict[int, Bits]()
        for question, steps in claim.pairing or ():
            for distance, where in pairs(self.universe, question, steps).items():
                if both := where & among & shifted(among, distance):
                    by_distance[distance] = by_distance.get(distance, 0) | both
        weight, refuted = weight_of(self.run, self.burden, claim.parts, PARTIES[:1]), dict[int, Bits]()
        for d, where in by_distance.items():  # those so far on stand in the place of those from which they are
            burden = weight[0].in_each(partial(shifted, distance=d))
            second = burden, {entry: shifted(bits, d) for entry, bits in weight[1].items()}
            refuted[d] = otherwise(claim.demand, weight, second) & where
        return judged(claim, self.universe, by_distance, refuted, self._excepted(claim))

    def _between(self, claim: Property, against: str) -> Verdict:
        base = load_edition(self.root, against)
        universe = Universe(load_interview(self.root, self.edition, base, of=self.of))
        situations = observed(universe)
        runs = [EditionRun(edition, situations) for edition in (base, self.edition)]
        burdens = [burden_of(self.claimed.measures, run) for run in runs]
        weights = (weight_of(*each, claim.parts, PARTIES) for each in zip(runs, burdens, strict=True))
        among = answering(universe, claim.among)
        refuted = among & otherwise(claim.demand, *weights)
        facts = beside(self.claimed.measures, runs[1], self.claimed.rules)
        return judged(claim, universe, {0: among}, {0: refuted}, self._excepted(claim, universe, facts))

    def _concluded(self, kind: str, name: str) -> Bits:
        by_fact: Held = self.beside.facts.get(kind, {})
        return by_fact.get((kind, name), 0)

    def _excepted(self, claim: Property, universe: Universe | None = None, run: Run | None = None) -> dict[int, Bits]:
        """Number of an exception -> the situations in which it holds."""
        by_fact: Held = (run or self.beside).facts.get(EXCEPTED, {})
        return {
            expected.number: answering(universe or self.universe, expected.among)
            & (by_fact.get((EXCEPTED, claim.id, expected.number), 0) if expected.rules else -1)
            for expected in claim.expected
        }


def answering(universe: Universe, among: Needs) -> Bits:
    """The situations that answer so; all of them where nothing is needed."""
    if not among:
        return universe.everything
    by_id = {question.id: answers for question, answers in zip(universe.questions, universe.by_answer, strict=True)}
    bits = 0
    for need in among:
        where = universe.everything
        for question, answers in need.items():
            where &= union(by_id[question][answer] for answer in answers)
        bits |= where
    return bits


# --- told


def provings(root: Path, edition: Edition) -> list[Proving]:
    """Of each matter that the edition has rules on, in turn; RulesError as above."""
    return [Proving(root, edition, of) for of in edition.matters]


def proof_page(proofs: Sequence[Proving], verdicts: Sequence[Verdict], speaker: Speaker) -> Page:
    """Every verdict – the sentence, how it stands, what makes it so –, then how many of each there are."""
    edition, root = proofs[0].edition, proofs[0].root
    phrase, lang, parts = speaker.phrase, speaker.lang, list[Part]()
    for verdict in verdicts:
        tried = phrase("prove-situations" if verdict.claim.pairing is None else "prove-pairs", n=_number(verdict.tried))
        stands = phrase(f"prove-{verdict.standing}", times=_number(verdict.refuted), tried=tried)
        lines = [Line(stands.upper() if verdict.fails else stands)]
        if verdict.fails:
            lines.append(Line(phrase("prove-because", because=verdict.claim.because[lang])))
        compared = [edition]
        if verdict.claim.against is not None:
            compared.insert(0, load_edition(root, verdict.claim.against))
        lines += _examples(verdict.witness, speaker, compared)
        for each in verdict.excepted:
            key, because = "prove-except" if each.times else "prove-needless-exception", each.expected.because
            says = phrase(key, times=_number(each.times), because=because[lang])
            lines.append(Line(says, (), tuple(_examples(each.witness, speaker))))
        parts.append(Part(f"{verdict.claim.id}: {verdict.claim.says[lang]}", tuple(lines)))
    counts = {name: sum(verdict.standing == name for verdict in verdicts) for name in ("holds", "expected")}
    situations = _number(sum(len(one.universe) for one in proofs))
    return Page(
        phrase("prove-title", edition=edition.called(lang), situations=situations),
        (),
        tuple(parts),
        phrase("prove-count", all=len(verdicts), failed=sum(verdict.fails for verdict in verdicts), **counts),
    )


def _examples(witness: Witness | None, speaker: Speaker, compared: Sequence[Edition] = ()) -> Iterator[Line]:
    """An example: the answers that are not the ordinary ones, or what differs in both of a pair; where editions are
    given, with the incident and how they rule on it."""
    if witness is None:
        return
    for number, situation in enumerate(witness.situations):
        words = witness.universe.unusual(situation, speaker.lang, speaker.phrase("prove-ordinary"))
        incident, under = witness.universe.incident(situation), list[str]()
        for edition in compared:
            under = under or as_yaml(incident).splitlines()
            ruling = ruled_once(Law(edition, engine="quick"), incident)
            of_it = speaker.of(ruling)
            sentences = [headline(ruling, of_it), *(f"{revoke_line(of_it, revoke)}." for revoke in ruling.revokes)]
            under.append(f"→ {edition.id}: {' '.join([*sentences, *(line.text for line in now(ruling, of_it))])}")
        key = "prove-beside" if number else "prove-for-instance"
        yield Line(speaker.phrase(key, example=words), (), tuple(map(Line, under)))


def _number(number: int) -> str:
    return f"{number:,}".replace(",", "\u202f")


def proof_json(proofs: Sequence[Proving], verdicts: Sequence[Verdict], lang: str) -> dict[str, Any]:
    """The object: every property with how it stands, its exceptions and examples."""
    return {
        "edition": proofs[0].edition.id,
        "elections": list(proofs[0].edition.elections),
        "situations": sum(len(proving.universe) for proving in proofs),
        "holds": not any(verdict.fails for verdict in verdicts),
        "properties": [
            {
                "name": verdict.claim.id,
                "says": verdict.claim.says[lang],
                "because": verdict.claim.because[lang],
                "law": list(verdict.claim.laws),
                "claims": verdict.claim.sort,
                "place": str(verdict.claim.place),
                "standing": verdict.standing,
                "tried": verdict.tried,
                "refuted": verdict.refuted,
                "example": _example(verdict.witness),
                "expected": [
                    {
                        "because": each.expected.because[lang],
                        "times": each.times,
                        "example": _example(each.witness),
                    }
                    for each in verdict.excepted
                ],
            }
            for verdict in verdicts
        ],
    }


def _example(witness: Witness | None) -> dict[str, Any] | None:
    if witness is None:
        return None
    universe, situations = witness.universe, witness.situations
    incidents = [without_law(universe.incident(number)) for number in situations]
    return {"answers": [universe.answers(number) for number in situations], "incidents": incidents}
