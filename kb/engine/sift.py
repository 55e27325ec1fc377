"""Which facts a rule can use, decided by generated code before durable-rules is asked.

A fact is of use to a rule if it passes the constant tests of a condition and, for each other condition joined to that
one, some fact of use there agrees with it. This looks at two conditions at a time: whether they all hold together is
left to the engine. A rule with a condition that nothing fits is dead in this run.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain

from kb.engine.loops import Writer, key_source, write_indexes
from kb.engine.order import concluded, feeds_itself, stages
from kb.engine.program import Pattern, Plan, Program, best_next, variables
from kb.engine.source import check_source, fit_source


def sift_source(program: Program) -> str:
    """Source of ``sift(kinds)``, which yields stage by stage ``(numbers of the rules that may fire, facts they use)``.

    ``kinds`` holds the facts of each kind; what a stage concludes must be added before the next one is asked for.
    Only stages with rules that may fire are yielded. Facts may come twice.
    """
    writer = Writer(program)
    body = Writer(program, writer.indexes)
    body.depth = 1
    for stage in stages(program.plans):
        body.write("live = []; of_use = []")
        for component in stage:
            own = concluded(component) if feeds_itself(component) else frozenset()
            for plan in component:
                _Sift(body, plan, own).write()
        body.write("if live: yield tuple(live), of_use")
    write_indexes(writer)
    with writer.block("def sift(kinds):"):
        writer.write_lists()
    return "\n".join([*writer.lines, *body.lines, ""])


class _Sift:
    """The code for one rule; facts of its ``own`` kinds are still to come, so they restrict nothing."""

    def __init__(self, writer: Writer, plan: Plan, own: frozenset[str]) -> None:
        self.writer = writer
        self.plan = plan
        self.own = own
        self.found: dict[int, Pattern] = {}
        """The conditions looked at so far: the facts of use for each are in ``found_…``."""

    def write(self) -> None:
        """Adds the rule to ``live`` and its facts to ``of_use``, unless it is dead."""
        settled = {slot: pattern for slot, pattern in self.plan.patterns.items() if pattern.kind not in self.own}
        lists = dict.fromkeys(self.writer.lists[pattern.kind] for pattern in settled.values())
        with self.writer.block(f"if {' and '.join(lists) or 'True'}:  # {self.plan.rule.id!r}"):
            self._next(settled)

    def _next(self, waiting: Mapping[int, Pattern]) -> None:
        """The facts of use for one more condition, and all the rest under it."""
        if not waiting:
            self._end()
            return
        known = {name for pattern in self.found.values() for _, name in pattern.shares}
        slot = best_next(waiting, known, self.writer.concluded)
        pattern = waiting[slot]
        partner = self._partner(pattern)
        if partner is None:
            self.writer.write(f"found_{slot} = {self._alone(pattern)}")
        elif _compared(self.found[partner], pattern):
            self.writer.write(f"pairs = {self._pairs(partner, pattern, '(one, fact)')}")
            self.writer.write(f"found_{partner} = [*dict.fromkeys([one for one, _ in pairs])]")
            self.writer.write(f"found_{slot} = [*dict.fromkeys([fact for _, fact in pairs])]")
        else:
            self.writer.write(f"found_{slot} = {self._with(partner, pattern)}")
        with self.writer.block(f"if found_{slot}:"):
            self.found[slot] = pattern
            self._next({other: wanted for other, wanted in waiting.items() if other != slot})

    def _end(self) -> None:
        """The rule may fire; also what may stand in its way, and what is known of the kinds still to come."""
        writer = self.writer
        writer.write(f"live.append({self.plan.number})")
        for slot in self.found:
            writer.write(f"of_use += found_{slot}")
        for pattern in self.plan.absent:
            partner = self._partner(pattern)
            writer.write(f"of_use += {self._alone(pattern) if partner is None else self._with(partner, pattern)}")
        for pattern in self.plan.patterns.values():
            if pattern.kind in self.own:
                writer.write(f"of_use += {self._alone(pattern)}")

    def _partner(self, pattern: Pattern) -> int | None:
        """The condition looked at that says most about this one; None if none says anything."""
        def joined(slot: int) -> tuple[int, int]:
            other = self.found[slot]
            return len(_shared(other, pattern)), len(_compared(other, pattern))

        best = max(self.found, key=joined, default=None)
        return None if best is None or joined(best) == (0, 0) else best

    def _alone(self, pattern: Pattern) -> str:
        facts = self.writer.lists[pattern.kind]
        tests = _literals(pattern)
        return f"[fact for fact in {facts} if {' and '.join(tests)}]" if tests else facts

    def _with(self, partner: int, pattern: Pattern) -> str:
        """The facts that have a partner."""
        if _compared(self.found[partner], pattern):
            return f"dict.fromkeys({self._pairs(partner, pattern, 'fact')})"
        keys = f"{{{key_source(self._positions(partner, pattern)[0], 'one')} for one in found_{partner}}}"
        return self._list(partner, pattern, "fact", f"key in {keys}", "key")

    def _pairs(self, partner: int, pattern: Pattern, what: str) -> str:
        """Facts with each of their partners."""
        positions = self._positions(partner, pattern)[0]
        key = key_source(positions, "one") if positions else ""
        return self._list(partner, pattern, what, f"one in found_{partner}", key)

    def _list(self, partner: int, pattern: Pattern, what: str, outer: str, key: str) -> str:
        facts = self.writer.lists[pattern.kind]
        positions = self._positions(partner, pattern)[1]
        source = f"{self.writer.index(pattern.kind, positions)}.get({key}, ())" if positions else facts
        tests = [*_literals(pattern), *_compared(self.found[partner], pattern), *self._others(partner, pattern)]
        return f"[{what} for {outer} for fact in {source}{' if ' + ' and '.join(tests) if tests else ''}]"
