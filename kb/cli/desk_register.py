"""``revoke desk backup`` and ``revoke desk verify``: the register's file, while the desk is running or not."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated, Final

import typer

from facts.errors import InputError
from kb.cli.options import refuse

RegisterOption = Annotated[
    Path | None,
    typer.Option("--register", help="The file that keeps the rulings; made if there is none.", show_default=False),
]
MOST_BREAKS: Final = 100
"""Lines told of one register."""


def backup(
    file: Annotated[Path, typer.Argument(help="Where the copy goes; an earlier backup there is replaced.")],
    register: RegisterOption = None,
) -> None:
    """Copies the register into one file, while the desk is running or not."""
    from kb.desk.register import Register  # noqa: PLC0415 - not for the desk's help

    kept = _there(register_file(register))
    try:
        Register.open(kept).backup(file)
    except InputError as error:
        raise refuse(error) from None
    print(f"{file}: the register is saved", file=sys.stderr)


def verify(
    file: Annotated[Path | None, typer.Argument(help="The register, or a backup.", show_default="the desk's")] = None,
    printed: Annotated[
        list[str] | None,
        typer.Option("--printed", help="What an appeal form or the register showed, 41-3f2a…; repeatable."),
    ] = None,
) -> None:
    """Finds every version that was altered, removed or inserted since it was kept; changes nothing.

    Ends with status 0 if there is none, and with 1 if there is one. Whoever can write the file could seal all of it
    anew: that shows by --printed only.
    """
    from kb.desk.register import examine  # noqa: PLC0415 - not for the desk's help

    kept = _there(register_file(file))
    try:
        found = examine(kept, printed or ())
    except InputError as error:
        raise refuse(error) from None
    for one in found.breaks[:MOST_BREAKS]:
        print(f"{kept}: {one}")
    if len(found.breaks) > MOST_BREAKS:
        print(f"{kept}: and {len(found.breaks) - MOST_BREAKS} more places")
    if found.breaks:
        raise typer.Exit(1)
    print(f"{kept}: as it was kept; versions: {found.head.number}; the chain ends at {found.head.short}")


def register_file(named: Path | None) -> Path:
    """The register's file: the one named, or one in the user's own data."""
    if named is not None:
        return named
    data = os.environ.get("XDG_DATA_HOME") or os.environ.get("LOCALAPPDATA") or ""
    base = Path(data) if Path(data).is_absolute() else Path.home() / ".local" / "share"
    return base / "revoke-kb" / "register.sqlite"


def _there(file: Path) -> Path:
    """The file; ends the command with status 2 if there is none."""
    if not file.is_file():
        raise refuse(InputError.of(file, "there is no register here", "name it with --register"))
    if not file.stat().st_size:
        raise refuse(InputError.of(file, "this file is empty, and no register", "restore a backup of it"))
    return file
