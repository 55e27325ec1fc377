"""Who imports whom among the modules of the project, read off their source: at the top, in functions, for types."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping, Set
from functools import cache
from pathlib import Path
from typing import TypeAlias

HERE = Path(__file__).parents[2]
Arrows: TypeAlias = Mapping[str, Set[str]]
"""Importer -> what it imports, dotted names."""


@cache
def modules() -> dict[str, Path]:
    """Dotted name -> file of every module and package under facts/ and kb/."""
    files = [file for top in ("facts", "kb") for file in sorted((HERE / top).rglob("*.py"))]
    return {".".join(file.relative_to(HERE).with_suffix("").parts).removesuffix(".__init__"): file for file in files}


@cache
def imports() -> Arrows:
    """Module -> the modules of the project that it imports; a package stands for its ``__init__``."""
    return {name: frozenset(_imported(file)) - {name} for name, file in modules().items()}


def _imported(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names if one.name in modules())
        elif isinstance(node, ast.ImportFrom) and node.module in modules():
            whole = [f"{node.module}.{one.name}" for one in node.names]
            yield from (name if name in modules() else node.module for name in whole)


def circles(arrows: Arrows) -> list[list[str]]:
    """Every set of names each of which leads to all the others, sorted."""
    reached = {name: _reached(name, arrows) for name in arrows}
    found = {frozenset(to for to in reached[name] if name in reached.get(to, ())) for name in arrows}
    return sorted(sorted(circle) for circle in found if circle)


def _reached(name: str, arrows: Arrows) -> set[str]:
    reached: set[str] = set()
    waiting = [name]
    while waiting:
        new = arrows.get(waiting.pop(), frozenset()) - reached
        reached |= new
        waiting += new
    return reached


def between(groups: Mapping[str, str]) -> dict[str, set[str]]:
    """The arrows between groups, from module -> group; what a group imports of itself is left out."""
    arrows: dict[str, set[str]] = defaultdict(set)
    for name, group in groups.items():
        arrows[group] |= {groups[to] for to in imports()[name]} - {group}
    return arrows


def reduced(arrows: Arrows) -> dict[str, list[str]]:
    """The arrows that no others imply, sorted; of arrows without circles."""
    return {
        name: sorted(to for to in others if not any(to in _reached(other, arrows) for other in others if other != to))
        for name, others in arrows.items()
    }
