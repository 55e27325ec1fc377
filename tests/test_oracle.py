"""The oracles against rulings worked out by hand and against the cases in the folder REVOKE_CASES."""

from __future__ import annotations

import copy
import os
from pathlib import Path
from typing import Any

import pytest
import yaml
from support import oracle_findings
from support.oracle import CITED, compare, rule
from support.oracle_codes import CODES

DEAL = "N:QJ74.K83.AQ5.K62 63.QJ94.T973.Q98 AKT95.A72.K6.A53 82.T65.J842.JT74"
EAST_DISCARDS = "W CJ CK H4 C3"
WEST_WINS = "W CJ C2 H4 C3"
BOTH_REVOKE = "W CJ C2 S3 S5"


def at_table(
    *play: str, events: tuple[dict[str, Any] | str, ...] = (), tricks: int | None = None, equity: int | None = None
) -> dict[str, Any]:
    """A board of 4S by South, West to lead."""
    numbers = {key: number for key, number in (("tricks", tricks), ("equity-tricks", equity)) if number is not None}
    return {"contract": "4S", "declarer": "S", "deal": DEAL, "play": list(play), "events": list(events), **numbers}


Expected = tuple[list[str], tuple[int, int], int | None, str]
"""The revokes; the transfer to NS and to EW; the tricks as ruled; the laws cited, of those the oracle decides."""

ATTENTION: dict[str, Any] = {"attention": {"by": "S"}}
CORRECT_BOTH = (
    {"after": "2.1", "attention": {"by": "N"}},
    {"corrected": {"by": "E", "withdrawn": "S3", "played": "C8"}},
    {"corrected": {"by": "S", "withdrawn": "S5", "played": "CA"}},
)
# East ruffs a club and wins; West throws a heart on a spade at trick 3, East one on a diamond at trick 4 and wins trick 5.
THREE_BY_DEFENDERS = ("W CJ CK S3 C3", "E HQ HA H5 H3", "S SA H6 SQ S6", "S DK D2 D5 H4", "S C5 C4 C6 C8")
WITH_A_PENALTY_CARD = (
    {"after": "1.4", "attention": {"by": "S"}},
    {"corrected": {"by": "E", "withdrawn": "H4", "played": "C9"}},
)

