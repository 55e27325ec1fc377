"""Saved rulings checked by the rules of this desk."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from io import BytesIO
from itertools import islice
from time import monotonic
from typing import Any, Final, TypeAlias

from facts.errors import EngineError, InputError, Place
from kb.desk.laws import DeskLaws
from kb.verify.document import lines_in, read_document
from kb.verify.verify import Verified, Verifier

MOST_SAVED: Final = 200
"""Rulings checked in one go."""
PATIENCE: Final = 20.0
"""Seconds after which no further one is begun."""
SavedRuling: TypeAlias = tuple[Place, bytes | Mapping[str, Any]]
"""Where it stands, and its text or object."""


class DeskVerifier:
    """Checks rulings given by the editions and drafts of a desk; to be asked by one thread at a time."""

    def __init__(self, laws: DeskLaws) -> None:
        self.laws = laws

    @cached_property
    def shipped(self) -> Verifier:
        """For the shipped editions, which never change."""
        return Verifier(self.laws.root)

    def verify(self, given: Iterable[SavedRuling]) -> list[Verified]:
        """What came of each; EngineError when they take too long."""
        end, found = monotonic() + PATIENCE, list[Verified]()
        for place, document in given:
            if monotonic() > end:
                raise EngineError(f"{len(found)} of these took {PATIENCE:.0f} seconds; give fewer at a time")
            found.append(self._one(place, document))
        return found

    def _one(self, place: Place, document: bytes | Mapping[str, Any]) -> Verified:
        try:
            read = read_document(document, place)
            one = self._for(read.get("edition")).verify(read, place)
        except InputError as error:
            one = Verified(place, error.faults, None)
        return replace(one, faults=tuple(replace(fault, what=self._homeless(fault.what)) for fault in one.faults))

    def _for(self, edition: object) -> Verifier:
        """The one that knows an edition; a draft is read anew, since it changes."""
        drafts = self.laws.drafts
        if isinstance(edition, str) and edition in drafts.names():
            return Verifier(self.laws.root, [str(drafts.folder(edition))])
        return self.shipped

    def _homeless(self, what: str) -> str:
        """The text without the folders in which files lie on the desk's computer."""
        return what.replace(f"{self.laws.root}/", "").replace(f"{self.laws.drafts.home}/", "")


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
