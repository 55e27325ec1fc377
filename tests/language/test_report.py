"""How faults are shown."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from facts.errors import Fault, Place
from kb.language.report import report


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = "law: x\n  - ordered: {trik: $t}  # [bold]ä\n" + "a: " + "x" * 300 + " here " + "y" * 300 + "\n"
    (tmp_path / "law.yaml").write_text(text)


def shown(fault: Fault) -> list[str]:
    console = Console(file=StringIO(), width=40)
    report([fault], console)
    return console.file.getvalue().splitlines()  # type: ignore[attr-defined]


def test_the_line_is_shown_and_underlined() -> None:
    fault = Fault(
        Place("law.yaml", 2, 15, 4), "no field trik", "did you mean trick?", ((Place("law.yaml", 1, 1, 3), "the law"),)
    )
    assert shown(fault) == [
        "law.yaml:2:15: no field trik; did you mean trick?",
        "     2 │   - ordered: {trik: $t}  # [bold]ä",
        "       │               ^^^^",
        "  law.yaml:1:1: the law",
        "     1 │ law: x",
        "       │ ^^^",
    ]


def test_a_long_line_is_cut_around_the_place() -> None:
    _, line, marks = shown(Fault(Place("law.yaml", 3, 305, 4), "what", "mend"))
    assert len(line) < 120
    assert line[marks.index("^") : marks.rindex("^") + 1] == "here"


def test_a_place_that_cannot_be_shown_is_still_named() -> None:
    for place in (Place("gone.yaml", 1), Place("law.yaml", 99), Place(".", 1)):
        assert shown(Fault(place, "what", "mend")) == [f"{place}: what; mend"]


def test_places_are_named_from_the_present_folder(tmp_path: Path) -> None:
    assert shown(Fault(Place(str(tmp_path / "law.yaml"), 1), "what", "mend"))[0] == "law.yaml:1:1: what; mend"
    assert shown(Fault(Place("/elsewhere/law.yaml", 1), "what", "mend"))[0] == "/elsewhere/law.yaml:1:1: what; mend"
