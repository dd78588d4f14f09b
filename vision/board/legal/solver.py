"""CP-SAT, for groups of squares that are too large to enumerate."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from vision.arrays import Ints
from vision.board.legal.problem import EXTRA_TILE_COST_NATS, Problem, find_scarce_layouts

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel, IntVar

    Picks = list[list[IntVar]]
    Term = tuple[int, IntVar]

MAX_SOLVER_WORK = 0.3
"""The limit in CP-SAT's deterministic units, near to seconds: a photo is read alike however busy the machine is."""
MAX_SOLVER_SECONDS = 10.0
"""The limit if those should fail."""
STEPS_PER_NAT = 1_000
"""Integer steps of the objective in a nat."""


def solve_problem(problem: Problem, hint: Ints) -> Ints:
    """Find the best board by CP-SAT on one thread, or the best it found within its limit."""
    # Loading OR-tools takes longer than reading most boards, and few of them need it.
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    picks = [[model.new_bool_var("") for _ in range(int(row.sum()))] for row in problem.alive]
    for pick, hinted in zip(picks, hint, strict=True):
        model.add_exactly_one(pick)
        for candidate, variable in enumerate(pick):
            model.add_hint(variable, candidate == hinted)
    square_terms = [
        (_quantise_cost(-problem.scores[square, c]), var)
        for square, pick in enumerate(picks)
        for c, var in enumerate(pick)
    ]
    terms = square_terms + _build_pair_terms(model, problem, picks) + _build_extra_terms(model, problem, picks)
    model.minimize(cp_model.LinearExpr.weighted_sum([var for _, var in terms], [cost for cost, _ in terms]))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = 1
    solver.parameters.max_deterministic_time = MAX_SOLVER_WORK
    solver.parameters.max_time_in_seconds = MAX_SOLVER_SECONDS
    if solver.solve(model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return hint
    return np.array([[solver.value(variable) for variable in pick].index(1) for pick in picks])


def _quantise_cost(cost: float) -> int:
    return round(float(cost) * STEPS_PER_NAT)


def _build_pair_terms(model: CpModel, problem: Problem, picks: Picks) -> list[Term]:
    """What touching squares cost: one variable for all candidates of the first that cost alike, which is tightest."""
    terms: list[Term] = []
    for (here, there), costs in zip(problem.pairs, problem.costs, strict=True):
        used = np.round(costs[: len(picks[here]), : len(picks[there])] * STEPS_PER_NAT).astype(np.int64)
        if not used.any():  # most pairs, and `np.unique` takes its time
            continue
        for row in np.unique(used, axis=0):
            most = int(row.max())
            if most == 0:
                continue
            alike = [picks[here][c] for c in np.flatnonzero((used == row).all(axis=1))]
            cost = model.new_int_var(0, most, "")
            answer = sum(int(price) * var for price, var in zip(row, picks[there], strict=True))
            model.add(cost >= answer - most * (1 - sum(alike)))
            terms.append((1, cost))
    return terms


def _build_extra_terms(model: CpModel, problem: Problem, picks: Picks) -> list[Term]:
    """What tiles beyond the box cost."""
    terms: list[Term] = []
    for layout in np.flatnonzero(find_scarce_layouts(problem)):
        holders = [picks[square][c] for square, c in np.argwhere(problem.layouts == layout)]
        extra = model.new_int_var(0, len(holders), "")
        model.add(extra >= sum(holders) - int(problem.stock[layout]))
        terms.append((_quantise_cost(EXTRA_TILE_COST_NATS), extra))
    return terms
