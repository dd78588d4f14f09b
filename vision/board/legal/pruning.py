"""Rules that prove which candidates are in no board near the best."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision.arrays import Flags, Ints
from vision.board.legal.problem import (
    EXTRA_TILE_COST_NATS,
    FAR_NATS,
    SHOWN_PROBABILITY,
    Problem,
    compute_utility,
    find_scarce_layouts,
    improve_board,
    restrict_problem,
)

REACH_NATS = -float(np.log(SHOWN_PROBABILITY))
"""Boards at least this many nats below the best are left out of posteriors, and margins end here: they are less likely
than any alternative that is offered."""
LEVELLING_ROUNDS = 10
"""Number of times costs are levelled over all pairs. Bounds time."""


def prune_problem(problem: Problem, board: Ints) -> tuple[Problem, Ints]:
    """Return the problem without the candidates that are in no board within `REACH_NATS` of the best.

    The board must be a local optimum that no change of one square improves; its candidates can therefore not be ruled
    out.
    """
    problem, board = restrict_problem(problem, _apply_bound(problem, compute_utility(problem, board)), board)
    level = _level_costs(problem)
    board = max(board, improve_board(problem, level.scores.argmax(axis=1)), key=lambda b: compute_utility(problem, b))
    problem, board = restrict_problem(problem, _apply_bound(level, compute_utility(problem, board)), board)
    while True:
        alive = _find_undominated(problem)
        if alive.sum() == problem.alive.sum():
            return problem, board
        problem, board = restrict_problem(problem, alive, board)


def _apply_bound(problem: Problem, reached: float) -> Flags:
    """Mark the candidates whose own gap, with the cheapest answer of every neighbour, leaves a board in reach."""
    likeliest = problem.scores.max(axis=1, keepdims=True)
    gap = likeliest - problem.scores
    bound = gap.copy()
    here, there = problem.pairs.T
    np.add.at(bound, here, (gap[there][:, None, :] + problem.costs).min(axis=2))
    np.add.at(bound, there, (gap[here][:, :, None] + problem.costs).min(axis=1))
    return np.asarray(problem.alive & (bound <= likeliest.sum() - reached + REACH_NATS))


def _level_costs(problem: Problem) -> Problem:
    """Return the same problem with costs moved between squares and pairs to tighten the bound.

    Max-product linear programming (Globerson and Jaakkola 2007): each pair shares the joint value of itself and its two
    squares evenly. No board's value changes; pairs without a common square are levelled at once.
    """
    scores, costs = problem.scores.copy(), problem.costs.copy()
    for _ in range(LEVELLING_ROUNDS):
        for matching in problem.matchings:
            here, there = problem.pairs[matching].T
            joint = scores[here][:, :, None] + scores[there][:, None, :] - costs[matching]
            scores[here], scores[there] = joint.max(axis=2) / 2, joint.max(axis=1) / 2
            costs[matching] = scores[here][:, :, None] + scores[there][:, None, :] - joint
    return replace(problem, scores=scores, costs=costs)


def _find_undominated(problem: Problem) -> Flags:
    """Apply Goldstein's criterion: remove c if some c' is better by more than `REACH_NATS` for any neighbours."""
    layouts, (here, there) = problem.layouts, problem.pairs.T
    better = problem.scores[:, None, :] - problem.scores[:, :, None]
    for at, across, costs in ((here, there, problem.costs), (there, here, problem.costs.transpose(0, 2, 1))):
        change = costs[:, :, None, :] - costs[:, None, :, :]
        np.add.at(better, at, np.where(problem.alive[across][:, None, None, :], change, FAR_NATS).min(axis=3))
    scarce = np.append(find_scarce_layouts(problem), False)[layouts]
    better -= EXTRA_TILE_COST_NATS * (scarce[:, None, :] & (layouts[:, :, None] != layouts[:, None, :]))
    return np.asarray(problem.alive & (better.max(axis=2) <= REACH_NATS))
