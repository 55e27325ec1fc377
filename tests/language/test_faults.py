"""Each broken file under ``faults/`` is named after its fault and ends with the messages it must give."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from support.checking import check

from facts.errors import Fault

HERE = Path(__file__).parent
FILES = sorted((HERE / "faults").rglob("*.yaml"))


@pytest.mark.parametrize("broken", FILES, ids=lambda file: f"{file.parent.name}: {file.stem}")
def test_fault_is_found_where_it_is(broken: Path, tmp_path: Path) -> None:
    shutil.copytree(HERE / "tiny", tmp_path / "rules")
    replaced = f"{broken.parent.relative_to(HERE / 'faults')}.yaml"
    (tmp_path / "rules" / replaced).parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(broken, tmp_path / "rules" / replaced)
    expected = [
        line.removeprefix("# expect ") for line in broken.read_text().splitlines() if line.startswith("# expect ")
    ]
    assert expected, "the broken file does not say what to expect"
    assert [written(fault, tmp_path / "rules", replaced) for fault in check(tmp_path / "rules")] == expected


def written(fault: Fault, root: Path, file: str) -> str:
    """A fault as the broken files write it: without the name of the broken file itself."""
    others = "".join(f" [{place.file}:{place.line}:{place.column}: {why}]" for place, why in fault.others)
    return f"{fault}{others}".replace(f"{root}/", "").replace(f"{file}:", "")


def test_the_whole_folder_is_right_without_them() -> None:
    assert check(HERE / "tiny") == []
