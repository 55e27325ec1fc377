"""The whole proof of a ruling as a tree in the terminal."""

from __future__ import annotations

from rich.text import Text
from rich.tree import Tree

from kb.explain.console import PlainConsole
from kb.explain.say import Speaker
from kb.ruling.reasons import Branch
from kb.ruling.report import Report
from kb.ruling.ruling import Ruling


def print_proof(ruling: Ruling, speaker: Speaker) -> None:
    """Prints a tree for each conclusion; what was shown before is not shown again."""
    console = PlainConsole(highlight=False)
    for tree in proof_trees(ruling, speaker.of(ruling)):
        console.print()
        console.print(tree)


def proof_trees(ruling: Ruling, speaker: Speaker) -> list[Tree]:
    """A tree for each conclusion that cites, down to what was observed."""
    return [_tree(one, speaker) for one in Report(ruling).trees]


def _tree(one: Branch, speaker: Speaker) -> Tree:
    tree = Tree(_label(one, speaker))
    if one.again:
        tree.add("…")
        return tree
    tree.children += [_tree(child, speaker) for child in one.under]
    if one.firing is not None:
        tree.children += [Tree(Text(speaker.lacking(lacking), "dim")) for lacking in one.firing.lacking]
    return tree


def _label(one: Branch, speaker: Speaker) -> Text:
    if one.firing is None:
        seen = f"{speaker.fact(one.fact)} ({speaker.phrase('observed')})" if one.counted is None else ""
        return Text(seen or speaker.phrase("counted", n=one.counted), "dim")
    rule = one.firing.reason.rule
    law = rule.clause if one.firing.law is None else speaker.phrase("law", law=one.firing.law)
    return Text.assemble((speaker.reason(one.firing.reason), "default"), (f"  {law} ", "bold cyan"), (rule.id, "dim"))