# A revoke: hand and trick, status and the law that established it, + the law of an automatic trick, ~ of an exemption.
BY_HAND: dict[str, tuple[dict[str, Any], Expected]] = {
    "following suit": (at_table("W CJ CK C8 C3"), ([], (0, 0), None, "")),
    "the question alone is no attention": (
        at_table(EAST_DISCARDS, events=({"asked": {"by": "W", "of": "E", "answer": "yes"}},)),
        (["E1 none-yet"], (0, 0), None, "61A"),
    ),
    "noticed at once": (
        at_table(EAST_DISCARDS, "N S4", events=(ATTENTION,)),
        (["E1 must-correct"], (0, 0), None, "61A 62A"),
    ),
    "corrected, and play goes on": (
        at_table(EAST_DISCARDS, "N S4 S3", tricks=11, events=WITH_A_PENALTY_CARD),
        (["E1 corrected"], (0, 0), 11, "61A 62A"),
    ),
    "corrected by another wrong card, which stands": (
        at_table(
            EAST_DISCARDS,
            "N S4 S3",
            tricks=11,
            events=({"after": "1.3", "corrected": {"by": "E", "withdrawn": "H4", "played": "D3"}},),
        ),
        (["E1 corrected", "E1 established 63A1 +64A2"], (1, 0), 12, "61A 62A 64A2"),
    ),
    "partner plays on after attention": (
        at_table(WEST_WINS, "W D2 D5 D3 DK", tricks=11, events=({"after": "1.4", **ATTENTION},)),
        (["E1 established 63A1 +64A2"], (1, 0), 12, "61A 64A2"),
    ),
    "partner names his next card": (
        at_table(WEST_WINS, tricks=11, events=({"designated": {"by": "W", "card": "D2"}}, ATTENTION)),
        (["E1 established 63A2 +64A2"], (1, 0), 12, "61A 64A2"),
    ),
    "a play out of turn to the trick in progress": (
        at_table(EAST_DISCARDS, "N S4", tricks=11, events=({"led-out-of-turn": {"by": "W", "card": "D2"}}, ATTENTION)),
        (["E1 established 63A1 +64A2"], (1, 0), 12, "61A 64A2"),
    ),
    "a concession that partner stops": (
        at_table(WEST_WINS, tricks=11, events=({"conceded": {"by": "W"}}, {"objected": {"by": "E"}}, ATTENTION)),
        (["E1 must-correct"], (0, 0), None, "61A 62A"),
    ),
    "assent to declarer's claim, then a call": (
        at_table(
            EAST_DISCARDS,
            tricks=12,
            events=(
                {"claimed": {"by": "S"}},
                {"agreed": {"by": "W"}},
                {"called-on-next-board": {"by": "E"}},
                ATTENTION,
            ),
        ),
        (["E1 established 63A4 +64A2"], (1, 0), 13, "61A 64A2"),
    ),
    "nobody is said to have answered the claim, and the board is over": (
        at_table(
            EAST_DISCARDS,
            tricks=12,
            events=({"claimed": {"by": "S"}}, {"called-on-next-board": {"by": "E"}}, ATTENTION),
        ),
        (["E1 established 63A4 +64A2"], (1, 0), 13, "61A 64A2"),
    ),
    "nobody is said to have answered the claim, and it was noticed then": (
        at_table(EAST_DISCARDS, events=({"claimed": {"by": "S"}}, ATTENTION)),
        (["E1 must-correct"], (0, 0), None, "61A 62A"),
    ),
    "assent taken back before the round ends": (
        at_table(
            EAST_DISCARDS,
            tricks=12,
            events=(
                {"claimed": {"by": "S"}},
                {"agreed": {"by": "W"}},
                {"objected": {"by": "E"}},
                "round-ended",
                ATTENTION,
            ),
        ),
        (["E1 must-correct"], (0, 0), None, "61A 62A"),
    ),
    "both on one trick, one side has gone on": (
        at_table(BOTH_REVOKE, "S SA", events=({"after": "2.1", "attention": {"by": "N"}},)),
        (["E1 must-correct", "S1 must-correct"], (0, 0), None, "61A 62C3"),
    ),
    "both on one trick, corrected": (
        at_table(BOTH_REVOKE, "S SA", tricks=12, events=CORRECT_BOTH),
        (["E1 corrected", "S1 corrected ~64B8"], (0, 0), 12, "61A 62C3 64B8"),
    ),
    "both on one trick, both gone on, and the score adjusted": (
        at_table(BOTH_REVOKE, "S SA S2", tricks=11, equity=12),
        (["E1 established 63A1 ~64B7", "S1 established 63A1 ~64B7"], (0, 0), 12, "61A 64B7 64C2b"),
    ),
    "nothing won from the revoke on": (
        at_table(EAST_DISCARDS, "N S4 S3", tricks=13),
        (["E1 established 63A1 ~64B1"], (0, 0), 13, "61A 64B1"),
    ),
    "three revokes and two tricks to give": (
        at_table(*THREE_BY_DEFENDERS, tricks=11),
        (
            ["E1 established 63A1 +64A1", "W3 established 63A1 +64A2", "E4 established 63A1 +64A2"],
            (2, 0),
            13,
            "61A 64A1 64A2",
        ),
    ),
    "the same three, with a trick for each to give": (
        at_table(*THREE_BY_DEFENDERS, tricks=9),
        (
            ["E1 established 63A1 +64A1", "W3 established 63A1 +64A2", "E4 established 63A1 +64A2"],
            (4, 0),
            13,
            "61A 64A1 64A2",
        ),
    ),
    "again in the suit, after the first was established": (
        at_table(EAST_DISCARDS, "N C6 HQ CA C4", "S SA", tricks=11),
        (["E1 established 63A1 +64A2", "E2 none-yet"], (1, 0), 12, "61A 64A2"),
    ),
    "the second of them established by the claim": (
        at_table(EAST_DISCARDS, "N C6 HQ CA C4", tricks=11, events=({"conceded": {"by": "E"}},)),
        (["E1 established 63A1 +64A2", "E2 established 63A3 ~64B2"], (1, 0), 12, "61A 64A2 64B2"),
    ),
    "a card of dummy's": (
        at_table("W CJ D5 C8 CA", "S SA S2 S4", tricks=11),
        (["N1 established 63A1 ~64B3"], (0, 0), 11, "61A 64B3"),
    ),
    "not playing the penalty card that could be played": (
        at_table(EAST_DISCARDS, "N H3 D3 HA H5", "S SA S2 S4 S6", tricks=11, events=WITH_A_PENALTY_CARD),
        (["E1 corrected", "E2 established 63A1 ~64B3"], (0, 0), 11, "61A 62A 64B3"),
    ),
    "an innocent defender's card goes back to his hand": (
        at_table(
            "W CJ C2 C8 D6",
            "W D2 H3 H4 HA",
            "S DK H6 D5 D3",
            "S SA S8",
            tricks=11,
            events=(
                {"after": "2.1", "attention": {"by": "W"}},
                {"corrected": {"by": "S", "withdrawn": "D6", "played": "C3"}},
                {"withdrawn": {"by": "W", "card": "D2", "played": "H5"}},
            ),
        ),
        (["S1 corrected", "W3 established 63A1 +64A2"], (1, 0), 12, "61A 62A 64A2"),
    ),
    "the innocent side had called": (
        at_table(EAST_DISCARDS, "N S4 S3", tricks=11, events=({"called-on-next-board": {"by": "N"}}, ATTENTION)),
        (["E1 established 63A1 ~64B4"], (0, 0), 11, "61A 64B4"),
    ),
    "only the offenders had called": (
        at_table(EAST_DISCARDS, "N S4 S3", tricks=11, events=({"called-on-next-board": {"by": "E"}}, ATTENTION)),
        (["E1 established 63A1 +64A2"], (1, 0), 12, "61A 64A2"),
    ),
    "after the round, with equity": (
        at_table(EAST_DISCARDS, "N S4 S3", tricks=10, equity=12, events=("round-ended", ATTENTION)),
        (["E1 established 63A1 ~64B5"], (0, 0), 12, "61A 64B5 64C1"),
    ),
    "the automatic trick is enough": (
        at_table(EAST_DISCARDS, "N S4 S3", tricks=10, equity=11, events=(ATTENTION,)),
        (["E1 established 63A1 +64A2"], (1, 0), 11, "61A 64A2"),
    ),
}

