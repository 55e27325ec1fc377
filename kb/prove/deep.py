"""The deep check of an edition: what contradicts itself or is never reached, and every other fault of its files."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from facts.errors import Fault, InputError
from facts.fact import Fact, Value
from kb.cases.cases import Case, read_cases
from kb.cases.mutants import known_survivors, mutants_of, rule_of
from kb.cases.run import CASES, cases_of
from kb.cases.situations import Exhibits
from kb.engine.sets import Bits, Sets
from kb.explain.words import load_words
from kb.language.edition import checked
from kb.language.folders import PROPERTIES, TABLE, VOCABULARY, editions
from kb.language.known import (
    ADJUSTED,
    AUTOMATIC,
    ESTABLISHED,
    EXEMPT,
    OPTIONS,
    PLAY,
    POINTS,
    RECTIFICATIONS,
    REMARKS,
    STATUS,
)
from kb.language.model import Edition, Rule
from kb.prove.properties import property_files
from kb.prove.prove import Deciding, Proving, Verdict, Witness, ruled_anyway
from kb.ruling.law import Law
from kb.space.bits import first, merged, parts, union
from kb.space.burden import MEASURES, load_measures
from kb.space.layout import Situations
from kb.space.outcome import EditionRun
from kb.space.read_interview import INTERVIEW, load_interview
from kb.space.universe import Universe, observed

MUST_CORRECT = "must-correct"
"""The rectification that a revoke be corrected."""

SETTLING = (POINTS, OPTIONS, ADJUSTED, REMARKS)
"""Parts of a ruling that may settle a revoke without an automatic trick or an exemption."""

ByRule: TypeAlias = dict[int, Bits]
"""Number of a rule -> where it concludes something."""


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Rules that conclude what cannot both be."""

    rules: tuple[int, ...]
    """Their numbers in the edition, each once."""
    what: str


class Sound:
    """Looks at what one edition concludes."""

    def __init__(self, edition: Edition) -> None:
        self.kinds = edition.vocabulary.kinds
        self.sections: dict[str, set[str]] = {}
        for kind in self.kinds.values():
            if kind.section is not None:
                self.sections.setdefault(kind.section, set()).add(kind.name)
        self._unique = {
            kind.name: [kind.index[name] for name in kind.one_per]
            for kind in self.kinds.values()
            if kind.one_per is not None
        }

    def contradictions(self, run: EditionRun) -> Mapping[Contradiction, Bits]:
        """Two facts where there can be one; an adjustment in spite of an exemption; a duty to correct what is
        established. Each with the situations in which it shows."""
        return merged([*self._two_facts(run), *self._adjusted(run), *self._to_be_corrected(run)])

    def gaps(self, run: EditionRun) -> Bits:
        """Where a revoke is established and the ruling holds nothing else about it."""
        settling = {kind for section in SETTLING for kind in self.sections.get(section, ())}
        settled = union(bits for fact, bits in run.concluded.items() if fact[0] in settling)
        automatic, exempt = self._by_play(AUTOMATIC, run), self._by_play(EXEMPT, run)
        return union(
            union(rules.values())
            & ~union([*automatic.get(play, {}).values(), *exempt.get(play, {}).values()])
            & ~settled
            for play, rules in self._by_play(STATUS, run, ESTABLISHED).items()
        )

    def _two_facts(self, run: EditionRun) -> Iterator[tuple[Contradiction, Bits]]:
        alike: dict[tuple[Value, ...], dict[Fact, ByRule]] = {}
        for number, held in run.run.fired.items():
            for fact, bits in held.items():
                positions = self._unique.get(str(fact[0]))
                if positions is not None:
                    facts = alike.setdefault((fact[0], *(fact[at] for at in positions)), {})
                    facts.setdefault(fact, {})[number] = bits
        for key, facts in alike.items():
            both = _twice(union(rules.values()) for rules in facts.values())
            marks = {(fact, number): bits for fact, rules in facts.items() for number, bits in rules.items()}
            for has, where in parts(both, marks):
                lowest = {fact: min(number for of, number in has if of == fact) for fact, _ in has}
                yield _both(lowest.values(), f"conclude two things of {key[0]}"), where

    def _adjusted(self, run: EditionRun) -> Iterator[tuple[Contradiction, Bits]]:
        exempt = self._by_play(EXEMPT, run)
        for play, rules in self._by_play(AUTOMATIC, run).items():
            what = "give an automatic trick and exempt the revoke from any"
            yield from _lowest_of_two(rules, exempt.get(play, {}), what)

    def _to_be_corrected(self, run: EditionRun) -> Iterator[tuple[Contradiction, Bits]]:
        duty = self._by_play(RECTIFICATIONS, run)
        for play, rules in self._by_play(STATUS, run, ESTABLISHED).items():
            what = "say that a revoke is established and must be corrected"
            yield from _lowest_of_two(rules, duty.get(play, {}), what)

    def _by_play(self, section: str, run: EditionRun, word: str | None = None) -> dict[Value, ByRule]:
        """Play -> the rules that conclude a fact about it in that part of the ruling.

        Of the status only that ``word``; of the rectifications only the duty to correct.
        """
        found: dict[Value, ByRule] = {}
        for number, held in run.run.fired.items():
            for fact, bits in held.items():
                kind = self.kinds[str(fact[0])]
                if kind.name not in self.sections.get(section, ()) or PLAY not in kind.index:
                    continue
                if section == RECTIFICATIONS and kind.shows.get("kind") != MUST_CORRECT:
                    continue
                if word is None or word in fact:
                    rules = found.setdefault(fact[kind.index[PLAY]], {})
                    rules[number] = rules.get(number, 0) | bits
        return found


