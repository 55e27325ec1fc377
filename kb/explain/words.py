"""The words of ``rules/words.yaml``: how values are said, and the fixed phrases."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Final, get_args

from facts.cards import SEATS, SUITS, Denomination, Side
from facts.errors import Fault, Faults, InputError, Place, RulesError
from facts.form import NOWHERE, Texts
from facts.play import Oddity
from facts.suggestions import did_you_mean
from facts.yaml_reader import Node, read_text, read_yaml
from kb.language.cache import digest_of, kept
from kb.language.edition import READERS
from kb.language.folders import WORDS, rules_root
from kb.language.model import Encoding
from kb.language.texts import each, fill, has_words, holes, stray_brace, wrong_forms
from kb.language.vocabulary import Vocabulary, read_words

NAMED_TYPES = ("seat", "side", "suit", "symbol", "rank")
_CODE: Final = (*READERS, "kb/explain/words.py")

NAMES: Final[Mapping[str, Collection[str]]] = {
    "seat": SEATS,
    "side": get_args(Side),
    "suit": SUITS,
    "symbol": get_args(Denomination),
    "rank": "AKQJT",
    "in-words": tuple(map(str, range(13))),
    "counting": "1",
    "strain": get_args(Denomination),
    "strain-of-one": get_args(Denomination),
    "doubled": ("X", "XX"),
    "one-card": SUITS,
    "chart-sentence": (),
    "level": ("easy", "middle", "hard"),
    "any": ("seat", "side", "suit", "card", "integer"),
    "field": (),
    "encoding": get_args(Encoding),
    "vulnerable": ("none", "NS", "EW", "both"),
    "oddity": tuple(Oddity),
    "slip-kind": tuple(one for one in Oddity if one != Oddity.LEAD_FROM_WRONG_HAND),
    "status-word": ("open",),
    "not-computed": ("no-library", "solver-failed", "not-known", "not-in-order"),
    "stage": (),
    "standing": (
        *("declarer", "dummy", "revoker", "partner", "defender", "declaring", "defending"),
        *("trick", "trick-of", "next-trick", "any-trick", "card", "any-card", "any-suit"),
    ),
    "month": tuple(map(str, range(1, 13))),
    "voice": (),
    "board-key": ("board", "contract", "declarer", "vulnerable", "tricks", "equity-tricks"),
}
"""Type -> values that have a name; the words of a vocabulary have one besides. Empty where it is not for the program
to say which: names of fields, and of what files declare."""


@dataclass(frozen=True)
class Words:
    """Names of values by type, and phrases by key, in every language."""

    names: Mapping[str, Mapping[str, Texts]]
    phrases: Mapping[str, Texts]
    languages: tuple[str, ...]

    def phrase(self, key: str, lang: str, **places: object) -> str:
        """A phrase with its places filled; None: it is not known, and only what stands in brackets may do without."""
        said = {name: one if one is None or isinstance(one, str) else str(one) for name, one in places.items()}
        return fill(self.phrases[key][lang], said)

    def name(self, kind: str, value: str, lang: str) -> str:
        """How a value of a type is said; the value itself where the type has no names."""
        texts = self.names.get(kind, {}).get(value)
        return value if texts is None else texts[lang]

    def language(self, asked: str, at: Place | str = "--lang") -> str:
        """The language that is asked for; InputError if there are no words in it."""
        if asked not in self.languages:
            what = f"the rules are not written in {asked:.60}"
            raise InputError.of(at, what, did_you_mean(asked, self.languages))
        return asked

    @cached_property
    def partial(self) -> frozenset[str]:
        """The languages in which some phrase is not given, and is said in the first of them."""
        said = [texts for texts in self.phrases.values() if has_words(texts.get(self.languages[0], ""))]
        return frozenset(lang for lang in self.languages if any(lang not in texts for texts in said))

    def under(self, vocabulary: Vocabulary) -> Words:
        """As they are said under an edition: with the names and phrases of a draft's own."""
        if not (vocabulary.names or vocabulary.phrases):
            return self
        names = {kind: {**self.names.get(kind, {}), **own} for kind, own in vocabulary.names.items()}
        return replace(self, names={**self.names, **names}, phrases={**self.phrases, **vocabulary.phrases})