# East follows to no club at trick 1 and has thrown his three by trick 6; he wins trick 7 with a heart.
CLUBS_THROWN = (EAST_DISCARDS, "N S4 S3 SA S2", "S SK S8 S7 S6", "S S9 D2 SJ C8", "N SQ C9 S5 D4", "S ST D8 C2 CQ")
ASKED_BY_PARTNER = ({"after": "1.4", "asked": {"by": "W", "of": "E", "answer": "yes"}}, WITH_A_PENALTY_CARD[1])
ONE_GONE_ON = ({"after": "2.1", "attention": {"by": "N"}}, CORRECT_BOTH[1])

BEFORE_2017: dict[str, tuple[dict[str, Any], dict[int, Expected]]] = {
    "he becomes aware of it": (
        at_table(EAST_DISCARDS, events=({"asked": {"by": "S", "of": "E", "answer": "yes"}},)),
        dict.fromkeys((2007, 1997), (["E1 must-correct"], (0, 0), None, "61A 62A")),
    ),
    "his partner asks": (
        at_table(EAST_DISCARDS, "N S4 S3", tricks=12, events=ASKED_BY_PARTNER),
        {
            2007: (["E1 corrected"], (0, 0), 12, "61A 62A"),
            1997: (["E1 corrected +64A2"], (1, 0), 13, "61A 63B 64A2"),
        },
    ),
    "his partner asks when attention has been drawn": (
        at_table(EAST_DISCARDS, "N S4 S3", tricks=11, events=(WITH_A_PENALTY_CARD[0], *ASKED_BY_PARTNER)),
        {1997: (["E1 corrected"], (0, 0), 11, "61A 62A")},
    ),
    "his partner asks, and nothing is won": (
        at_table(EAST_DISCARDS, "N S4 S3", tricks=13, events=ASKED_BY_PARTNER),
        {1997: (["E1 corrected ~64B1"], (0, 0), 13, "61A 63B 64B1")},
    ),
    "assent counts at once, also when it is taken back": (
        at_table(
            EAST_DISCARDS,
            tricks=12,
            events=({"claimed": {"by": "S"}}, {"agreed": {"by": "W"}}, {"objected": {"by": "E"}}, ATTENTION),
        ),
        dict.fromkeys((2007, 1997), (["E1 established 63A3 +64A2"], (1, 0), None, "61A 64A2")),
    ),
    "no assent": (
        at_table(EAST_DISCARDS, tricks=12, events=({"claimed": {"by": "S"}}, {"objected": {"by": "E"}}, ATTENTION)),
        dict.fromkeys((2007, 1997), (["E1 must-correct"], (0, 0), None, "61A 62A")),
    ),
    "both on one trick, one side has gone on": (
        at_table(BOTH_REVOKE, "S SA", tricks=12, equity=11, events=ONE_GONE_ON),
        {
            2007: (["E1 corrected", "S1 established 63A1 ~64B7"], (0, 0), 11, "61A 62A 64B7 64C"),
            1997: (["E1 corrected", "S1 established 63A1 +64A1"], (0, 2), 10, "61A 62A 64A1"),
        },
    ),
    "both on one trick, both gone on, and the score adjusted": (
        at_table(BOTH_REVOKE, "S SA S2", tricks=11, equity=12),
        dict.fromkeys(
            (2007, 1997),
            (["E1 established 63A1 ~64B7", "S1 established 63A1 ~64B7"], (0, 0), 12, "61A 64B7 64C"),
        ),
    ),
    "again in the suit, the first having been corrected": (
        at_table(EAST_DISCARDS, "N C6 D3 CA C4", "S SA S2 S4 S3", tricks=11, equity=12, events=WITH_A_PENALTY_CARD),
        {
            2017: (["E1 corrected", "E2 established 63A1 +64A2"], (1, 0), 12, "61A 62A 64A2"),
            2007: (["E1 corrected", "E2 established 63A1 ~64B2"], (0, 0), 12, "61A 62A 64B2 64C"),
            1997: (["E1 corrected", "E2 established 63A1 ~64B2"], (0, 0), 12, "61A 62A 64B2 64C"),
        },
    ),
    "he wins with a club later": (
        at_table(EAST_DISCARDS, "N C2 CQ C5 C4", "E HQ HA H5 H3", tricks=11),
        {
            2007: (["E1 established 63A1 +64A2"], (1, 0), 12, "61A 64A2"),
            1997: (["E1 established 63A1 +64A2"], (2, 0), 13, "61A 64A2"),
        },
    ),
    "he wins with a club later, and that is all": (
        at_table(EAST_DISCARDS, "N C2 CQ C5 C4", "E HQ HA H5 H3", tricks=12),
        {1997: (["E1 established 63A1 +64A2"], (1, 0), 13, "61A 64A2")},
    ),
    "he wins later with another suit": (
        at_table(*CLUBS_THROWN, "S H2 H5 H8 HQ", tricks=10),
        {1997: (["E1 established 63A1 +64A2"], (1, 0), 11, "61A 64A2")},
    ),
    "partner wins with a club later": (
        at_table(*CLUBS_THROWN, "S C5 CT C6 D3", tricks=9),
        {1997: (["E1 established 63A1 +64A2"], (1, 0), 10, "61A 64A2")},
    ),
    "his own card won it": (
        at_table("W CJ CK S3 C3", "E CQ C5 C4 C2", tricks=10),
        dict.fromkeys((2007, 1997), (["E1 established 63A1 +64A1"], (2, 0), 12, "61A 64A1")),
    ),
    "after the round, with equity": (
        BY_HAND["after the round, with equity"][0],
        dict.fromkeys((2007, 1997), (["E1 established 63A1 ~64B5"], (0, 0), 12, "61A 64B5 64C")),
    ),
}

