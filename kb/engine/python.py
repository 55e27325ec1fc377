"""The Python engine: the rules of a program as generated functions, run to the fixed point."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence

from facts.errors import BoundsError
from facts.fact import Fact, by_kind
from kb.engine.bounds import MOST_FIRINGS, MOST_JOINS, demand_few, demand_small, too_many_firings, too_many_joins
from kb.engine.codegen import compiled, number_functions, open_kinds
from kb.engine.loops import JoinWriter, Writer, empty_index, key_source
from kb.engine.order import components, concluded, feeds_itself
from kb.engine.program import Plan, Program
from kb.engine.proof import Proof, RawStep


class PythonEngine:
    """Runs a program as plain Python: nested loops over hash indexes, made for this program alone."""

    def __init__(self, program: Program) -> None:
        self.program = program
        given = {
            "numbers": number_functions(number for plan in program.plans for number in plan.numbers),
            "kinds_of": lambda facts: open_kinds(by_kind(facts), program),
            "most_joins": MOST_JOINS,
            "most_firings": MOST_FIRINGS,
            "passed": self._passed,
            "demand_small": demand_small,
            "rules": program.rules,
        }
        space = compiled(function_source(program), **given)
        self._derive: Callable[[Iterable[Fact]], list[RawStep]] = space["derive"]

    def __reduce__(self) -> tuple[type[PythonEngine], tuple[Program]]:
        return PythonEngine, (self.program,)

    def run(self, facts: Iterable[Fact]) -> Proof:
        """The proof of everything that follows; BoundsError when it comes to too much."""
        ground = facts if isinstance(facts, frozenset | tuple) else tuple(facts)
        demand_few(ground)
        return Proof(self.program, ground, self._derive(ground))

    def _passed(self, looked: Sequence[int], steps: Collection[RawStep]) -> BoundsError:
        """Why a run is given up: for what each rule has looked at, or else for all the firings."""
        rules = self.program.rules
        if sum(looked) > MOST_JOINS:
            return too_many_joins(rules, dict(enumerate(looked)))
        return too_many_firings(rules, Counter(number for _, number, _ in steps))


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
        writer.write(f"joins = 0; looked = [0] * {len(program.plans)}")
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
