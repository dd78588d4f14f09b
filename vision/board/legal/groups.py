"""Groups of squares that depend on each other: enumerated for the best board, posteriors and margins."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import accumulate, chain, pairwise
from operator import mul

import numpy as np

from vision.arrays import Floats, Ints
from vision.board.legal.problem import (
    EXTRA_COST,
    FREE,
    ROUNDING,
    Problem,
    compute_conditional_utility,
    find_scarce_layouts,
    pick_entries,
    restrict_problem,
)
from vision.board.legal.pruning import REACH

GROUP_BOARDS = 20_000
"""A group of more boards than this is not enumerated."""
PART_BOARDS = 1_000
"""Nor is a part of such a group, around one square, of more than this."""
COUNTING = 0.01
"""Of such a group: candidates that are less likely are left out before it is enumerated after all."""
PRICE_ROUNDS = 60
PLENTY = 1_000
TINY = 1e-9


def find_links(problem: Problem) -> list[set[int]]:
    """For every square those whose choice depends on its own directly: over an edge, or over what the box holds."""
    costs, (here, there) = problem.costs, problem.pairs.T
    both = problem.alive[here][:, :, None] & problem.alive[there][:, None, :]
    excess = costs - costs[:, :1, :] - costs[:, :, :1] + costs[:, :1, :1]
    depend = ((np.abs(excess) > ROUNDING) & both).any(axis=(1, 2))
    links: list[set[int]] = [set() for _ in problem.own]
    for first, second in chain(problem.pairs[depend].tolist(), _rivals(problem)):
        links[first].add(second)
        links[second].add(first)
    return links


def _rivals(problem: Problem) -> Iterator[tuple[int, int]]:
    """For each scarce layout, the squares that may or may not hold it, each linked to the next."""
    padded = np.where(problem.alive, problem.layouts, problem.layouts[:, :1])
    for layout in np.flatnonzero(find_scarce_layouts(problem)):
        holds = padded == layout
        yield from pairwise(np.flatnonzero(holds.any(axis=1) & ~holds.all(axis=1)).tolist())


def _connected(links: list[set[int]], square: int) -> list[int]:
    """A square and all that depend on it, nearest first."""
    near, seen = [square], {square}
    for at in near:
        new = sorted(links[at] - seen)
        near += new
        seen.update(new)
    return near


def group_squares(links: list[set[int]]) -> list[list[int]]:
    """Squares whose open choices depend on each other."""
    groups: list[list[int]] = []
    seen: set[int] = set()
    for square in range(len(links)):
        if square not in seen:
            groups.append(_connected(links, square))
            seen.update(groups[-1])
    return groups


def count_boards(problem: Problem, group: list[int]) -> int:
    """How many boards a group has."""
    return math.prod(problem.alive[group].sum(axis=1).tolist())


def compute_posteriors(problem: Problem, best: Ints) -> Iterator[tuple[int, Floats, float]]:
    """Per square its number, the posterior (k,) of its candidates, its margin; `best` is set to the best on the way.

    Of a group that is too large each square sees only the part around itself, the rest being held to the best board
    found, for its margin; for its posterior, candidates that are hardly in the running are left out first.
    """
    links, width = find_links(problem), problem.own.shape[1]
    alone = compute_conditional_utility(problem, best)
    for group in group_squares(links):
        if len(group) == 1:
            (square,) = group
            best[square] = alone[square].argmax()
            yield square, *_marginal(np.arange(width), alone[square], best[square], width)
            continue
        if count_boards(problem, group) <= GROUP_BOARDS:
            boards, worth = _enumerated(problem, group, best)
            best[group] = boards[worth.argmax()]
            for column, square in enumerate(group):
                yield square, *_marginal(boards[:, column], worth, best[square], width)
            continue
        roughly = _thinned(problem, group, best)
        for square in group:
            boards, worth = _enumerated(problem, _part(problem, links, square), best)
            _, margin = _marginal(boards[:, 0], worth, best[square], width)
            yield square, roughly[square], margin


def _thinned(problem: Problem, group: list[int], best: Ints) -> Floats:
    """The posteriors (n, k) of a group that is too large to be enumerated.

    Prices for scarce tiles tell which candidates count at all; among these the groups are smaller, and exact. One that
    is not is left to the prices, which make a tile as rare as it is, but forget who has it.
    """
    free = _priced(problem, best)
    posterior = _softmax(compute_conditional_utility(free, best))
    counts = problem.alive & (posterior >= COUNTING)
    counts[np.arange(len(best)), best] = True
    few, board = restrict_problem(problem, counts, best)
    inside, touching = set(group), find_links(free)
    for smaller in group_squares(find_links(few)):
        if inside.isdisjoint(smaller):
            continue
        if count_boards(few, smaller) <= GROUP_BOARDS:
            boards, worth = _enumerated(few, smaller, board)
            for column, square in enumerate(smaller):
                exact, _ = _marginal(boards[:, column], worth, board[square], few.own.shape[1])
                of_class = dict(zip(few.classes[square].tolist(), exact.tolist(), strict=True))
                left = posterior[square, counts[square]].sum()
                named = problem.classes[square, counts[square]].tolist()
                posterior[square, counts[square]] = [left * of_class[name] for name in named]
            continue
        for square in smaller:
            boards, worth = _enumerated(free, _part(free, touching, square), best)
            posterior[square], _ = _marginal(boards[:, 0], worth, best[square], problem.own.shape[1])
    return np.asarray(posterior)


def _priced(problem: Problem, best: Ints) -> Problem:
    """The problem with a box that holds enough of all, where scarce tiles cost so much that no more are expected.

    Prices are found square by square as if these were independent, the neighbours as in the best board.
    """
    prices = np.zeros(len(problem.stock) + 1)
    alone = compute_conditional_utility(replace(problem, stock=np.full_like(problem.stock, PLENTY)), best)
    scarce = np.flatnonzero(find_scarce_layouts(problem))
    for _ in range(PRICE_ROUNDS):
        odds = _softmax(alone - prices[problem.layouts])
        expected = np.bincount(problem.layouts.ravel() + 1, odds.ravel(), minlength=len(prices))[1:]
        asked = prices[scarce] + np.log(np.maximum(expected[scarce], TINY) / np.maximum(problem.stock[scarce], TINY))
        prices[scarce] = np.clip(asked, 0.0, EXTRA_COST)
    return replace(problem, own=problem.own - prices[problem.layouts], stock=np.full_like(problem.stock, PLENTY))


def _part(problem: Problem, links: list[set[int]], square: int) -> list[int]:
    """A square and the nearest of those that depend on it, as many as can be enumerated."""
    near = _connected(links, square)
    sizes = accumulate(problem.alive[near].sum(axis=1).tolist(), mul)
    return near[: sum(size <= PART_BOARDS for size in sizes)]


def _enumerated(problem: Problem, group: list[int], best: Ints) -> tuple[Ints, Floats]:
    """All boards (B, g) of a group, the squares around it as in `best`, and what each is worth (B,)."""
    widths = problem.alive[group].sum(axis=1)
    boards = np.indices(widths).reshape(len(group), -1).T
    worth = problem.own[group, boards].sum(axis=1)
    column = {square: boards[:, i] for i, square in enumerate(group)}
    inside = np.zeros(len(problem.own), np.bool_)
    inside[group] = True
    for pair in np.flatnonzero(inside[problem.pairs].any(axis=1)):
        here, there = problem.pairs[pair].tolist()
        worth -= problem.costs[pair][column.get(here, best[here]), column.get(there, best[there])]
    return boards, worth - EXTRA_COST * _extra(problem, group, boards, best)


def _extra(problem: Problem, group: list[int], boards: Ints, best: Ints) -> Ints:
    """How many tiles beyond the box each board (B,) of a group holds."""
    elsewhere = np.delete(pick_entries(problem.layouts, best), group)
    used, scarce = np.bincount(elsewhere + 1, minlength=len(problem.stock) + 1)[1:], find_scarce_layouts(problem)
    held, mine = problem.layouts[group], np.zeros_like(scarce)
    mine[held[held != FREE]] = True
    extra = np.full(len(boards), np.maximum(used - problem.stock, 0)[scarce & ~mine].sum())
    layouts = problem.layouts[group, boards]
    for layout in np.flatnonzero(scarce & mine):
        extra += np.maximum((layouts == layout).sum(axis=1) + used[layout] - problem.stock[layout], 0)
    return extra


def _marginal(choices: Ints, worth: Floats, best: int, width: int) -> tuple[Floats, float]:
    """The posterior (k,) of one square from its group's boards, and the margin of its best candidate."""
    weight = np.bincount(choices, np.exp(worth - worth.max()), minlength=width)
    against = worth[choices != best]
    margin = worth[choices == best].max() - against.max() if len(against) else REACH
    return weight / weight.sum(), float(np.clip(margin, 0.0, REACH))


def _softmax(scores: Floats) -> Floats:
    """(n, k) shares of each row."""
    shares = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))