TRICK_12 = {
    "contract": "4S",
    "declarer": "S",
    "deal": "N:9872.KT4.J4.7643 QT64.J986.76.QT5 AKJ3.3.KQ982.AJ8 5.AQ752.AT53.K92",
    "play": [
        *["W C2 C7 CQ CA", "S H3 H5 H4 H6", "E D6 D2 D3 D4", "E S4 S3 S5 S7", "N S8 ST SK H2", "S DK DA DJ D7"],
        *["W HA HT H8 SJ", "S D9 D5 C3 C5", "S CJ C9 C4 CT", "S C8 CK C6 H9", "W H7 HK HJ D8"],
        *["N S2 S6 DQ DT", "E SQ SA HQ S9"],
    ],
}


def _in_short(revoke: dict[str, Any]) -> str:
    """A revoke in the form of the table above."""
    by = [
        *(revoke["status-by"] or []),
        *("+" + law for law in revoke["automatic-by"]),
        *("~" + law for law in revoke["exempt-by"]),
    ]
    return " ".join([f"{revoke['hand']}{revoke['trick']}", revoke["status"], *by])


def _by_hand() -> list[Any]:
    found = [pytest.param(incident, 2017, expected, id=name) for name, (incident, expected) in BY_HAND.items()]
    for name, (incident, by_year) in BEFORE_2017.items():
        found += [pytest.param(incident, year, expected, id=f"{year}: {name}") for year, expected in by_year.items()]
    return found


