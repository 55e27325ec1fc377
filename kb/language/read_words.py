"""Reading words.yaml, that of the rules or of a draft: how values are said, and the fixed phrases."""

from __future__ import annotations

from facts.errors import Faults
from facts.form import Texts, read_form
from facts.yaml_reader import Node
from kb.language.forms import WordsForm


def read_words(node: Node, faults: Faults) -> tuple[dict[str, dict[str, Texts]], dict[str, Texts]]:
    """The names by type and the phrases by key."""
    form: WordsForm = read_form(WordsForm, node, faults)
    return {kind: dict(sayings) for kind, sayings in form.names.items()}, dict(form.phrases)
