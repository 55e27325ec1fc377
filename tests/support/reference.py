"""The pages of docs/reference: commands, Python, HTTP, the incident file, a ruling as JSON, errors; from the code itself."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import yaml
from typer.main import get_command

import kb
from facts import errors
from kb.cli.main import GROUPS, app
from kb.desk.app import create_app
from kb.desk.guard import Settings
from kb.language.folders import rules_root
from kb.schemas import all_schemas

from .described import events, findings

_SAID: Final[Any] = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text("utf-8"))
EDITION: Final = kb.Law().edition
SCHEMAS: Final[Any] = all_schemas(EDITION.vocabulary, EDITION.table)
KEYS, KEPT = _SAID["keys"], _SAID["kept"]
"""What no code says of itself: what a key of a ruling means and when it is null; the members that stay."""


def _table(head: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> str:
    """A table in Markdown, whose first column holds names; nothing without rows."""
    texts = [[f"`{name}`", *(" ".join(str(cell).split()).replace("|", "\\|") for cell in rest)] for name, *rest in rows]
    lines = [f"| {' | '.join(cells)} |" for cells in texts]
    return "\n".join([f"| {' | '.join(head)} |", f"|{'---|' * len(head)}", *lines]) if lines else ""


def _words(words: Iterable[object]) -> str:
    return " ".join(f"`{word}`" for word in words)


def _text(thing: Any) -> str:
    return (inspect.getdoc(thing) or "").split(">>>")[0].strip()


def commands() -> str:
    """Every command with its arguments and options."""
    group: Any = get_command(app)
    parts: list[str] = []
    for title, names in GROUPS.items():
        parts.append(f"## {title}")
        for name in names:
            parts += _command(f"revoke {name}", group.get_command(None, name))
    return "\n\n".join(filter(None, parts))


def _command(called: str, command: Any) -> Iterator[str]:
    yield f"### `{called}`"
    yield " ".join((command.help or command.short_help).split())
    yield _table(("", "takes", "usually", ""), (_parameter(one) for one in command.params if one.name != "help"))
    for name, below in getattr(command, "commands", {}).items():
        yield from _command(f"{called} {name}", below)


def _parameter(one: Any) -> tuple[str, ...]:
    argument = one.param_type_name == "argument"
    called = one.metavar or one.name.upper() if argument else ", ".join(one.opts)
    takes = "" if getattr(one, "is_flag", False) else _words(getattr(one.type, "choices", ())) or one.type.name
    usual = one.default if isinstance(one.default, str | int) and not isinstance(one.default, bool) else ""
    return called, takes, str(usual), f"{one.help or ''}{' Demanded.' if one.required and not argument else ''}"


def python() -> str:
    """What ``import kb`` gives: signatures, and what each thing says of itself."""
    parts: list[str] = []
    for name in sorted(set(kb.__all__) - {"__version__"}):
        thing = getattr(kb, name)
        made = thing is not kb.Ruling and not (isinstance(thing, type) and issubclass(thing, Exception))
        parts.append(f"## `kb.{name}{_signature(thing) if made else ''}`\n\n{_text(thing)}")
        for member in KEPT.get(name, ()):
            of = inspect.getattr_static(thing, member)
            function = getattr(of, "fget", None) or getattr(of, "func", None) or of
            shown = _signature(of) if of is function else f": {function.__annotations__['return']}"
            parts.append(f"`.{member}{shown}` – {_text(function)}")
    return "\n\n".join(parts)


def _signature(thing: Any) -> str:
    without_quotes = re.sub(r"(: |-> )'([^']*)'", r"\1\2", str(inspect.signature(thing)))
    return re.sub(r"\(self(, )?", "(", without_quotes)


def _type(of: Mapping[str, Any]) -> str:
    if "$ref" in of:
        name = of["$ref"].rpartition("/")[2]
        return name if name.islower() else f"[{name}]({'incident.md' if name == 'Incident' else '#' + name.lower()})"
    if "anyOf" in of:
        return " or ".join(dict.fromkeys(map(_type, of["anyOf"])))
    if of.get("type") == "array":
        return f"list of {_type(of.get('items', {}))}"
    return _words(of.get("enum", ())) or str(of.get("type", "anything"))


def http() -> str:
    """The HTTP API, as the desk describes it at /api/openapi.json."""
    with TemporaryDirectory() as folder:
        api = create_app(Settings(rules_root(), Path(folder) / "register.sqlite")).openapi()
    parts: list[str] = []
    for path, ways in api["paths"].items():
        for method, one in ways.items():
            bodies = {"body": one.get("requestBody", {}), **one["responses"]}
            rows = [(n, _type(of["schema"])) for n, part in bodies.items() for of in part.get("content", {}).values()]
            parts += [f"## `{method.upper()} {path}`", one["description"], _table(("", "is"), rows)]
    for name, of in api["components"]["schemas"].items():
        if not name.startswith("Incident"):
            rows = [(key, _type(one)) for key, one in of.get("properties", {}).items()]
            parts += [f"### {name}", of.get("description", ""), _table(("key", "is"), rows)]
    return "\n\n".join(filter(None, parts))


def incident_keys() -> str:
    """The keys of an incident file, from its schema; then the events, and the findings of each matter."""
    table, keys = EDITION.table, SCHEMAS["incident"]["properties"]
    parts = [_table(("key", "is"), ((key, _type(of)) for key, of in keys.items())), "## Events", events(table)]
    for one in table.every:
        parts += [f"## Findings: {one.of}", findings(one)]
    return "\n\n".join(parts)


def ruling_keys() -> str:
    """Each key of a ruling as JSON: its type, what it means, when it is null or not there; then those of its entries."""
    head, parts = ("key", "is", "", "null, or not there"), list[str]()
    for title, keys in KEYS.items():
        parts += [f"## {title}", _table(head, ((key, *(*cells, "")[:3]) for key, cells in keys.items()))]
    for section in ("rectifications", "director", "points", "options", "remarks"):
        shown = SCHEMAS["case"]["$defs"][section]["properties"]
        rows = ((key, _words(of.get("enum", ()))) for key, of in shown.items())
        parts += [f"## {section}", _table(("key", "words"), rows)]
    return "\n\n".join(parts)


def error_tree() -> str:
    """The exceptions, each under the one that it is a sort of."""

    def below(error: type[Exception], indent: str = "") -> Iterator[str]:
        yield f"{indent}- `{error.__name__}`: {_text(error)}"
        for one in (one for one in vars(errors).values() if isinstance(one, type) and error in one.__bases__):
            yield from below(one, f"{indent}  ")

    return "\n".join(below(errors.RevokeKbError))
