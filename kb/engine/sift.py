"""Which rules may fire, and which facts they can use, decided by generated code before durable-rules is asked.

A fact is of use to a rule if it meets one of the rule's conditions together with facts that meet all the others. What
stands in the way of the rule and the numbers it waits for are left to the engine, and so are conditions on facts that
the rule's own circle is still to conclude. A rule with a condition that no fact meets is dead in this run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from itertools import chain

from facts.ground import Fact, Value
from kb.engine.loops import Join, Writer
from kb.engine.order import concluded, stages
from kb.engine.program import Pattern, Plan, Program, variables
from kb.engine.source import compiled, fit_source

Live = tuple[tuple[int, ...], list[Fact]]
"""The numbers of the rules of one stage that may fire, and the facts they use; some facts may come twice."""


def sift_function(program: Program) -> Callable[[Mapping[Value, list[Fact]]], Iterable[Live]]:
    """``sift(kinds)`` gives stage by stage, where there are any, the rules that may fire and the facts they use.

    ``kinds`` holds the facts of each kind; what a stage concludes must be added before the next is asked for.
    """
    writer, rules = Writer(program), _Rules(program)
    with writer.block("def sift(kinds):"):
        writer.write_names()
        writer.write("indexes = {}")
        for stage in stages(program.plans):
            writer.write("live = []; of_use = []")
            for component in stage:
                own = concluded(component).intersection(chain.from_iterable(plan.kinds for plan in component))
                for plan in component:
                    rules.own[plan.number] = own
                    rule = f"rules[{plan.number}]({_parameters(program, plan)})"
                    writer.write(f"if {_condition(program, plan, own)} and {rule}: live.append({plan.number})")
            writer.write("if live: yield tuple(live), of_use")
    sift: Callable[[Mapping[Value, list[Fact]]], Iterable[Live]]
    sift = compiled("\n".join([*writer.lines, ""]), rules=rules)["sift"]
    return sift


def _condition(program: Program, plan: Plan, own: frozenset[str]) -> str:
    """Without this the rule is dead: facts of every kind it needs."""
    lists = program.lists
    needed = [lists[pattern.kind] for pattern in plan.patterns.values() if pattern.kind not in own]
    if own:
        needed.append(f"({' or '.join(lists[kind] for kind in sorted(own))})")
    return " and ".join(dict.fromkeys(needed)) or "True"


def _parameters(program: Program, plan: Plan) -> str:
    return ", ".join([*sorted(program.lists[kind] for kind in plan.kinds), "indexes", "of_use"])


class _Rules(dict[int, Callable[..., bool]]):
    """The code for each rule, written when it is first needed, as most rules seldom are.

    ``own``: the kinds that a rule shares in a circle of rules; they restrict nothing, as facts are still to come.
    """

    def __init__(self, program: Program) -> None:
        super().__init__()
        self.program = program
        self.own: dict[int, frozenset[str]] = {}

    def __missing__(self, number: int) -> Callable[..., bool]:
        plan = self.program.plans[number]
        function: Callable[..., bool] = compiled(_source(self.program, plan, self.own[number]))["rule"]
        self[number] = function
        return function


def _source(program: Program, plan: Plan, own: frozenset[str]) -> str:
    """Source of ``rule(lists of facts…, indexes, of_use)``: whether it may fire; its facts are added to ``of_use``.

    ``indexes`` holds those made before in the run; they stay good, as a kind is complete when it is first read."""
    writer = _Writer(program)
    writer.depth = 1
    writer.write("live = False")
    _Uses(writer, plan, {slot: pattern for slot, pattern in plan.patterns.items() if pattern.kind not in own}).write()
    for kind in sorted(own & plan.kinds):
        writer.write(f"if live: of_use += {writer.lists[kind]}")
    writer.write("return live")
    head = _Writer(program, writer.indexes)
    head.write_indexes()
    head.write(f"def rule({_parameters(program, plan)}):")
    if writer.indexes:
        head.write(f"    {' = '.join(writer.indexes.values())} = None")
    return "\n".join([*head.lines, *writer.lines, ""])


class _Writer(Writer):
    """Code of one rule, with indexes that other rules may have made already."""

    def have_index(self, kind: str, positions: tuple[int, ...]) -> str:
        """The name of the index of a kind by these positions."""
        index = self.index(kind, positions)
        key = repr((kind, positions))
        with self.block(f"if {index} is None:"):
            self.write(f"{index} = indexes.get({key})")
            self.write(f"if {index} is None: {index} = indexes[{key}] = make_{index}({self.lists[kind]})")
        return index


class _Uses(Join):
    """The loops of one rule over the facts of settled kinds, to note those that meet all conditions together."""

    def __init__(self, writer: Writer, plan: Plan, settled: Mapping[int, Pattern]) -> None:
        super().__init__(writer, replace(plan, patterns=settled, numbers=(), absent=()))
        self.may_prevent = plan.absent

    def _conclude(self) -> None:
        """Notes the facts, and those that may stand in the way."""
        self.writer.write("live = True")
        self.writer.write(f"of_use += ({''.join(f'fact_{slot}, ' for slot in self.plan.patterns)})")
        for pattern in self.may_prevent:
            self._note_preventing(pattern)

    def _note_preventing(self, pattern: Pattern) -> None:
        """Notes the facts of a condition of ``unless`` that agree with all that is known of it so far."""
        own = {name for _, name in pattern.shares}
        known = [check for check in pattern.comparisons if own.union(self.names).issuperset(variables(check.term))]
        fits = fit_source(replace(pattern, comparisons=tuple(known)), "other", self.names)
        facts = self.writer.lists[pattern.kind]
        if not fits:
            self.writer.write(f"of_use += {facts}")
            return
        with self.writer.block(f"for other in {facts}:"):
            self.writer.write(f"if {fits}: of_use.append(other)")
