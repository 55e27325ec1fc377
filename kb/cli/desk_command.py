"""``revoke desk``: the director's desk, one process that serves the web application, and its register's file."""

from __future__ import annotations

import asyncio
import gc
import ipaddress
import os
import re
import socket
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Final

import segno
import typer
from argon2 import PasswordHasher
from hypercorn.asyncio import serve

from facts.errors import InputError
from kb.cli.common import LangOption, RulesOption, root_of
from kb.desk.app import allow_connections, create_app, settings_for
from kb.desk.guard import Settings
from kb.desk.register import Register, examine

RegisterOption = Annotated[
    Path | None,
    typer.Option("--register", help="The file that keeps the rulings; made if there is none.", show_default=False),
]


def backup(
    file: Annotated[Path, typer.Argument(help="Where the copy goes, a new file.")],
    register: RegisterOption = None,
) -> None:
    """Copies the register into one file, while the desk is running or not."""
    kept = _there(register_file(register))
    Register(kept).backup(file)
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
    kept = _there(register_file(file))
    head, breaks = examine(kept, printed or ())
    for line in breaks:
        print(f"{kept}: {line}")
    if breaks:
        raise typer.Exit(1)
    print(f"{kept}: as it was kept; versions: {head.number}; the chain ends at {head.short}")


def register_file(file: Path | None) -> Path:
    """The register's file: the one named, or one in the user's own data."""
    if file is not None:
        return file
    data = os.environ.get("XDG_DATA_HOME") or os.environ.get("LOCALAPPDATA") or ""
    base = Path(data) if Path(data).is_absolute() else Path.home() / ".local" / "share"
    return base / "revoke-kb" / "register.sqlite"


def _there(file: Path) -> Path:
    """The file; InputError if there is none."""
    if not file.is_file():
        raise InputError.of(file, "there is no register here", "name it with --register")
    if not file.stat().st_size:
        raise InputError.of(file, "this file is empty, and no register", "restore a backup of it")
    return file


desk_app = typer.Typer(add_completion=False)
desk_app.command()(backup)
desk_app.command()(verify)

SHORTEST_PASSPHRASE: Final = 8
"""Characters of a passphrase."""


@desk_app.callback(invoke_without_command=True)
def command(
    context: typer.Context,
    host: Annotated[str, typer.Option("--host", help="Address to listen on; 0.0.0.0 for all.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Port; 0 for any that is free.")] = 8061,
    register: RegisterOption = None,
    passphrase_file: Annotated[
        Path | None, typer.Option("--passphrase-file", help="A file with the passphrase, or made by `passphrase`.")
    ] = None,
    allow_host: Annotated[
        list[str] | None, typer.Option("--allow-host", help="A name under which browsers reach the desk; repeatable.")
    ] = None,
    proxy: Annotated[
        list[str] | None, typer.Option("--proxy", help="Address of a reverse proxy to be believed; repeatable.")
    ] = None,
    lang: LangOption = "en",
    rules: RulesOption = None,
) -> None:
    """Serves the director's desk to browsers until it is stopped with Ctrl+C; on this computer only, unless told so."""
    if context.invoked_subcommand is not None:
        return
    kept = register_file(register)
    names, proxies = _names(allow_host or []), _addresses(proxy or [])
    settings = Settings(root_of(rules), kept, host, port, None, lang, names, proxies)
    hashed = _passphrase(passphrase_file, settings.guarded)
    listening = _listen(host, port)
    settings = replace(settings, port=listening.getsockname()[1], passphrase_hash=hashed)
    try:
        kept.parent.mkdir(parents=True, exist_ok=True)
        made = create_app(settings)
    except OSError as error:
        raise InputError.of(kept.parent, str(error.strerror), "name another file with --register") from None
    _announce(settings)
    gc.freeze()  # what is loaded stays until the end, and is not looked through again and again
    allow_connections()
    asyncio.run(serve(made, settings_for(listening)))  # type: ignore[arg-type] # it types what ASGI leaves open


