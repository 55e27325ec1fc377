"""Reading ``measures.yaml``: the parts of what a ruling weighs on a side, and the rules that say how much."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from facts.errors import Fault, InputError, Place, RulesError
from facts.form import Entries, FromFile, Texts, read_form
from facts.yaml_reader import read_text, read_yaml
from kb.language.beside import BesideForm, BesideReader
from kb.language.forms import BareRuleForm
from kb.language.model import Rule
from kb.language.vocabulary import Vocabulary

MEASURES: Final = "measures.yaml"
BURDEN: Final = "burden"
"""The kind by which the rules say how much a part weighs on a party."""
FIELDS: Final = ("of", "part", "level")
PARTIES: Final = ("first", "other")
"""The side that revoked first, and the other side if it revoked too."""


@dataclass(frozen=True, kw_only=True)
class PartForm(FromFile):
    """One part."""

    says: Texts
    rules: tuple[BareRuleForm, ...]


@dataclass(frozen=True, kw_only=True)
class MeasuresFile(BesideForm):
    """measures.yaml"""

    parts: Entries[PartForm]


@dataclass(frozen=True)
class Measures:
    """What a ruling weighs on a side, part by part."""

    vocabulary: Vocabulary
    """That of the law, with the kinds of the measures."""
    rules: tuple[Rule, ...]
    parts: Mapping[str, Texts]
    """What each part is called, in the order of the file."""


def load_measures(root: Path, vocabulary: Vocabulary) -> Measures:
    """The measures beside the vocabulary, in the words of an edition; RulesError with every fault."""
    file = root / MEASURES
    try:
        node = vocabulary.translations.over(read_yaml(read_text(file), str(file)))
    except InputError as error:
        raise RulesError(error.faults) from None
    reader = BesideReader(vocabulary)
    form: MeasuresFile = read_form(MeasuresFile, node, reader.faults)
    rules = [*reader.definitions(form)]
    for name, part in form.parts.items():
        rules += reader.read(name, part.rules)
    says = {name: part.says for name, part in form.parts.items()}
    faults = [*reader.faults, *_missing(reader.vocabulary, says, form.place)]
    if faults:
        raise RulesError(sorted(set(faults)))
    return Measures(reader.vocabulary, tuple(rules), says)


def _missing(vocabulary: Vocabulary, says: Mapping[str, Texts], place: Place) -> list[Fault]:
    """What Python relies on and the file has not."""
    kind = vocabulary.kinds.get(BURDEN)
    if kind is None or tuple(kind.index) != FIELDS:
        return [Fault(place, f"there is no kind {BURDEN}", f"add {BURDEN}: {{{', '.join(FIELDS)}}} under kinds")]
    party, part = (vocabulary.values_of(kind.field_named(name).type) for name in FIELDS[:2])
    faults = [Fault(place, f"{one} is no part", "give its rules under parts") for one in part if one not in says]
    faults += [
        Fault(place, f"{one} is not in the list of parts", "add it under words") for one in says if one not in part
    ]
    if {*party} != {*PARTIES}:
        faults.append(
            Fault(place, f"the parties are {' and '.join(map(str, party))}", f"let them be {' and '.join(PARTIES)}")
        )
    return faults


def with_measures(measures: Measures, vocabulary: Vocabulary) -> Vocabulary:
    """A vocabulary with the kinds of the measures."""
    return replace(vocabulary, kinds={**measures.vocabulary.kinds, **vocabulary.kinds})
