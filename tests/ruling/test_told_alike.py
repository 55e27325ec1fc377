"""What happened at a table is ruled on alike, whether it is told as a record, as a finding or in answer to questions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from support.counsel import counsel_of
from support.ruling import law, ruled
from support.tricks import Drawn, drawn

from facts.cards import CLOCKWISE, PARTNER, SIDE, part_of
from kb.ruling.make_ruling import rule
from kb.ruling.ruling import Ruling

EDITIONS = ("duplicate-2017", "duplicate-2007", "duplicate-1997")
AFTER = ("nobody", "next", "up-to-partner", "everybody")
WON = ("revoker", "opponent", "partner", "opponent")


def stories(one: Drawn) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """What happened then: its name, the record of it, and what was found out."""
    in_time = {"next-trick": "no", "noticed": "before-next-trick"}
    yield "in time", one.record(), in_time
    if one.cards == 4 and one.number < 12:
        yield "gone on", one.record(one.until_gone_on), {"next-trick": "played", "noticed": "during-play"}
    asks = {"of": one.hand, "by": PARTNER[one.hand], "answer": "yes"}
    if one.hand == one.declarer:
        events = [{"after": "1.1", "dummy-lost-rights": {}}, {"after": f"{one.number}.{one.cards}", "asked": asks}]
        found = {**in_time, "asked-by": PARTNER[one.hand], "dummy-lost-rights": True}
        yield "asked by dummy", {**one.record(), "events": events}, found
    elif one.hand != PARTNER[one.declarer]:
        events = [{"after": f"{one.number}.{one.cards}", "asked": asks}, *one.record()["events"]]
        yield "asked by the partner", {**one.record(), "events": events}, {**in_time, "asked-by": PARTNER[one.hand]}


def answered(one: Drawn, found: dict[str, Any], edition: str) -> Ruling:
    """After the answers to every question about it that is asked; of the later tricks nobody can say."""
    interview = counsel_of(edition).adviser.interview
    around, (finding,) = CLOCKWISE[one.hand], one.finding(**found)["revokes"]
    so = {**found, "hand": part_of(one.hand, one.declarer), "played-after": AFTER[len(finding["played-after"])]}
    so |= {"trick": "twelfth" if one.number == 12 else "earlier"}
    if "won-by" in finding:
        so["won-by"] = WON[around.index(finding["won-by"])]
    if "asked-by" in found:
        so["asked-by"] = "dummy" if one.hand == one.declarer else "partner"
    told = {name: ("no", "yes")[value] if isinstance(value, bool) else value for name, value in so.items()}
    given: dict[str, str] = {}
    for question in interview.questions.values():
        answers = [answer.id for answer in question.choices(given)]
        if answers and question.id not in ("later-tricks", "later-win-playable"):
            answer = told.get(question.id, answers[0])
            if answer in answers:
                given[question.id] = answer
    return rule(law(edition), interview.incident(given))


def comes_to(ruling: Ruling) -> tuple[str, int, int]:
    """How the revoke stands, and the fewest and most tricks that go."""
    (revoke,) = ruling.revokes
    least, most = (sum(ends) for ends in zip(*ruling.certainty.range.values(), strict=True))
    return revoke.status, least, most


@pytest.mark.parametrize("edition", EDITIONS)
def test_record_finding_and_answers_are_ruled_on_alike(edition: str) -> None:
    seen = set()
    for one in drawn(25):
        for name, record, found in stories(one):
            finding = one.finding(**found)
            ruling = ruled({**record, "edition": edition})
            status, least, most = comes_to(ruling)
            stated = comes_to(ruled({**finding, "edition": edition}))
            asked = comes_to(answered(one, found, edition))
            assert (stated[0], asked[0]) == (status, status), (name, record, finding)
            # the cards of a record may tell more than was found out, and never something else
            assert stated[1] <= least <= most <= stated[2], (name, record, finding)
            assert asked[1] <= least <= most <= asked[2], (name, record, finding)
            seen.add((name, status, SIDE[one.hand] == SIDE[one.declarer]))
    assert {name for name, *_ in seen} == {"in time", "gone on", "asked by dummy", "asked by the partner"}