@pytest.mark.parametrize(("incident", "year", "expected"), _by_hand())
def test_ruling_worked_out_by_hand(incident: dict[str, Any], year: int, expected: Expected) -> None:
    revokes, (north_south, east_west), ruled, cited = expected
    answer = rule(incident, f"duplicate-{year}")
    assert answer["unsettled"] == []
    assert [_in_short(revoke) for revoke in answer["revokes"]] == revokes
    assert answer["transfer"] == {"NS": north_south, "EW": east_west}
    assert answer["result"]["tricks-ruled"] == ruled
    assert answer["cited"] == cited.split()


def test_whether_a_second_trick_goes_in_1997_is_not_decided_by_a_claim() -> None:
    answer = rule(at_table(EAST_DISCARDS, "N S4 S3", tricks=11), "duplicate-1997")
    assert answer["revokes"][0]["automatic-tricks"] is None
    assert answer["transfer"] == {"NS": None, "EW": 0}


@pytest.mark.parametrize(
    ("events", "status", "won_by", "cited"),
    [
        ([ATTENTION], "must-correct", None, ["61A", "62D1", "64B6"]),
        ([{"corrected": {"by": "S", "withdrawn": "DQ", "played": "SA"}}], "corrected", "S", ["61A", "62D1", "64B6"]),
        (["hands-returned", ATTENTION], "established", "E", ["61A", "64B6"]),
    ],
)
def test_trick_12(events: list[Any], status: str, won_by: str | None, cited: list[str]) -> None:
    answer = rule({**TRICK_12, "events": events})
    (revoke,) = answer["revokes"]
    assert (revoke["hand"], revoke["trick"], revoke["status"], revoke["won-by"]) == ("S", 12, status, won_by)
    assert answer["cited"] == cited
    assert answer["transfer"] == {"NS": 0, "EW": 0}


def _cases() -> list[Any]:
    """The cases with a record, for each edition without elections; none when no folder is named."""
    folder = os.environ.get("REVOKE_CASES")
    found = []
    for path in sorted(Path(folder).glob("*.yaml")) if folder else []:
        case = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)
        for expected in case["expect"]:
            if "play" in case["incident"] and expected["edition"] in CITED and "elections" not in case["incident"]:
                found.append(pytest.param(case["incident"], expected, id=f"{path.stem} {expected['edition']}"))
    return found


def _text(value: Any) -> Any:
    """Everything as the strings that the base loader gives."""
    if isinstance(value, list):
        return [_text(item) for item in value]
    return {key: _text(item) for key, item in value.items()} if isinstance(value, dict) else str(value)


