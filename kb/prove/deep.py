"""The deep check of an edition: what contradicts itself or is never reached, and every other fault of its files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import TypeAlias

from facts.errors import Fault, InputError, Place
from facts.fact import Fact, Value
from facts.yaml_reader import read_text, read_yaml
from kb.cases.cases import Case, Trial, cases_of, read_cases
from kb.cases.mutation import known_survivors, mutants_of, rule_of
from kb.engine.sets import Bits, Sets
from kb.explain.words import load_words
from kb.language.checks.of_editions import idle
from kb.language.edition import checked, read_edition
from kb.language.folders import CASES, MEASURES, PROPERTIES, TABLE, VOCABULARY, editions, files_of
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
from kb.language.model import Edition
from kb.prove.properties import property_files
from kb.prove.prove import Deciding, Proving, Verdict, ruled_anyway
from kb.ruling.law import Law, Laws
from kb.space.bits import first, merged, parts, union
from kb.space.burden import load_measures
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
    """Their numbers in the edition, each once, in order."""
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
        self._counted = {tally.of.kind for rule in edition.rules for tally in rule.tallies}

    def contradictions(self, run: EditionRun) -> Mapping[Contradiction, Bits]:
        """Two facts where there can be one; one fact that two rules give and that counts once; an adjustment in spite
        of an exemption; a duty to correct what is established. Each with the situations in which it shows."""
        found = [*self._two_facts(run), *self._one_fact(run)]
        for one, other, what in (
            (
                self._by_play(AUTOMATIC, run),
                self._by_play(EXEMPT, run),
                "give an automatic trick and exempt the revoke from any",
            ),
            (
                self._by_play(STATUS, run, ESTABLISHED),
                self._by_play(RECTIFICATIONS, run),
                "say that a revoke is established and must be corrected",
            ),
        ):
            for play, rules in one.items():
                both = (rules, other.get(play, {}))
                marks = {(of, number): bits for of in (0, 1) for number, bits in both[of].items()}
                for has, where in parts(union(both[0].values()) & union(both[1].values()), marks):
                    lowest = {min(number for side, number in has if side == of) for of in (0, 1)}
                    found.append((Contradiction(tuple(sorted(lowest)), what), where))
        return merged(found)

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
            once = twice = 0
            for rules in facts.values():
                bits = union(rules.values())
                twice |= once & bits
                once |= bits
            marks = {(fact, number): bits for fact, rules in facts.items() for number, bits in rules.items()}
            for has, where in parts(twice, marks):
                lowest = {min(number for of, number in has if of == fact) for fact, _ in has}
                yield Contradiction(tuple(sorted(lowest)), f"conclude two things of {key[0]}"), where

    def _one_fact(self, run: EditionRun) -> Iterator[tuple[Contradiction, Bits]]:
        """What is counted or added up, and two rules conclude."""
        rules_for: dict[Fact, ByRule] = {}
        for number, held in run.run.fired.items():
            for fact, bits in held.items():
                if fact[0] in self._counted:
                    rules_for.setdefault(fact, {})[number] = bits
        for fact, rules in rules_for.items():
            for (one, where), (other, there) in combinations(rules.items(), 2):
                if where & there:
                    pair = tuple(sorted((one, other)))
                    yield Contradiction(pair, f"conclude the same {fact[0]}, and both count once"), where & there

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


@dataclass(frozen=True, slots=True)
class DeepCheck:
    """What was found wrong with one edition."""

    faults: tuple[Fault, ...]
    """Contradictions and gaps."""
    remarks: tuple[Fault, ...]
    """Rules and clauses that do nothing."""


def deep_check(edition: Edition, universe: Universe, cases: Sequence[Case]) -> DeepCheck:
    """The check of one edition over a universe and over cases, which may reach what findings cannot state."""
    sound, sets = Sound(edition), Sets(edition.vocabulary, edition.rules)
    deciding = Deciding(edition, sets)
    fired, kinds, needed = set[int](), set[str](), set[str]()

    def look(situations: Situations) -> tuple[EditionRun, list[str]]:
        """What the edition concludes there, and the clauses that fire and make no difference."""
        run = EditionRun(edition, situations, sets)
        fired.update(run.run.fired)
        kinds.update(kind for kind, held in run.run.facts.items() if held)
        of_book = [ref for ref in run.clauses if edition.clauses[ref].law and ref not in needed]
        needed.update(ref for ref in of_book if deciding.decides(run, ref))
        return run, [ref for ref in of_book if ref not in needed]

    contradictions, in_cases = dict[Contradiction, int](), dict[Contradiction, Case]()
    idle, gaps = dict[str, int](), 0
    for start, part in universe.parts():
        run, doing_nothing = look(observed(part))
        gaps |= sound.gaps(run) << start
        for one, bits in sound.contradictions(run).items():
            contradictions.setdefault(one, start + first(bits))
        for ref in doing_nothing:
            idle.setdefault(ref, start + first(run.clauses[ref]))
    law = Law(edition, engine="quick")
    for case in cases:
        run, _ = look(ruled_anyway(law, case).situations)
        for one in sound.contradictions(run):
            in_cases.setdefault(one, case)

    def when(number: int) -> str:
        return f"for instance when {universe.unusual(number, edition.vocabulary.languages[0])}"

    faults = {_contradicting(edition, one, when(number)) for one, number in contradictions.items()}
    faults |= {_contradicting(edition, one, f"in case {case.id}") for one, case in in_cases.items()}
    if gaps:
        what = f"an established revoke has no consequence and no exemption, {when(universe.plainest(gaps))}"
        faults.add(Fault(edition.place, f"{edition.id}: {what}", "write the rule that settles it"))
    remarks = {*_never_fired(edition, fired, kinds, f"{len(universe)} situations and {len(cases)} cases")}
    remarks |= {
        Fault(
            edition.clauses[ref].place,
            f"without {ref} every ruling would be the same, also where it fires, {when(number)}",
            "write a case in which it matters, or take it away",
        )
        for ref, number in idle.items()
        if ref not in needed
    }
    return DeepCheck(tuple(sorted(faults)), tuple(sorted(remarks)))


def _contradicting(edition: Edition, one: Contradiction, where: str) -> Fault:
    rules = [edition.rules[rule] for rule in one.rules]
    others = tuple((rule.place, "the other rule") for rule in rules[1:])
    named = " and ".join(rule.id for rule in rules)
    return Fault(rules[0].place, f"{named} {one.what}, {where}", "let one give way to the other", others)


def _never_fired(edition: Edition, fired: Set[int], kinds: Set[str], tried: str) -> Iterator[Fault]:
    for rule in (rule for number, rule in enumerate(edition.rules) if number not in fired):
        missing = ", ".join(dict.fromkeys(item.kind for item in rule.wanted if item.kind not in kinds))
        why = f"; none of them gives a fact {missing}" if missing else ""
        what = f"rule {rule.id} fires in none of {tried}{why}"
        yield Fault(rule.place, what, "write a case that reaches it, or take it away")


FIRST = (VOCABULARY, TABLE)
"""Files on which all others rest: while something is wrong with them, what is wrong elsewhere may follow from it."""


@dataclass(frozen=True, slots=True)
class Found:
    """What is wrong."""

    own: tuple[Fault, ...]
    """In the files that were asked about."""
    beside: tuple[Fault, ...]
    """In those that a draft amends, which are right without it: they follow from what is wrong with the draft."""
    remarks: tuple[Fault, ...] = ()
    """What does nothing, and is no fault."""
    of_claims: bool = False
    """Whether nothing is wrong but what is claimed and does not hold."""

    @property
    def all(self) -> tuple[Fault, ...]:
        """Both, the editor's own first."""
        return (*self.own, *self.beside)


