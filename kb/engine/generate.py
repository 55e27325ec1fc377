"""Python source that runs a program: the rules in the order of what they read."""

from __future__ import annotations

from collections.abc import Sequence

from kb.engine.loops import JoinWriter, Writer, empty_index, key_source
from kb.engine.order import components, concluded, feeds_itself
from kb.engine.program import Plan, Program


def function_source(program: Program) -> str:
    """Source of ``derive(facts) -> [(fact, number of the rule, premises), ...]``."""
    writer = Writer(program)
    body = Writer(program, writer.indexes)
    body.depth = 1
    for plans in components(program.plans):
        if feeds_itself(plans):
            _Circle(body, plans).write()
        else:
            JoinWriter(body, plans[0]).write_once()
    writer.write_indexes()
    with writer.block("def derive(facts):"):
        writer.write("steps = []; step = steps.append; kinds = kinds_of(facts)")
        writer.write_names()
        derived = "".join(f"*{writer.lists[kind]}, " for kind in sorted(writer.concluded & program.kinds))
        writer.write(f"known = {{*(), {derived}}}")
    return "\n".join([*writer.lines, *body.lines, "    return steps", ""])


class _Circle:
    """Rules that feed each other: each fact of a kind they conclude comes from a queue and meets those before it."""

    def __init__(self, writer: Writer, plans: Sequence[Plan]) -> None:
        self.writer = writer
        self.plans = plans
        self.kinds = concluded(plans) & frozenset(pattern.kind for plan in plans for pattern in plan.patterns.values())

    def write(self) -> None:
        """The loop over the queue."""
        writer, kinds = self.writer, sorted(self.kinds)
        lists = [writer.lists[kind] for kind in kinds]
        writer.write(f"queue = [{', '.join('*' + name for name in lists)}]")
        for name in lists:
            writer.write(f"{name} = []")
        start = len(writer.lines)
        with writer.block("for new in queue:"):
            writer.write("if len(queue) > most: raise endless()")
            first = len(writer.lines)
            joins = {kind: self._joins(kind) for kind in kinds}
            del writer.lines[first:]
            for kind in kinds:
                with writer.block(f"if new[0] == {kind!r}:"):
                    self._add(kind)
                    writer.lines.extend(joins[kind])
        indexes = [(name, positions) for (kind, positions), name in writer.indexes.items() if kind in self.kinds]
        empty = [f"    {name} = {empty_index(positions)}" for name, positions in indexes]
        writer.lines[start:start] = empty

    def _joins(self, kind: str) -> list[str]:
        """The lines that join a new fact of the kind at every condition it may stand for."""
        writer = self.writer
        writer.depth += 1
        first = len(writer.lines)
        for plan in self.plans:
            for slot, pattern in plan.patterns.items():
                if pattern.kind == kind:
                    writer.write(f"# {plan.rule.id!r}")
                    JoinWriter(writer, plan, self.kinds, slot).write()
        writer.depth -= 1
        return writer.lines[first:]

    def _add(self, kind: str) -> None:
        """The new fact into its list and its indexes."""
        writer = self.writer
        writer.write(f"{writer.lists[kind]}.append(new)")
        for (of, positions), name in writer.indexes.items():
            if of == kind:
                writer.write(f"{name}{key_source(positions, 'new')}.append(new)")
