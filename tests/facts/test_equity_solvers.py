from __future__ import annotations

import multiprocessing
import os
import tempfile
from pathlib import Path
from random import Random

import pytest
from support.endings import by_exhaustion, ending_at_random, needs_library
from support.records import deal_at_random

from facts.equity import NotComputed, Position, WhyNotComputed, best_solver
from facts.equity import library as library_module
from facts.equity.library import LibrarySolver, library
from facts.equity.python import PythonSolver


@pytest.fixture
def solver():
    path = library()
    assert path is not None
    one = LibrarySolver(path)
    yield one
    one.close()


def whole_deal(seed: int) -> Position:
    return Position.of(deal_at_random(Random(seed)), "N", None)


EASY = ending_at_random(Random(0), 3, 1)
NO_CARDS = Position((frozenset(),) * 4, "N")


@pytest.mark.thorough
def test_python_finds_what_trying_every_card_finds() -> None:
    chance = Random(1)
    for number in range(500):
        position = ending_at_random(chance, 1 + number % 3, chance.randrange(4), following=number % 2 == 0)
        answer = PythonSolver().tricks(position)
        assert not isinstance(answer, NotComputed)
        assert {str(card): tricks for card, tricks in answer.items()} == by_exhaustion(position), position


def test_python_gives_up_where_it_would_take_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = PythonSolver().tricks(ending_at_random(Random(2), 9, 0))
    assert isinstance(answer, NotComputed)
    assert answer.why is WhyNotComputed.NO_LIBRARY
    assert "revoke-kb[equity]" in answer.detail
    monkeypatch.setattr("facts.equity.python.MOST_TRICKS_SEARCHED", 3)
    answer = PythonSolver().tricks(ending_at_random(Random(2), 6, 0))
    assert isinstance(answer, NotComputed)
    assert answer.why is WhyNotComputed.TOO_HARD


def test_no_cards_no_tricks() -> None:
    assert PythonSolver().tricks(NO_CARDS) == {}
    assert LibrarySolver(Path("/nowhere")).tricks(NO_CARDS) == {}


def test_without_the_library_python_solves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    best_solver.cache_clear()
    assert isinstance(best_solver(), PythonSolver)
    best_solver.cache_clear()


def test_a_library_that_cannot_be_loaded_is_said(tmp_path: Path) -> None:
    broken = LibrarySolver(tmp_path / "libdds.so")
    for _ in range(2):
        answer = broken.tricks(EASY)
        assert isinstance(answer, NotComputed)
        assert (answer.why, "libdds.so" in answer.detail) == (WhyNotComputed.SOLVER_FAILED, True), answer
    broken.close()


@pytest.mark.parametrize("last_words", ["", "print('{\"tricks', end='', flush=True); "])
def test_a_crash_is_not_computed_and_takes_nobody_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, last_words: str
) -> None:
    worker = tmp_path / "crashes.py"
    worker.write_text(f"import os; input(); {last_words}os.abort()")
    monkeypatch.setattr(library_module, "WORKER", worker)
    crashing = LibrarySolver(tmp_path)
    answer = crashing.tricks(EASY)
    assert isinstance(answer, NotComputed)
    assert (answer.why, "crashed (exit status -6)" in answer.detail) == (WhyNotComputed.SOLVER_FAILED, True), answer
    worker.write_text("input(); print('{\"tricks\": [[0, 14, 1]]}')")
    assert not isinstance(crashing.tricks(EASY), NotComputed)
    crashing.close()


@pytest.mark.thorough
@needs_library
def test_the_library_and_python_agree(solver: LibrarySolver) -> None:
    """Any cards at all on the table: also positions that only a revoke can bring about."""
    chance, python = Random(3), PythonSolver()
    for number in range(2000):
        position = ending_at_random(chance, 2 + number % 3, number % 4, following=number % 5 == 0)
        assert solver.tricks(position) == python.tricks(position), position


@needs_library
def test_killed_between_two_questions(solver: LibrarySolver) -> None:
    first = solver.tricks(EASY)
    assert solver._worker is not None
    solver._worker.process.kill()
    solver._worker.process.wait()
    assert solver.tricks(EASY) == first != {}


@needs_library
def test_out_of_time_is_not_computed_and_the_next_question_is_answered() -> None:
    path = library()
    assert path is not None
    hasty = LibrarySolver(path, seconds=1e-6)
    answer = hasty.tricks(whole_deal(4))
    assert isinstance(answer, NotComputed)
    assert "longer than 1e-06 seconds" in answer.detail
    hasty._seconds = 20
    assert hasty.tricks(EASY) == PythonSolver().tricks(EASY)
    hasty.close()


@needs_library
def test_an_interrupted_question_does_not_answer_the_next(
    solver: LibrarySolver, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(worker: library_module._Worker, question: str) -> str:
        print(question, file=worker.process.stdin, flush=True)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(library_module._Worker, "ask", interrupted)
        solver.tricks(whole_deal(5))
    assert solver.tricks(EASY) == PythonSolver().tricks(EASY)


@needs_library
def test_the_librarys_own_files_stay_in_its_scratch_folder(
    solver: LibrarySolver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (scratch := tmp_path / "scratch").mkdir()
    (tmp_path / "here").mkdir()
    monkeypatch.setattr(library_module, "mkdtemp", lambda prefix: str(scratch))
    monkeypatch.setattr(library_module.shutil, "rmtree", lambda folder, ignore_errors: None)
    monkeypatch.chdir(tmp_path / "here")
    answer = solver._ask('{"trump": 9, "first": 0, "table": [], "hands": [[0,0,0,0],[0,0,0,0],[0,0,0,0],[0,0,0,0]]}')
    assert isinstance(answer, NotComputed)
    assert "refused: code -" in answer.detail
    assert [path.name for path in scratch.iterdir()] == ["dump.txt"]
    assert list((tmp_path / "here").iterdir()) == []


@needs_library
def test_the_scratch_folder_goes_with_the_process(
    solver: LibrarySolver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (scratch := tmp_path / "scratch").mkdir()
    monkeypatch.setattr(library_module, "mkdtemp", lambda prefix: str(scratch))
    solver.tricks(EASY)
    assert scratch.exists()
    solver.close()
    assert not scratch.exists()


def last_eight(seed: int) -> Position:
    return ending_at_random(Random(seed), 8, 0)


def _solve_in_fork(solver: LibrarySolver, answers: multiprocessing.SimpleQueue) -> None:
    tricks = [solver.tricks(last_eight(seed)) for seed in range(20)]
    assert solver._worker is not None
    answers.put((tricks, solver._worker.process.pid))
    solver.close()


@pytest.mark.thorough
@needs_library
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_fork_asks_a_process_of_its_own(
    solver: LibrarySolver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library_module, "mkdtemp", lambda prefix: tempfile.mkdtemp(prefix, dir=tmp_path))
    solver.tricks(EASY)
    assert solver._worker is not None
    process, folders = solver._worker.process, list(tmp_path.iterdir())
    fork = multiprocessing.get_context("fork")
    answers = fork.SimpleQueue()
    child = fork.Process(target=_solve_in_fork, args=(solver, answers), daemon=True)
    with solver._lock:  # as another thread might hold it, that the fork would not have
        child.start()
    child.join(60)
    assert not answers.empty()
    theirs, their_process = answers.get()
    assert their_process != process.pid
    assert (process.poll(), list(tmp_path.iterdir())) == (None, folders)
    assert theirs == [solver.tricks(last_eight(seed)) for seed in range(20)]
