"""What pyproject.toml and docs/dependencies.md say of the packages is what is installed."""

from __future__ import annotations

import ast
from importlib.metadata import packages_distributions

import pytest
from support.dependencies import HERE, installed, licence, licences, name_of, parts, pinned, settings

AGAIN = "run: uv run --all-extras --all-groups python -m tests.support.dependencies"
DECLARED = [
    *settings()["project"]["dependencies"],
    *(one for extra in settings()["project"]["optional-dependencies"].values() for one in extra),
]
OWN = name_of(settings()["project"]["name"])
BY_UV = {name: one for name, one in installed().items() if (one.read_text("INSTALLER") or "").strip() == "uv"}
"""Others were put there by somebody else, in a version of their choice."""


def test_a_version_is_named_of_whatever_is_asked_for() -> None:
    groups = [one for group in settings()["dependency-groups"].values() for one in group]
    assert {*map(name_of, [*DECLARED, *groups])} - {OWN} <= set(pinned())


@pytest.mark.skipif(not BY_UV, reason="nothing was installed by uv")
def test_uv_installs_the_versions_named_for_equity_cluster_and_desk() -> None:
    other = {name: one.version for name, one in BY_UV.items() if one.version not in pinned().get(name, ())}
    assert not other, AGAIN


def test_the_licences_of_what_rulings_equity_cluster_and_desk_need() -> None:
    told = licences()
    assert set(told) == set(pinned()), AGAIN
    assert {name: licence(one) for name, one in BY_UV.items()} == {name: told[name] for name in BY_UV}, AGAIN


@pytest.mark.thorough
@pytest.mark.skipif(not (HERE / "uv.lock").is_file(), reason="uv has resolved nothing here")
def test_what_each_package_is_needed_for() -> None:
    text = (HERE / "docs" / "dependencies.md").read_text("utf-8")
    for name, part in parts().items():
        assert f"\n| {name} | {part} |" in text, AGAIN


@pytest.mark.thorough
def test_whatever_is_imported_is_asked_for() -> None:
    """Also what another package would bring along: it may do without it some day."""
    packages = packages_distributions()
    files = [file for folder in ("facts", "kb") for file in (HERE / folder).rglob("*.py")]
    imported = {name for file in files for name in _imported(ast.parse(file.read_text("utf-8")))}
    asked = {*map(name_of, DECLARED), OWN}
    assert {name_of(one) for name in imported for one in packages.get(name, ())} <= asked


def _imported(module: ast.Module) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.split(".")[0])
    return found
