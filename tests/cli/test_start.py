"""A command starts quickly because it loads only what it needs."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "full-record.yaml"
LOADED = """
import sys
from kb.cli.main import main
try:
    main()
except SystemExit:
    print(*sys.modules, file=sys.stderr)
"""
NEEDLESS = (
    "pydantic",
    "rich",
    "jinja2",
    "fastapi",
    "hypercorn",
    "endplay",
    "kb.desk",
    "kb.interview",
    "kb.cases",
    "kb.compare",
    "kb.lawbook",
    "kb.explain.html",
    "kb.explain.console",
    "kb.language.checks",
    "kb.language.library",
    "kb.verify",
)


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The modules that a ruling loads once the rules have been read and stored."""
    env = {**os.environ, "XDG_CACHE_HOME": str(tmp_path_factory.mktemp("cache"))}
    command = [sys.executable, "-c", LOADED, "rule", str(EXAMPLE)]
    first, again = (
        subprocess.run(command, env=env, capture_output=True, check=True, timeout=60, encoding="utf-8")
        for _ in range(2)
    )
    assert first.stdout == again.stdout
    assert "kb.language.library" in first.stderr.split()  # nothing had been stored yet
    return set(again.stderr.split())


@pytest.mark.thorough
@pytest.mark.parametrize("name", NEEDLESS)
def test_a_ruling_does_not_load(name: str, loaded: set[str]) -> None:
    assert "kb.cli.ruling_commands" in loaded
    assert not {one for one in loaded if one == name or one.startswith(f"{name}.")}


def test_uv_does_not_compile_every_package_before_each_run() -> None:
    settings = tomllib.loads((EXAMPLE.parents[1] / "pyproject.toml").read_text("utf-8"))
    assert not settings["tool"]["uv"].get("compile-bytecode")