def _twice(sets: Collection[Bits] | Iterator[Bits]) -> Bits:
    """Where at least two of these hold."""
    once = twice = 0
    for bits in sets:
        twice |= once & bits
        once |= bits
    return twice


def _lowest_of_two(a: ByRule, b: ByRule, what: str) -> Iterator[tuple[Contradiction, Bits]]:
    """Rules of both kinds at once: the lowest of each."""
    marks = {(0, number): bits for number, bits in a.items()} | {(1, number): bits for number, bits in b.items()}
    for has, where in parts(union(a.values()) & union(b.values()), marks):
        yield _both([min(number for side, number in has if side == of) for of in (0, 1)], what), where


def _both(rules: Collection[int], what: str) -> Contradiction:
    return Contradiction(tuple(sorted(set(rules))), what)


@dataclass
class Shown:
    """What some situations have shown."""

    fired: set[int] = field(default_factory=set)
    """Numbers of rules."""
    kinds: set[str] = field(default_factory=set)
    """Kinds of which there was a fact."""
    needed: set[str] = field(default_factory=set)
    """Clauses without which some ruling would be another."""
    idle: dict[str, int] = field(default_factory=dict)
    """Clause -> a situation in which it fires and makes no difference."""
    contradictions: dict[Contradiction, int] = field(default_factory=dict)
    """Contradiction -> the first situation in which it shows."""
    gaps: Bits = 0
    """Situations with an established revoke about which nothing is said."""


@dataclass(frozen=True, slots=True)
class DeepCheck:
    """What was found wrong with one edition."""

    faults: tuple[Fault, ...]
    """Contradictions and gaps."""
    remarks: tuple[Fault, ...]
    """Rules and clauses that do nothing."""


def deep_check(edition: Edition, universe: Universe, cases: Sequence[Case]) -> DeepCheck:
    """The check of one edition over a universe and over cases, which may reach what findings cannot state."""
    probe = Probe(edition)
    seen, by_cases = Shown(), Shown()
    for start, part in universe.parts():
        probe.look(observed(part), seen, known=seen, number=start)
    law = Law(edition, engine="quick")
    shown: dict[Contradiction, Case] = {}
    for case in cases:
        probe.look(Exhibits([ruled_anyway(law, case)]).situations, by_cases, known=seen)
        shown |= {one: case for one in by_cases.contradictions if one not in shown}
    told = _Teller(edition, universe, len(cases))
    return DeepCheck(
        tuple(sorted({*told.contradictions(seen), *told.in_cases(shown), *told.gaps(seen)})),
        tuple(sorted({*told.idle_rules(seen, by_cases), *told.idle_clauses(seen, by_cases)})),
    )


