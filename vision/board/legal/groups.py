"""Groups of squares that depend on each other: enumerated for the best board, posteriors and margins."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, pairwise

import numpy as np

from vision.arrays import FLOOR, Floats, Ints, compute_softmax
from vision.board.legal.problem import (
    EXTRA_TILE_COST_NATS,
    FREE,
    Problem,
    compute_conditional_utility,
    find_scarce_layouts,
    pick_entries,
    restrict_problem,
)
from vision.board.legal.pruning import REACH_NATS

MAX_GROUP_BOARDS = 20_000
"""Maximum number of boards of an enumerated group. Bounds time and memory."""
MAX_PART_BOARDS = 1_000
"""Maximum number of boards enumerated for the part of a large group around one square. Bounds time."""
MIN_CANDIDATE_PROBABILITY = 0.01
"""Candidates of a large group that are less probable are left out before it is enumerated after all. Bounds time."""
PRICE_ROUNDS = 60
"""Maximum number of rounds in which prices are adapted. Bounds time."""


def find_links(problem: Problem) -> list[set[int]]:
    """Find for every square those whose choice depends on its own: over an edge, or over the box."""
    costs, (here, there) = problem.costs, problem.pairs.T
    both = problem.alive[here][:, :, None] & problem.alive[there][:, None, :]
    excess = costs - costs[:, :1, :] - costs[:, :, :1] + costs[:, :1, :1]
    depend = ((np.abs(excess) > FLOOR) & both).any(axis=(1, 2))
    links: list[set[int]] = [set() for _ in problem.scores]
    for first, second in chain(problem.pairs[depend].tolist(), _pair_rivals(problem)):
        links[first].add(second)
        links[second].add(first)
    return links


def _pair_rivals(problem: Problem) -> Iterator[tuple[int, int]]:
    """Yield pairs of squares that compete for each scarce layout, each square linked to the next."""
    padded = np.where(problem.alive, problem.layouts, problem.layouts[:, :1])
    for layout in np.flatnonzero(find_scarce_layouts(problem)):
        holds = padded == layout
        yield from pairwise(np.flatnonzero(holds.any(axis=1) & ~holds.all(axis=1)).tolist())


def _list_connected(links: list[set[int]], square: int) -> Iterator[int]:
    """Yield a square and all that depend on it, nearest first."""
    near, reached = deque([square]), {square}
    while near:
        at = near.popleft()
        yield at
        new = sorted(links[at] - reached)
        near += new
        reached.update(new)


def group_squares(links: list[set[int]]) -> list[list[int]]:
    """Group squares whose open choices depend on each other."""
    groups: list[list[int]] = []
    grouped: set[int] = set()
    for square in range(len(links)):
        if square not in grouped:
            groups.append(list(_list_connected(links, square)))
            grouped.update(groups[-1])
    return groups


def count_boards(problem: Problem, group: list[int]) -> int:
    """Count the boards that a group of squares can form."""
    return math.prod(problem.alive[group].sum(axis=1).tolist())


def compute_posteriors(problem: Problem, best: Ints) -> Iterator[tuple[int, Floats, float]]:
    """Yield each square's index, the posterior (k,) of its candidates and its margin; update `best` to the best board.

    In a group that is too large, each square's margin takes only the part around itself into account, with the rest
    fixed to the best board found. For its posterior, improbable candidates are left out first.
    """
    links, width = find_links(problem), problem.scores.shape[1]
    alone = compute_conditional_utility(problem, best)
    likeliest, shares = alone.argmax(axis=1), compute_softmax(alone, axis=1)
    ordered = np.sort(alone, axis=1)
    second = ordered[:, -2] if width > 1 else np.full(len(alone), -np.inf)
    margins = np.clip(ordered[:, -1] - second, 0.0, REACH_NATS)
    enumerator = _Enumerator(problem)
    for group in group_squares(links):
        if len(group) == 1:
            (square,) = group
            best[square] = likeliest[square]
            yield square, shares[square], float(margins[square])
            continue
        if count_boards(problem, group) <= MAX_GROUP_BOARDS:
            boards, worth = enumerator.enumerate_boards(group, best)
            best[group] = boards[worth.argmax()]
            for column, square in enumerate(group):
                yield square, *_compute_marginal(boards[:, column], worth, best[square], width)
            continue
        roughly = _compute_thinned_posteriors(problem, group, best)
        for square in group:
            boards, worth = enumerator.enumerate_boards(_select_part(problem, links, square), best)
            _, margin = _compute_marginal(boards[:, 0], worth, best[square], width)
            yield square, roughly[square], margin


def _compute_thinned_posteriors(problem: Problem, group: list[int], best: Ints) -> Floats:
    """Return the posteriors (n, k) of a group that is too large to enumerate.

    Prices for scarce tiles show which candidates count at all; among these the groups are smaller, and exact. A group
    that is still too large keeps the posteriors by prices, which model a tile's scarcity but not the squares that hold
    it.
    """
    free = _price_scarce_layouts(problem, best)
    posterior = compute_softmax(compute_conditional_utility(free, best), axis=1)
    counts = problem.alive & (posterior >= MIN_CANDIDATE_PROBABILITY)
    counts[np.arange(len(best)), best] = True
    few, board = restrict_problem(problem, counts, best)
    inside, touching = set(group), find_links(free)
    few_boards, free_boards = _Enumerator(few), _Enumerator(free)
    for smaller in group_squares(find_links(few)):
        if inside.isdisjoint(smaller):
            continue
        if count_boards(few, smaller) <= MAX_GROUP_BOARDS:
            boards, worth = few_boards.enumerate_boards(smaller, board)
            for column, square in enumerate(smaller):
                exact, _ = _compute_marginal(boards[:, column], worth, board[square], few.scores.shape[1])
                of_class = dict(zip(few.classes[square].tolist(), exact.tolist(), strict=True))
                left = posterior[square, counts[square]].sum()
                named = problem.classes[square, counts[square]].tolist()
                posterior[square, counts[square]] = [left * of_class[name] for name in named]
            continue
        for square in smaller:
            boards, worth = free_boards.enumerate_boards(_select_part(free, touching, square), best)
            posterior[square], _ = _compute_marginal(boards[:, 0], worth, best[square], problem.scores.shape[1])
    return np.asarray(posterior)


def _price_scarce_layouts(problem: Problem, best: Ints) -> Problem:
    """Return the problem with an unlimited box, and prices that keep scarce tiles within stock on average.

    Prices are found square by square as if these were independent, given the neighbours in the best board.
    """
    prices = np.zeros(len(problem.stock) + 1)
    alone = compute_conditional_utility(replace(problem, stock=np.full_like(problem.stock, len(best))), best)
    scarce = np.flatnonzero(find_scarce_layouts(problem))
    for _ in range(PRICE_ROUNDS):
        odds = compute_softmax(alone - prices[problem.layouts], axis=1)
        expected = np.bincount(problem.layouts.ravel() + 1, odds.ravel(), minlength=len(prices))[1:]
        target_prices = prices[scarce] + np.log(
            np.maximum(expected[scarce], FLOOR) / np.maximum(problem.stock[scarce], FLOOR)
        )
        prices[scarce] = np.clip(target_prices, 0.0, EXTRA_TILE_COST_NATS)
    return replace(
        problem, scores=problem.scores - prices[problem.layouts], stock=np.full_like(problem.stock, len(best))
    )


def _select_part(problem: Problem, links: list[set[int]], square: int) -> list[int]:
    """Return a square and as many of the nearest squares that depend on it as can be enumerated."""
    part, boards = list[int](), 1
    for near in _list_connected(links, square):
        boards *= int(problem.alive[near].sum())
        if boards > MAX_PART_BOARDS:
            break
        part.append(near)
    return part


class _Enumerator:
    """An enumerator of all boards of a group of squares, given the squares that touch it."""

    def __init__(self, problem: Problem) -> None:
        self._problem, self._scarce = problem, find_scarce_layouts(problem)
        self._pairs: list[list[int]] = [[] for _ in problem.scores]
        self._ends = problem.pairs.tolist()
        for pair, ends in enumerate(self._ends):
            for square in ends:
                self._pairs[square].append(pair)

    def enumerate_boards(self, group: list[int], best: Ints) -> tuple[Ints, Floats]:
        """Return all boards (B, g) of a group and their values (B,), with the squares around it as in `best`."""
        problem = self._problem
        widths = problem.alive[group].sum(axis=1)
        boards = np.indices(widths).reshape(len(group), -1).T
        worth = problem.scores[group, boards].sum(axis=1)
        column = {square: boards[:, i] for i, square in enumerate(group)}
        for pair in sorted({pair for square in group for pair in self._pairs[square]}):
            here, there = self._ends[pair]
            worth -= problem.costs[pair][column.get(here, best[here]), column.get(there, best[there])]
        return boards, worth - EXTRA_TILE_COST_NATS * self._count_extra_tiles(group, boards, best)

    def _count_extra_tiles(self, group: list[int], boards: Ints, best: Ints) -> Ints:
        """Count the tiles beyond the box in each board (B,) of a group."""
        problem, scarce = self._problem, self._scarce
        if not scarce.any():
            return np.zeros(len(boards), np.int64)
        elsewhere = np.delete(pick_entries(problem.layouts, best), group)
        used = np.bincount(elsewhere + 1, minlength=len(problem.stock) + 1)[1:]
        group_layouts, mine = problem.layouts[group], np.zeros_like(scarce)
        mine[group_layouts[group_layouts != FREE]] = True
        extra = np.full(len(boards), np.maximum(used - problem.stock, 0)[scarce & ~mine].sum())
        layouts = problem.layouts[group, boards]
        for layout in np.flatnonzero(scarce & mine):
            extra += np.maximum((layouts == layout).sum(axis=1) + used[layout] - problem.stock[layout], 0)
        return extra


def _compute_marginal(choices: Ints, worth: Floats, best: int, width: int) -> tuple[Floats, float]:
    """Return the posterior (k,) of one square from its group's boards, and the margin of its best candidate."""
    weight = np.bincount(choices, np.exp(worth - worth.max()), minlength=width)
    against = worth[choices != best]
    margin = worth[choices == best].max() - against.max() if len(against) else REACH_NATS
    return weight / weight.sum(), float(np.clip(margin, 0.0, REACH_NATS))
