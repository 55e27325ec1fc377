"""What is worked out in the pool and told in every language: comparisons, claims, saved rulings checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from itertools import islice
from typing import Any, Final, TypeAlias

from markupsafe import Markup

from facts.errors import Fault, InputError, Place
from kb.cases.cases import cases_of
from kb.compare.compare import compared as comparison
from kb.compare.telling import Wording, body, comparison_json
from kb.desk.laws import DeskLaws
from kb.explain.text import title
from kb.prove.prove import Proving
from kb.prove.telling import ProofReport, ToldVerdict, proof_json
from kb.verify.document import lines_in, read_document
from kb.verify.verify import Verified, Verifier, verified_json


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


MOST_SAVED: Final = 200
"""Rulings checked in one go."""
SavedRuling: TypeAlias = tuple[Place, bytes | Mapping[str, Any]]
"""Where it stands, and its text or object."""


@dataclass(frozen=True)
class VerifiedTold:
    """What came of one, told."""

    line: int
    named: str
    """The ruling's title; empty where it has none."""
    faults: tuple[Fault, ...]
    looked_at: dict[str, int]
    json: dict[str, Any]
    """As ``revoke verify --format json`` tells it."""


def verified(laws: DeskLaws, given: Iterable[SavedRuling], lang: str) -> list[VerifiedTold]:
    """What came of each; to be done in the pool."""
    shipped = Verifier(laws.root)
    return [_verified(laws, shipped, place, document, lang) for place, document in given]


def _verified(
    laws: DeskLaws, shipped: Verifier, place: Place, document: bytes | Mapping[str, Any], lang: str
) -> VerifiedTold:
    try:
        read = read_document(document, place)
        one = shipped.verify(read, place)
    except InputError as error:
        one = Verified(place, error.faults, None)
    home = f"{laws.root}/"  # where files lie on the desk's computer
    faults = tuple(replace(fault, what=fault.what.replace(home, "")) for fault in one.faults)
    named = title(one.ruling, laws.speaker(one.ruling.edition, lang)) if one.ruling else ""
    return VerifiedTold(place.line, named, faults, one.looked_at, verified_json(one))


def saved_rulings(
    rulings: Sequence[Mapping[str, Any]] | None = None, text: str | bytes | None = None
) -> list[SavedRuling]:
    """Rulings read from JSON, by their numbers, or those of a text, by its lines; InputError for none or too many."""
    if (rulings is None) == (text is None):
        raise InputError.of("rulings", "give either rulings or text", "and not both")
    data = text.encode("utf-8", "replace") if isinstance(text, str) else text
    lines = lines_in(BytesIO(data or b""), "text")
    objects = ((Place("rulings", number), one) for number, one in enumerate(rulings or (), 1))
    given: list[SavedRuling] = [*islice(lines, MOST_SAVED + 1), *objects]
    if not 0 < len(given) <= MOST_SAVED:
        count = f"there are more than {MOST_SAVED} rulings" if given else "there is no ruling"
        raise InputError.of("rulings", f"{count} in this", f"give 1 to {MOST_SAVED} at a time")
    return given