@desk_app.command()
def passphrase(file: Annotated[Path, typer.Argument(help="Where its hash goes, readable by you only.")]) -> None:
    """Asks for the directors' passphrase and writes its hash, for --passphrase-file."""
    asked = str(typer.prompt("Passphrase of the directors", hide_input=True, confirmation_prompt=True))
    hashed = PasswordHasher().hash(_long_enough(asked))
    try:
        with os.fdopen(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as stream:
            stream.write(f"{hashed}\n")
    except OSError as error:
        raise InputError.of(file, str(error.strerror), "name a file that is not there yet") from None


def _announce(settings: Settings) -> None:
    """Tells where the desk is to be found, on standard error; to phones by a QR code, where they can reach it."""
    shown = settings.host if settings.host not in ("0.0.0.0", "::") else _own_address() or socket.gethostname()
    shown = f"[{shown}]" if ":" in shown else shown
    url = f"http://{shown}:{settings.port}/"
    lines = [f"The desk is open at {url} (Ctrl+C ends it); rulings: {settings.register}"]
    if not settings.loopback and not settings.proxies:
        lines.append("Passphrase and rulings travel unencrypted; beyond the club's own network see docs/desk.md.")
    print("\n".join(lines), file=sys.stderr, flush=True)
    if not settings.loopback and sys.stderr.isatty():
        print("Phones in the club's network point the camera here:", file=sys.stderr)
        itself = getattr(sys.stderr, "rich_proxied_file", sys.stderr)  # what is drawn has control characters
        segno.make(url, error="m").terminal(itself, compact=True)


def _own_address() -> str:
    """This computer's address in its network; empty if it has none. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(("192.0.2.1", 9))
        return str(probe.getsockname()[0])
    return ""


def _names(names: list[str]) -> tuple[str, ...]:
    """Names of the desk, small; InputError for what is none."""
    for name in names:
        if not re.fullmatch(r"[A-Za-z0-9._-]+", name):
            mend = "give the name alone, such as desk.club.example, without http:// and port"
            raise InputError.of(f"--allow-host {name}", "this is no name", mend)
    return tuple(name.lower() for name in names)


def _addresses(proxies: list[str]) -> tuple[str, ...]:
    """Addresses of proxies; InputError for what is none."""
    try:
        return tuple(str(ipaddress.ip_address(address)) for address in proxies)
    except ValueError as error:
        mend = "give the address from which it connects, such as 127.0.0.1"
        raise InputError.of("--proxy", str(error), mend) from None


def _listen(host: str, port: int) -> socket.socket:
    """The socket to serve on; InputError if there can be none."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM)[0]
        # asyncio sends a head and what follows at once for sockets made with their protocol alone; else 40 ms apart
        listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        if os.name == "posix":
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address[:2])
        listening.listen(512)
        return listening
    except OSError as error:
        mend = "another program listens there, or another desk: choose --port" if port else "choose another --host"
        raise InputError.of(f"{host}:{port}", str(error.strerror), mend) from None


def _passphrase(file: Path | None, needed: bool) -> str | None:
    """The passphrase's hash; InputError where one is needed and there is none."""
    if file is None and not needed:
        return None
    if file is None:
        problem = "others than this computer could come in"
        raise InputError.of(
            "--passphrase-file", problem, "name a file with a passphrase, which revoke desk passphrase makes"
        )
    try:
        lines = file.read_text(encoding="utf-8").split("\n", 1)
    except (OSError, UnicodeDecodeError) as error:
        problem = getattr(error, "strerror", None) or "this is no text"
        raise InputError.of(file, problem, "name a file with the passphrase in its first line") from None
    return lines[0] if lines[0].startswith("$argon2") else PasswordHasher().hash(_long_enough(lines[0]))


def _long_enough(passphrase: str) -> str:
    if len(passphrase) < SHORTEST_PASSPHRASE:
        raise InputError.of("passphrase", f"it has fewer than {SHORTEST_PASSPHRASE} characters", "take several words")
    return passphrase
