"""A name says what it holds, and a public name is found in one module: what a newcomer reads is what is there."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator

from support.imports import modules

EMPTY = frozenset(
    [
        "one",
        "found",
        "said",
        "told",
        "some",
        "given",
        "held",
        "known",
        "left",
        "named",
        "own",
        "other",
        "what",
        "at",
        "of",
        "before",
        "after",
    ]
)
"""Words that say nothing of what is held."""
MOST_EMPTY = 0.04
"""Of all assignments."""
MOST_TWICE = 40


def trees() -> Iterator[tuple[str, ast.Module]]:
    return ((name, ast.parse(file.read_text("utf-8"))) for name, file in modules().items())


def test_few_assignments_are_to_words_that_say_nothing() -> None:
    assigned = [
        node.id
        for _, tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    ]
    empty = [name for name in assigned if name in EMPTY]
    assert len(empty) <= MOST_EMPTY * len(assigned)


def test_few_public_names_are_in_two_modules() -> None:
    homes = defaultdict[str, set[str]](set)
    for module, tree in trees():
        for node in tree.body:
            for name in defined(node):
                if not name.startswith("_"):
                    homes[name].add(module)
    twice = {name: sorted(found) for name, found in homes.items() if len(found) > 1}
    assert len(twice) <= MOST_TWICE, twice


def defined(node: ast.stmt) -> list[str]:
    """The names that a statement of a module defines."""
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case ast.Assign(targets=targets):
            return [target.id for target in targets if isinstance(target, ast.Name)]
        case ast.AnnAssign(target=ast.Name(id=name)):
            return [name]
    return []
