"""What the terminal draws with ``rich``: proofs as trees, the four hands."""

from __future__ import annotations

from collections.abc import Iterable
from typing import IO

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.status import Status
from rich.text import Text
from rich.tree import Tree

from facts.texts import printable
from kb.explain.say import Speaker
from kb.ruling.reasons import Branch
from kb.ruling.ruling import Ruling


class PlainConsole(Console):
    """Shows the control characters of what it is given instead of sending them to the terminal."""

    @property
    def file(self) -> IO[str]:
        """What it writes to: the stream itself, whatever else prints into it while something is drawn."""
        found = super().file
        while (within := getattr(found, "rich_proxied_file", found)) is not found:
            found = within
        return found

    @file.setter
    def file(self, new: IO[str]) -> None:
        self._file = new

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """The pieces to be printed, their text made printable."""
        for piece in super().render(renderable, options):
            yield piece if piece.control else Segment(printable(piece.text), piece.style)


def at_work() -> Status:
    """Shows on a terminal, as long as it is entered, that something is being worked out."""
    return PlainConsole(stderr=True).status("")


def print_proof(ruling: Ruling, speaker: Speaker) -> None:
    """Prints a tree for each conclusion, down to what was observed; what was shown before is not shown again."""
    console, speaker = PlainConsole(highlight=False), speaker.of(ruling)
    for one in ruling.trees:
        console.print()
        console.print(_tree(one, speaker))


def _tree(one: Branch, speaker: Speaker) -> Tree:
    if one.firing is None:
        seen = f"{speaker.fact(one.fact)} ({speaker.phrase('observed')})" if one.counted is None else ""
        label = Text(seen or speaker.phrase("counted", n=one.counted), "dim")
    else:
        reason, law = one.firing.reason, one.firing.law
        named = reason.rule.clause if law is None else speaker.phrase("law", law=law)
        said = (speaker.reason(reason), "default"), (f"  {named} ", "bold cyan"), (reason.rule.id, "dim")
        label = Text.assemble(*said)
    tree = Tree(label)
    if one.again:
        tree.add("…")
        return tree
    tree.children += [_tree(child, speaker) for child in one.under]
    if one.firing is not None:
        tree.children += [Tree(Text(speaker.lacking(lacking), "dim")) for lacking in one.firing.lacking]
    return tree
