"""Every evaluator gives up at the same bounds, and says of which rule."""

from __future__ import annotations

import pickle
from collections.abc import Iterator

import pytest
from support.evaluators import RUN
from support.rules import program

from facts.errors import BoundsError
from facts.fact import Fact
from kb.engine import bounds
from kb.engine.bounds import LARGEST, MOST_FACTS, MOST_FIRINGS
from kb.engine.durable import LARGE_RUN, DurableEngine
from kb.engine.sets import Facts, Sets

KINDS = "play(hand: seat, trick: integer)\nseen(n: integer)"
UNJOINED = "far: " + ", ".join(f"play(trick>{n})" for n in range(7)) + " -> seen(n=1)"
FIRES = "much: play(trick=$t), play(trick>0), play(trick>0) -> seen(n=$t)"
ENDLESS = "more: seen(n=$n) -> seen(n=$n+1)"
TO_THE_END = [pytest.param(one, marks=pytest.mark.thorough if one.startswith("plain") else ()) for one in RUN]
"""What runs rules as plainly as can be takes its time until it comes to a bound."""


def plays(number: int = 52) -> list[Fact]:
    return [("play", "NESW"[n % 4], n + 10) for n in range(number)]


@pytest.mark.thorough
@pytest.mark.parametrize("engine", RUN)
def test_conditions_that_are_not_joined_end_with_the_rule(engine: str) -> None:
    with pytest.raises(BoundsError, match="rule far the most"):
        RUN[engine](program(KINDS, UNJOINED), plays())


@pytest.mark.thorough
@pytest.mark.parametrize("engine", ["durable", "quick", "plain"])
def test_so_many_firings_are_too_many(engine: str) -> None:
    fires = program(KINDS, FIRES)
    with pytest.raises(BoundsError, match=f"fire more than {MOST_FIRINGS:,} times, rule much the most"):
        RUN[engine](fires, plays(28))
    RUN[engine](fires, plays(27))


@pytest.mark.thorough
@pytest.mark.parametrize("engine", TO_THE_END)
def test_many_rules_have_the_bound_of_one(engine: str) -> None:
    rules = [f"far{n}: play(trick=$t), play(trick>$t+1000) -> seen(n={n})" for n in range(40)]
    within, beyond = (program(KINDS, "\n".join(some)) for some in (rules[:30], rules))
    RUN[engine](within, plays(120))
    with pytest.raises(
        BoundsError, match=r"rules look at more than 500,000 combinations of facts, rule far\d+ the most"
    ):
        RUN[engine](beyond, plays(120))


SLIPS = {
    "one condition each, twice as many from layer to layer": (
        "\n".join(f"x{n}(n: integer)" for n in range(25)),
        "\n".join(["first: play(trick=$t) -> x0(n=$t)", *(f"double{n}: x{n}(n=$n) -> x{n + 1}(n=$n), x{n + 1}(n=$n+{64 << n})" for n in range(24))]),
        "fire more than 20,000 times, rule double",
    ),
    "the last of many facts is the one that must not be": (
        "",
        "\n".join(f"scan{n}: play(trick=$t), not play(trick>$t+{n % 3}) -> seen(n=$t)" for n in range(30)),
        "look at more than 500,000 combinations of facts, rule scan",
    ),
    "many facts must not be, for each of many": (
        "",
        "pairs: play(trick=$t), not play(trick>$t+600) -> seen(n=$t)",
        "look at more than 500,000 combinations of facts, rule pairs",
    ),
    "each counts all others": (
        "",
        "many: play(trick=$t), count(play(trick!=$t)) > 5000 -> seen(n=$t)",
        "look at more than 500,000 combinations of facts, rule many",
    ),
    "often the same fact": ("", FIRES, "fire more than 20,000 times, rule much"),
}  # fmt: skip


