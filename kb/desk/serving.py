"""The server of the desk: hypercorn, with an end to its patience."""

from __future__ import annotations

import logging
import socket
from contextlib import suppress
from typing import Final

from hypercorn.config import Config

PATIENCE: Final = 15
"""Seconds for the head of a request, from the connection or the answer before it; the guard limits those of a body."""
ENDING: Final = 5
"""Seconds in which what is being answered may come to its end."""


def settings_for(listening: socket.socket) -> Config:
    """How connections to a socket are held; the socket is the server's from now on."""
    config = Config()
    config.bind = [f"fd://{listening.detach()}"]
    config.keep_alive_timeout = PATIENCE
    config.graceful_timeout = config.shutdown_timeout = ENDING
    config.include_server_header = False
    config.loglevel = "ERROR"
    logging.getLogger("python_multipart").setLevel(logging.CRITICAL)  # or whoever sends nonsense fills the log
    return config


def allow_connections() -> None:
    """Lets this process hold as many connections as the system lets it: half-sent requests are to shut nobody out."""
    with suppress(ImportError, ValueError, OSError):
        import resource  # noqa: PLC0415 - not on every system

        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