def load_words(root: Path, vocabulary: Vocabulary) -> Words:
    """The words beside the vocabulary; RulesError with every phrase, name and language that is missing.

    Every phrase of the shipped words must be there, and the names of the program's own values and of the vocabulary's
    words. What has been read once comes from the cache.
    """
    own = sorted((kind, sorted(names)) for kind, names in vocabulary.names.items()), sorted(vocabulary.phrases)
    languages = (vocabulary.all_languages, vocabulary.translations.digest)
    question = (sorted(vocabulary.words.items()), *own, languages)

    def found_by() -> str:
        return digest_of(question, [str(root / WORDS), str(rules_root() / WORDS)], _CODE)

    return kept("words", found_by, lambda: _read(root / WORDS, vocabulary))


def _read(file: Path, vocabulary: Vocabulary) -> Words:
    node, languages = vocabulary.translations.over(read_yaml(read_text(file), str(file))), vocabulary.languages
    faults = Faults(languages)
    words = Words(*read_words(node, faults), vocabulary.all_languages)
    filled = rules_root() / WORDS  # those that come with the program, whose places it fills
    shipped = Words(*read_words(read_yaml(read_text(filled), str(filled)), Faults()), languages)
    for key in shipped.phrases:  # whatever the program looks up, they hold
        if key not in words.phrases:
            faults.add(_place(node, "phrases"), f"the phrase {key} is missing", f"add {key}: {_form(words)}")
    faults += _unknown_places(words, shipped)
    faults += _unknown_places(Words(vocabulary.names, vocabulary.phrases, languages), shipped)
    faults += _missing_names(words.under(vocabulary), vocabulary, node)
    faults += _said_of_nothing(words, vocabulary)
    if faults:
        raise RulesError(sorted(set(faults)))
    return words


def _said_of_nothing(words: Words, vocabulary: Vocabulary) -> Iterator[Fault]:
    """Phrases and names of a draft's own that nothing asks for."""

    def where(said: Texts) -> Place:
        return next((place for _, _, place in each(said, NOWHERE)), NOWHERE)

    for key, said in vocabulary.phrases.items():
        if key not in words.phrases:
            yield Fault(where(said), f"there is no phrase {key}", did_you_mean(key, words.phrases))
    for kind, names in vocabulary.names.items():
        known = {*words.names.get(kind, {}), *vocabulary.words.get(kind, ())}
        for name, said in names.items():
            if known and name not in known:
                yield Fault(where(said), f"there is no {name} among the names of {kind}", did_you_mean(name, known))


def _unknown_places(words: Words, shipped: Words) -> Iterator[Fault]:
    """What stands in braces and is not filled where the shipped words say the same."""
    pairs = [(words.phrases, shipped.phrases)]
    pairs += [(sayings, shipped.names[kind]) for kind, sayings in words.names.items() if kind in shipped.names]
    for key, said, known in ((key, said, known.get(key)) for some, known in pairs for key, said in some.items()):
        filled = {name for text in known.values() for name in holes(text)} if known is not None else None
        for lang, text, place in each(said, NOWHERE):
            if stray_brace(text):
                what = "a brace or a bracket belongs to no {name} or [part]"
                yield Fault(place, f"{key} in {lang}: {what}", "close it, or take it away")
            yield from (Fault(place, f"{key} in {lang}: {what}", mend) for what, mend in wrong_forms(text))
            for name in holes(text):
                if filled is not None and name not in filled:
                    yield Fault(place, f"{key} in {lang}: nothing fills {{{name}}}", did_you_mean(name, filled))


def _missing_names(words: Words, vocabulary: Vocabulary, node: Node) -> Iterator[Fault]:
    needed: dict[str, dict[str, None]] = {}
    for kind, values in (*NAMES.items(), *vocabulary.words.items()):
        needed.setdefault(kind, {}).update(dict.fromkeys(values))
    for kind, values in needed.items():
        place, known = _place(node, "names", kind), words.names.get(kind)
        if known is None:
            mend = f"add {kind}: and below it {', '.join(values) or 'each name'}: {_form(words)}"
            yield Fault(place, f"names of {kind} are missing", mend)
            continue
        for value in values:
            if value not in known:
                yield Fault(place, f"among the names of {kind}, {value} is missing", f"add {value}: {_form(words)}")


def _form(words: Words) -> str:
    return f"{{{', '.join(f'{lang}: …' for lang in words.languages)}}}"


def _place(node: Node, *path: str) -> Place:
    """Where the last name on the path stands that is there."""
    place = node.place
    for step in path:
        if step not in node.entries:
            break
        place, node = node.keys[step], node.entries[step]
    return place
