"""What Python relies on in the vocabulary and the table, by name.

Nothing else of them is named in Python outside ``facts/observe.py``; the check ``relied-on`` asks for both.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

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
TABLE_TRICKS: Final = "table"
EVIDENCE: Final = "evidence"
WEIGHTED: Final = "weighted-score"
WEIGHTED_FOR: Final = "weighted-score-for"
SEATED: Final = "hand"
REFUSED: Final = "change-refused"
"""By it rules say that a change of cards does not stand."""
RULED_OUT: Final = "ruled-out"
"""By it rules say what is not to be taken to have been, as long as anything else may have been."""
UNDECIDED: Final = "undecided"
"""By it rules say whose card of a trick may still be another, so that nobody has won the trick."""

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
WORD_LISTS: Final[Mapping[str, tuple[str, ...]]] = {
    "role": ("declarer", "dummy", "defender"),
    "side-role": ("declaring", "defending"),
    "part": ("led", "played"),
    "taking-back": ("corrected", "withdrawn"),
    "measure": ("least", "most", "replay"),
    "status-word": (ESTABLISHED, MUST_CORRECT, CORRECTED, NONE_YET),
}
"""List of words -> those among it that Python names."""
FINDINGS: Final[Mapping[str, tuple[str, tuple[str, ...]]]] = {
    "failed-to": ("words", ("follow-suit",)),
    "won-by": ("seat", ("revoker",)),
    "next-trick": ("words", ("no", "played")),
    "claim": ("words", ("none",)),
    "noticed": ("words", ("not-yet", "before-next-trick", "during-play")),
    "played-after": ("seat", ()),
    "partner-to-play": ("yes-no", ()),
    "later-tricks": ("number", ()),
    "later-win-playable": ("yes-no", ()),
    "equity-tricks": ("number", ()),
    "repeats": ("number", ()),
}
"""Finding -> its type, and those of its values and answers that Python names."""
