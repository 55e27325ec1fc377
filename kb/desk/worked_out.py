"""What is worked out in the pool and told in every language: comparisons."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup

from kb.compare.compare import compared as comparison
from kb.compare.telling import Wording, body, comparison_json
from kb.desk.laws import DeskLaws


def compared(laws: DeskLaws, a: str, b: str) -> dict[str, tuple[Markup, dict[str, Any]]]:
    """A comparison; for each language what stands in the page, and the object of ``revoke compare --format json``.

    InputError for faulty rules, EngineError when the engines do not agree.
    """
    found = comparison(laws.root, laws.edition(a), laws.edition(b))
    said = {lang: Wording(found, laws.words, lang) for lang in laws.words.languages}
    return {lang: (body(one), comparison_json(one)) for lang, one in said.items()}
