"""Each check has a page, and a broken file that it finds."""

from __future__ import annotations

import shutil
from inspect import getdoc
from pathlib import Path

import pytest
from support.checking import check
from support.made import CHECKS as BY_WHAT

from kb.language.checks import Check, id_of

HERE = Path(__file__).parent
CHECKS = [check for checks in BY_WHAT.values() for check in checks]


@pytest.mark.parametrize("check", CHECKS, ids=id_of)
def test_a_page_says_what_why_and_gives_an_example(check: Check) -> None:
    paragraphs = (getdoc(check) or "").split("\n\n")
    assert len(paragraphs) >= 2, "what, and why"
    assert any("    " in one or "`" in one for one in paragraphs[1:]), "an example"


@pytest.mark.thorough
def test_every_check_finds_one_of_the_broken_files(tmp_path: Path) -> None:
    found = set()
    for number, broken in enumerate(sorted((HERE / "faults").rglob("*.yaml"))):
        root = tmp_path / str(number)
        shutil.copytree(HERE / "tiny", root)
        shutil.copyfile(broken, root / f"{broken.parent.relative_to(HERE / 'faults')}.yaml")
        found |= {fault.check for fault in check(root)}
    assert found - {""} == set(map(id_of, CHECKS))
