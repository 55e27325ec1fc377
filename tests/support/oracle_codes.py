"""The codes that the oracle knows, and where their Laws 61-64 part company; each field is one difference.

From the text of the laws alone. What a text leaves open is taken thus: a player who answers that he has a card of the suit
is aware of his revoke (62A before 2017), but whether that also draws attention (64B4, 64B5) is left unsettled; dummy's
question to a defender is not one that 61B of 1997 forbids; where both sides have an established revoke no trick goes in
1997 either (minute of 2001), under the number that this has later, 64B7; tricks that a claim gives are won with no card
that anybody knows (64A2 of 1997); all else as under 2017.
"""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Code:
    """One duplicate code. The defaults are those of 2017."""

    equity: str = "64C1"
    """The clause under which the score is adjusted for damage."""
    equity_of_both: str = "64C2b"
    """The same where both sides have revoked."""
    awareness: bool = False
    """62A: the player must correct what he becomes aware of, also when nobody draws attention to it."""
    partner_may_ask: bool = True
    """61B: if not, by 63B of 1997 a revoke that comes to light so is corrected and paid for as if established."""
    assent_establishes: bool = False
    """63A3: assent to a claim counts at once, not only when it has become final under 69A (63A4 of 2017)."""
    both_on_one_trick: bool = True
    """62C3 and 64B8: revokes of both sides on a trick are corrected while only one side has played on."""
    after_established: bool = True
    """64B2: only after an established revoke is the next in the suit free."""
    penalty_cards_only: bool = True
    """64B3: if not, any card that lay face up or belonged to a faced hand will do."""
    both_established: bool = True
    """64B7: both revokes have to be established; if not, both sides' having revoked is enough."""
    own_later_trick: bool = False
    """64A2: a second trick if the offender later won one with a card he could have played to the revoke trick."""


_2007 = Code(
    equity="64C",
    equity_of_both="64C",
    awareness=True,
    assent_establishes=True,
    both_on_one_trick=False,
    after_established=False,
    penalty_cards_only=False,
    both_established=False,
)
CODES = {
    "duplicate-2017": Code(),
    "duplicate-2007": _2007,
    "duplicate-1997": replace(_2007, partner_may_ask=False, both_established=True, own_later_trick=True),
}
