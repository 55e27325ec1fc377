"""What is worked out in the pool and told in every language: comparisons and claims."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from markupsafe import Markup

from kb.cases.cases import cases_of
from kb.compare.compare import compared as comparison
from kb.compare.telling import Wording, body, comparison_json
from kb.desk.laws import DeskLaws
from kb.prove.prove import Proving
from kb.prove.telling import ProofReport, ToldVerdict, proof_json


def compared(laws: DeskLaws, a: str, b: str) -> dict[str, tuple[Markup, dict[str, Any]]]:
    """A comparison; for each language what stands in the page, and the object of ``revoke compare --format json``.

    InputError for faulty rules, EngineError when the engines do not agree.
    """
    found = comparison(laws.root, laws.edition(a), laws.edition(b))
    said = {lang: Wording(found, laws.words, lang) for lang in laws.words.languages}
    return {lang: (body(one), comparison_json(one)) for lang, one in said.items()}


def proved(laws: DeskLaws, name: str) -> dict[str, tuple[tuple[ToldVerdict, ...], dict[str, Any]]]:
    """The verdicts on everything that is claimed of a law; for each language told, and as the object of
    ``revoke prove --format json``, in which files are named without where they lie on the desk's computer.

    InputError for faulty rules or claims.
    """
    edition = laws.edition(name)
    proving = Proving(laws.root, edition, lambda: cases_of(edition))
    found, told = [*proving.verdicts()], dict[str, tuple[tuple[ToldVerdict, ...], dict[str, Any]]]()
    for lang in laws.words.languages:
        report = ProofReport(proving, laws.words, lang)
        proof = proof_json(report, found)
        for one in proof["properties"]:
            one["place"] = "/".join(one["place"].replace("\\", "/").split("/")[-2:])
        told[lang] = tuple(map(report.told, found)), proof
    return told


ORDER: Final = ("refuted", "needless", "empty", "expected", "holds")
"""How properties can stand, what has to be mended first."""


def by_standing(verdicts: Sequence[ToldVerdict]) -> list[tuple[str, list[ToldVerdict]]]:
    """How properties stand, and those that stand so; none without any."""
    groups = ((standing, [one for one in verdicts if one.standing == standing]) for standing in ORDER)
    return [(standing, found) for standing, found in groups if found]
