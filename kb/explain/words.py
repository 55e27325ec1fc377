"""The words of ``rules/words.yaml``: how values are said, and the fixed phrases."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from facts.errors import Fault, Place, RulesError
from facts.source import Mapping as MappingNode
from facts.source import Node, Scalar, read_text, read_yaml
from kb.language.cache import digest_of, stored
from kb.language.model import Texts, Vocabulary
from kb.language.stored import READERS

WORDS = "words.yaml"
NAMED_TYPES = ("seat", "side", "suit", "symbol", "rank")


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


def stored_words(root: Path, vocabulary: Vocabulary) -> Words:
    """The words that ``load_words`` gives, with its errors, from the cache if they are there."""
    question = ("words", sorted(vocabulary.words.items()), vocabulary.languages)
    return stored(
        Words,
        (),
        lambda: digest_of(question, [str(root / WORDS)], (*READERS, "kb/explain/words.py")),
        lambda: load_words(root, vocabulary),
    )


def load_words(root: Path, vocabulary: Vocabulary) -> Words:
    """The words beside the vocabulary; RulesError with every name and language that is missing."""
    file = root / WORDS
    node = read_yaml(read_text(file), str(file))
    faults: list[Fault] = []
    top = _children(node, faults)
    names = {
        kind: dict(_texts(values, vocabulary.languages, faults))
        for kind, values in _children(top.get("names"), faults).items()
    }
    phrases = dict(_texts(top.get("phrases"), vocabulary.languages, faults))
    for kind in (*NAMED_TYPES[:3], *vocabulary.words):
        wanted = vocabulary.words.get(kind, ())
        if kind not in names or not set(wanted) <= set(names[kind]):
            missing = sorted(set(wanted) - set(names.get(kind, {}))) or [kind]
            faults.append(Fault(Place(str(file), 1), f"names of {kind} are missing: {', '.join(missing)}", "add them"))
    if faults:
        raise RulesError(faults)
    return Words(names, phrases, vocabulary.languages)


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
