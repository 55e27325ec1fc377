"""What is claimed of a law, asked of every situation and told in every language."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from kb.cases.cases import cases_of
from kb.desk.laws import DeskLaws
from kb.prove.prove import Proving
from kb.prove.telling import ProofReport, proof_json
from kb.prove.told import ToldVerdict

ORDER: Final = ("refuted", "needless", "empty", "expected", "holds")
"""How properties can stand, what has to be mended first."""


@dataclass(frozen=True)
class Proved:
    """The verdicts on everything that is claimed of a law, told."""

    verdicts: dict[str, tuple[ToldVerdict, ...]]
    """For each language."""
    json: dict[str, dict[str, Any]]
    """For each language the object of ``revoke prove --format json``; files are named without where they lie."""

    def groups(self, lang: str) -> Iterator[tuple[str, list[ToldVerdict]]]:
        """How properties stand, and those that stand so; none without any."""
        for standing in ORDER:
            if found := [one for one in self.verdicts[lang] if one.standing == standing]:
                yield standing, found


def proved(laws: DeskLaws, name: str) -> Proved:
    """The verdicts; InputError for faulty rules or claims."""
    edition = laws.edition(name)
    proving = Proving(laws.root, edition, lambda: cases_of(edition))
    found = [*proving.verdicts()]
    reports = {lang: ProofReport(proving, laws.words, lang) for lang in laws.words.languages}
    return Proved(
        {lang: tuple(map(report.told, found)) for lang, report in reports.items()},
        {lang: _homeless(proof_json(report, found)) for lang, report in reports.items()},
    )


def _homeless(proof: dict[str, Any]) -> dict[str, Any]:
    """The object with the names of editions and their files, and not where on the desk's computer they lie."""
    claims = [
        {**one, "place": "/".join(one["place"].replace("\\", "/").split("/")[-2:])} for one in proof["properties"]
    ]
    return {**proof, "properties": claims}
