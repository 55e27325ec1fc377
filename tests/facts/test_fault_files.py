"""Each file in ``faults`` is named after what is wrong with it and ends with what must be said, and where."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.tables import shipped

from facts.errors import InputError
from facts.readers.archives import read_file

FILES = sorted((Path(__file__).parent / "faults").iterdir())
EXPECTED = re.compile(r"^[#%] expect (.*)$", re.MULTILINE)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_fault_is_named_with_its_place(path: Path) -> None:
    expected = EXPECTED.findall(path.read_text(encoding="utf-8"))
    found = [fault for board in read_file(path, shipped) if isinstance(board, InputError) for fault in board.faults]
    assert [f"{fault.place.line}:{fault.place.column}: {fault.what}; {fault.mend}" for fault in found] == expected
    assert expected
    assert {fault.place.file for fault in found} == {str(path)}
