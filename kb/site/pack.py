"""The laws and the program that works with them, packed for the editor's browser."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import version
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Final
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from facts.errors import InputError
from kb.explain.html.templates import PACKAGES as MAKING_PAGES

PACKAGES: Final = ("facts", "kb", "yaml", *MAKING_PAGES)
"""Those of others are pure Python, as far as they are packed."""
SUFFIXES: Final = (".py", ".html", ".css", ".js")
AWAY: Final = ("kb/desk", "kb/cli", "kb/audit")
"""What a browser has no use for."""
PYODIDE: Final = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
"""Python for browsers: the files of its npm package that it needs."""


def packed(root: Path) -> bytes:
    """A zip of the packages and, under ``rules``, of the rules; the same for the same files."""
    made = BytesIO()
    with ZipFile(made, "w", ZIP_DEFLATED) as archive:
        for name, data in sorted([*_program(), *_rules(root)]):
            archive.writestr(ZipInfo(name), data, ZIP_DEFLATED)
    return made.getvalue()


def pyodide(folder: Path) -> dict[str, bytes]:
    """Its files; InputError where one is missing."""
    missing = [name for name in PYODIDE if not (folder / name).is_file()]
    if missing:
        what, mend = f"there is no {missing[0]} here", "npm install pyodide, then name node_modules/pyodide"
        raise InputError.of(str(folder), what, mend)
    return {name: (folder / name).read_bytes() for name in PYODIDE}


def _program() -> Iterator[tuple[str, bytes]]:
    for package in PACKAGES:
        found = find_spec(package)
        assert found is not None and found.submodule_search_locations
        home = Path(found.submodule_search_locations[0])
        for file in home.rglob("*"):
            name = f"{package}/{file.relative_to(home).as_posix()}"
            if file.suffix in SUFFIXES and not name.startswith(AWAY):
                yield name, file.read_bytes()
    told = f"Metadata-Version: 2.1\nName: revoke-kb\nVersion: {version('revoke-kb')}\n"
    yield f"revoke_kb-{version('revoke-kb')}.dist-info/METADATA", told.encode()


def _rules(root: Path) -> Iterator[tuple[str, bytes]]:
    for file in root.rglob("*"):
        if file.suffix in (".yaml", ".po"):
            yield f"rules/{file.relative_to(root).as_posix()}", file.read_bytes()
