"""Python source for one rule: a nest of loops over lists and hash indexes of facts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from kb.engine.bounds import reckons
from kb.engine.codegen import check_source, fit_source, term_source
from kb.engine.program import FieldTest, Number, Pattern, Plan, Program, best_next, offered

MANY = 8
"""From so many rows on an index is made."""


class Writer:
    """Lines of source, and the names of what they use."""

    def __init__(self, program: Program, indexes: dict[tuple[str, tuple[int, ...]], str] | None = None) -> None:
        self.lists = program.lists
        self.concluded = program.concluded
        self.indexes = {} if indexes is None else indexes
        self.lines: list[str] = []
        self.depth = 0

    def write(self, line: str) -> None:
        """Adds a line."""
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

    def have_index(self, kind: str, positions: tuple[int, ...]) -> str:
        """The name of such an index, made here unless it is there already."""
        index = self.index(kind, positions)
        self.write(f"if {index} is None: {index} = make_{index}({self.lists[kind]})")
        return index

    def write_indexes(self) -> None:
        """A function for each index that makes it."""
        for (_, positions), name in self.indexes.items():
            with self.block(f"def make_{name}(facts):"):
                self.write(f"index = {empty_index(positions)}")
                self.write(f"for fact in facts: index{key_source(positions, 'fact')}.append(fact)")
                self.write("return index")

    def write_names(self) -> None:
        """The facts of each kind out of ``kinds``, and no index yet."""
        for kind, name in self.lists.items():
            none_yet = kind in self.concluded
            self.write(f"{name} = kinds[{kind!r}]" if none_yet else f"{name} = kinds.get({kind!r}, ())")
        if self.indexes:
            self.write(f"{' = '.join(self.indexes.values())} = None")


def key_source(positions: tuple[int, ...], fact: str) -> str:
    """Where an index by these positions keeps a fact."""
    return "".join(f"[{fact}[{position}]]" for position in positions)


def empty_index(positions: tuple[int, ...]) -> str:
    """An index by these positions, with nothing in it; what is not in it is an empty list."""
    inner = "list" if len(positions) == 1 else f"lambda: {empty_index(positions[1:])}"
    return f"defaultdict({inner})"


class JoinWriter:
    """The loops of one rule; ``start``: the condition whose fact is given, as ``new``, where rules feed themselves."""

    def __init__(
        self, writer: Writer, plan: Plan, queue: frozenset[str] = frozenset(), start: int | None = None
    ) -> None:
        self.writer = writer
        self.plan = plan
        self.queue = queue
        self.start = start
        self.names: dict[str, str] = {}
        self.rows = 1.0 if start is None else MANY
        """How many facts the loops so far may come to, roughly."""
        self.checks: list[tuple[str, FieldTest]] = []
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
        bound = self._looked_up(pattern)
        source = self._counted(f"rows_{slot}", self._source(pattern, bound))
        with self.writer.block(f"for {fact} in {source}:"):
            self.rows *= max(1, offered(pattern, self.names, self.writer.concluded))
            self._take(slot, pattern, bound, waiting)

    def _counted(self, name: str, source: str) -> str:
        """Notes how many facts are looked at for each combination so far; of too many the run is given up."""
        number = self.plan.number
        self.writer.write(f"{name} = {source}; joins += len({name}); looked[{number}] += len({name})")
        self.writer.write("if joins > most_joins: raise passed(looked, steps)")
        return name

    def _looked_up(self, pattern: Pattern) -> tuple[int, ...]:
        """The positions by which to look facts up in an index; none where so few look that it is not worth making."""
        if self.rows < MANY:
            return ()
        return tuple(position for position, name in pattern.shares if name in self.names)

    def _source(self, pattern: Pattern, bound: tuple[int, ...]) -> str:
        """The facts that agree with the variables already known."""
        facts = self.writer.lists[pattern.kind]
        if not bound:
            return facts
        in_queue = pattern.kind in self.queue
        index = (self.writer.index if in_queue else self.writer.have_index)(pattern.kind, bound)
        names = dict(pattern.shares)
        return index + "".join(f"[{self.names[names[position]]}]" for position in bound)

    def _take(self, slot: int, pattern: Pattern, bound: tuple[int, ...], waiting: dict[int, Pattern]) -> None:
        """What the fact itself must hold, and the variables it gives a value."""
        fact, wanted = f"fact_{slot}", []
        if self.start is not None and slot < self.start and pattern.kind == self.plan.patterns[self.start].kind:
            wanted.append(f"{fact} is not new")
        for position, name in pattern.shares:
            if position in bound:
                continue
            if name in self.names:
                wanted.append(f"{fact}[{position}] == {self.names[name]}")
            else:
                self.names[name] = f"{fact}[{position}]"
        wanted[:0] = [check_source(check, fact, {}) for check in pattern.literals]
        self.checks.extend((fact, check) for check in pattern.comparisons)
        self._under(wanted, waiting)

    def _under(self, wanted: Iterable[str], waiting: dict[int, Pattern]) -> None:
        if condition := " and ".join(wanted):
            with self.writer.block(f"if {condition}:"):
                self._next(waiting)
        else:
            self._next(waiting)

    def _decide(self, waiting: dict[int, Pattern]) -> bool:
        """Writes one thing that can be decided now, with all the rest under it; False if there is none."""
        if ready := [(fact, check) for fact, check in self.checks if self._has(check.term.variables)]:
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
        names = {name for _, name in pattern.shares} | {n for c in pattern.comparisons for n in c.term.variables}
        return self._has(names & self.plan.names)

    def _write_absent(self, pattern: Pattern, waiting: dict[int, Pattern]) -> None:
        bound = self._looked_up(pattern)
        source = self._source(pattern, bound)
        rest = Pattern(
            pattern.kind, tuple(s for s in pattern.shares if s[0] not in bound), pattern.literals, pattern.comparisons
        )
        if fits := fit_source(rest, "other", self.names):
            with self.writer.block(f"for other in {self._counted('rows', source)}:"):
                self.writer.write(f"if {fits}: break")
            with self.writer.block("else:"):
                self._next(waiting)
        else:
            self._under([f"not {source}"], waiting)

    def _write_number(self, number: Number, waiting: dict[int, Pattern]) -> None:
        fact = f"fact_{number.slot}"
        key = "".join(f", {self.names[name]}" for name in number.key)
        self._counted("rows", self.writer.lists[number.of.kind])
        self.writer.write(f"{fact} = numbers[{number.name!r}]({self.writer.lists[number.of.kind]}{key})")
        self._take(number.slot, number.result, (), waiting)

    def _conclude(self) -> None:
        """Records the firing, and hands on what is new."""
        premises = "".join(f"fact_{slot}, " for slot in range(len(self.plan.rule.when)))
        for kind, terms in self.plan.heads:
            values = "".join(f", {term_source(term, self.names)}" for term in terms)
            self.writer.write(f"fact = ({kind!r}{values},)")
            if reckons(self.plan.rule):
                self.writer.write(f"demand_small(rules[{self.plan.number}], fact)")
            self.writer.write(f"step((fact, {self.plan.number}, ({premises})))")
            if kind in self.writer.lists:
                with self.writer.block("if fact not in known:"):
                    self.writer.write("known.add(fact)")
                    self.writer.write(f"{'queue' if kind in self.queue else self.writer.lists[kind]}.append(fact)")
        self.writer.write("if len(steps) > most_firings: raise passed(looked, steps)")
