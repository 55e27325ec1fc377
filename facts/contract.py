"""The contract: level, denomination, and whether it was doubled."""

from __future__ import annotations

import re
from dataclasses import dataclass
from reprlib import repr
from typing import Final, Literal, TypeAlias

from facts.cards import Denomination, Suit
from facts.errors import MisreadError

Doubled: TypeAlias = Literal["", "X", "XX"]

_FORM: Final = re.compile(r"([1-7])(NT|[SHDC])(X{0,2})")


@dataclass(frozen=True, slots=True)
class Contract:
    """What declarer undertook."""

    level: int
    """1 to 7; 0 when the board was passed out."""
    denomination: Denomination
    doubled: Doubled = ""

    @staticmethod
    def from_text(text: object) -> Contract:
        """The contract written ``4S``, ``4SX``, ``3NTXX`` or ``Pass``; MisreadError for anything else."""
        plain = str(text).strip().upper()
        if plain == "PASS":
            return PASSED_OUT
        form = _FORM.fullmatch(plain)
        if form is None:
            raise MisreadError(
                f"{repr(str(text))} is no contract", "write level, denomination and doubles, such as 4S, 3NTXX or Pass"
            )
        level, denomination, doubled = form.groups()
        return Contract(int(level), denomination, doubled)  # type: ignore[arg-type]

    @property
    def trump(self) -> Suit | None:
        """The trump suit, if there is one."""
        return None if self.denomination == "NT" else self.denomination

    @property
    def passed_out(self) -> bool:
        """Whether nobody bid."""
        return self.level == 0

    def __str__(self) -> str:
        return "Pass" if self.passed_out else f"{self.level}{self.denomination}{self.doubled}"


PASSED_OUT: Final = Contract(0, "NT")
