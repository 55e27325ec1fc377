"""The one place where text goes to the terminal: nothing in it can control the terminal, and writing may fail."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, TextIO, TypeVar, cast

from facts.errors import EngineError, Fault, InputError
from facts.printable import printable

Returned = TypeVar("Returned")


class PlainStream:
    """Standard output or error: prints control characters and what its encoding lacks written out, as JSON does.

    Consoles of ``rich`` write past it, for their colours; those of our own are ``PlainConsole``.
    """

    def __init__(self, stream: TextIO, needed: bool = True) -> None:
        """``needed``: whether it is a fault that something cannot be written."""
        self._needed = needed
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
        self.rich_proxied_file = stream
        """By this name consoles find the stream itself."""

    def write(self, text: str) -> int:
        try:
            self.rich_proxied_file.write(printable(text))
        except OSError:
            if self._needed:
                raise
            _lose(self.rich_proxied_file)
        return len(text)

    def __getattr__(self, name: str) -> Any:
        """Anything else is as of the stream."""
        return getattr(self.rich_proxied_file, name)


def at_the_terminal(command: Callable[[], Returned]) -> Returned:
    """Runs a command so that all it prints is printable; ends with status 2 and a line each for the faults of what the
    command line named, or if its output cannot be written, with status 1 and a line for an EngineError.

    A pipe that nobody reads any more ends it with status 1 and not a word. What it cannot tell on standard error is not
    told, and the rest goes on.
    """
    streams = sys.stdout, sys.stderr
    sys.stdin = sys.stdin or _closed()
    sys.stdout = cast(TextIO, PlainStream(streams[0] or _closed()))
    sys.stderr = cast(TextIO, PlainStream(streams[1] or _closed(), needed=False))
    try:
        try:
            return command()
        finally:
            if not sys.stdout.closed:  # as a server on it leaves it
                sys.stdout.flush()
    except InputError as error:
        tell(error.faults)
        sys.exit(2)
    except EngineError as error:
        print(error, file=sys.stderr)
        sys.exit(1)
    except OSError as error:
        _lose(streams[0])
        if error.errno == errno.EPIPE:
            sys.exit(1)
        with suppress(OSError):
            print(f"{error.filename or 'the output cannot be written'}: {error.strerror or error}", file=sys.stderr)
        sys.exit(2)
    finally:
        sys.stdout, sys.stderr = streams


def tell(faults: Iterable[Fault]) -> None:
    """Prints faults on standard error, a line each, whatever names and values they repeat."""
    for fault in faults:
        print(str(fault).replace("\n", "\\n"), file=sys.stderr)


def _closed() -> TextIO:
    """In place of a stream that was closed before the command began: empty, and nothing goes into it."""
    return open(os.devnull)  # noqa: PTH123 - until the end


def _lose(stream: TextIO | None) -> None:
    """Sends what is still to be written nowhere, or the interpreter would complain once more at its end."""
    with suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, cast(TextIO, stream).fileno())
        os.close(nowhere)
