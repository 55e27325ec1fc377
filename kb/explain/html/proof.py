"""The proof as a tree that opens."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from kb.engine.proof import Node, counted
from kb.explain.html.pieces import Pieces
from kb.explain.reasons import absences
from kb.ruling.ruling import Ruling


def proof(ruling: Ruling, pieces: Pieces) -> Iterator[str]:
    """A tree for each conclusion that cites, down to what was observed; what was shown before is only named."""
    yield f"{pieces.opening('proof', 'html-proof', 'proof')}<ul>"
    shown: set[object] = set()
    for fact in ruling.citations.conclusions():
        yield from _item(ruling, ruling.proof.tree(fact), pieces, shown)
    yield "</ul></section>"


def _item(ruling: Ruling, node: Node, pieces: Pieces, shown: set[object]) -> Iterator[str]:
    label = _label(ruling, node, pieces)
    again = node.fact in shown and bool(node.under)
    shown.add(node.fact)
    missing = absences(pieces.speaker, ruling.proof, node.step) if node.step is not None else ()
    if again or not (node.under or missing):
        yield f"<li>{label}{' …' if again else ''}</li>"
        return
    yield f"<li><details><summary>{label}</summary><ul>"
    for child in node.under:
        yield from _item(ruling, child, pieces, shown)
    yield from (f'<li class="absent">{escape(words)}</li>' for words in missing)
    yield "</ul></details></li>"


def _label(ruling: Ruling, node: Node, pieces: Pieces) -> str:
    if counted(node.fact) is not None:
        return pieces.phrase("counted", n=node.fact[1])
    if node.step is None:
        return f"{escape(pieces.speaker.fact(node.fact))} <small>({pieces.phrase('observed')})</small>"
    said = escape(pieces.speaker.because(ruling.proof, node.step))
    law = pieces.laws([node.step.rule.clause]) if ruling.citations.is_law(node.step.rule.clause) else ""
    return f"{said} <cite>[{law}]</cite>" if law else said
