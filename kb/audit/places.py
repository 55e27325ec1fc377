"""Places as people want to read them: without the folder that all of them are in."""

from __future__ import annotations

import os
from collections.abc import Sequence

from kb.audit.auditor import Audited
from kb.audit.entries import Entry
from kb.audit.tally import entries_of


class Places:
    """The places of the entries of an audit."""

    def __init__(self, results: Sequence[Audited]) -> None:
        folders = {os.path.dirname(entry["source"]) for entry in entries_of(results)}  # noqa: PTH120 - or a zip's member
        try:
            self.folder = os.path.commonpath(folders) if folders else ""
        except ValueError:
            self.folder = ""
        """The folder that all are in; empty where there is none."""
        self._left_out = os.path.join(self.folder, "") if self.folder else ""  # noqa: PTH118

    def of(self, entry: Entry) -> str:
        """«Final/Open7.pbn:214»."""
        return f"{self.short(entry['source'])}:{entry['line']}"

    def short(self, text: str) -> str:
        """A text that begins with a source, without the folder."""
        return text.removeprefix(self._left_out)
