"""The cost of a board under the rules: the candidates of every square, and their costs alone, in pairs, and if
overused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from scoring.carcassonne.tiles.catalogue import Catalogue, list_layout_turns
from scoring.carcassonne.tiles.geometry import SIDES
from vision.arrays import FLOOR, Flags, Floats, Ints

Square = tuple[int, int]

EDGE_KINDS = ("field", "road", "city", "river")
SHOWN_PROBABILITY = 0.001
"""Minimum probability of another class offered as an alternative. A guess."""
EDGE_COST = 9.0
"""Nats for two touching edges that differ. A guess. Measured: about one edge in 300 on labelled tables is misplaced,
which is 5.7 nats; the rest protects against squares that are misread with confidence."""
EXTRA_TILE_COST_NATS = 6.0
"""Nats for each tile beyond the contents of the box: another box's tile strays in more often than an edge is wrong. A
guess."""
BOX_PRIOR_NATS = -3.0
"""The prior log-odds of a box, and of each wonder; a later printing of a box has them three times. A guess."""
LIKELIEST_CANDIDATES = 8
"""Number of candidates of a square by their own probability. Bounds time."""
FITTING_CANDIDATES = 6
"""Number of further candidates of a square that fit its neighbours' most likely classes. Bounds time."""
FREE = -1
"""The edge kind of a class that matches everything; the layout of one that uses up no tile."""
FAR_NATS = 1 / FLOOR
"""A cost beyond all others, which represents the impossible."""


@dataclass(frozen=True, slots=True, eq=False)
class Classes:
    """The classes under the rules: `kinds` (K + 2, 4) edge kinds N E S W, `layout` (K + 2,), `stock` (L,)."""

    kinds: Ints
    layout: Ints
    stock: Ints


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """Candidates of n squares, k each, most likely first: classes, whether in the running, log-probabilities.

    `pairs` (P, 2) are touching squares, `matchings` groups of pairs that share no square, and `costs` (P, k, k) the
    joint costs of the pairs' candidates. `layouts` (n, k) are the layouts of `stock` that candidates use up (-1: none).
    """

    classes: Ints
    alive: Flags
    scores: Floats
    pairs: Ints
    matchings: tuple[Ints, ...]
    costs: Floats
    layouts: Ints
    stock: Ints


@cache
def build_classes(catalogue: Catalogue) -> Classes:
    """Build the classes of a catalogue: its turned layouts, then `other`, then `none`.

    A layout without a count, a topology of other boxes, uses up no tile.
    """
    layouts = list(catalogue)
    index = {layout.id: i for i, layout in enumerate(layouts)}
    classes = list_layout_turns(catalogue)
    kinds = [[_number_kind(catalogue[name].edge(side, turns)) for side in SIDES] for name, turns in classes]
    used = [index[name] if catalogue[name].count else FREE for name, _ in classes]
    return Classes(
        kinds=np.array([*kinds, [FREE] * 4, [FREE] * 4]),
        layout=np.array([*used, FREE, FREE]),
        stock=np.array([layout.count for layout in layouts]),
    )


def _number_kind(kind: str) -> int:
    """Return the number of an edge's kind; an abbey's edges match everything."""
    return EDGE_KINDS.index(kind) if kind in EDGE_KINDS else FREE


def build_problem(
    squares: Sequence[Square], log_probs: Floats, rules: Classes, boxes: int | None, edge_log_probs: Floats | None
) -> Problem:
    """Build the problem of squares (row, col): their candidates and costs.

    The arguments are those of `vision.board.legal.board.find_legal_board`.
    """
    pairs, sides = find_touching_pairs(squares)
    classes, alive = _select_candidates(log_probs, rules.kinds, pairs, sides)
    scores = np.where(alive, np.take_along_axis(log_probs, classes, axis=1), -FAR_NATS)
    costs = _compute_edge_costs(classes, rules.kinds, pairs, sides, edge_log_probs)
    layouts = np.where(alive & (boxes is not None), rules.layout[classes], FREE)
    matchings, stock = _group_matchings(squares, pairs, sides), rules.stock * (boxes or 0)
    return Problem(classes, alive, scores, pairs, matchings, costs, layouts, stock)


def find_touching_pairs(squares: Sequence[Square]) -> tuple[Ints, Ints]:
    """Return pairs (P, 2) of touching squares, and the side (P,) of each first square that faces the second: E or S."""
    index = {square: i for i, square in enumerate(squares)}
    touching = [
        (i, index[across], side)
        for (row, col), i in index.items()
        for side, across in ((1, (row, col + 1)), (2, (row + 1, col)))
        if across in index
    ]
    table = np.array(touching, dtype=np.int64).reshape(-1, 3)
    return table[:, :2], table[:, 2]


def _group_matchings(squares: Sequence[Square], pairs: Ints, sides: Ints) -> tuple[Ints, ...]:
    """Return the pairs' indices in four groups: eastward from even and odd columns, southward likewise."""
    row, col = np.array(squares)[pairs[:, 0]].T
    parity = np.where(sides == 1, col % 2, 2 + row % 2)
    return tuple(np.flatnonzero(parity == group) for group in range(4))