def every_fault(root: Path, named: str | Path | None = None, deep: bool = False) -> Found:
    """Of one edition or draft, or of all; ``deep``: with whatever is claimed of it, and not only what it claims itself.

    RulesError where there is no such edition.
    """
    faults, loaded = checked(root, named)
    found, plain = {*faults}, [edition for edition in loaded if not edition.elections]
    if not any(Path(fault.place.file).name in FIRST for fault in faults):
        found |= {fault for edition in plain for fault in _beside_its_law(root, edition)}
    readable = not found
    if readable:
        found = {fault for edition in plain for fault in _claims(root, edition, deep)}
    amending = [one for one in plain if readable and one.amends and isinstance(named, Path)]
    remarks = tuple(one for each in amending for one in idle(each, read_edition(root, each.folders[-2])))
    own = [edition.folders[-1].resolve() for edition in loaded]

    def within(fault: Fault) -> bool:
        file = Path(fault.place.file).resolve()
        return any(folder in (file, *file.parents) for folder in own)

    mine = {one for one in found if named is None or within(one)}
    others = found - mine
    if others and not mine:  # they follow from something that is right by itself
        because = tuple(place for edition in plain[:1] for place in _taken_over(edition))
        others = {replace(one, others=(*one.others, *because)) for one in others}
    return Found(tuple(sorted(mine)), tuple(sorted(others)), remarks, readable)


