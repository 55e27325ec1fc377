"""What a desk is started with."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

LOOPBACK_NAMES: Final = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True)
class Settings:
    """One desk: its rules, its files, where it listens, and who may come in."""

    rules: Path
    """The folder of rules, as ``kb.language.folders.rules_root()`` gives it."""
    register: Path
    """The SQLite file of the register."""
    drafts: Path
    """The folder of draft amendments, beside the register."""
    host: str = "127.0.0.1"
    port: int = 8061
    passphrase_hash: str | None = None
    """Argon2 hash of the directors' passphrase; needed wherever ``guarded`` is true."""
    lang: str = "en"
    hosts: tuple[str, ...] = ()
    """Names besides loopback's under which browsers reach the desk, lower case, without port."""
    proxies: tuple[str, ...] = ()
    """Addresses of reverse proxies whose ``X-Forwarded-…`` headers are believed."""

    @property
    def loopback(self) -> bool:
        """Whether nobody but this computer can reach the port itself."""
        try:
            return ipaddress.ip_address(self.host.strip("[]")).is_loopback
        except ValueError:
            return self.host.lower() == "localhost"

    @property
    def guarded(self) -> bool:
        """Whether a passphrase is asked for: always when others than this computer can come, through a proxy too."""
        return not self.loopback or bool(self.hosts or self.proxies) or self.passphrase_hash is not None
