"""The order in which rules are run, so that each finds all it reads complete."""

from __future__ import annotations

from collections.abc import Sequence

from kb.engine.program import Plan


def components(plans: Sequence[Plan]) -> list[list[Plan]]:
    """The rules in an order in which each finds all it reads complete; rules that feed each other stand together."""
    reach = _reach(plans)
    groups: dict[int, list[Plan]] = {}
    for plan in sorted(plans, key=lambda plan: -reach[plan.number].bit_count()):
        groups.setdefault(reach[plan.number], []).append(plan)
    return list(groups.values())


def _reach(plans: Sequence[Plan]) -> list[int]:
    """For each rule a bit for every rule that it feeds, itself and those far down the line included."""
    readers: dict[str, int] = {}
    for plan in plans:
        for kind in plan.kinds:
            readers[kind] = readers.get(kind, 0) | 1 << plan.number
    reach = [1 << plan.number for plan in plans]
    for plan in plans:
        for kind in concluded([plan]):
            reach[plan.number] |= readers.get(kind, 0)
    for by_way_of in range(len(plans)):
        bit, further = 1 << by_way_of, reach[by_way_of]
        reach = [own | further if own & bit else own for own in reach]
    return reach


def feeds_itself(plans: Sequence[Plan]) -> bool:
    """Whether the rules of a component read what they conclude."""
    return any(plan.kinds.intersection(concluded(plans)) for plan in plans)


def concluded(plans: Sequence[Plan]) -> frozenset[str]:
    """The kinds that these rules conclude."""
    return frozenset(kind for plan in plans for kind, _ in plan.heads)


def stages(plans: Sequence[Plan]) -> list[list[list[Plan]]]:
    """The components in as few stages as can be: whatever a rule reads is complete after the stages before its own,
    but for what its own component concludes."""
    of_kind: dict[str, int] = {}
    found: list[list[list[Plan]]] = []
    for component in components(plans):
        stage = max((of_kind.get(kind, 0) for plan in component for kind in plan.kinds), default=0)
        if stage == len(found):
            found.append([])
        found[stage].append(component)
        of_kind.update({kind: max(stage + 1, of_kind.get(kind, 0)) for kind in concluded(component)})
    return found