def _taken_over(edition: Edition) -> Iterator[tuple[Place, str]]:
    """What an edition declares of a name that stands in what it amends, each with a word on that."""
    *before, own = edition.folders
    for name in (VOCABULARY, TABLE, INTERVIEW):
        for file in files_of([own], name):
            nodes = [read_yaml(read_text(one), str(one)) for one in files_of(before, name)]
            parts = read_yaml(read_text(file), str(file)).entries
            for part, held in ((part, held) for part, held in parts.items() if part != "words"):  # which add to them
                known = {key for node in nodes if part in node.entries for key in node.entries[part].entries}
                for key in sorted(held.entries.keys() & known):
                    yield held.keys[key], f"{key} of {part} takes the place of what stood there before"


def _beside_its_law(root: Path, edition: Edition) -> Iterator[Fault]:
    """What is wrong with what is read of an edition besides its law, each by itself."""

    def explanations() -> None:
        """InputError for those of changes that cannot be made to the rules as they are now."""
        known = known_survivors(edition.folders[-1])
        named = {rule_of(name) for name in known}
        rules = [rule for rule in edition.rules if rule.id in named]
        names = {mutant.name for rule in rules for mutant in mutants_of(rule, edition.vocabulary)}
        gone = {name: place for name, (_, place) in known.items() if name not in names}
        if gone:
            mend = "take it from the list"
            raise InputError([Fault(place, f"{name}: there is no such mutant", mend) for name, place in gone.items()])

    steps: list[Callable[[], object]] = [lambda: load_words(root, edition.vocabulary)]
    if (root / MEASURES).is_file():
        steps.append(lambda: load_measures(root, edition.vocabulary))
    if (root / INTERVIEW).is_file():
        steps.append(lambda: load_interview(root, edition, wider=True))
    steps += [lambda: _cases(root, edition), explanations]
    for step in steps:
        try:
            step()
        except InputError as error:
            yield from error.faults


def _cases(root: Path, edition: Edition) -> None:
    """InputError with whatever is wrong with the cases beside it, as far as they are not ruled on."""
    folder = edition.folders[-1]
    trial = Trial(Laws(root, "quick"), None if folder.parent == root else folder)
    if faults := [*trial.misnamed(read_cases(folder / CASES, edition.table))]:
        raise InputError(faults)


def _claims(root: Path, edition: Edition, deep: bool) -> Iterable[Fault]:
    """What is claimed of an edition and does not hold: of a draft what it claims itself, or ``deep``, everything."""
    if not property_files(edition):
        return ()
    proving = Proving(root, edition, lambda: cases_of(edition))
    own = () if edition.id in editions(root) else own_claims(proving)
    names = [*proving.claimed.properties] if deep else own
    return [_fault(one, edition) for one in (proving.verdicts(names) if names else ()) if one.fails]


def own_claims(proving: Proving) -> list[str]:
    """The names of the properties that an edition's own file states or changes."""
    folder = Path(proving.edition.place.file).parent
    claimed = proving.claimed.properties.items()
    return [name for name, one in claimed if Path(one.place.file).parent == folder]


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
    example, witness = "", verdict.witness
    if witness is not None and witness.universe is not None:
        unusual = (witness.universe.unusual(number, lang) for number in witness.situations)
        example = f", for instance when {', and then when '.join(unusual)}"
    elif witness is not None:
        example = f", for instance {witness.clause}"
    what = f"{one.id} does not hold in {verdict.refuted} of {verdict.tried}{example}"
    mend = "mend the rules, or write the exception and its reason under expected"
    if inherited:
        mend = f"mend the rules, or write {one.id}: {{dropped: true}} in {own}, or the exception and its reason there"
    return Fault(one.place, what, mend)
