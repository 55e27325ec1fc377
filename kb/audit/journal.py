"""The state of an audit in a file: a line for each unit that is done, so that nothing is lost or done again.

A line is written in one piece when its unit is done. What does not end as a line should is the trace of an
interruption and is cut off. A unit that has changed since, by its size or time, is done anew.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any, BinaryIO, Final

from facts.errors import InputError
from facts.readers.archives import Unit
from kb.audit.auditor import Audited

FORM: Final = "revoke-audit 1"
"""The first word of every state file; another number where the lines mean something else."""


class Journal:
    """The units done so far, by their keys."""

    def __init__(self, path: Path, digest: str) -> None:
        """Opens the file, or begins it; InputError when it is no such file, or one of an audit by other rules."""
        self.path = path
        self.done: dict[str, Audited] = {}
        header = json.dumps({"state": FORM, "audit": digest}).encode() + b"\n"
        try:
            kept = self._read(header) if path.is_file() and path.stat().st_size else 0
            self._file: BinaryIO = path.open("r+b" if kept else "wb", buffering=0)
        except OSError as error:
            raise InputError.of(
                path, f"the state file cannot be used ({error})", "name another with --resume"
            ) from None
        self._file.truncate(kept)
        self._file.seek(kept)
        if not kept:
            self._file.write(header)

    def add(self, key: str, audited: Audited) -> None:
        """Notes that a unit is done; standard input and pipes, which have no key, are not noted."""
        if key:
            line = json.dumps({"unit": key, **asdict(audited)}, ensure_ascii=False, separators=(",", ":"))
            self._file.write(line.encode() + b"\n")

    def close(self) -> None:
        """Leaves the file as it is."""
        self._file.close()

    def _read(self, header: bytes) -> int:
        """Takes in the lines that are whole, and gives how many bytes they are."""
        with self.path.open("rb") as stream:
            first = stream.readline()
            if first != header:
                raise _wrong_header(self.path, first)
            kept = len(first)
            for line in stream:
                try:
                    if not line.endswith(b"\n"):
                        break
                    data = json.loads(line)
                    key = data.pop("unit")
                    self.done[key] = Audited(**{**data, "entries": tuple(data["entries"])})
                except (ValueError, KeyError, TypeError, AttributeError):
                    break
                kept += len(line)
        return kept


def key_of(unit: Unit) -> str:
    """Names a unit and the state it is in; empty where that cannot be known."""
    if unit.once or unit.refused is not None:
        return ""
    try:
        status = Path(unit.path).stat()
    except OSError:
        return ""
    return f"{unit.source}|{unit.member}|{status.st_size}|{status.st_mtime_ns}"


def _wrong_header(path: Path, first: bytes) -> InputError:
    try:
        found: Any = json.loads(first)
        ours = found["state"] == FORM
    except (ValueError, KeyError, TypeError):
        ours = False
    if ours:
        what = "this is the state of an audit by other rules or options"
        return InputError.of(path, what, "delete it, or give the audit another with --resume")
    return InputError.of(path, "this is no state file of an audit", "name another with --resume")
