"""The words of ``rules/words.yaml``: how values are said, and the fixed phrases."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Final

from facts.errors import Fault, Faults, InputError, Place, RulesError, did_you_mean
from facts.form import NOWHERE, Texts
from facts.yaml_reader import Node, read_text, read_yaml
from kb.language.cache import digest_of, kept
from kb.language.edition import READERS
from kb.language.folders import WORDS, rules_root
from kb.language.texts import each, fill, has_words, holes, misfilled
from kb.language.vocabulary import Vocabulary, read_words

_CODE: Final = (*READERS, "kb/explain/words.py")


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

    Every phrase and name of the shipped words must be there, and a name of each word of the vocabulary. What has been
    read once comes from the cache.
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
    filled = rules_root() / WORDS  # those that come with the program: what it looks up, and whose places it fills
    shipped = Words(*read_words(read_yaml(read_text(filled), str(filled)), Faults()), languages)
    faults += _missing(words, shipped, vocabulary, node)
    faults += _unknown_places(words.under(vocabulary), shipped)
    faults += _said_of_nothing(words, vocabulary)
    if faults:
        raise RulesError(sorted(set(faults)))
    return words


def _missing(words: Words, shipped: Words, vocabulary: Vocabulary, node: Node) -> Iterator[Fault]:
    """Phrases and names that the program looks up, or the vocabulary has a word for."""
    form = f"{{{', '.join(f'{lang}: …' for lang in words.languages)}}}"
    for key in shipped.phrases:
        if key not in words.phrases:
            yield Fault(_place(node, "phrases"), f"the phrase {key} is missing", f"add {key}: {form}")
    names = words.under(vocabulary).names
    for kind in {**shipped.names, **vocabulary.words}:
        for value in dict.fromkeys((*shipped.names.get(kind, ()), *vocabulary.words.get(kind, ()))):
            if value not in names.get(kind, ()):
                what = f"among the names of {kind}, {value} is missing"
                yield Fault(_place(node, "names", kind), what, f"add {value}: {form}")


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
        for lang, text, place in each(said, NOWHERE):
            filled = holes(text) if known is None else [name for one in known.values() for name in holes(one)]
            yield from (Fault(place, f"{key} in {lang}: {what}", mend) for what, mend in misfilled(text, filled))


def _place(node: Node, *path: str) -> Place:
    """Where the last name on the path stands that is there."""
    place = node.place
    for step in path:
        if step not in node.entries:
            break
        place, node = node.keys[step], node.entries[step]
    return place
