"""The sample of an audit that is checked against the rules, and derived again on durable-rules."""

from __future__ import annotations

from threading import Lock
from typing import Final
from zlib import crc32

from facts.errors import EngineError
from facts.incident import Incident
from facts.readers.archives import Reading
from kb.engine import Engine, engine_for
from kb.engine.durable import LARGE
from kb.engine.quick import demand_whole
from kb.ruling.law import Law, default_engine
from kb.ruling.rule import ruled_once

OF_RULED: Final = 10
"""One in so many of the boards that are ruled on."""
OF_UNRULED: Final = 200
"""One in so many of those on which, by their cards, there is nothing to rule."""


class Sample:
    """Chosen by source and number, so that it is the same however the work is divided."""

    def __init__(self) -> None:
        self._usable = default_engine()[0] == "durable"
        self._engines: dict[int, Engine] = {}
        self._one_at_a_time = Lock()

    def has_ruled(self, reading: Reading) -> bool:
        """Whether this board, which is ruled on, is in the sample."""
        return _chance(reading) % OF_RULED == 0

    def has_unruled(self, reading: Reading) -> bool:
        """Whether this board, on which there is nothing to rule, is in the sample."""
        return _chance(reading) % OF_UNRULED == 0

    def verify(self, law: Law, incident: Incident) -> bool:
        """Whether both engines were asked; EngineError when the proof is not what the rules say, or theirs differ.

        False where durable-rules cannot be used, or the board is too large for it.
        """
        facts = ruled_once(law, incident).example
        if len(facts) > LARGE:
            return False
        proof = law.engine.run(facts)
        demand_whole(proof, incident.place)
        if not self._usable:
            return False
        with self._one_at_a_time:
            if id(law) not in self._engines:
                self._engines[id(law)] = engine_for("durable", law.program)
            reference = self._engines[id(law)].run(facts)
        if reference != proof:
            raise EngineError(f"{incident.place}: the engines do not agree on this board by {law.edition.id}")
        return True


def _chance(reading: Reading) -> int:
    return crc32(f"{reading.source}:{reading.number}".encode())
