"""What Python relies on in the vocabulary, by name: kinds of fact, parts of the ruling, fields and words.

Nothing else of the vocabulary is named in Python outside ``facts/observe``, whose kinds are checked here too. It is
asked of every vocabulary that knows revokes: no other can be ruled by.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from facts.errors import Fault, Place
from facts.observe.observe import OBSERVED
from facts.suggestions import did_you_mean
from kb.language.vocabulary import Kind, Vocabulary

# Fields of the same name and meaning wherever they stand.
AT: Final = "at"
PLAY: Final = "play"
TRICK: Final = "trick"
HAND: Final = "hand"
CARD: Final = "card"

# Kinds of fact.
REVOKE: Final = "revoke"
PLAYED: Final = "played"
WON: Final = "won"
HELD: Final = "held"
ROLE: Final = "role"
TABLE: Final = "table"
EVIDENCE: Final = "evidence"
SEATED: Final = "hand"
REFUSED: Final = "change-refused"
"""By it rules say that a change of cards does not stand."""

# Parts of the ruling.
REVOKES: Final = "revokes"
STATUS: Final = "status"
AUTOMATIC: Final = "automatic"
EXEMPT: Final = "exempt"
SUIT: Final = "suit"
TRANSFER: Final = "transfer"
ADJUSTED: Final = "adjusted"
RESULT: Final = "result"
POINTS: Final = "points"
OPTIONS: Final = "options"
RECTIFICATIONS: Final = "rectifications"
REMARKS: Final = "remarks"
DIRECTOR: Final = "director"

# Words for the status of a revoke.
ESTABLISHED: Final = "established"
MUST_CORRECT: Final = "must-correct"
CORRECTED: Final = "corrected"
NONE_YET: Final = "none-yet"
OPEN: Final = "open"
"""In no list of words: the status of a revoke of which it is not known."""

OF_PARTS: Final[Mapping[str, str]] = {
    REVOKES: "play: play, trick: trick, hand: seat, side: side, card: card?",
    STATUS: "play: play, is: status-word",
    AUTOMATIC: "play: play, tricks: integer",
    EXEMPT: "play: play",
    SUIT: "play: play, suit: suit",
    TRANSFER: "to: side, tricks: integer",
    ADJUSTED: "side: side, tricks: integer",
    RESULT: "side: side, tricks: integer",
    DIRECTOR: "trick: trick, hand: seat",
}
"""Part of the ruling -> the fields that every kind in it has, others beside them."""
PARTS: Final = (*OF_PARTS, POINTS, OPTIONS, RECTIFICATIONS, REMARKS)
"""Every part of a ruling; each is filled by some kind."""
WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "role": ("declarer", "dummy", "defender"),
    "side-role": ("declaring", "defending"),
    "part": ("led", "played"),
    "taking-back": ("corrected", "withdrawn"),
    "measure": ("least", "most", "replay"),
    "status-word": (ESTABLISHED, MUST_CORRECT, CORRECTED, NONE_YET),
}
"""List of words -> those among it that Python names."""


def known_faults(vocabulary: Vocabulary) -> Iterator[Fault]:
    """What Python relies on and the vocabulary has not, or has otherwise."""
    parts: dict[str, list[Kind]] = {}
    for kind in vocabulary.kinds.values():
        parts.setdefault(kind.section or "", []).append(kind)
    if REVOKE in vocabulary.kinds or REVOKES in parts:
        first = next(iter(vocabulary.kinds.values())).place
        yield from _of_kinds(vocabulary.kinds, first)
        yield from _of_parts(parts, first)
        for name, word in ((name, word) for name, words in WORDS.items() for word in words):
            if word not in vocabulary.words.get(name, ()):
                place = vocabulary.word_places.get(name, first)
                yield Fault(place, f"{name} lacks {word}, which Python knows by name", f"add {word} to {name}")
        known = (*PARTS, *vocabulary.sections)
        for kind in vocabulary.kinds.values():
            if kind.section and kind.section not in known:
                what = f"there is no part {kind.section} of a ruling"
                yield Fault(kind.place, what, f"{did_you_mean(kind.section, known)}, or add it to sections")


def _of_kinds(kinds: Mapping[str, Kind], first: Place) -> Iterator[Fault]:
    for name, fields in OBSERVED.items():
        if name not in kinds:
            yield Fault(first, f"there is no kind {name}, which is observed", f"add {name} with fields: {{{fields}}}")
        elif kinds[name].signature != fields:
            yield _otherwise(kinds[name], f"the fields {{{fields}}}, in this order")
    if REVOKE not in kinds or kinds[REVOKE].section != REVOKES:
        place = kinds[REVOKE].place if REVOKE in kinds else first
        mend = f"give {REVOKE} ruling: {{section: {REVOKES}}}"
        yield Fault(place, f"no kind {REVOKE} is of the part {REVOKES} of a ruling", mend)


def _of_parts(parts: Mapping[str, list[Kind]], first: Place) -> Iterator[Fault]:
    for part in PARTS:
        if part not in parts:
            mend = f"give one ruling: {{section: {part}}}"
            yield Fault(first, f"no kind is of the part {part} of a ruling", mend)
    for part, fields in OF_PARTS.items():
        for kind in parts.get(part, ()):
            has = kind.signature.split(", ")
            if lacking := [field for field in fields.split(", ") if field not in has]:
                yield _otherwise(kind, f"the field {lacking[0]}, as every kind of the part {part}")


def _otherwise(kind: Kind, fields: str) -> Fault:
    return Fault(kind.place, f"{kind.name} is not as Python knows it", f"give it {fields}")
