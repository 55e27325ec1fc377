"""How heavily rulings weigh on the sides that revoked, and which of two rulings weighs more.

A burden has parts, each a number of which more is worse; they are weighed against each other nowhere. So of two rulings
one is milder, or stricter, or they are equal, or they cannot be compared.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, Literal, TypeAlias

from facts.errors import Fault, Place, RulesError
from facts.form import Entries, FromFile, Texts, no_entries
from kb.engine.sets import Bits, Run, Sets
from kb.language.folders import MEASURES, files_of, laid_together, matter_folder
from kb.language.model import Edition
from kb.language.rule import BareRule, Rule
from kb.language.side_rules import SideRulesForm, SideRulesReader
from kb.language.vocabulary import Vocabulary
from kb.space.bits import union
from kb.space.outcomes import EditionRun

BURDEN: Final = "burden"
"""The kind by which the rules say how much a part weighs on a party."""
FIELDS: Final = ("of", "part", "level")
PARTIES: Final = ("first", "other")
"""The side that revoked first, and the other side if it revoked too."""


@dataclass(frozen=True, kw_only=True)
class PartForm(FromFile):
    """One part."""

    says: Texts
    rules: tuple[BareRule, ...]


@dataclass(frozen=True, kw_only=True)
class MeasuresFile(SideRulesForm):
    """measures.yaml"""

    parts: Entries[PartForm] = field(default_factory=no_entries)


@dataclass(frozen=True)
class Measures:
    """What a ruling weighs on a side, part by part."""

    vocabulary: Vocabulary
    """That of the law, with the kinds of the measures."""
    rules: tuple[Rule, ...]
    parts: Mapping[str, Texts]
    """What each part is called, in the order of the file."""


def of_matters(edition: Edition) -> list[Path]:
    """The folders of the matters of an edition."""
    return [matter_folder(folder, of) for folder in edition.folders for of in edition.table.matters]


def load_measures(root: Path, vocabulary: Vocabulary, matters: Iterable[Path] = ()) -> Measures:
    """The measures beside the vocabulary, and those in the folders of matters, whose parts are more of the same; in the
    words of an edition. RulesError with every fault."""
    reader, rules, parts = SideRulesReader(vocabulary), list[Rule](), dict[str, Texts]()
    place = Place(str(root / MEASURES), 1)
    for file in (root / MEASURES, *files_of(matters, MEASURES)):
        form = reader.form(MeasuresFile, vocabulary.translations.over(laid_together([file], 0)))
        if (kind := reader.vocabulary.kinds.get(BURDEN)) is not None:
            words = reader.vocabulary.words
            more = {kind.fields[1].type: (*words[kind.fields[1].type], *form.parts)}
            reader.vocabulary = replace(reader.vocabulary, words={**words, **more})
        rules += reader.definitions(form)
        for name, part in form.parts.items():
            rules += reader.read(name, part.rules)
        parts |= {name: part.says for name, part in form.parts.items()}
    faults, kind = [*reader.faults], reader.vocabulary.kinds.get(BURDEN)
    allowed = [{*reader.vocabulary.values_of(field.type)} for field in kind.fields[:2]] if kind else []
    if kind is None or tuple(kind.index) != FIELDS or allowed != [{*PARTIES}, {*parts}]:
        problem = f"{BURDEN} is not {{{', '.join(FIELDS)}}}, of {' and '.join(PARTIES)}, with every part that has rules"
        faults.append(Fault(place, problem, "mend the words and kinds, or the parts"))
    if faults:
        raise RulesError(sorted(set(faults)))
    return Measures(reader.vocabulary, tuple(rules), parts)


Levels: TypeAlias = Mapping[int, Bits]
"""How much one part weighs, and in which situations; every situation is in one of them."""
Direction: TypeAlias = Literal["milder", "stricter", "equal", "incomparable"]
DIRECTIONS: Final[tuple[Direction, ...]] = ("stricter", "milder", "incomparable", "equal")


@dataclass(frozen=True)
class Burden:
    """What rulings weigh on each party, in every situation."""

    parts: tuple[str, ...]
    levels: Mapping[tuple[str, str], Levels]
    """Party and part -> its levels; nothing where it weighs nothing anywhere."""
    everything: Bits

    def level(self, party: str, part: str) -> Levels:
        """How much a part weighs on a party."""
        return self.levels.get((party, part), {0: self.everything})

    def in_each(self, change: Callable[[Bits], Bits]) -> Burden:
        """The burden with every set of situations changed."""
        levels = {key: {n: change(bits) for n, bits in by_level.items()} for key, by_level in self.levels.items()}
        return Burden(self.parts, levels, change(self.everything))


def burden_of(measures: Measures, run: EditionRun, sets: Sets | None = None) -> Burden:
    """The burden of an edition's rulings in the situations of a run; ``sets``: what ``measured`` makes of its rules."""
    return read_burden(measures, beside(measures, run, (), sets))


def beside(measures: Measures, run: EditionRun, rules: Collection[Rule], sets: Sets | None = None) -> Run:
    """The run with the rules of the measures and others beside the law."""
    sets = sets or measured(measures, run.sets, rules)
    return sets.run(run.situations.facts, run.situations.everything, run.run)


def measured(measures: Measures, law: Sets, rules: Collection[Rule] = ()) -> Sets:
    """The rules of a law, ready to run, with those of the measures and others beside them."""
    vocabulary = replace(law.vocabulary, kinds={**measures.vocabulary.kinds, **law.vocabulary.kinds})
    return Sets(vocabulary, [*law.rules, *measures.rules, *rules], law)


def read_burden(measures: Measures, run: Run) -> Burden:
    """The burden that the rules of the measures have concluded."""
    by_part: dict[tuple[str, str], dict[int, Bits]] = {}
    for (_, party, part, level), bits in run.facts.get(BURDEN, {}).items():
        levels = by_part.setdefault((str(party), str(part)), {})
        levels[int(level or 0)] = bits
    for levels in by_part.values():
        levels[0] = levels.get(0, 0) | run.everything & ~union(levels.values())
    return Burden(tuple(measures.parts), by_part, run.everything)


def direction(a: Burden, b: Burden, where: Bits) -> dict[Direction, Bits]:
    """How the rulings of ``b`` stand to those of ``a`` for the sides that revoked.

    A ruling is stricter if some part weighs more on some side that revoked, and none less on any.
    """
    more, less = heavier(a, b) & where, heavier(b, a) & where
    return {
        "stricter": more & ~less,
        "milder": less & ~more,
        "equal": where & ~more & ~less,
        "incomparable": more & less,
    }


def heavier(a: Burden, b: Burden) -> Bits:
    """The situations in which some part weighs more on some party in ``b`` than in ``a``."""
    return union(
        bits & union(lower for m, lower in a.level(party, part).items() if m < n)
        for party in PARTIES
        for part in a.parts
        for n, bits in b.level(party, part).items()
    )