class Probe:
    """Rules on situations and keeps what they show."""

    def __init__(self, edition: Edition) -> None:
        self.edition = edition
        self.sound = Sound(edition)
        self.sets = Sets(edition.vocabulary, edition.rules)
        self.deciding = Deciding(edition, self.sets)

    def look(self, situations: Situations, seen: Shown, known: Shown, number: int = 0) -> None:
        """Adds what these show, numbered from ``number`` on; clauses ``known`` to be needed are not looked at."""
        run = EditionRun(self.edition, situations, self.sets)
        seen.fired.update(run.run.fired)
        seen.kinds.update(kind for kind, held in run.run.facts.items() if held)
        seen.gaps |= self.sound.gaps(run) << number
        for contradiction, bits in self.sound.contradictions(run).items():
            seen.contradictions.setdefault(contradiction, number + first(bits))
        for clause, fires in run.clauses.items():
            if self.edition.clauses[clause].law and clause not in seen.needed | known.needed:
                if self.deciding.decides(run, clause):
                    seen.needed.add(clause)
                else:
                    seen.idle.setdefault(clause, number + first(fires))


class _Teller:
    """Says what was seen."""

    def __init__(self, edition: Edition, universe: Universe, cases: int) -> None:
        self.edition = edition
        self.universe = universe
        self.tried = f"{len(universe)} situations and {cases} cases"

    def contradictions(self, seen: Shown) -> Iterator[Fault]:
        for one, number in seen.contradictions.items():
            yield self.contradiction(one, f"for instance when {self.witness(number)}")

    def in_cases(self, shown: Mapping[Contradiction, Case]) -> Iterator[Fault]:
        for one, case in shown.items():
            yield self.contradiction(one, f"in case {case.id}")

    def contradiction(self, one: Contradiction, where: str) -> Fault:
        rules = [self.edition.rules[rule] for rule in one.rules]
        others = tuple((rule.place, "the other rule") for rule in rules[1:])
        named = " and ".join(rule.id for rule in rules)
        return Fault(rules[0].place, f"{named} {one.what}, {where}", "let one give way to the other", others)

    def gaps(self, seen: Shown) -> Iterator[Fault]:
        if seen.gaps:
            example = f"for instance when {self.witness(self.universe.plainest(seen.gaps))}"
            what = f"an established revoke has no consequence and no exemption, {example}"
            yield Fault(self.edition.place, f"{self.edition.id}: {what}", "write the rule that settles it")

    def idle_rules(self, seen: Shown, by_cases: Shown) -> Iterator[Fault]:
        kinds = seen.kinds | by_cases.kinds
        for number, rule in enumerate(self.edition.rules):
            if number not in seen.fired | by_cases.fired:
                missing = ", ".join(dict.fromkeys(kind for kind in _read(rule) if kind not in kinds))
                why = f"; none of them gives a fact {missing}" if missing else ""
                what = f"rule {rule.id} fires in none of {self.tried}{why}"
                yield Fault(rule.place, what, "write a case that reaches it, or take it away")

    def idle_clauses(self, seen: Shown, by_cases: Shown) -> Iterator[Fault]:
        for clause, number in seen.idle.items():
            if clause not in seen.needed | by_cases.needed:
                what = f"without {clause} every ruling would be the same, also where it fires"
                mend = "write a case in which it matters, or take it away"
                place = self.edition.clauses[clause].place
                yield Fault(place, f"{what}, for instance when {self.witness(number)}", mend)

    def witness(self, number: int) -> str:
        return self.universe.unusual(number, self.edition.vocabulary.languages[0])


def _read(rule: Rule) -> list[str]:
    return [item.kind for item in rule.wanted]


FIRST = (VOCABULARY, TABLE)
"""Files on which all others rest: while something is wrong with them, what is wrong elsewhere may follow from it."""


@dataclass(frozen=True, slots=True)
class Found:
    """What is wrong."""

    own: tuple[Fault, ...]
    """In the files that were asked about."""
    beside: tuple[Fault, ...]
    """In those that a draft amends, which are right without it: they follow from what is wrong with the draft."""

    @property
    def all(self) -> tuple[Fault, ...]:
        """Both, the editor's own first."""
        return (*self.own, *self.beside)


