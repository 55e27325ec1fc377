from __future__ import annotations

import ctypes
import multiprocessing
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest
from support.endings import by_exhaustion, ending_at_random, needs_library
from support.records import deal_at_random

from facts import equity as module
from facts.equity import NotComputed, Position, WhyNotComputed, double_dummy


def whole_deal(seed: int) -> Position:
    return Position(tuple(frozenset(hand or ()) for hand in deal_at_random(Random(seed)).hands), "N")


EASY = ending_at_random(Random(0), 3, 1)


@needs_library
def test_the_library_finds_what_trying_every_card_finds() -> None:
    """Any cards at all on the table: also positions that only a revoke can bring about."""
    chance = Random(1)
    for number in range(200):
        position = ending_at_random(chance, 1 + number % 3, number % 4, following=number % 5 == 0)
        answer = double_dummy(position)
        assert {str(card): tricks for card, tricks in answer.items()} == by_exhaustion(position), position
        assert list(answer) == sorted(answer)


def test_no_cards_no_tricks() -> None:
    assert double_dummy(Position((frozenset(),) * 4, "N")) == {}


def test_without_the_library_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    module.double_dummy_library.cache_clear()
    with pytest.raises(NotComputed) as raised:
        double_dummy(EASY)
    module.double_dummy_library.cache_clear()
    answer = raised.value
    assert (answer.why, "install revoke-kb[equity]" in answer.detail) == (WhyNotComputed.NO_LIBRARY, True)


@needs_library
def test_a_library_that_cannot_be_loaded_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ctypes, "CDLL", lambda path: (_ for _ in ()).throw(OSError(f"{path}: no")))
    module.double_dummy_library.cache_clear()
    with pytest.raises(NotComputed) as raised:
        double_dummy(EASY)
    module.double_dummy_library.cache_clear()
    answer = raised.value
    assert (answer.why, "library failed" in answer.detail) == (WhyNotComputed.SOLVER_FAILED, True), answer


@needs_library
def test_what_the_library_refuses_is_not_computed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # it notes there what it refused
    with pytest.raises(NotComputed, match="failed"):
        double_dummy(Position((*EASY.hands[:3], frozenset()), "N"))


@needs_library
def test_threads_wait_for_each_other() -> None:
    """Two at once in the library would end the process."""
    deals = [ending_at_random(Random(seed), 8, 0) for seed in range(24)]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(double_dummy, deals)) == [double_dummy(deal) for deal in deals]


def _in_fork(answers: multiprocessing.SimpleQueue[object]) -> None:
    answers.put(double_dummy(EASY))


@needs_library
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_fork_has_answers_of_its_own() -> None:
    expected = double_dummy(EASY)
    fork = multiprocessing.get_context("fork")
    answers = fork.SimpleQueue()
    child = fork.Process(target=_in_fork, args=(answers,), daemon=True)
    child.start()
    child.join(60)
    assert not answers.empty()
    assert answers.get() == expected


@needs_library
def test_no_file_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert not isinstance(double_dummy(whole_deal(4)), NotComputed)
    assert list(tmp_path.iterdir()) == []
