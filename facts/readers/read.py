"""Any file of incidents: each board in it, whatever its format, in an archive or not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from facts.errors import InputError
from facts.incident import Incident
from facts.readers.archives import read_unit, units_of_file
from facts.readers.incident import Tables


def read_file(path: Path | str, tables: Tables | None = None) -> Iterator[Incident | InputError]:
    """Each board of a file or archive, or of standard input for ``-``; an InputError for each that cannot be read.

    ``tables``: what can be said under an edition, if it is not just what the shipped rules declare.
    """
    for unit in units_of_file(str(path)):
        for reading in read_unit(unit, tables):
            yield reading.board
