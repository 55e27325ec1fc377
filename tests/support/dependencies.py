"""What the project stands on: the versions its tests passed with, and the licence of each package.

``uv run --all-extras --all-groups python -m tests.support.dependencies`` writes docs/dependencies.md anew. With
``--newest`` it first puts the newest versions there are into pyproject.toml: run the tests then, and keep both files.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from collections.abc import Mapping, Sequence
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Any, Final

HERE: Final = Path(__file__).parents[2]
PROJECT: Final = HERE / "pyproject.toml"
DOCUMENT: Final = HERE / "docs" / "dependencies.md"
UNSTATED: Final = "not stated in its metadata"
ELSEWHERE: Final = "not looked at: for other systems only"
_LISTS: Final = ("constraint-dependencies", "build-constraint-dependencies")
"""Of ``[tool.uv]``: what is installed, and what packages are built with."""
_BETWEEN: Final = re.compile(r"(?<=<!-- made -->\n).*(?=<!-- end -->\n)", re.DOTALL)
_SAID_TWICE: Final = re.compile(r"^(OSI Approved :: )?(.*?)( License)?( \([\w. ]+\))?$")


def settings() -> dict[str, Any]:
    """What pyproject.toml says."""
    return tomllib.loads(PROJECT.read_text("utf-8"))


def name_of(requirement: str) -> str:
    """The package that a requirement names, as registries write it."""
    return re.sub(r"[-_.]+", "-", re.split(r"[^\w.-]", requirement.strip(), maxsplit=1)[0]).lower()


def pinned() -> dict[str, frozenset[str]]:
    """The versions the tests passed with of each package; several where they depend on Python's."""
    versions: dict[str, frozenset[str]] = {}
    for pin in settings()["tool"]["uv"][_LISTS[0]]:
        version = re.split(r"[=;]+", pin)[1].strip()
        versions[name_of(pin)] = versions.get(name_of(pin), frozenset()) | {version}
    return versions


def installed() -> dict[str, Distribution]:
    """Each package that this Python finds, but our own."""
    found = {name_of(one.metadata["Name"]): one for one in distributions()}
    return {name: one for name, one in found.items() if name != settings()["project"]["name"]}


def licence(package: Distribution) -> str:
    """What a package's metadata say of its licence, in one line."""
    said = package.metadata
    classes = [one.split(" :: ", 1)[1] for one in said.get_all("Classifier") or () if one.startswith("License :: ")]
    short = [
        one
        for one in (*(said.get_all("License-Expression") or ()), *(said.get_all("License") or ()))
        if one and len(one) <= 60
    ]
    return (short or [_SAID_TWICE.sub(r"\2", one) for one in classes] or [UNSTATED])[0].strip()


def licences() -> dict[str, str]:
    """What the document says of each package."""
    rows = re.findall(r"^\| ([\w.-]+) \| .* \| (.*) \|$", DOCUMENT.read_text("utf-8"), re.MULTILINE)
    return {name: told for name, told in rows if name not in ("package", "---")}


def parts() -> dict[str, str]:
    """What each package is needed for first: for the project itself, an extra, or a group of those who work on it."""
    project, needed = settings(), dict[str, str]()
    wanted = {"the rulings": ["--no-dev"]}
    wanted |= {f"extra `{one}`": ["--no-dev", "--extra", one] for one in project["project"]["optional-dependencies"]}
    wanted |= {f"group `{one}`": ["--only-group", one] for one in sorted(project["dependency-groups"])}
    for part, options in wanted.items():
        for line in _exported(*options):
            needed.setdefault(name_of(line), part)
    return needed


def table() -> str:
    """A row for each package of which a version is named."""
    packages, needed, lines = installed(), parts(), ["| package | needed for | licence |", "| --- | --- | --- |"]
    for name in sorted(pinned()):
        told = licence(packages[name]) if name in packages else ELSEWHERE
        lines.append(f"| {name} | {needed[name]} | {told} |")
    return "\n".join(lines)


def renew() -> None:
    """The newest versions that fit what pyproject.toml asks for, in the place of those named there."""
    _put(dict.fromkeys(_LISTS, ()))
    _asked("uv", "lock", "--upgrade")
    run = _exported("--all-extras", "--all-groups")
    tools = "\n".join([*settings()["build-system"]["requires"], "setuptools"])  # what durable-rules is built with
    build = _asked("uv", "pip", "compile", "--universal", "--no-annotate", "--no-header", "-", given=tools)
    _put({_LISTS[0]: run, _LISTS[1]: build})


def _exported(*parts: str) -> list[str]:
    how = ("--frozen", "--no-hashes", "--no-emit-project", "--no-annotate", "--no-header")
    return _asked("uv", "export", *how, *parts)


def _asked(*command: str, given: str = "") -> list[str]:
    done = subprocess.run(command, cwd=HERE, input=given, stdout=subprocess.PIPE, text=True, check=True)
    return [line.replace(" ;", ";") for line in done.stdout.splitlines() if line and not line.startswith("-")]


def _put(lists: Mapping[str, Sequence[str]]) -> None:
    text = PROJECT.read_text("utf-8")
    for name, pins in lists.items():
        lines = "".join(f'    "{pin}",\n' for pin in pins)
        text = re.sub(rf"(?<=^{name} = \[\n).*?(?=^\])", lines, text, flags=re.DOTALL | re.MULTILINE)
    PROJECT.write_text(text, "utf-8")


def main() -> None:
    """Writes what is asked for."""
    if "--newest" in sys.argv:
        renew()
        again = ["uv", "run", "--all-extras", "--all-groups", "python", "-m", "tests.support.dependencies"]
        raise SystemExit(subprocess.run(again, cwd=HERE, check=False).returncode)
    text = DOCUMENT.read_text("utf-8")
    DOCUMENT.write_text(_BETWEEN.sub(lambda _: f"\n{table()}\n\n", text), "utf-8")


if __name__ == "__main__":
    main()