@pytest.mark.thorough
@pytest.mark.parametrize("slip", SLIPS)
@pytest.mark.parametrize("engine", TO_THE_END)
def test_a_slip_is_too_much_for_everyone(engine: str, slip: str) -> None:
    kinds, rules, told = SLIPS[slip]
    number = 28 if rules == FIRES else 990
    with pytest.raises(BoundsError, match=told):
        RUN[engine](program(f"{KINDS}\n{kinds}", rules), plays(number))


@pytest.mark.parametrize("engine", TO_THE_END)
def test_a_chain_that_feeds_itself_counts_each_firing_once(engine: str) -> None:
    chain = program(f"{KINDS}\nlimit(n: integer)", "on: seen(n=$n), limit(n>$n) -> seen(n=$n+1)")
    RUN[engine](chain, [("seen", 0), ("limit", 250)])


@pytest.mark.parametrize("engine", RUN)
def test_numbers_have_a_bound_too(engine: str) -> None:
    adds = program(f"{KINDS}\nsum(n: integer)", "adds: play(trick=$t), sum(n=$n) -> seen(n=$n+$t)")
    RUN[engine](adds, [("play", "N", 1), ("sum", LARGEST - 1)])
    with pytest.raises(BoundsError, match=f"rules:1:1: rule adds reckons with numbers beyond {LARGEST:,}; see whether"):
        RUN[engine](adds, [("play", "N", 2), ("sum", LARGEST - 1)])


FAR = "play(trick=$t), play(trick>$t+900) -> seen(n=0)"
BEYOND = {
    "few: play(trick=$t) -> seen(n=$t)\nsome: play(trick=$t) -> seen(n=$t+100)": "fire more than 60 times, rule few",
    f"far: {FAR}\nas-far: {FAR}": "look at more than 1,500 combinations of facts, rule far",
}


@pytest.mark.parametrize("rules", BEYOND)
def test_on_many_situations_rules_come_to_less(rules: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "MANY_SITUATIONS", 3)
    some, everything = program(KINDS, rules), (1 << 1_000) - 1
    sets, ground = Sets(some.vocabulary, some.rules), {"play": Facts(dict.fromkeys(plays(31), everything))}
    sets.run(ground, everything >> 300)
    with pytest.raises(BoundsError, match=BEYOND[rules]):
        sets.run(ground, everything)


@pytest.mark.thorough
@pytest.mark.parametrize("engine", TO_THE_END)
def test_what_feeds_itself_ends(engine: str) -> None:
    with pytest.raises(BoundsError, match=r"rule more the most; .*see whether its sum feeds itself"):
        RUN[engine](program(KINDS, ENDLESS), [("seen", 1)])


@pytest.mark.parametrize("engine", ["durable", "quick"])
def test_so_many_facts_are_too_many(engine: str) -> None:
    some = program(KINDS, "some: play(trick=$t) -> seen(n=$t)")
    with pytest.raises(BoundsError, match="this comes to 5,001 facts"):
        RUN[engine](some, plays(MOST_FACTS + 1))


@pytest.mark.thorough
def test_counting_has_its_bound_too() -> None:
    counts = program(KINDS, "count: play(trick=$t), play(trick>$t), count(play(trick>$t)) > 1000 -> seen(n=$t)")
    with pytest.raises(BoundsError, match="look at more than 500,000 combinations of facts, rule count the most"):
        RUN["quick"](counts, plays(1_000))


def test_a_large_board_is_ruled_on_by_the_quick_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> Iterator[str]:
        raise AssertionError("durable-rules was asked")

    some = program(KINDS, "some: play(trick=$t) -> seen(n=$t)")
    engine = DurableEngine(some)
    monkeypatch.setattr(DurableEngine, "_settled", fail)
    facts = plays(LARGE_RUN + 1)
    assert engine.run(facts).firings == some.run(facts).firings
    with pytest.raises(AssertionError, match="was asked"):
        engine.run(plays(LARGE_RUN))


def test_the_error_can_be_sent_to_another_process() -> None:
    error = BoundsError("what", "mend")
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again)) == (BoundsError, "what; mend")
