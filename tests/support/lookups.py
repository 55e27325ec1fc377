"""What the program looks up in the words, as its source, its templates and its scripts say it; nothing of it is run.

A key is certain where it is written out in the place that looks it up. Elsewhere a variable holds it, or a part of it.
Then it may be any text that the module gives to that variable; a part, any of the folder or of what modules declare.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import product
from pathlib import Path
from typing import Final

PROGRAM: Final = Path(__file__).parents[2] / "kb"
KEY_AT: Final = {"phrase": 0, "t": 0, "RefusedError": 1, "Sentence": 0}
"""Functions that look up a phrase, or are given one for others to look up, and which argument it is."""
KIND_AT: Final = {"name": 0, "_name": 0, "value": 1}
"""The same for functions that say a value, and its type."""
GAP: Final = "(.+)"
"""In a pattern of keys: what is not written out."""
_IN_TEMPLATE: Final = re.compile(r"\b(t|phrase|say)\(([^,)]*)")
_KIND_IN_TEMPLATE: Final = re.compile(r"""\.value\([^()"]+, "([\w-]+)"\)|\.name\("([\w-]+)",""")
_QUOTED: Final = re.compile(r"""["']([\w-]+)["']""")


@cache
def certain() -> frozenset[str]:
    """Keys of phrases that are written out where they are looked up."""
    written = {form for module in modules() for form, _ in module.lookups()} | set(_in_templates())
    return frozenset(re.sub(r"\\(.)", r"\1", form) for form in written if GAP not in form)


@cache
def held() -> frozenset[str]:
    """Keys that a variable may hold where one is looked up, besides much that is no key."""
    return frozenset(
        text for module in modules() for form, key in module.lookups() if form == GAP for text in module.given(key)
    )


def completed(key: str) -> bool:
    """Whether it fits a pattern of keys, and what fills the gap is a text of the program."""
    fitting = ((re.fullmatch(form, key), folder) for form, folder in _patterns())
    return any(match and _texts_of(folder).issuperset(match.groups()) for match, folder in fitting)


@cache
def kinds() -> frozenset[str]:
    """The types whose values are said, where they are written out."""
    in_templates = {
        kind for text in _templates() for found in _KIND_IN_TEMPLATE.findall(text) for kind in found if kind
    }
    return frozenset(kind for module in modules() for kind in module.kinds()) | in_templates


class Module:
    """One file of the program."""

    def __init__(self, file: Path) -> None:
        self.name = file.stem
        self.folder = file.relative_to(PROGRAM).parts[0]
        self.tree = ast.parse(file.read_text("utf-8"))
        self.nodes = list(ast.walk(self.tree))
        self.classes = [node for node in self.nodes if isinstance(node, ast.ClassDef)]

    def lookups(self) -> Iterator[tuple[str, ast.expr]]:
        """Each key that is looked up: as patterns, and as an expression."""
        passing_on = [node for node in self.nodes if isinstance(node, ast.FunctionDef) and node.name in KEY_AT]
        left_out = {node for function in passing_on for node in ast.walk(function)}
        for node in (node for node in self.nodes if node not in left_out):
            if isinstance(node, ast.Call) and called(node.func) == "map" and called(node.args[0]) in KEY_AT:
                yield GAP, node.args[1]
            elif isinstance(node, ast.Call) and len(node.args) > KEY_AT.get(called(node.func), len(node.args)):
                key = node.args[KEY_AT[called(node.func)]]
                yield from ((f"{self._family(node.func)}{form}", key) for form in _forms(key))
            elif isinstance(node, ast.Subscript) and ast.unparse(node.value).endswith("words.phrases"):
                yield from ((form, node.slice) for form in _forms(node.slice))

    def _family(self, function: ast.expr) -> str:
        """What the desk's, the book's and the audits' own ways to a phrase put before its key."""
        if not isinstance(function, ast.Attribute) or function.attr not in ("phrase", "t"):
            return ""
        of = ast.unparse(function.value)
        if function.attr == "t":
            return "desk-"
        if of.endswith("said") or (of == "self" and self.folder == "audit" and self.name == "telling"):
            return "audit-"
        return "book-" if of == "self" and self.folder == "lawbook" else ""

    def kinds(self) -> Iterator[str]:
        """Types of values that are said, where they are written out."""
        for node in self.nodes:
            if isinstance(node, ast.Call) and called(node.func) in KIND_AT and self.folder != "space":
                at = KIND_AT[called(node.func)]
                yield from texts(node.args[at : at + 1])
            elif isinstance(node, ast.Subscript) and ast.unparse(node.value).endswith("words.names"):
                yield from texts([node.slice])

    def declared(self) -> Iterator[str]:
        """Texts that it gives names to outside its functions."""
        for node in (node for of in (self.tree, *self.classes) for node in of.body):
            if isinstance(node, ast.Assign | ast.AnnAssign):
                yield from texts(ast.walk(node))

    def given(self, key: ast.expr, seen: frozenset[str] = frozenset()) -> Iterator[str]:
        """Texts that an expression may be, by what its names are given."""
        for leaf in _leaves(key):
            yield from texts([leaf])
            if isinstance(leaf, ast.Name) and leaf.id not in seen:
                for value in self._values(leaf.id):
                    yield from self.given(value, seen | {leaf.id})

    def _values(self, name: str) -> Iterator[ast.expr]:
        """What a name is given, what it runs through, and what a function of that name returns."""
        for node in self.nodes:
            if isinstance(node, ast.FunctionDef) and node.name == name:
                yield from (one.value for one in ast.walk(node) if isinstance(one, ast.Return) and one.value)
            to = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
            value = getattr(node, "iter", getattr(node, "value", None))
            bound = (one for top in to if top for one in ast.walk(top))
            if isinstance(value, ast.expr) and any(isinstance(one, ast.Name) and one.id == name for one in bound):
                yield value


@cache
def modules() -> tuple[Module, ...]:
    """All of the program."""
    return tuple(map(Module, sorted(PROGRAM.rglob("*.py"))))


def called(function: ast.expr) -> str:
    """The name of a function or method."""
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def texts(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """The texts among the nodes."""
    return (one.value for one in nodes if isinstance(one, ast.Constant) and isinstance(one.value, str))


def _leaves(key: ast.expr) -> Iterator[ast.expr]:
    """The expressions, no longer put together, of which an expression, or an element of it, is one."""
    match key:
        case ast.IfExp(body=body, orelse=orelse):
            parts = [body, orelse]
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.BoolOp(values=parts) | ast.Dict(values=parts):
            pass
        case ast.Subscript(value=one) | ast.ListComp(elt=one) | ast.GeneratorExp(elt=one) | ast.Attribute(value=one):
            parts = [one]
        case ast.Call(func=function, args=given):
            parts = [function, *given]
        case _:
            yield key
            return
    for part in parts:
        yield from _leaves(part)


def _forms(key: ast.expr) -> list[str]:
    """What an expression may be, as patterns."""
    if isinstance(key, ast.Constant):
        return [re.escape(str(key.value))]
    if isinstance(key, ast.IfExp):
        return _forms(key.body) + _forms(key.orelse)
    if isinstance(key, ast.JoinedStr):
        return ["".join(parts) for parts in product(*map(_forms, key.values))]
    return [GAP]


@cache
def _templates() -> tuple[str, ...]:
    return tuple(file.read_text("utf-8") for end in ("html", "js") for file in sorted(PROGRAM.rglob(f"*.{end}")))


@cache
def _in_templates() -> tuple[str, ...]:
    """Keys and patterns of keys in templates and scripts."""
    found = []
    for function, inside in (call for text in _templates() for call in _IN_TEMPLATE.findall(text)):
        family, quoted = "desk-" if function == "t" else "", _QUOTED.findall(inside)
        found += [family + re.escape(quoted[0]) + GAP] if "~" in inside else [family + re.escape(one) for one in quoted]
    return tuple(found)


@cache
def _patterns() -> frozenset[tuple[str, str]]:
    """Patterns of keys with something written out besides the gap, and the folder each is looked up in."""
    found = {(form, module.folder) for module in modules() for form, _ in module.lookups()}
    found |= {(form, "desk") for form in _in_templates()}
    return frozenset((form, folder) for form, folder in found if GAP in form and form != GAP)


@cache
def _texts_of(folder: str) -> frozenset[str]:
    """Texts of a folder, and those that any module declares."""
    found = {text for module in modules() for text in module.declared()}
    found.update(text for module in modules() if module.folder == folder for text in texts(module.nodes))
    if folder == "desk":
        found.update(text.replace("_", "-") for page in _templates() for text in _QUOTED.findall(page))
    return frozenset(found)
