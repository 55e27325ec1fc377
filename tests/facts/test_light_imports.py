"""Reading an incident file and observing it loads nothing that takes long to load and is not needed for it."""

from __future__ import annotations

import subprocess
import sys

from support.ruling import ROOT

CODE = """
import sys
from facts.errors import InputError
from facts.observe import observe
from facts.readers.archives import read_file
from pathlib import Path
from kb.language.table_files import load_table
table = load_table([Path('rules')])
(incident,) = read_file(sys.argv[1], lambda _: table)
assert not isinstance(incident, InputError) and observe(incident, table)
print(*{name.partition(".")[0] for name in sys.modules})
"""
HEAVY = {"pydantic", "pydantic_core", "annotated_types", "typing_extensions", "email", "logging", "importlib_metadata"}
RARE = {"difflib", "tempfile", "decimal", "fractions", "asyncio"}


def test_no_heavy_module_is_loaded_for_an_incident_file() -> None:
    file = ROOT.parent / "examples" / "full-record.yaml"
    run = subprocess.run(
        [sys.executable, "-c", CODE, str(file)], cwd=ROOT.parent, capture_output=True, text=True, check=True
    )
    loaded = set(run.stdout.split())
    assert "facts" in loaded and "yaml" in loaded
    assert not loaded & (HEAVY | RARE)
