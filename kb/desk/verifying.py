"""Saved rulings checked by the rules of this desk."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from itertools import islice
from typing import Any, Final, TypeAlias

from facts.errors import Fault, InputError, Place
from kb.desk.laws import DeskLaws
from kb.explain.text import title
from kb.verify.document import lines_in, read_document
from kb.verify.verify import Verified, Verifier, verified_json

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
    """What came of each; to be done in the pool, since drafts are read anew."""
    shipped = Verifier(laws.root)
    return [_verified(laws, shipped, place, document, lang) for place, document in given]


def _verified(
    laws: DeskLaws, shipped: Verifier, place: Place, document: bytes | Mapping[str, Any], lang: str
) -> VerifiedTold:
    try:
        read = read_document(document, place)
        edition = str(read.get("edition"))
        by_draft = edition in laws.drafts.names()
        verifier = Verifier(laws.root, [str(laws.drafts.folder(edition))]) if by_draft else shipped
        one = verifier.verify(read, place)
    except InputError as error:
        one = Verified(place, error.faults, None)
    homes = (f"{laws.root}/", f"{laws.drafts.home}/")  # where files lie on the desk's computer
    faults = tuple(replace(fault, what=fault.what.replace(homes[0], "").replace(homes[1], "")) for fault in one.faults)
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