def _select_candidates(log_probs: Floats, kinds: Ints, pairs: Ints, sides: Ints) -> tuple[Ints, Flags]:
    """Return the candidate classes of each square (n, k), most likely first, and a mask without the padding."""
    fitting = log_probs.copy()
    likeliest = log_probs.argmax(axis=1)
    for here, there, side in ((pairs[:, 0], pairs[:, 1], sides), (pairs[:, 1], pairs[:, 0], (sides + 2) % 4)):
        facing = kinds[likeliest[there], (side + 2) % 4][:, None]
        np.subtract.at(fitting, here, EDGE_COST * find_edge_conflicts(kinds[:, side].T, facing))
    worthy = np.zeros(log_probs.shape, dtype=np.bool_)
    for score, count in ((log_probs, LIKELIEST_CANDIDATES), (fitting, FITTING_CANDIDATES)):
        np.put_along_axis(worthy, np.argpartition(-score, count, axis=1)[:, :count], True, axis=1)
    width = int(worthy.sum(axis=1).max())
    classes = np.argsort(np.where(worthy, -log_probs, FAR_NATS), axis=1, kind="stable")[:, :width]
    return classes, np.take_along_axis(worthy, classes, axis=1)


def find_edge_conflicts(first: Ints, second: Ints) -> Flags:
    """Return where edge kinds differ; a free one matches everything."""
    return np.asarray((first != second) & (first != FREE) & (second != FREE), dtype=np.bool_)


def _compute_edge_costs(classes: Ints, kinds: Ints, pairs: Ints, sides: Ints, edge_log_probs: Floats | None) -> Floats:
    here, there, facing = pairs[:, 0], pairs[:, 1], (sides + 2) % 4
    first, second = kinds[classes[here], sides[:, None]], kinds[classes[there], facing[:, None]]
    costs = EDGE_COST * find_edge_conflicts(first[:, :, None], second[:, None, :])
    if edge_log_probs is not None:
        other = classes == len(kinds) - 2
        kind_costs = np.minimum(edge_log_probs.max(axis=2, keepdims=True) - edge_log_probs, EDGE_COST)
        costs = costs + other[here][:, :, None] * _pick_kind_costs(kind_costs[here, sides], second)[:, None, :]
        costs = costs + other[there][:, None, :] * _pick_kind_costs(kind_costs[there, facing], first)[:, :, None]
    return np.asarray(costs, dtype=np.float64)


def _pick_kind_costs(costs: Floats, kinds: Ints) -> Floats:
    """Return the cost (P, k) of each candidate's edge kind per pair; 0 for a free edge."""
    return np.where(kinds == FREE, 0.0, np.take_along_axis(costs, np.maximum(kinds, 0), axis=1))


def compute_utility(problem: Problem, board: Ints) -> float:
    """Compute the value in nats of a board, given as a candidate's index for every square (n,)."""
    here, there = problem.pairs.T
    edges = problem.costs[np.arange(len(here)), board[here], board[there]].sum()
    over = np.maximum(_count_used_layouts(problem, board) - problem.stock, 0).sum()
    return float(pick_entries(problem.scores, board).sum() - edges - EXTRA_TILE_COST_NATS * over)


def pick_entries(table: NDArray[np.generic], board: Ints) -> NDArray[np.generic]:
    """Return the entries (n,) of a table (n, k) that a board picks."""
    return np.take_along_axis(table, board[:, None], axis=1)[:, 0]


def _count_used_layouts(problem: Problem, board: Ints) -> Ints:
    layouts = pick_entries(problem.layouts, board)
    return np.bincount(layouts[layouts != FREE], minlength=len(problem.stock))


def compute_conditional_utility(problem: Problem, board: Ints) -> Floats:
    """Compute the value in nats of each candidate (n, k) while all other squares stay as they are."""
    here, there = problem.pairs.T
    pair = np.arange(len(here))
    utility = problem.scores.copy()
    np.subtract.at(utility, here, problem.costs[pair, :, board[there]])
    np.subtract.at(utility, there, problem.costs[pair, board[here], :])
    layouts = problem.layouts
    used_by_others = _count_used_layouts(problem, board)[layouts] - (layouts == pick_entries(layouts, board)[:, None])
    return np.asarray(utility - EXTRA_TILE_COST_NATS * ((layouts != FREE) & (used_by_others >= problem.stock[layouts])))


def find_scarce_layouts(problem: Problem) -> Flags:
    """Return a mask of the layouts (L,) that more squares may hold than the box does."""
    holds = np.zeros((len(problem.layouts), len(problem.stock) + 1), dtype=np.bool_)
    np.put_along_axis(holds, problem.layouts, True, axis=1)
    return np.asarray(holds[:, :-1].sum(axis=0) > problem.stock, dtype=np.bool_)


def restrict_problem(problem: Problem, alive: Flags, board: Ints) -> tuple[Problem, Ints]:
    """Return the problem with fewer candidates, narrowed to the width needed, and a board in its new indices."""
    width = int(alive.sum(axis=1).max())
    order = np.argsort(~alive, axis=1, kind="stable")[:, :width]
    here, there = problem.pairs.T
    costs = np.take_along_axis(problem.costs, order[here][:, :, None], axis=1)
    left = np.take_along_axis(alive, order, axis=1)
    smaller = replace(
        problem,
        classes=np.take_along_axis(problem.classes, order, axis=1),
        alive=left,
        scores=np.where(left, np.take_along_axis(problem.scores, order, axis=1), -FAR_NATS),
        costs=np.take_along_axis(costs, order[there][:, None, :], axis=2),
        layouts=np.where(left, np.take_along_axis(problem.layouts, order, axis=1), FREE),
    )
    return smaller, np.asarray((order == board[:, None]).argmax(axis=1))


def improve_board(problem: Problem, board: Ints) -> Ints:
    """Change one square at a time, the best change first, until no single change betters the board."""
    board, rows = board.copy(), np.arange(len(board))
    while True:
        utility = compute_conditional_utility(problem, board)
        gains = utility.max(axis=1) - utility[rows, board]
        square = int(gains.argmax())
        if gains[square] <= FLOOR:
            return board
        board[square] = utility[square].argmax()
