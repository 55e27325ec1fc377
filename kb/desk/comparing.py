"""The differences between two laws, told in every language."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from kb.cases.run import cases_of
from kb.compare.as_json import comparison_json
from kb.compare.compare import compare
from kb.compare.page import body
from kb.compare.wording import Wording
from kb.desk.laws import DeskLaws
from kb.space.measures import load_measures
from kb.space.read_interview import load_interview
from kb.space.universe import Universe


@dataclass(frozen=True)
class Compared:
    """A comparison, told."""

    html: dict[str, Markup]
    """For each language what stands in the page."""
    json: dict[str, dict[str, Any]]
    """For each language the object of ``revoke compare --format json``."""


def compared(laws: DeskLaws, a: str, b: str) -> Compared:
    """The comparison; InputError for faulty rules, EngineError when the engines do not agree."""
    first, second = laws.edition(a), laws.edition(b)
    asked, wider = (Universe(load_interview(laws.root, first, second, wider=wider)) for wider in (False, True))
    cases = cases_of(first, second)
    found = compare(first, second, asked, wider, cases, load_measures(laws.root, first.vocabulary))
    said = {lang: Wording(found, laws.words, lang) for lang in laws.words.languages}
    return Compared(
        {lang: body(one) for lang, one in said.items()}, {lang: comparison_json(one) for lang, one in said.items()}
    )