@pytest.mark.parametrize(("incident", "expected"), _cases())
def test_published_case(incident: dict[str, Any], expected: dict[str, Any]) -> None:
    answer = rule(incident, expected["edition"])
    assert len(answer["revokes"]) == len(expected["revokes"])
    for ours, theirs in zip(_text(answer["revokes"]), expected["revokes"], strict=True):
        assert {key: ours[key] for key in theirs} == theirs
    assert _text(answer["transfer"]) == expected["transfer"]
    result = expected.get("result", {})
    assert {key: _text(answer["result"])[key] for key in result} == result
    assert CITED[expected["edition"]] & set(expected["cited"]) <= set(answer["cited"])
    assert not set(expected["not-cited"]) & set(answer["cited"])


def test_compare_finds_each_difference() -> None:
    incident, *_ = BY_HAND["corrected by another wrong card, which stands"]
    expected = rule(incident)
    ruling = {**copy.deepcopy(expected), "cited": ["61A", "62A", "62B1", "63A1", "64A2"]}
    assert compare(expected, ruling) == []
    changes: list[tuple[str, dict[str, Any]]] = [
        ("only the oracle has it", {"revokes": ruling["revokes"][:1]}),
        ("only the ruling has it", {"revokes": [*ruling["revokes"], {"hand": "W", "trick": 2, "card": "D2"}]}),
        ("transfer: NS is 0, the oracle says 1", {"transfer": {"NS": 0, "EW": 0}}),
        ("result: tricks-ruled is 11, the oracle says 12", {"result": {"tricks-at-table": 11, "tricks-ruled": 11}}),
        ("cited: 64A2 is missing", {"cited": ["61A", "62A"]}),
        ("cited: 64B1 is not expected", {"cited": ["61A", "62A", "64A2", "64B1"]}),
    ]
    for told, change in changes:
        (difference,) = compare(expected, {**ruling, **change})
        assert told in difference


W5: dict[str, Any] = {"hand": "W", "trick": 5, "suit": "H"}
S5: dict[str, Any] = {"hand": "S", "trick": 5, "suit": "H"}
AGREED = {"won-by": "E", "later-tricks": 1, "claim": "by-opponents-agreed"}
NO_RIGHTS = {"noticed": "before-next-trick", "asked-by": "N", "dummy-lost-rights": True}
FINDINGS: dict[str, tuple[list[dict[str, Any]], dict[int, str]]] = {
    "his own card won it": (
        [{**W5, "won-by": "W", "later-tricks": 1, "next-trick": "led"}],
        dict.fromkeys((2017, 2007, 1997), "established 2, transfer 2:0"),
    ),
    "nobody knows who won it": (
        [{**W5, "later-tricks": 1, "next-trick": "played"}],
        dict.fromkeys((2017, 2007, 1997), "established None, transfer None:0"),
    ),
    "he won a later trick himself": (
        [{**W5, "won-by": "E", "later-tricks": 3, "later-win-playable": True, "next-trick": "designated"}],
        {2017: "established 1, transfer 1:0", 2007: "established 1, transfer 1:0", 1997: "established 2, transfer 2:0"},
    ),
    "assent to a claim": (
        [{**W5, **AGREED, "noticed": "after-play", "later-win-playable": False}],
        {
            2017: "must-correct 0, transfer 0:0",
            2007: "established 1, transfer 1:0",
            1997: "established 1, transfer 1:0",
        },
    ),
    "assent to a claim, and his side has called": (
        [{**W5, **AGREED, "noticed": "after-call-on-next-board", "next-board-call-by": "EW"}],
        {2017: "established 1, transfer 1:0"},
    ),
    "assent to a claim, and who has called is not known": (
        [{**W5, **AGREED, "noticed": "after-call-on-next-board"}],
        {2017: "None None, transfer None:0", 2007: "established None, transfer None:0"},
    ),
    "his partner asks": (
        [{**W5, "won-by": "E", "later-tricks": 0, "noticed": "before-next-trick", "asked-by": "E"}],
        {
            2017: "must-correct 0, transfer 0:0",
            2007: "must-correct 0, transfer 0:0",
            1997: "must-correct 1, transfer 1:0",
        },
    ),
    "dummy without rights asks declarer": (
        [{**S5, "won-by": "S", "later-tricks": 1, **NO_RIGHTS}],
        dict.fromkeys((2017, 2007, 1997), "must-correct 2, transfer 0:2"),
    ),
    "dummy without rights asks a defender": (
        [{**W5, "won-by": "W", "later-tricks": 1, **NO_RIGHTS}],
        dict.fromkeys((2017, 2007, 1997), "None None, transfer None:0"),
    ),
    "trick 12, the hands in the board": (
        [{"hand": "W", "trick": 12, "won-by": "W", "next-trick": "led", "noticed": "after-hands-returned"}],
        dict.fromkeys((2017, 2007, 1997), "established 0, transfer 0:0"),
    ),
    "the card owed lay open": (
        [{**W5, "won-by": "E", "later-tricks": 0, "next-trick": "led", "required-faced": True}],
        {2017: "established 1, transfer 1:0", 2007: "established 0, transfer 0:0", 1997: "established 0, transfer 0:0"},
    ),
    "the other side has revoked, no more is known": (
        [{**W5, "won-by": "W", "later-tricks": 1, "next-trick": "led", "other-side-revoked": "same-board"}],
        {2017: "established None, transfer None:0", 2007: "established 0, transfer 0:0"},
    ),
    "both on one trick, one side has gone on": (
        [{**W5, "won-by": "W", "later-tricks": 8, "next-trick": "led"}, {**S5, "won-by": "W", "later-tricks": 0}],
        {
            2017: "must-correct 0, must-correct 0, transfer 0:0",
            2007: "established 0, must-correct 0, transfer 0:0",
            1997: "established 2, must-correct 0, transfer 2:0",
        },
    ),
    "again in the suit, the first found at once": (
        [
            {**W5, "noticed": "before-next-trick"},
            {**W5, "trick": 8, "won-by": "S", "later-tricks": 1, "next-trick": "led"},
        ],
        {
            2017: "corrected 0, established 1, transfer 1:0",
            2007: "corrected 0, established 0, transfer 0:0",
            1997: "corrected 0, established 0, transfer 0:0",
        },
    ),
    "three tricks due and two to give": (
        [
            {**W5, "won-by": "W", "later-tricks": 1, "next-trick": "led"},
            {"hand": "E", "trick": 8, "suit": "D", "won-by": "W", "later-tricks": 0, "next-trick": "led"},
        ],
        {2017: "established 2, established 1, transfer 2:0", 2007: "established 2, established 1, transfer 2:0"},
    ),
}


