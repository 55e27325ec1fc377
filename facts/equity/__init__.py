"""Double-dummy evidence of what a revoke cost: positions, two solvers, and the evidence."""

from facts.equity.best import best_solver
from facts.equity.evidence import AGREES_WITH_PLAY, Evidence, LegalCard, Revoke, ToldAnswers, ToldTricks, evidence
from facts.equity.position import Position, PositionError
from facts.equity.solver import Answer, NotComputed, Solver, WhyNotComputed

__all__ = [
    "AGREES_WITH_PLAY",
    "Answer",
    "Evidence",
    "LegalCard",
    "NotComputed",
    "Position",
    "PositionError",
    "Revoke",
    "Solver",
    "ToldAnswers",
    "ToldTricks",
    "WhyNotComputed",
    "best_solver",
    "evidence",
]
