"""Taking nodes apart without minding their shape, which has been looked at before."""

from __future__ import annotations

from collections.abc import Mapping as MappingType

from facts.yaml_reader import Mapping, Node, Scalar, Sequence


def entries(node: Node | None) -> MappingType[str, Node]:
    """The entries of a mapping; nothing for anything else."""
    return node.entries if isinstance(node, Mapping) else {}


def items(node: Node | None) -> tuple[Node, ...]:
    """The items of a list; nothing for anything else."""
    return node.items if isinstance(node, Sequence) else ()


def string(node: Node | None) -> str:
    """The text of a scalar; empty for anything else."""
    return node.value if isinstance(node, Scalar) and isinstance(node.value, str) else ""
