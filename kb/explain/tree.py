"""The whole proof of a ruling as a tree in the terminal."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text
from rich.tree import Tree

from kb.engine.proof import Node, counted
from kb.explain.reasons import absences
from kb.explain.say import Voice
from kb.ruling.ruling import Ruling


def print_proof(ruling: Ruling, voice: Voice) -> None:
    """Prints a tree for each conclusion; what was shown before is not shown again."""
    console = Console(highlight=False)
    for tree in proof_trees(ruling, voice.of(ruling)):
        console.print()
        console.print(tree)


def proof_trees(ruling: Ruling, voice: Voice) -> list[Tree]:
    """A tree for each conclusion that cites, down to what was observed."""
    shown: set[object] = set()
    return [_tree(ruling, voice, ruling.proof.tree(fact), shown) for fact in ruling.citations.conclusions()]


def _tree(ruling: Ruling, voice: Voice, node: Node, shown: set[object]) -> Tree:
    tree = Tree(_label(ruling, voice, node))
    if node.fact in shown:
        if node.under:
            tree.add("…")
        return tree
    shown.add(node.fact)
    for child in node.under:
        tree.children.append(_tree(ruling, voice, child, shown))
    if node.step is not None:
        tree.children += [Tree(Text(words, "dim")) for words in absences(voice, ruling.proof, node.step)]
    return tree


def _label(ruling: Ruling, voice: Voice, node: Node) -> Text:
    if counted(node.fact) is not None:
        return Text(voice.phrase("counted", n=node.fact[1]), "dim")
    if node.step is None:
        return Text(f"{voice.fact(node.fact)} ({voice.phrase('observed')})", "dim")
    clause = node.step.rule.clause
    law = voice.phrase("law", law=clause) if ruling.citations.is_law(clause) else clause
    return Text.assemble(
        (voice.because(ruling.proof, node.step), "default"), (f"  {law} ", "bold cyan"), (node.step.rule.id, "dim")
    )
