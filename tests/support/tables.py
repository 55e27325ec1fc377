"""What can be said by the shipped rules, whatever the edition."""

from functools import lru_cache

from facts.table import Table
from kb.language.folders import rules_root
from kb.language.table_files import load_table


@lru_cache(maxsize=1)
def shipped_table() -> Table:
    return load_table([rules_root()])


def shipped(_: str | None) -> Table:
    return shipped_table()
