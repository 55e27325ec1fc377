"""What the program looks up in the words, as its source and its templates write it; nothing of it is run.

A key that is written out where it is looked up must be there. A key is used if it is written anywhere in the program, or
fits a text with a gap (``f"head-{what}"``) whose gap is filled by such a text.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

PROGRAM: Final = Path(__file__).parents[2] / "kb"
FAMILIES: Final = {"lawbook/telling": "book-", "compare/telling": ""}
"""Modules and templates whose own ``phrase`` puts this before a key."""
_IN_TEMPLATE: Final = re.compile(r"""\b([\w.]*)\b(t|phrase)\(\s*"([\w-]+)"[,)]""")
_QUOTED: Final = re.compile(r"""["']([\w-]+)["']""")
_KIND_IN_TEMPLATE: Final = re.compile(r"""\.value\([^()"]+, "([\w-]+)"\)|\.name\("([\w-]+)",""")
KIND_AT: Final = {"name": 0, "_name": 0, "value": 1}
"""Functions that say a value, and which argument is its type."""


@cache
def files() -> dict[str, str]:
    """Folder and name without ending -> text, of modules, templates and scripts."""
    found = (file for end in ("py", "html", "js") for file in sorted(PROGRAM.rglob(f"*.{end}")))
    return {str(file.relative_to(PROGRAM)): file.read_text("utf-8") for file in found}


@cache
def _nodes() -> tuple[tuple[str, ast.AST], ...]:
    modules = ((name.removesuffix(".py"), text) for name, text in files().items() if name.endswith(".py"))
    return tuple((name, node) for name, text in modules for node in ast.walk(ast.parse(text)))


def certain() -> frozenset[str]:
    """Keys of phrases that are written out where they are looked up."""
    return frozenset([*_in_modules(), *_in_templates()])


def _in_modules() -> Iterator[str]:
    for name, node in _nodes():
        match node:
            case ast.Call(func=ast.Attribute(value=of, attr="phrase" | "counting" | "t" as to), args=[key, *_]):
                own = ast.unparse(of) == "self" and to == "phrase"
                family = "desk-" if to == "t" else FAMILIES.get(name, "") if own else ""
                for one in [key.body, key.orelse] if isinstance(key, ast.IfExp) else [key]:
                    if isinstance(one, ast.Constant):
                        yield family + str(one.value)


def _in_templates() -> Iterator[str]:
    for name, text in files().items():
        if name.endswith(".html"):
            for of, to, key in _IN_TEMPLATE.findall(text):
                own = of == "said." and to == "phrase"
                yield f"{'desk-' if to == 't' else FAMILIES.get(name.removesuffix('.html'), '') if own else ''}{key}"


@cache
def _texts() -> frozenset[str]:
    """Everything that is written in the program as a text of one word."""
    quoted = (one for name, text in files().items() if not name.endswith(".py") for one in _QUOTED.findall(text))
    written = (node.value for _, node in _nodes() if isinstance(node, ast.Constant) and isinstance(node.value, str))
    return frozenset([*quoted, *written, *(one.replace("_", "-") for one in quoted)])


@cache
def _gaps() -> tuple[re.Pattern[str], ...]:
    """Texts with a gap, in modules and (``"html-" ~ mark``) in templates."""
    made = [
        "".join(re.escape(str(one.value)) if isinstance(one, ast.Constant) else "(.+)" for one in node.values)
        for _, node in _nodes()
        if isinstance(node, ast.JoinedStr) and re.fullmatch("[a-z-]*-[a-z-]*", "".join(_constants(node)))
    ]
    joined = re.compile(r"""["']([\w-]+-)["'] ~""")
    made += [re.escape(one) + "(.+)" for text in files().values() for one in joined.findall(text)]
    return tuple(map(re.compile, made))


def _constants(node: ast.JoinedStr) -> list[str]:
    return [str(one.value) for one in node.values if isinstance(one, ast.Constant)]


def used(key: str) -> bool:
    """Whether the program may look a phrase up."""
    shortened = (key.removeprefix(family) for family in ("desk-", "book-"))
    return any(
        one in _texts() or any(match and _texts().issuperset(match.groups()) for match in _fitting(one))
        for one in {key, *shortened}
    )


def _fitting(key: str) -> Iterator[re.Match[str] | None]:
    return (form.fullmatch(key) for form in _gaps())


@cache
def kinds() -> frozenset[str]:
    """The types whose values are said, where they are written out."""
    found = {one for text in files().values() for pair in _KIND_IN_TEMPLATE.findall(text) for one in pair if one}
    for name, node in _nodes():
        match node:
            case ast.Call(func=ast.Attribute(attr=to), args=given) if to in KIND_AT and not name.startswith("space"):
                key = [*given, None, None][KIND_AT[to]]
                said = [key.body, key.orelse] if isinstance(key, ast.IfExp) else [key]
                found |= {str(one.value) for one in said if isinstance(one, ast.Constant)}
            case ast.Subscript(slice=ast.Constant(value=str(key))) if ast.unparse(node.value).endswith("words.names"):
                found.add(key)
    return frozenset(found)
