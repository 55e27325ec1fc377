"""The floors of the house and the features on top of them: what may import what."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Final

from .imports import between, modules, reduced

FLOORS: Final[Mapping[str, tuple[str, ...]]] = {
    "facts": ("facts",),
    "facts.incident": ("facts.incident", "facts.endings", "facts.to_yaml"),
    "facts.observe": ("facts.observe", "facts.history", "facts.templates"),
    "facts.readers": ("facts.readers",),
    "facts.equity": ("facts.equity",),
    "kb.language": ("kb.language",),
    "kb.engine": ("kb.engine",),
    "kb.space": ("kb.space",),
    "kb.ruling": ("kb.ruling",),
    "kb.explain": ("kb.explain",),
}
"""Lowest first: each may import those below it. Floor -> its modules and packages, less what another floor names."""
FEATURES: Final[Mapping[str, Set[str]]] = {
    "kb.why_not": set(),
    "kb.voices": {"kb.why_not"},
    "kb.cases": set(),
    "kb.drafting": set(),
    "kb.interview": set(),
    "kb.compare": {"kb.cases"},
    "kb.prove": {"kb.cases"},
    "kb.chart": {"kb.interview"},
    "kb.quiz": {"kb.voices", "kb.why_not"},
    "kb.audit": set(),
    "kb.lawbook": {"kb.cases"},
    "kb.schemas": {"kb.cases", "kb.prove"},
    "kb.verify": {"kb.voices"},
    "kb.site": {
        "kb.cases",
        "kb.chart",
        "kb.compare",
        "kb.drafting",
        "kb.interview",
        "kb.lawbook",
        "kb.prove",
        "kb.quiz",
        "kb.schemas",
        "kb.voices",
    },
}
"""Lowest first: each may import every floor, and of the features only those named."""
FACES: Final = ("kb.desk", "kb.cli")
"""They show what the features do, and may import any; the command line starts the desk."""
DOOR: Final = "kb"
"""The front door for other programs, with ``kb.front`` behind it; nothing in the house goes through it but the command line."""


def home(module: str) -> str:
    """The floor, feature or face that a module belongs to; KeyError if nobody has said which."""
    if module == "facts":
        return module
    if module in (DOOR, f"{DOOR}.front"):
        return DOOR
    homes = {place: floor for floor, places in FLOORS.items() for place in places}
    homes |= {one: one for one in (*FEATURES, *FACES)}
    parts = module.split(".")
    return homes[next((at for n in range(len(parts), 0, -1) if (at := ".".join(parts[:n])) in homes), module)]


def homes() -> dict[str, str]:
    """Where each module of the project belongs."""
    return {module: home(module) for module in modules()}


def allowed(group: str) -> set[str]:
    """What a floor, feature or face may import."""
    floors = list(FLOORS)
    if group in FLOORS:
        return set(floors[: floors.index(group)])
    if group in FEATURES:
        return {*floors, *FEATURES[group]}
    above = {"kb.cli": {"kb.desk", DOOR}, DOOR: {"kb.desk"}}
    return {*floors, *FEATURES, *above.get(group, set())}


def drawing() -> str:
    """The floors, features and faces with the arrows between them that no others imply, as a Mermaid flowchart."""
    arrows = reduced(between(homes()))
    parts = {"faces": [DOOR, *FACES], "features": [*FEATURES], "floors": [*FLOORS]}
    lines = ["```mermaid", "flowchart TD"]
    for part, names in parts.items():
        lines.append(f"  subgraph {part}")
        lines += [f'    {_id(name)}["{name}"]' for name in names]
        lines.append("  end")
    lines += [f"  {_id(name)} --> {_id(to)}" for names in parts.values() for name in names for to in arrows[name]]
    return "\n".join([*lines, "```"])


def _id(name: str) -> str:
    return name.replace(".", "_")
