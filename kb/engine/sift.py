"""Which facts a rule can use, decided by generated code before durable-rules is asked.

A fact is of use to a rule if it passes all that one condition demands of it alone, and if some fact of use to another
condition agrees with it. This looks at two conditions at a time: whether all hold together is left to the engine. A
rule with a condition that no fact fits is dead in this run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import nullcontext
from itertools import chain

from facts.ground import Fact, Value
from kb.engine.loops import Writer, key_source
from kb.engine.order import concluded, stages
from kb.engine.program import Pattern, Plan, Program, best_next, variables
from kb.engine.source import check_source, compiled, fit_source

Live = tuple[tuple[int, ...], list[Fact]]
"""The numbers of the rules of one stage that may fire, and the facts they use; some facts may come twice."""


def sift_function(program: Program) -> Callable[[Mapping[Value, list[Fact]]], Iterable[Live]]:
    """``sift(kinds)`` gives stage by stage, where there are any, the rules that may fire and the facts they use.

    ``kinds`` holds the facts of each kind; what a stage concludes must be added before the next is asked for.
    """
    writer, rules = Writer(program), _Rules()
    with writer.block("def sift(kinds):"):
        writer.write_names()
        for stage in stages(program.plans):
            writer.write("live = []; of_use = []")
            for component in stage:
                own = concluded(component).intersection(chain.from_iterable(plan.kinds for plan in component))
                for plan in component:
                    rules.sifts[plan.number] = rule = _Sift(program, plan, own)
                    writer.write(f"if {rule.condition} and rules[{plan.number}]({rule.parameters}): ")
                    writer.lines[-1] += f"live.append({plan.number})"
            writer.write("if live: yield tuple(live), of_use")
    sift: Callable[[Mapping[Value, list[Fact]]], Iterable[Live]]
    sift = compiled("\n".join([*writer.lines, ""]), rules=rules)["sift"]
    return sift


class _Rules(dict[int, Callable[..., bool]]):
    """The code for each rule, written when it is first needed, as most rules seldom are."""

    def __init__(self) -> None:
        super().__init__()
        self.sifts: dict[int, _Sift] = {}

    def __missing__(self, number: int) -> Callable[..., bool]:
        function: Callable[..., bool] = compiled(self.sifts.pop(number).source())["rule"]
        self[number] = function
        return function


class _Sift:
    """The code for one rule; its ``own`` kinds, those it shares in a circle of rules, restrict nothing: facts are still
    to come, if there are any to begin with."""

    def __init__(self, program: Program, plan: Plan, own: frozenset[str]) -> None:
        self.writer = Writer(program)
        self.plan = plan
        self.own = own
        self.found: dict[int, Pattern] = {}
        """The conditions looked at so far; the facts of use for each are in ``found_…``."""
        lists = self.writer.lists
        self.settled = {slot: pattern for slot, pattern in plan.patterns.items() if pattern.kind not in own}
        needed = [lists[pattern.kind] for pattern in self.settled.values()]
        if own:
            needed.append(f"({' or '.join(lists[kind] for kind in sorted(own))})")
        self.condition = " and ".join(dict.fromkeys(needed)) or "True"
        """Without this the rule is dead."""
        self.parameters = ", ".join([*sorted(lists[kind] for kind in plan.kinds), "of_use"])

    def source(self) -> str:
        """Source of ``rule(lists of facts…, of_use)``: whether it may fire; its facts are added to ``of_use``."""
        with self.writer.block(f"def rule({self.parameters}):"):
            self._next(dict(self.settled))
            self.writer.write("return False")
        return "\n".join([*self.writer.lines, ""])

    def _next(self, waiting: dict[int, Pattern]) -> None:
        """The facts of use for one more condition, and all the rest under it."""
        if not waiting:
            self._look_back()
            self._end()
            return
        known = {name for pattern in self.found.values() for _, name in pattern.shares}
        slot = best_next(waiting, known, self.writer.concluded)
        pattern = waiting.pop(slot)
        self._look_for(pattern, f"found_{slot}")
        with self.writer.block(f"if found_{slot}:"):
            self._compare(pattern, slot, waiting)

    def _compare(self, pattern: Pattern, slot: int, waiting: dict[int, Pattern]) -> None:
        """Of two conditions that are compared, only facts that agree with one of the other."""
        write = self.writer.write
        compared = [other for other in self.found if _compared(self.found[other], pattern)]
        for other in compared:
            self._pairs(other, pattern, f"found_{slot}")
            write(f"found_{other} = [*dict.fromkeys([one for one, _ in pairs])]")
            write(f"found_{slot} = [*dict.fromkeys([fact for _, fact in pairs])]")
        self.found[slot] = pattern
        with self.writer.block(f"if found_{slot}:") if compared else nullcontext():
            self._next(waiting)

    def _look_back(self) -> None:
        """Drops what has no partner among what was found later."""
        slots = [*self.found]
        for at, slot in reversed([*enumerate(slots)]):
            for later in slots[at + 1 :]:
                if shared := _shared(self.found[slot], self.found[later]):
                    here, there = (_key(self.found[one], shared) for one in (slot, later))
                    with self.writer.block(f"if len(found_{slot}) > 1:"):
                        self.writer.write(f"keys = {{{there} for fact in found_{later}}}")
                        self.writer.write(f"found_{slot} = [fact for fact in found_{slot} if {here} in keys]")

    def _end(self) -> None:
        """The rule may fire: also what may stand in its way, and what there is of its own kinds."""
        write = self.writer.write
        for slot in self.found:
            write(f"of_use += found_{slot}")
        for pattern in self.plan.absent:
            with self.writer.block(f"if {self.writer.lists[pattern.kind]}:"):
                self._look_for(pattern, "found")
                for other in [other for other in self.found if _compared(self.found[other], pattern)]:
                    self._pairs(other, pattern, "found")
                    write("found = [fact for _, fact in pairs]")
                write("of_use += found")
        for pattern in self.plan.patterns.values():
            if pattern.kind in self.own:
                write(f"of_use += {_listed(self.writer.lists[pattern.kind], _alone(pattern))}")
        write("return True")

    def _look_for(self, pattern: Pattern, found: str) -> None:
        """The facts that fit the pattern and hold values that were found, variable by variable."""
        tests, known = _alone(pattern), set[str]()
        for slot, other in self.found.items():
            shared = _shared(other, pattern)
            if not known.issuperset(shared) and not _compared(other, pattern):  # those meet in pairs
                known.update(shared)
                there, here = _positions(other, shared), _positions(pattern, shared)
                self.writer.write(f"keys_{slot} = {{{key_source(there, 'one')} for one in found_{slot}}}")
                tests.append(f"{key_source(here, 'fact')} in keys_{slot}")
        self.writer.write(f"{found} = {_listed(self.writer.lists[pattern.kind], tests)}")

    def _pairs(self, slot: int, pattern: Pattern, found: str) -> None:
        """The facts found with each of their partners for another condition."""
        other, write = self.found[slot], self.writer.write
        shared = _shared(other, pattern)
        partners = f"found_{slot}"
        if shared:
            write("groups = {}")
            with self.writer.block(f"for one in found_{slot}:"):
                write(f"groups.setdefault({key_source(_positions(other, shared), 'one')}, []).append(one)")
            partners = f"groups.get({key_source(_positions(pattern, shared), 'fact')}, ())"
        tests = " and ".join(_compared(other, pattern))
        write(f"pairs = [(one, fact) for fact in {found} for one in {partners} if {tests}]")


def _listed(facts: str, tests: Iterable[str]) -> str:
    condition = " and ".join(tests)
    return f"[fact for fact in {facts} if {condition}]" if condition else facts


def _alone(pattern: Pattern) -> list[str]:
    """What is demanded of a fact alone, as at most one test."""
    names = {name for _, name in pattern.shares}
    comparisons = tuple(check for check in pattern.comparisons if names.issuperset(variables(check.term)))
    test = fit_source(Pattern(pattern.kind, pattern.shares, pattern.literals, comparisons), "fact", {})
    return [test] if test else []


def _shared(other: Pattern, pattern: Pattern) -> list[str]:
    """The variables of both, in one order."""
    return sorted({name for _, name in other.shares}.intersection(name for _, name in pattern.shares))


def _key(pattern: Pattern, names: Iterable[str]) -> str:
    return key_source(_positions(pattern, names), "fact")


def _positions(pattern: Pattern, names: Iterable[str]) -> tuple[int, ...]:
    """Where a fact holds the values of these variables."""
    of = {name: position for position, name in pattern.shares}
    return tuple(of[name] for name in names)


def _compared(other: Pattern, pattern: Pattern) -> list[str]:
    """The comparisons between ``fact``, which shall fit the pattern, and ``one``, which fits the other."""
    of_one = {name: f"one[{position}]" for position, name in other.shares}
    of_fact = {name: f"fact[{position}]" for position, name in pattern.shares}
    names = {**of_one, **of_fact}
    return [
        check_source(check, fact, names)
        for fact, own, checks in (("fact", of_fact, pattern.comparisons), ("one", of_one, other.comparisons))
        for check in checks
        if set(own) < set(own).union(variables(check.term)) <= set(names)
    ]
