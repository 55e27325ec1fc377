"""The lines of a file of translations, entry by entry, so that what need not change can stay as somebody wrote it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from facts.yaml_reader import Node


@dataclass(frozen=True, slots=True)
class AsWritten:
    """A file cut into its entries."""

    head: str
    """What stands before the first of them."""
    blocks: Mapping[int, tuple[str, ...]]
    """The lines of each entry, with the remarks before it, by the line that it begins in."""

    def lines_of(self, line: int) -> tuple[str, ...]:
        """The lines of the entry that begins in a line; none where it does not begin there alone."""
        return self.blocks.get(line, ())


def as_written(text: str, node: Node) -> AsWritten:
    """Cuts the text of a file, of which this is what it holds."""
    lines = [f"{line}\n" for line in text.replace("\r\n", "\n").split("\n")]
    entries = [*_entries(node)]
    others = [place.line for place in node.keys.values()]
    groups = node.entries["texts"].keys.values() if "texts" in node.entries else ()
    cuts = sorted({_begins(line, lines) for line in (*entries, *others, *(place.line for place in groups))})
    ends = dict(zip(cuts, [*cuts[1:], len(lines) + 1], strict=True))
    blocks = {line: _block(lines[(begin := _begins(line, lines)) - 1 : ends[begin] - 1]) for line in entries}
    first = node.keys["texts"].line if "texts" in node.keys else len(lines) + 1
    head = "".join(lines[: first - 1]).rstrip("\n")
    return AsWritten(f"{head}\n\n" if head else "", blocks if len({*entries}) == len(entries) else {})


def _entries(node: Node) -> Iterator[int]:
    """The line in which each entry begins."""
    for group in node.entries["texts"].entries.values() if "texts" in node.entries else ():
        yield from (item.place.line for item in group.items)
    if "no-longer" in node.entries:
        yield from (item.place.line for item in node.entries["no-longer"].items)


def _begins(line: int, lines: list[str]) -> int:
    """The line in which the remarks begin that stand right before a line, no deeper than it."""
    indent = _indent(lines[line - 1])
    while line > 1 and lines[line - 2].lstrip().startswith("#") and _indent(lines[line - 2]) <= indent:
        line -= 1
    return line


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _block(lines: list[str]) -> tuple[str, ...]:
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    return tuple(lines)
