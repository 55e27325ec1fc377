"""Each broken file under ``faults/`` is named after its fault and ends with the messages that it must give."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from support.claims import root
from support.drafts import draft

from facts.errors import RulesError
from kb.language.edition import load_edition
from kb.prove.prove import Proving

pytestmark = pytest.mark.thorough

HERE = Path(__file__).parent / "faults"
FILES = sorted(HERE.rglob("*.yaml"))
EXPECT = "# expect "


@pytest.mark.parametrize("broken", FILES, ids=lambda file: f"{file.parent.name}: {file.stem}")
def test_a_fault_is_told_where_it_is(broken: Path, tmp_path: Path) -> None:
    text = broken.read_text(encoding="utf-8")
    rules, of_properties = root(), broken.parent.name == "properties"
    if not of_properties:
        rules = Path(shutil.copytree(root(), tmp_path / "rules"))
        (rules / "measures.yaml").write_text(text, encoding="utf-8")
    mine = draft(tmp_path / "my-draft", "laws: {}\n", text if of_properties else None)
    with pytest.raises(RulesError) as raised:
        Proving(rules, load_edition(rules, str(mine)))
    told = [str(fault).split(f"{broken.parent.name}.yaml:", 1)[1] for fault in raised.value.faults]
    assert told == [line.removeprefix(EXPECT) for line in text.splitlines() if line.startswith(EXPECT)]
    assert told
