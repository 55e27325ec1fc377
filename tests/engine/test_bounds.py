"""Every evaluator gives up at the same bounds, and says of which rule."""

from __future__ import annotations

import pickle
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.evaluators import RUN
from support.house import HERE
from support.rules import program

from facts.errors import BoundsError, InputError
from facts.fact import Fact
from facts.readers.archives import read_file
from kb.engine import durable, engine_for, plain
from kb.engine.bounds import LARGE, MOST_FACTS, MOST_FIRINGS
from kb.ruling.law import Law
from kb.ruling.rule import rule
from kb.verify import plain_runs
from kb.verify.plain_law import PlainLaws

KINDS = "play(hand: seat, trick: integer)\nseen(n: integer)"
UNJOINED = "far: " + ", ".join(f"play(trick>{n})" for n in range(7)) + " -> seen(n=1)"
FIRES = "much: play(trick=$t), play(trick>0), play(trick>0) -> seen(n=$t)"
ENDLESS = "more: seen(n=$n) -> seen(n=$n+1)"


def plays(number: int = 52) -> list[Fact]:
    return [("play", "NESW"[n % 4], n + 10) for n in range(number)]


@pytest.mark.thorough
@pytest.mark.parametrize("engine", RUN)
def test_conditions_that_are_not_joined_end_with_the_rule(engine: str) -> None:
    began = time.process_time()
    with pytest.raises(BoundsError, match=r"rule far looks at more than 200,000|20,000 times, rule far the most"):
        RUN[engine](program(KINDS, UNJOINED), plays())
    assert time.process_time() - began < 20


@pytest.mark.parametrize("engine", ["durable", "python", "plain", "plain-engine"])
def test_so_many_firings_are_too_many(engine: str) -> None:
    fires = program(KINDS, FIRES)
    with pytest.raises(BoundsError, match=f"fire more than {MOST_FIRINGS:,} times, rule much the most"):
        RUN[engine](fires, plays(28))
    RUN[engine](fires, plays(27))


@pytest.mark.parametrize("engine", RUN)
def test_what_feeds_itself_ends(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (plain, plain_runs):
        monkeypatch.setattr(module, "MOST_ROUNDS", 50)  # they are slow
    with pytest.raises(BoundsError, match=r"rule more (has no end|the most)"):
        RUN[engine](program(KINDS, ENDLESS), [("seen", 1)])


@pytest.mark.parametrize("engine", ["durable", "python", "plain-engine"])
def test_so_many_facts_are_too_many(engine: str) -> None:
    some = program(KINDS, "some: play(trick=$t) -> seen(n=$t)")
    with pytest.raises(BoundsError, match="this comes to 5,001 facts"):
        RUN[engine](some, plays(MOST_FACTS + 1))


def test_counting_has_its_bound_too() -> None:
    counts = program(KINDS, "count: play(trick=$t), play(trick>$t), count(play(trick>$t)) > 1000 -> seen(n=$t)")
    with pytest.raises(BoundsError, match="rule count looks at more"):
        RUN["python"](counts, plays(600))


def test_a_large_board_is_ruled_on_by_the_quick_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> Iterator[str]:
        raise AssertionError("durable-rules was asked")

    some = program(KINDS, "some: play(trick=$t), not play(trick>$t) -> seen(n=$t)")
    engine, quick = engine_for("durable", some), engine_for("python", some)
    monkeypatch.setattr(durable, "_Run", fail)
    facts = plays(LARGE + 1)
    assert engine.run(facts).firings == quick.run(facts).firings
    with pytest.raises(AssertionError, match="was asked"):
        engine.run(plays(LARGE))


def test_the_error_can_be_sent_to_another_process() -> None:
    error = BoundsError("what", "mend")
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again)) == (BoundsError, "what; mend")


@pytest.mark.parametrize("law", ["durable", "python", "plain"])
def test_a_board_with_too_many_events_is_a_fault_at_its_place(law: str, tmp_path: Path) -> None:
    file = tmp_path / "many.yaml"
    events = '  - {after: "13.4", attention: {by: E}}\n' * 3_000
    file.write_text((HERE / "examples" / "full-record.yaml").read_text("utf-8") + events, "utf-8")
    (incident,) = read_file(file)
    assert not isinstance(incident, InputError)
    asked = PlainLaws(HERE / "rules").of("duplicate-2017") if law == "plain" else Law(engine=law)  # type: ignore[arg-type]
    began = time.monotonic()
    with pytest.raises(InputError, match=r"many.yaml:4:1: this comes to 6,312 facts, .* up to 5,000; leave out"):
        rule(asked, incident)
    assert time.monotonic() - began < 10
