"""The state of an audit in a file: a line for each unit that is done, so that nothing is lost or done again.

A line is written in one piece when its unit is done, with a digest before it. From the first line that is not as it was
written, be it the trace of an interruption or of an editor, all are cut off, and their units are done anew; so is a
unit that has changed since, by its size or time.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO, Final

from facts.errors import InputError
from facts.opening import is_regular
from facts.readers.archives import Unit
from facts.suggestions import brief
from kb.audit.auditor import Audited

FORM: Final = "revoke-audit 2"
"""The first word of every state file; another number where the lines mean something else."""
MOST_HEADER: Final = 1_000


class Journal:
    """The units done so far, by their keys."""

    def __init__(self, path: Path, digest: str) -> None:
        """Opens the file, or begins it; InputError when it is no such file, or one of an audit by other rules."""
        self.path = path
        self.done: dict[str, Audited] = {}
        self._header = header = json.dumps({"state": FORM, "audit": digest}).encode() + b"\n"
        if not is_regular(path):
            raise InputError.of(path, "this is no regular file", "name another with --resume")
        try:
            kept = self._read() if path.is_file() and path.stat().st_size else 0
            self._file: BinaryIO = path.open("r+b" if kept else "wb", buffering=0)
            self._file.truncate(kept)
            self._file.seek(kept)
        except (OSError, ValueError) as error:
            what = f"the state file cannot be used ({error})"
            raise InputError.of(brief(str(path)), what, "name another with --resume") from None
        if not kept:
            self._write(header)

    def add(self, key: str, audited: Audited) -> None:
        """Notes that a unit is done, if it has a key; InputError when there is no room for it."""
        if key:
            line = json.dumps({"unit": key, **asdict(audited)}, ensure_ascii=False, separators=(",", ":"))
            body = line.encode("utf-8", "replace")
            self._write(self._digest(body) + b" " + body + b"\n")

    def close(self) -> None:
        """Leaves the file as it is."""
        self._file.close()

    def _write(self, line: bytes) -> None:
        try:
            written = self._file.write(line)
        except OSError as error:
            raise self._full(error.strerror) from None
        if written != len(line):
            raise self._full("there is no room for a line")

    def _full(self, why: str | None) -> InputError:
        what = f"the state file cannot be written ({why})"
        return InputError.of(self.path, what, "make room, and start again: it goes on where it stopped")

    def _digest(self, body: bytes) -> bytes:
        """Of a line of this audit."""
        return sha256(self._header + body).hexdigest()[:16].encode()

    def _read(self) -> int:
        """Takes in the lines that are as they were written, and gives how many bytes they are."""
        with self.path.open("rb") as stream:
            first = stream.readline(MOST_HEADER)
            if first != self._header:
                raise _wrong_header(self.path, first)
            kept = len(first)
            for line in stream:
                digest, _, body = line.rstrip(b"\n").partition(b" ")
                if not line.endswith(b"\n") or digest != self._digest(body):
                    break
                data = json.loads(body)
                unit = data.pop("unit")
                self.done[unit] = Audited(**{**data, "entries": tuple(data["entries"])})
                kept += len(line)
        return kept


def key_of(unit: Unit) -> str:
    """Names a unit and the state it is in; empty where that cannot be known."""
    if unit.once or unit.refused is not None:
        return ""
    try:
        path = Path(unit.path).absolute()
        status = path.stat()
    except OSError:
        return ""
    return f"{path}|{unit.member}|{status.st_size}|{status.st_mtime_ns}"


def _wrong_header(path: Path, first: bytes) -> InputError:
    try:
        found: Any = json.loads(first)
        ours = found["state"] == FORM
    except (ValueError, KeyError, TypeError, RecursionError):
        ours = False
    if ours:
        what = "this is the state of an audit by other rules or options"
        return InputError.of(path, what, "delete it, or give the audit another with --resume")
    return InputError.of(path, "this is no state file of an audit", "name another with --resume")