@pytest.mark.parametrize(
    ("revokes", "year", "expected"),
    [
        pytest.param(revokes, year, expected, id=f"{year}: {name}")
        for name, (revokes, by_year) in FINDINGS.items()
        for year, expected in by_year.items()
    ],
)
def test_findings_worked_out_by_hand(revokes: list[dict[str, Any]], year: int, expected: str) -> None:
    found, transfer = oracle_findings.rule({"declarer": "S", "revokes": revokes}, f"duplicate-{year}")
    in_short = [f"{revoke.status} {revoke.tricks}" for revoke in found]
    assert ", ".join([*in_short, f"transfer {transfer['NS']}:{transfer['EW']}"]) == expected


def test_disagreements_on_findings() -> None:
    incident = {"declarer": "S", "revokes": FINDINGS["his own card won it"][0]}
    ruled = {"status": "established", "automatic-tricks": 2, "exempt-by": []}
    for edition in CODES:
        assert oracle_findings.disagreements(edition, incident, _verdict(ruled, 2)) == []
        assert oracle_findings.disagreements(edition, incident, _verdict({**ruled, "status": "open"}, 2)) == [
            "W5: open, the oracle says established"
        ]
        assert oracle_findings.disagreements(edition, incident, _verdict({**ruled, "exempt-by": ["64B7"]}, 2)) == [
            "W5: 64B7, the oracle says False"
        ]
        assert oracle_findings.disagreements(edition, incident, _verdict({**ruled, "automatic-tricks": 1}, 1)) == [
            "W5: 1 tricks, the oracle says 2",
            "1 tricks to NS, the oracle says 2",
        ]


def _verdict(revoke: dict[str, Any], to_north_south: int) -> dict[str, Any]:
    return {"revokes": [revoke], "transfer": {"NS": to_north_south, "EW": 0}}
