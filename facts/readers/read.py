"""Any file of incidents: each board in it, whatever its format, in an archive or not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from facts.errors import InputError
from facts.incident import Incident
from facts.readers.archives import read_unit, units_of_file


def read_file(path: Path | str) -> Iterator[Incident | InputError]:
    """Each board of a file or archive, or of standard input for ``-``; an InputError for each that cannot be read."""
    for unit in units_of_file(str(path)):
        for reading in read_unit(unit):
            yield reading.board
