"""Python source that runs a program: rules in the order of what they read, each a nest of loops over the facts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from kb.engine.program import Check, Number, Pattern, Plan, Program, best_next, variables
from kb.engine.source import check_source, fit_source, term_source


def function_source(program: Program) -> str:
    """Source of ``derive(facts) -> [(fact, number of the rule, premises), ...]``."""
    writer = _Writer(program)
    body = _Writer(program, writer.indexes)
    body.depth = 1
    for plans in components(program.plans):
        if any(plans[0].kinds.intersection(kind for kind, _ in plan.heads) for plan in plans) or len(plans) > 1:
            _Circle(body, plans).write()
        else:
            _Join(body, plans[0]).write_once()
    _write_start(writer, program)
    return "\n".join([*writer.lines, *body.lines, "    return steps", ""])


def components(plans: Sequence[Plan]) -> list[list[Plan]]:
    """The rules in an order in which each finds all it reads complete; rules that feed each other stand together."""
    readers: dict[str, list[int]] = {}
    for plan in plans:
        for kind in plan.kinds:
            readers.setdefault(kind, []).append(plan.number)
    reach: list[set[int]] = []
    for plan in plans:
        seen, waiting = {plan.number}, [plan]
        while waiting:
            feeds = {number for kind, _ in waiting.pop().heads for number in readers.get(kind, ())} - seen
            seen |= feeds
            waiting.extend(plans[number] for number in feeds)
        reach.append(seen)
    groups: dict[frozenset[int], list[Plan]] = {}
    for plan in sorted(plans, key=lambda plan: -len(reach[plan.number])):
        groups.setdefault(frozenset(reach[plan.number]), []).append(plan)
    return list(groups.values())


class _Writer:
    """Lines of source, and the names of what they use."""

    def __init__(self, program: Program, indexes: dict[tuple[str, tuple[int, ...]], str] | None = None) -> None:
        self.lists = {kind: f"facts_{i}" for i, kind in enumerate(sorted(program.kinds))}
        self.concluded = program.concluded
        self.indexes = {} if indexes is None else indexes
        self.lines: list[str] = []
        self.depth = 0

    def write(self, line: str) -> None:
        self.lines.append("    " * self.depth + line)

    @contextmanager
    def block(self, line: str) -> Iterator[None]:
        """What is written inside stands under the line."""
        self.write(line)
        self.depth += 1
        yield
        self.depth -= 1

    def index(self, kind: str, positions: tuple[int, ...]) -> str:
        """The name of the index of a kind by these positions."""
        return self.indexes.setdefault((kind, positions), f"index_{len(self.indexes)}")


def _write_start(writer: _Writer, program: Program) -> None:
    """Index functions, and the facts sorted by kind."""
    for (_, positions), name in writer.indexes.items():
        with writer.block(f"def make_{name}(facts):"):
            writer.write("index = {}")
            with writer.block("for fact in facts:"):
                writer.write(f"index.setdefault({_key(positions, 'fact')}, []).append(fact)")
            writer.write("return index")
    with writer.block("def derive(facts):"):
        writer.write("steps = []; step = steps.append; known = set()")
        for name in writer.lists.values():
            writer.write(f"{name} = []")
        for name in writer.indexes.values():
            writer.write(f"{name} = None")
        writer.write("kinds = {" + ", ".join(f"{kind!r}: {name}" for kind, name in writer.lists.items()) + "}")
        with writer.block("for fact in dict.fromkeys([fact for fact in facts if fact[0] in kinds]):"):
            writer.write("kinds[fact[0]].append(fact)")
        for kind in sorted(writer.concluded & program.kinds):
            writer.write(f"known.update({writer.lists[kind]})")


def _key(positions: tuple[int, ...], fact: str) -> str:
    values = [f"{fact}[{position}]" for position in positions]
    return values[0] if len(values) == 1 else f"({', '.join(values)})"


class _Join:
    """The loops of one rule; ``start``: the condition whose fact is given, as ``new``, where rules feed themselves."""

    def __init__(
        self, writer: _Writer, plan: Plan, queue: frozenset[str] = frozenset(), start: int | None = None
    ) -> None:
        self.writer = writer
        self.plan = plan
        self.queue = queue
        self.start = start
        self.names: dict[str, str] = {}
        self.checks: list[tuple[str, Check]] = []
        self.numbers = list(plan.numbers)
        self.absent = list(plan.absent)

    def write_once(self) -> None:
        """The rule on complete facts."""
        lists = [self.writer.lists[pattern.kind] for pattern in self.plan.patterns.values()]
        with self.writer.block(f"if {' and '.join(dict.fromkeys(lists)) or 'True'}:  # {self.plan.rule.id!r}"):
            self.write()

    def write(self) -> None:
        """The rule on the facts there are, the given one among them."""
        self._next(dict(self.plan.patterns))

    def _next(self, waiting: dict[int, Pattern]) -> None:
        """Loops for the conditions still waiting, then the conclusions; all else as early as it can be decided."""
        if self._decide(waiting):
            return
        if not waiting:
            self._conclude()
            return
        slot = self.start if self.start in waiting else best_next(waiting, self.names, self.writer.concluded)
        pattern, fact = waiting.pop(slot), f"fact_{slot}"
        if slot == self.start:
            self.writer.write(f"{fact} = new")
            self._take(slot, pattern, (), waiting)
            return
        bound = tuple(position for position, name in pattern.shares if name in self.names)
        with self.writer.block(f"for {fact} in {self._source(pattern, bound)}:"):
            self._take(slot, pattern, bound, waiting)

    def _source(self, pattern: Pattern, bound: tuple[int, ...]) -> str:
        """The facts that agree with the variables already known."""
        facts = self.writer.lists[pattern.kind]
        if not bound:
            return facts
        index = self.writer.index(pattern.kind, bound)
        if pattern.kind not in self.queue:
            with self.writer.block(f"if {index} is None:"):
                self.writer.write(f"{index} = make_{index}({facts})")
        names = dict(pattern.shares)
        values = [self.names[names[position]] for position in bound]
        return f"{index}.get({values[0] if len(values) == 1 else '(' + ', '.join(values) + ')'}, ())"

    def _take(self, slot: int, pattern: Pattern, bound: tuple[int, ...], waiting: dict[int, Pattern]) -> None:
        """What the fact itself must hold, and the variables it gives a value."""
        fact, wanted, fresh = f"fact_{slot}", [], []
        if self.start is not None and slot < self.start and pattern.kind == self.plan.patterns[self.start].kind:
            wanted.append(f"{fact} is not new")
        for position, name in pattern.shares:
            if position in bound:
                continue
            if name in self.names:
                wanted.append(f"{fact}[{position}] == {self.names[name]}")
            else:
                self.names[name] = f"value_{len(self.names)}"
                fresh.append(f"{self.names[name]} = {fact}[{position}]")
        wanted[:0] = [check_source(check, fact, {}) for check in pattern.literals]
        self.checks.extend((fact, check) for check in pattern.comparisons)
        for line in fresh:
            self.writer.write(line)
        self._under(wanted, waiting)

    def _under(self, wanted: Iterable[str], waiting: dict[int, Pattern]) -> None:
        if condition := " and ".join(wanted):
            with self.writer.block(f"if {condition}:"):
                self._next(waiting)
        else:
            self._next(waiting)

    def _decide(self, waiting: dict[int, Pattern]) -> bool:
        """Writes one thing that can be decided now, with all the rest under it; False if there is none."""
        if ready := [(fact, check) for fact, check in self.checks if self._has(variables(check.term))]:
            self.checks = [item for item in self.checks if item not in ready]
            self._under([check_source(check, fact, self.names) for fact, check in ready], waiting)
        elif absent := next((pattern for pattern in self.absent if self._settled(pattern)), None):
            self.absent.remove(absent)
            self._write_absent(absent, waiting)
        elif number := next((number for number in self.numbers if self._has(number.key)), None):
            self.numbers.remove(number)
            self._write_number(number, waiting)
        else:
            return False
        return True

    def _has(self, names: Iterable[str]) -> bool:
        return all(name in self.names for name in names)

    def _settled(self, pattern: Pattern) -> bool:
        """Whether all outer variables of an absence are known."""
        names = {name for _, name in pattern.shares} | {n for c in pattern.comparisons for n in variables(c.term)}
        return self._has(names & self.plan.names)

    def _write_absent(self, pattern: Pattern, waiting: dict[int, Pattern]) -> None:
        bound = tuple(position for position, name in pattern.shares if name in self.names)
        source = self._source(pattern, bound)
        rest = Pattern(
            pattern.kind, tuple(s for s in pattern.shares if s[0] not in bound), pattern.literals, pattern.comparisons
        )
        if fits := fit_source(rest, "other", self.names):
            with self.writer.block(f"for other in {source}:"):
                self.writer.write(f"if {fits}: break")
            with self.writer.block("else:"):
                self._next(waiting)
        else:
            self._under([f"not {source}"], waiting)

    def _write_number(self, number: Number, waiting: dict[int, Pattern]) -> None:
        fact = f"fact_{number.slot}"
        key = "".join(f", {self.names[name]}" for name in number.key)
        self.writer.write(f"{fact} = tally_{self.plan.number}_{number.slot}({self.writer.lists[number.of.kind]}{key})")
        self._take(number.slot, number.result, (), waiting)

    def _conclude(self) -> None:
        """Records the firing, and hands on what is new."""
        premises = "".join(f"fact_{slot}, " for slot in range(len(self.plan.rule.when)))
        for kind, terms in self.plan.heads:
            values = "".join(f", {term_source(term, self.names)}" for term in terms)
            self.writer.write(f"fact = ({kind!r}{values},)")
            self.writer.write(f"step((fact, {self.plan.number}, ({premises})))")
            if kind in self.writer.lists:
                with self.writer.block("if fact not in known:"):
                    self.writer.write("known.add(fact)")
                    self.writer.write(f"{'queue' if kind in self.queue else self.writer.lists[kind]}.append(fact)")


class _Circle:
    """Rules that feed each other: each fact of a kind they conclude comes from a queue and meets those before it."""

    def __init__(self, writer: _Writer, plans: Sequence[Plan]) -> None:
        self.writer = writer
        self.plans = plans
        self.kinds = frozenset(kind for plan in plans for kind, _ in plan.heads) & frozenset(
            pattern.kind for plan in plans for pattern in plan.patterns.values()
        )

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
        empty = [f"    {name} = {{}}" for (kind, _), name in writer.indexes.items() if kind in self.kinds]
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
                    _Join(writer, plan, self.kinds, slot).write()
        writer.depth -= 1
        return writer.lines[first:]

    def _add(self, kind: str) -> None:
        """The new fact into its list and its indexes."""
        writer = self.writer
        writer.write(f"{writer.lists[kind]}.append(new)")
        for (of, positions), name in writer.indexes.items():
            if of == kind:
                writer.write(f"{name}.setdefault({_key(positions, 'new')}, []).append(new)")
