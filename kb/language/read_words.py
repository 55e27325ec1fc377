"""Reading words.yaml, that of the rules or of a draft: how values are said, and the fixed phrases."""

from __future__ import annotations

from collections.abc import Iterator

from facts.errors import Fault
from facts.form import read_form
from facts.yaml_reader import Node
from kb.language.forms import Sayings, WordsForm
from kb.language.texts import PlacedTexts
from kb.language.vocabulary import Texts


def read_words(
    node: Node, languages: tuple[str, ...], faults: list[Fault]
) -> tuple[dict[str, dict[str, Texts]], dict[str, Texts]]:
    """The names by type and the phrases by key; a fault for each that is not said in some language."""
    form: WordsForm = read_form(WordsForm, node, faults)
    for sayings in (*form.names.values(), form.phrases):
        faults += _unsaid(sayings, languages)
    return {kind: _texts(sayings) for kind, sayings in form.names.items()}, _texts(form.phrases)


def _texts(sayings: Sayings) -> dict[str, Texts]:
    return {key: PlacedTexts(said.value, dict.fromkeys(said.value, said.place)) for key, said in sayings.items()}


def _unsaid(sayings: Sayings, languages: tuple[str, ...]) -> Iterator[Fault]:
    for key, said in sayings.items():
        for lang in languages:
            if not said.value.get(lang):
                yield Fault(said.place, f"{key} is not said in {lang}", f"add {lang}: …")
