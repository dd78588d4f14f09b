"""The most probable board in which touching edges agree and no tile is used more often than the box holds.

The cost of a board consists of the negative log-probabilities of its squares, `EDGE_COST` for every touching pair of
edges that differ, and `EXTRA_TILE_COST_NATS` for every tile beyond the box. Candidates in no board within `REACH_NATS`
of the best are ruled out by proof (dead-end elimination and a bound over the neighbours). The remaining candidates fall
into small groups of squares that depend on each other. Each group is enumerated, so best board, posterior and margin
are exact. If a group is too large for that, CP-SAT is used; each square's posterior then comes from the part of its
group around it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scoring.carcassonne.tiles.catalogue import Catalogue
from scoring.carcassonne.tiles.geometry import SIDES
from vision.arrays import Floats, Ints
from vision.board.legal.groups import MAX_GROUP_BOARDS, compute_posteriors, count_boards, find_links, group_squares
from vision.board.legal.problem import (
    EDGE_COST,
    EXTRA_TILE_COST_NATS,
    SHOWN_PROBABILITY,
    Square,
    build_classes,
    build_problem,
    find_edge_conflicts,
    find_touching_pairs,
    improve_board,
)
from vision.board.legal.pruning import REACH_NATS, prune_problem
from vision.board.legal.solver import solve_problem
from vision.reading.values import DOUBT_BELOW

IMPOSSIBLE_NATS = -(len(SIDES) * EDGE_COST + EXTRA_TILE_COST_NATS + REACH_NATS)
"""Lower bound of log-probabilities, which keeps impossible classes finite: none becomes likely even if all other tiles
cost four edges that differ and are beyond the box."""


@dataclass(frozen=True, slots=True)
class LegalSquare:
    """One square of the legal board; classes are numbered as in `LegalBoard`.

    `confidence` is the posterior under the rules, and `alternatives` are the other classes with theirs, most likely
    first. `margin` is the distance in nats from the best board to the best one that reads this square differently, at
    most `REACH_NATS`.
    """

    row: int
    col: int
    choice: int
    confidence: float
    margin: float
    alternatives: tuple[tuple[int, float], ...]

    @property
    def doubtful(self) -> bool:
        """Whether the square is presented as a doubt."""
        return self.confidence < DOUBT_BELOW


@dataclass(frozen=True, slots=True)
class LegalBoard:
    """The most probable board: squares in the order given, and the touching squares whose edges disagree.

    Class k below K is `list_layout_turns(catalogue)[k]`; `other` = K is a tile that no layout explains, `none` = K + 1
    no tile at all.
    """

    squares: tuple[LegalSquare, ...]
    mismatches: tuple[tuple[Square, Square], ...]
    other: int
    none: int


def find_legal_board(
    squares: Sequence[Square],
    log_probs: Floats,
    catalogue: Catalogue,
    boxes: int | None = 1,
    edge_log_probs: Floats | None = None,
) -> LegalBoard:
    """Find the most probable board over squares (row, col) of the lattice.

    `boxes` is the number of boxes that the tiles come from; None if any number of each tile may lie there. `log_probs`
    (n, K + 2) are natural logarithms over the turned layouts, `other` and `none`. `edge_log_probs` (n, 4,
    4) are those of the kinds at the photo's N E S W edges (`EDGE_KINDS`), by which a tile that no layout explains is
    compared with its neighbours.
    """
    rules = build_classes(catalogue)
    if not squares:
        return LegalBoard((), (), len(rules.kinds) - 2, len(rules.kinds) - 1)
    problem = build_problem(
        squares, np.maximum(log_probs, IMPOSSIBLE_NATS, dtype=np.float64), rules, boxes, edge_log_probs
    )
    start = improve_board(problem, np.zeros(len(squares), dtype=np.int64))
    problem, best = prune_problem(problem, start)
    if any(count_boards(problem, group) > MAX_GROUP_BOARDS for group in group_squares(find_links(problem))):
        problem, best = prune_problem(problem, improve_board(problem, solve_problem(problem, best)))
    read: dict[int, LegalSquare] = {}
    for square, posterior, margin in compute_posteriors(problem, best):
        read[square] = _build_square(squares[square], problem.classes[square], posterior, margin, best[square])
    board = tuple(read[i] for i in range(len(squares)))
    return LegalBoard(board, _find_mismatches(board, rules.kinds), len(rules.kinds) - 2, len(rules.kinds) - 1)


def _build_square(square: Square, classes: Ints, posterior: Floats, margin: float, best: int) -> LegalSquare:
    others = [c for c in np.argsort(-posterior) if c != best and posterior[c] >= SHOWN_PROBABILITY]
    alternatives = tuple((int(classes[c]), float(posterior[c])) for c in others)
    return LegalSquare(*square, int(classes[best]), float(posterior[best]), margin, alternatives)


def _find_mismatches(board: Sequence[LegalSquare], kinds: Ints) -> tuple[tuple[Square, Square], ...]:
    squares = [(s.row, s.col) for s in board]
    pairs, sides = find_touching_pairs(squares)
    placed = kinds[[s.choice for s in board]]
    here, there = pairs.T
    mismatched = pairs[find_edge_conflicts(placed[here, sides], placed[there, (sides + 2) % 4])]
    return tuple((squares[i], squares[j]) for i, j in mismatched)
