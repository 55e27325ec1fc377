"""The whole proof of a ruling as a tree in the terminal."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text
from rich.tree import Tree

from kb.engine.proof import Node, counted
from kb.explain.reasons import absences
from kb.explain.say import Speaker
from kb.ruling.ruling import Ruling


def print_proof(ruling: Ruling, speaker: Speaker) -> None:
    """Prints a tree for each conclusion; what was shown before is not shown again."""
    console = Console(highlight=False)
    for tree in proof_trees(ruling, speaker.of(ruling)):
        console.print()
        console.print(tree)


def proof_trees(ruling: Ruling, speaker: Speaker) -> list[Tree]:
    """A tree for each conclusion that cites, down to what was observed."""
    shown: set[object] = set()
    return [_tree(ruling, speaker, ruling.proof.tree(fact), shown) for fact in ruling.citations.conclusions()]


def _tree(ruling: Ruling, speaker: Speaker, node: Node, shown: set[object]) -> Tree:
    tree = Tree(_label(ruling, speaker, node))
    if node.fact in shown:
        if node.under:
            tree.add("…")
        return tree
    shown.add(node.fact)
    for child in node.under:
        tree.children.append(_tree(ruling, speaker, child, shown))
    if node.step is not None:
        tree.children += [Tree(Text(words, "dim")) for words in absences(speaker, ruling.proof, node.step)]
    return tree


def _label(ruling: Ruling, speaker: Speaker, node: Node) -> Text:
    if counted(node.fact) is not None:
        return Text(speaker.phrase("counted", n=node.fact[1]), "dim")
    if node.step is None:
        return Text(f"{speaker.fact(node.fact)} ({speaker.phrase('observed')})", "dim")
    clause = node.step.rule.clause
    law = speaker.phrase("law", law=clause) if ruling.citations.is_law(clause) else clause
    return Text.assemble(
        (speaker.because(ruling.proof, node.step), "default"), (f"  {law} ", "bold cyan"), (node.step.rule.id, "dim")
    )
