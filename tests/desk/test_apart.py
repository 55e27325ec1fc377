"""What drafts ask for is done apart: no draft and no long file stops the desk, or takes its memory."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from support.desk import client_of, settings_in
from support.desk_pages import INCIDENT, Visitor

from facts.errors import EngineError, InputError
from kb.desk.apart import Apart
from kb.desk.app import create_app
from kb.desk.desk import Desk
from kb.desk.laws import MOST_EVENTS
from kb.desk.submission import MOST_BOARD
from kb.language.folders import DEFAULT_EDITION
from kb.ruling.law import Law, Laws

FULL = (Path(__file__).parents[2] / "examples" / "full-record.yaml").read_text("utf-8")


def events(count: int) -> str:
    """A whole record to which so much attention was drawn."""
    return FULL + '  - {after: "13.4", attention: {by: E}}\n' * count


# --- the process


@pytest.fixture
def apart() -> Iterator[Apart]:
    made = Apart(20, places=3)
    yield made
    made.close()


def too_much() -> int:
    return len(bytearray(8 * 1024**3))


def refuses() -> None:
    raise InputError.of("here", "this will not do", "do otherwise")


def fails() -> None:
    raise ZeroDivisionError


@pytest.mark.thorough
def test_it_gives_what_the_job_gives_and_raises_what_it_raises(apart: Apart) -> None:
    first = apart.run(os.getpid)
    assert first != os.getpid() and apart.run(os.getpid) == first and apart.run(pow, 2, 3) == 8
    with pytest.raises(InputError, match="this will not do"):
        apart.run(refuses)
    with pytest.raises(EngineError, match="ZeroDivisionError"):
        apart.run(fails)
    assert apart.run(os.getpid) == first, "an error of a job is none of the process"


@pytest.mark.thorough
def test_it_has_an_end_to_its_time(apart: Apart) -> None:
    first = apart.run(os.getpid)
    apart.seconds = 0.5
    with pytest.raises(InputError, match=r"more than 0\.5 seconds"):
        apart.run(time.sleep, 3600)
    apart.seconds = 20
    assert apart.run(os.getpid) != first and not alive(first), "nothing goes on working, and another takes its place"


def works_for_ever() -> None:
    while True:
        pass


@pytest.mark.thorough
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system tells nobody of the processor's time")
def test_time_is_that_of_the_processor(apart: Apart) -> None:
    apart.run(pow, 2, 3)
    apart.seconds = 1
    apart.run(time.sleep, 2)
    with pytest.raises(InputError, match="more than 1 seconds"):
        apart.run(works_for_ever)
    assert apart.run(pow, 2, 3) == 8


@pytest.mark.thorough
@pytest.mark.skipif(not Path("/proc/self").exists(), reason="memory has no limit on this system")
def test_it_has_an_end_to_its_memory(apart: Apart) -> None:
    with pytest.raises(InputError, match="GB of memory"):
        apart.run(too_much)
    assert apart.run(pow, 2, 3) == 8


def test_it_is_made_anew_when_it_is_lost(apart: Apart) -> None:
    with pytest.raises(EngineError, match="was ended"):
        apart.run(os._exit, 1)
    assert apart.run(pow, 2, 3) == 8


@pytest.mark.thorough
def test_few_wait_for_it(apart: Apart) -> None:
    """Each that waits holds a thread of the desk."""
    apart.run(pow, 2, 3)
    apart.seconds, told = 2, list[str]()

    def ask() -> None:
        try:
            apart.run(time.sleep, 3600)
        except (InputError, EngineError) as error:
            told.append(type(error).__name__)

    asking = [threading.Thread(target=ask) for _ in range(10)]
    for one in asking:
        one.start()
    for one in asking:
        one.join()
    assert sorted(told) == ["EngineError"] * 7 + ["InputError"] * 3


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


# --- the desk


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Visitor, Desk]]:
    """With two drafts: one that changes nothing, and one that joins every card with every other, seven times over."""
    app = create_app(settings_in(tmp_path_factory.mktemp("apart")))
    made: Desk = app.state.desk
    for name in ("honest", "joining"):
        made.drafts.create(name, made.laws.edition(DEFAULT_EDITION))
    each = [f"card-played: {{play: $p{n}, hand: $h{n}, card: $c{n}, suit: $s}}" for n in range(7)]
    says = " ".join(f"{{p{n}}} {{h{n}}} {{c{n}}}" for n in range(7))
    made.drafts.write("joining", "law-64.yaml", "\n".join((
        'law: "64"', "clauses:", '  "64B3":', '    says: {en: "x", de: "x"}', "    encoded-as: rules", "    rules:",
        "      - when:", *(f"          - {one}" for one in each), "        then: {exempt: {play: $p0, trick: 1, hand: $h0}}",
        f'        because: {{en: "{says}", de: "{says}"}}', "",
    )))  # fmt: skip
    with client_of(app) as client:
        yield Visitor(client), made


@pytest.mark.thorough
def test_a_draft_that_finds_no_end_stops_nobody(desk: tuple[Visitor, Desk]) -> None:
    visitor, made = desk
    assert visitor.client.post("/api/rule", json={"text": FULL, "edition": "honest"}).status_code == 200
    made.laws.edition("joining")
    made.laws._trying.seconds = 0.2
    answers, times = list[int](), list[float]()

    def attack() -> None:
        answer = visitor.client.post("/api/rule", json={"text": FULL, "edition": "joining"})
        assert any(told in answer.text for told in ("broken off", "too much", "the most"))
        answers.append(answer.status_code)

    attacks = [threading.Thread(target=attack) for _ in range(12)]
    for one in attacks:
        one.start()
    while any(one.is_alive() for one in attacks):
        begun = time.monotonic()
        assert visitor.client.post("/api/rule", json={"text": INCIDENT}).status_code == 200
        assert visitor.client.get("/register").status_code == 200
        times.append(time.monotonic() - begun)
    made.laws._trying.seconds = 20
    assert len(answers) == 12 and set(answers) <= {422, 503} and len(times) > 3, "rulings went on meanwhile"
    assert visitor.client.post("/api/rule", json={"text": FULL, "edition": "honest"}).status_code == 200


@pytest.mark.thorough
def test_a_draft_that_cannot_be_read_is_tried_once(desk: tuple[Visitor, Desk], monkeypatch: pytest.MonkeyPatch) -> None:
    """However many ask for it, and none of it is read in the process of the desk until it can be."""
    visitor, made = desk
    tried, whole = list[object](), made.drafts.read("joining", "law-64.yaml")

    def of_others(laws: Laws, name: str | Path, *more: Any) -> Law:
        assert "broken" not in str(name), "it is read here"
        return of(laws, name, *more)

    run = made.laws._trying.run
    monkeypatch.setattr(made.laws._trying, "run", lambda *given: (tried.append(given), run(*given))[1])
    of, asked = Laws.of, {"text": FULL, "edition": "broken"}
    monkeypatch.setattr(Laws, "of", of_others)
    made.drafts.create("broken", made.laws.edition(DEFAULT_EDITION))
    made.drafts.write("broken", "law-64.yaml", whole.replace("encoded-as: rules", "encoded-as: rulse"))
    with ThreadPoolExecutor(8) as pool:
        sent = [pool.submit(visitor.client.post, "/api/rule", json=asked) for _ in range(20)]
        answers = [one.result() for one in sent]
    assert {one.status_code for one in answers} == {422} and len(tried) == 1
    assert all("rulse" in one.text and str(made.drafts.home) not in one.text for one in answers)
    monkeypatch.undo()
    made.drafts.write("broken", "law-64.yaml", 'law: "64"\nclauses: {}\n')
    assert visitor.client.post("/api/rule", json=asked).status_code == 200


@pytest.mark.thorough
def test_a_draft_whose_checks_find_no_end_can_still_be_mended(desk: tuple[Visitor, Desk]) -> None:
    visitor, made = desk
    made.laws._checking.seconds = 0.001
    page = visitor.go("/workshop/joining", file="law-64.yaml")
    assert page.status == 200 and "broken off" in page.text
    saved = visitor.send(page, "/workshop/joining", text='law: "64"\n', act="save")
    made.laws._checking.seconds = 60
    assert saved.status == 200 and made.drafts.read("joining", "law-64.yaml") == 'law: "64"\n'


@pytest.mark.thorough
def test_long_files_are_refused_before_they_are_ruled_on(visitor: Visitor) -> None:
    assert visitor.client.post("/api/rule", json={"text": events(MOST_EVENTS - 1)}).status_code == 200
    for count, told in ((MOST_EVENTS, f"the desk takes {MOST_EVENTS}"), (20_000, f"at most {MOST_BOARD:,}")):
        answer = visitor.client.post("/api/rule", json={"text": events(count)})
        assert answer.status_code == 422 and told in answer.text
    board = {"contract": "4S", "events": [{"after": "1.1", "attention": {"by": "E"}}] * 20_000}
    assert "too long for one board" in visitor.client.post("/api/rule", json={"incident": board}).text
    page = visitor.send(visitor.go("/record"), "/record", text=events(6_000))
    assert page.status == 422 and "too long for one board" in page.text
