"""CP-SAT, for groups of squares that are too large to enumerate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np

from vision.arrays import Ints
from vision.board.legal.problem import EXTRA_TILE_COST_NATS, SHOWN_PROBABILITY, Problem, find_scarce_layouts

Variable = int
"""A variable's index in the model."""
Picks = list[list[Variable]]
Term = tuple[int, Variable]

MAX_SOLVER_WORK = 0.3
"""The limit in CP-SAT's deterministic units, close to seconds: a photo is read alike however busy the machine is.
Bounds time."""
STEPS_PER_NAT = 1 / SHOWN_PROBABILITY
"""Integer steps of the objective per nat: rounding changes a probability by no larger share than any offered."""


class _Model:
    """CP-SAT's own description of a problem, written without OR-tools' Python layer.

    The Python layer imports pandas, which takes as long to load as all other packages together.
    """

    def __init__(self, helper: Any) -> None:
        self.proto = helper.CpModelProto()

    def add_variable(self, most: int) -> Variable:
        """Add an integer from 0 to `most`."""
        self.proto.variables.add().domain.extend([0, most])
        return len(self.proto.variables) - 1

    def add_at_least(self, coefficients: Mapping[Variable, int], least: int) -> None:
        """Require a weighted sum of variables to be at least `least`."""
        used = sorted((variable, weight) for variable, weight in coefficients.items() if weight)
        linear = self.proto.constraints.add().linear
        linear.vars.extend([variable for variable, _ in used])
        linear.coeffs.extend([weight for _, weight in used])
        linear.domain.extend([least, np.iinfo(np.int64).max])

    def minimise(self, terms: list[Term]) -> None:
        """Set the objective: minimise the weighted sum of some variables."""
        used = sorted((variable, cost) for cost, variable in terms if cost)
        objective = self.proto.objective
        objective.vars.extend([variable for variable, _ in used])
        objective.coeffs.extend([cost for _, cost in used])
        objective.scaling_factor = 1.0


def solve_problem(problem: Problem, hint: Ints) -> Ints:
    """Find the best board by CP-SAT on one thread, or the best found within its limit."""
    # Loading OR-tools takes longer than reading most boards, and few boards need it.
    from ortools.sat.python import cp_model_helper

    model, picks = _build_model(cp_model_helper, problem, hint)
    parameters = cp_model_helper.SatParameters()
    parameters.num_workers = 1
    parameters.random_seed = 1
    parameters.max_deterministic_time = MAX_SOLVER_WORK
    solver: Any = cp_model_helper.SolveWrapper()
    solver.set_parameters(parameters)
    response = solver.solve(model.proto)
    if response.status not in (cp_model_helper.OPTIMAL, cp_model_helper.FEASIBLE):
        return hint
    solution = list(response.solution)
    return np.array([[solution[variable] for variable in pick].index(1) for pick in picks])


def _build_model(helper: Any, problem: Problem, hint: Ints) -> tuple[_Model, Picks]:
    model = _Model(helper)
    picks = [[model.add_variable(1) for _ in range(int(row.sum()))] for row in problem.alive]
    for pick, hinted in zip(picks, hint, strict=True):
        model.proto.constraints.add().exactly_one.literals.extend(pick)
        model.proto.solution_hint.vars.extend(pick)
        model.proto.solution_hint.values.extend(int(candidate == hinted) for candidate in range(len(pick)))
    square_terms = [
        (_quantise_cost(-problem.scores[square, c]), var)
        for square, pick in enumerate(picks)
        for c, var in enumerate(pick)
    ]
    model.minimise(square_terms + _build_pair_terms(model, problem, picks) + _build_extra_terms(model, problem, picks))
    return model, picks


def _quantise_cost(cost: float) -> int:
    return round(float(cost) * STEPS_PER_NAT)


def _build_pair_terms(model: _Model, problem: Problem, picks: Picks) -> list[Term]:
    """Build the costs of touching squares: one variable per equal cost of the first, which is tightest."""
    terms: list[Term] = []
    for (here, there), costs in zip(problem.pairs, problem.costs, strict=True):
        used = np.round(costs[: len(picks[here]), : len(picks[there])] * STEPS_PER_NAT).astype(np.int64)
        if not used.any():  # most pairs; `np.unique` is slow
            continue
        for row in np.unique(used, axis=0):
            most = int(row.max())
            if most == 0:
                continue
            alike = [picks[here][c] for c in np.flatnonzero((used == row).all(axis=1))]
            cost = model.add_variable(most)
            owed = Counter({cost: 1})
            owed.subtract({var: int(price) for price, var in zip(row, picks[there], strict=True)})
            owed.subtract(dict.fromkeys(alike, most))
            model.add_at_least(owed, -most)
            terms.append((1, cost))
    return terms


def _build_extra_terms(model: _Model, problem: Problem, picks: Picks) -> list[Term]:
    """Build the costs of tiles beyond the box."""
    terms: list[Term] = []
    for layout in np.flatnonzero(find_scarce_layouts(problem)):
        holders = [picks[square][c] for square, c in np.argwhere(problem.layouts == layout)]
        extra = model.add_variable(len(holders))
        model.add_at_least({extra: 1, **dict.fromkeys(holders, -1)}, -int(problem.stock[layout]))
        terms.append((_quantise_cost(EXTRA_TILE_COST_NATS), extra))
    return terms
