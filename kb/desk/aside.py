"""Heavy questions: asked one at a time, in a process beside the desk, where no ruling waits for them.

What lays out many situations holds Python's lock for tenths of a second, and would keep the most memory it ever had.
"""

from __future__ import annotations

import ctypes
import os
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from anyio import BrokenWorkerProcess, CapacityLimiter, to_process

from facts.errors import EngineError, InputError
from facts.incident import Incident
from kb.explain.as_text import page_of
from kb.explain.page import Page
from kb.explain.words import Speaker, Words, load_words
from kb.ruling.laws import Laws
from kb.ruling.make_ruling import rule
from kb.why_not.why_not import answer_page, why_not

MOST_QUESTIONS: Final = 12
"""Questions that wait for an answer; whoever comes then is told so."""
BEHIND: Final = 5
"""By how much a ruling goes first where there is one core (``nice``)."""


class WhyNotTold(NamedTuple):
    """The ruling that was asked about, in one line; and the answer, None where too little is said."""

    headline: str
    page: Page | None


class Aside:
    def __init__(self, rules: Path) -> None:
        self._rules, self._one = rules, CapacityLimiter(1)

    async def why_not(self, incident: Incident, clause: str, lang: str) -> WhyNotTold:
        """InputError where there can be no ruling, EngineError where there is no answer now."""
        if self._one.statistics().tasks_waiting >= MOST_QUESTIONS:
            raise EngineError(f"{MOST_QUESTIONS} such questions are waiting")
        try:
            return await to_process.run_sync(_why_not, self._rules, incident, clause, lang, limiter=self._one)
        except BrokenWorkerProcess:
            raise EngineError("the process that was asked has ended") from None


def _why_not(rules: Path, incident: Incident, clause: str, lang: str) -> WhyNotTold:
    laws, words = _known(rules)
    ruling = rule(laws.for_incident(incident), incident)
    speaker = Speaker(words, ruling.edition.vocabulary, lang)
    ruling_page, answer = page_of(ruling, speaker.of(ruling)), None
    with suppress(InputError):
        answer = answer_page(ruling, why_not(ruling, clause), speaker)
    give_back()
    return WhyNotTold(f"{ruling_page.title}: {ruling_page.lead[0].text}", answer)


@cache
def _known(rules: Path) -> tuple[Laws, Words]:
    """What the process keeps from one question to the next."""
    with suppress(AttributeError):  # not on every system
        os.nice(BEHIND)
    laws = Laws(rules, "quick")
    return laws, load_words(rules, laws.of(laws.usual).edition.vocabulary)


def give_back() -> None:
    """Memory that is free goes back to the system, where the C library can do that."""
    with suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)
