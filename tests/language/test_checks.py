"""Each check has an id, a page, and a broken file that it finds."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from kb.language.checks import REGISTERED, every_check
from kb.language.edition import check

HERE = Path(__file__).parent


def test_ids_are_unique_and_plain() -> None:
    ids = [one.id for checks in REGISTERED.values() for one in checks]
    assert len(ids) == len(set(ids))
    assert all(re.fullmatch(r"[a-z]+(-[a-z]+)*", id) for id in ids)


@pytest.mark.parametrize("id", every_check())
def test_a_page_says_what_why_and_gives_an_example(id: str) -> None:
    paragraphs = every_check()[id].page.split("\n\n")
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
    assert found - {""} == set(every_check())
