"""What is observed is said in the words of the vocabulary, whatever the incident."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st
from support.boards import random_board
from support.ruling import incident, law

from facts.cards import BY_TEXT
from facts.errors import InputError
from facts.fact import Fact
from facts.observe import observe
from kb.language.vocabulary import Vocabulary
from kb.space.completions import Completions
from kb.space.layout import Sayable

MOST = 20_000
"""Ways of filling in what is not said that are laid out."""
SEATS, SIDES, SUITS = set("NESW"), {"NS", "EW"}, set("SHDC")

findings = st.fixed_dictionaries(
    {"hand": st.sampled_from("NESW"), "trick": st.integers(1, 13)},
    optional={
        "suit": st.sampled_from("SH"),
        "card": st.sampled_from(["D2", "CA"]),
        "failed-to": st.sampled_from(["follow-suit", "play-penalty-card", "obey-requirement", "play-to-trick"]),
        "faced": st.booleans(),
        "required-faced": st.booleans(),
        "won-by": st.sampled_from("NESW"),
        "later-tricks": st.integers(0, 5),
        "later-win-playable": st.booleans(),
        "next-trick": st.sampled_from(["no", "led", "played", "designated", "led-out-of-turn"]),
        "claim": st.sampled_from(
            ["none", "by-revokers", "by-opponents-agreed", "by-opponents-open", "conceded-partner-objected"]
        ),
        "noticed": st.sampled_from(
            ["not-yet", "before-next-trick", "during-play", "after-call-on-next-board", "after-round"]
        ),
        "next-board-call-by": st.sampled_from(["NS", "EW", "both"]),
        "asked-by": st.sampled_from("NESW"),
        "dummy-lost-rights": st.booleans(),
        "other-side-revoked": st.sampled_from(["no", "same-trick", "same-board"]),
        "other-revoke-stands": st.booleans(),
        "played-after": st.lists(st.sampled_from("NESW"), unique=True),
        "repeats": st.integers(0, 3),
        "equity-tricks": st.integers(0, 13),
    },
)


@cache
def every() -> Sayable:
    """What can be said, where every kind of fact matters."""
    edition = law().edition
    return Sayable(edition.table, edition.vocabulary, frozenset(edition.vocabulary.kinds))


def wrong(vocabulary: Vocabulary, facts: tuple[Fact, ...]) -> list[str]:
    """Each fact that does not keep to its kind, with the reason."""
    found = []
    for fact in facts:
        kind = vocabulary.kinds.get(str(fact[0]))
        if kind is None or kind.name not in law().edition.stated or len(fact) != len(kind.fields) + 1:
            found.append(f"{fact}: no such kind or not so many fields")
            continue
        for field, value in zip(kind.fields, fact[1:], strict=True):
            allowed: Any = {"seat": SEATS, "side": SIDES, "suit": SUITS, "card": BY_TEXT}.get(field.type)
            if value is None:
                fits = field.unknown
            elif field.is_number:
                fits = type(value) is int
            else:
                fits = value in (vocabulary.words[field.type] if allowed is None else allowed)
            if not fits:
                found.append(f"{fact}: {field.name}")
    return found


@given(st.integers(0, 1_000_000))
def test_of_records(seed: int) -> None:
    edition = law().edition
    assert not wrong(edition.vocabulary, observe(incident(random_board(seed)), edition.table))


@pytest.mark.thorough
@given(st.lists(findings, min_size=1, max_size=2), st.sampled_from([None, *"NESW"]))
def test_of_findings(revokes: list[dict[str, Any]], declarer: str | None) -> None:
    """Whatever is stated, and whatever may be so of the rest."""
    stated: dict[str, Any] = {"revokes": revokes}
    if declarer:
        stated["declarer"] = declarer
    try:
        ways = Completions(incident(stated), every())
    except InputError:  # findings that cannot be meant are refused, and those of which too much is not said
        reject()
    if ways.size > MOST:
        reject()
    facts = tuple(fact for held in ways.facts.values() for fact in held)
    assert facts and not wrong(every().vocabulary, facts)