def every_fault(root: Path, named: str | Path | None = None, deep: bool = False) -> Found:
    """Of one edition or draft, or of all; ``deep``: with whatever is claimed of it, and not only what it claims itself.

    RulesError where there is no such edition.
    """
    faults, loaded = checked(root, named)
    found = {*faults}
    if not any(Path(fault.place.file).name in FIRST for fault in faults):
        for step in (step for edition in loaded if not edition.elections for step in _steps(root, edition)):
            found |= {*_faults(step)}
    if not found:
        found = {fault for edition in loaded if not edition.elections for fault in _claims(root, edition, deep)}
    own = [edition.folders[-1].resolve() for edition in loaded]
    mine = {one for one in found if named is None or _within(one, own)}
    return Found(tuple(sorted(mine)), tuple(sorted(found - mine)))


def _steps(root: Path, edition: Edition) -> Iterator[Callable[[], object]]:
    """What is read of an edition besides its law, each by itself."""
    yield lambda: load_words(root, edition.vocabulary)
    if (root / MEASURES).is_file():
        yield lambda: load_measures(root, edition.vocabulary)
    if (root / INTERVIEW).is_file():
        yield lambda: load_interview(root, edition, wider=True)
    yield lambda: read_cases(edition.folders[-1] / CASES, edition.table)
    yield lambda: _stale(edition)


def _faults(step: Callable[[], object]) -> Iterable[Fault]:
    try:
        step()
    except InputError as error:
        return error.faults
    return ()


def _stale(edition: Edition) -> None:
    """InputError for explanations of changes that cannot be made to the rules as they are now."""
    known = known_survivors(edition.folders[-1])
    named = {rule_of(name) for name in known}
    rules = [rule for rule in edition.rules if rule.id in named]
    names = {mutant.name for rule in rules for mutant in mutants_of(rule, edition.vocabulary)}
    gone = [
        Fault(place, f"{name}: there is no such mutant", "take it from the list")
        for name, (_, place) in known.items()
        if name not in names
    ]
    if gone:
        raise InputError(gone)


def _claims(root: Path, edition: Edition, deep: bool) -> Iterable[Fault]:
    """What is claimed of an edition and does not hold: of a draft what it claims itself, or ``deep``, everything."""
    if not property_files(edition):
        return ()
    proving = Proving(root, edition, lambda: cases_of(edition))
    own = () if edition.id in editions(root) else own_claims(proving)
    return claim_faults(proving, [*proving.claimed.properties] if deep else own)


def _within(fault: Fault, folders: Iterable[Path]) -> bool:
    file = Path(fault.place.file).resolve()
    return any(folder in (file, *file.parents) for folder in folders)


def own_claims(proving: Proving) -> list[str]:
    """The names of the properties that an edition's own file states or changes."""
    folder = Path(proving.edition.place.file).parent
    claimed = proving.claimed.properties.items()
    return [name for name, one in claimed if Path(one.place.file).parent == folder]


def claim_faults(proving: Proving, names: Collection[str]) -> Iterator[Fault]:
    """The properties of these names that fail; none of what holds but for its exceptions."""
    for verdict in proving.verdicts(names) if names else ():
        if verdict.fails:
            yield _fault(verdict, proving.edition)


def _fault(verdict: Verdict, edition: Edition) -> Fault:
    one, lang = verdict.of, edition.vocabulary.languages[0]
    own = Path(edition.place.file).with_name(PROPERTIES)
    inherited = Path(one.place.file) != own
    match verdict.standing:
        case "empty":
            what = f"{one.id} says nothing: there is no situation of which it could be true or false"
            return Fault(one.place, what, "mend its conditions, or take it away")
        case "needless":
            needless = next(each.expected for each in verdict.excepted if each.needless)
            mend = (
                f"name {one.id} in {own} with the exceptions that are left" if inherited else "take the exception away"
            )
            return Fault(needless.place, f"{one.id} holds without this exception", mend)
    example = "" if verdict.witness is None else f", for instance {_told(verdict.witness, lang)}"
    what = f"{one.id} does not hold in {verdict.refuted} of {verdict.tried}{example}"
    mend = "mend the rules, or write the exception and its reason under expected"
    if inherited:
        mend = f"mend the rules, or write {one.id}: {{dropped: true}} in {own}, or the exception and its reason there"
    return Fault(one.place, what, mend)


def _told(witness: Witness, lang: str) -> str:
    if witness.universe is None:
        return f"{witness.clause}"
    return "when " + ", and then when ".join(witness.universe.unusual(one, lang) for one in witness.situations)
