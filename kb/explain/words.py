"""The words of ``rules/words.yaml``: how values are said, and the fixed phrases."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, TypeAlias

from facts.errors import Fault, Place, RulesError
from facts.yaml_reader import Mapping as MappingNode
from facts.yaml_reader import Node, Scalar, read_text, read_yaml
from kb.explain.phrases import NAMES, PHRASES
from kb.language.cache import digest_of, kept
from kb.language.edition import READERS
from kb.language.vocabulary import Texts, Vocabulary

WORDS = "words.yaml"
NAMED_TYPES = ("seat", "side", "suit", "symbol", "rank")
_CODE: Final = (*READERS, "kb/explain/words.py", "kb/explain/phrases.py")

Wanted: TypeAlias = Mapping[str, Collection[str]]
"""Type -> values that must have a name."""


@dataclass(frozen=True)
class Words:
    """Names of values by type, and phrases by key, in every language."""

    names: Mapping[str, Mapping[str, Texts]]
    phrases: Mapping[str, Texts]
    languages: tuple[str, ...]

    def phrase(self, key: str, lang: str, **places: object) -> str:
        """A phrase with its places filled."""
        return self.phrases[key][lang].format(**places)

    def name(self, kind: str, value: str, lang: str) -> str:
        """How a value of a type is said; the value itself where the type has no names."""
        texts = self.names.get(kind, {}).get(value)
        return value if texts is None else texts[lang]

    def besides(self, names: Mapping[str, Mapping[str, Texts]]) -> Words:
        """With names for the words of a draft's own lists."""
        return replace(self, names={**self.names, **names}) if names else self


def load_words(root: Path, vocabulary: Vocabulary, *wanted: Wanted) -> Words:
    """The words beside the vocabulary; RulesError with every phrase, name and language that is missing.

    Every phrase that the program looks up must be there, and the names of its own values, of the vocabulary's words,
    and of whatever is ``wanted`` besides. What has been read once comes from the cache.
    """
    named = [sorted((kind, sorted(values)) for kind, values in one.items()) for one in wanted]
    question = (sorted(vocabulary.words.items()), sorted(vocabulary.names), vocabulary.languages, named)

    def found_by() -> str:
        return digest_of(question, [str(root / WORDS)], _CODE)

    return kept("words", found_by, lambda: _read(root / WORDS, vocabulary, wanted))


def _read(file: Path, vocabulary: Vocabulary, wanted: Iterable[Wanted]) -> Words:
    node = read_yaml(read_text(file), str(file))
    faults: list[Fault] = []
    top = _children(node, faults)
    names = {
        kind: dict(_texts(values, vocabulary.languages, faults))
        for kind, values in _children(top.get("names"), faults).items()
    }
    words = Words(names, dict(_texts(top.get("phrases"), vocabulary.languages, faults)), vocabulary.languages)
    faults += _missing_phrases(words, node)
    faults += _missing_names(words.besides(vocabulary.names), (NAMES, vocabulary.words, *wanted), node)
    if faults:
        raise RulesError(sorted(set(faults)))
    return words


def _missing_phrases(words: Words, node: Node) -> Iterator[Fault]:
    place = _place(node, "phrases")
    for key in PHRASES:
        if key not in words.phrases:
            yield Fault(place, f"the phrase {key} is missing", f"add {key}: {_form(words)}")


def _missing_names(words: Words, wanted: Iterable[Wanted], node: Node) -> Iterator[Fault]:
    needed: dict[str, dict[str, None]] = {}
    for kind, values in ((kind, values) for one in wanted for kind, values in one.items()):
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
        if not isinstance(node, MappingNode) or step not in node.entries:
            break
        place, node = node.keys[step], node.entries[step]
    return place


def _children(node: Node | None, faults: list[Fault]) -> Mapping[str, Node]:
    if isinstance(node, MappingNode):
        return node.entries
    if node is not None:
        faults.append(Fault(node.place, "a mapping belongs here", "write name: value lines"))
    return {}


def _texts(node: Node | None, languages: tuple[str, ...], faults: list[Fault]) -> Iterator[tuple[str, Texts]]:
    for key, child in _children(node, faults).items():
        texts = {lang: str(text.value) for lang, text in _children(child, faults).items() if isinstance(text, Scalar)}
        for lang in languages:
            if not texts.get(lang):
                faults.append(Fault(child.place, f"{key} is not said in {lang}", f"add {lang}: …"))
        yield key, texts
