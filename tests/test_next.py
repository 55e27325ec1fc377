"""``next`` has a default everywhere: without one it ends the loop, or the generator, around it, which has nothing to do
with what was empty. Of what is never empty the first is ``[*some][0]``."""

from __future__ import annotations

import ast

from support.imports import modules


def test_nobody_takes_the_next_of_nothing() -> None:
    bare = [
        f"{file}:{node.lineno}"
        for file in modules().values()
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and (node.func.id, len(node.args)) == ("next", 1)
    ]
    assert bare == []
