"""The most probable board in which touching edges agree and no tile is used more often than the box holds.

A board costs what its squares' log-probabilities say, and `EDGE_COST` for every touching pair of edges that differ,
and `EXTRA_COST` for every tile beyond the box. Candidates that stand in no board within `REACH` nats of the best are
ruled out by proof (dead-end elimination and a bound over the neighbours). What is left falls into small groups of
squares that depend on each other: each is enumerated, so best board, posterior and margin are exact. CP-SAT serves
where a group is too large for that; there each square's posterior comes from the part of its group around it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from scoring.carcassonne.catalogue import Catalogue, turned_layouts
from scoring.carcassonne.geometry import SIDES

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel, IntVar

    Picks = list[list[IntVar]]
    Term = tuple[int, IntVar]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Square = tuple[int, int]

EDGE_KINDS = ("field", "road", "city", "river")
EDGE_COST = 9.0
"""Nats for two touching edges that differ: people misplace about one edge in 8,000."""
EXTRA_COST = 6.0
"""Nats for each tile beyond the contents of the box: another box's tile strays in more often than an edge is wrong."""
REACH = 7.0
"""Boards this many nats below the best (one in 1,100) and more are left out of posteriors, and margins end here."""
DOUBT_BELOW = 0.9
"""A square less certain than this is doubtful."""
LOG_FLOOR = -50.0
"""No net is surer than this: keeps impossible classes finite."""
LIKELIEST = 8
FITTING = 6
"""Candidates of a square: so many by their own probability, and so many that also fit its neighbours' likeliest."""
GROUP_BOARDS = 20_000
PART_BOARDS = 1_000
LEVELLINGS = 10
"""Rounds over all pairs."""
SOLVER_WORK = 0.3
"""CP-SAT's limit, in its deterministic time units (near to seconds)."""
SOLVER_SECONDS = 1.0
NATS = 1_000
"""Integer steps of the solver's objective in a nat."""
SHOWN_PROBABILITY = 0.001
_FREE = -1
_FAR = 1e9
ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class LegalSquare:
    """One square of the legal board; classes are numbered as in `LegalBoard`.

    `confidence` is the posterior under the rules, `alternatives` the other classes with theirs, likeliest first.
    `margin` is how many nats the best board that reads this square differently lies below the best, at most `REACH`.
    """

    row: int
    col: int
    choice: int
    confidence: float
    margin: float
    alternatives: tuple[tuple[int, float], ...]

    @property
    def doubtful(self) -> bool:
        """Whether the square is to be shown as a doubt."""
        return self.confidence < DOUBT_BELOW


@dataclass(frozen=True, slots=True)
class LegalBoard:
    """The most probable board: squares in the order given, and the touching squares whose edges disagree.

    Class k below K is `turned_layouts(catalogue)[k]`; `other` = K is a tile that no layout explains, `none` = K + 1 no
    tile at all.
    """

    squares: tuple[LegalSquare, ...]
    mismatches: tuple[tuple[Square, Square], ...]
    other: int
    none: int


@dataclass(frozen=True, slots=True, eq=False)
class _Classes:
    """What the rules know of each class: `kinds` (K + 2, 4) edge kinds N E S W, `layout` (K + 2,), `stock` (L,)."""

    kinds: Ints
    layout: Ints
    stock: Ints


@dataclass(frozen=True, slots=True, eq=False)
class _Problem:
    """Candidates of n squares, k each, likeliest first: their classes, whether in the running, own log-probabilities.

    `pairs` (P, 2) are touching squares, `matchings` groups of pairs that share no square, `costs` (P, k, k) what the
    pairs' candidates cost together, `layouts` (n, k) which layout of `stock` a candidate uses up (-1: none).
    """

    classes: Ints
    alive: Bools
    own: Floats
    pairs: Ints
    matchings: tuple[Ints, ...]
    costs: Floats
    layouts: Ints
    stock: Ints


def legal_board(
    squares: Sequence[Square],
    log_probs: Floats,
    catalogue: Catalogue,
    boxes: int = 1,
    edge_log_probs: Floats | None = None,
) -> LegalBoard:
    """The most probable board over squares (row, col) of the lattice.

    `log_probs` (n, K + 2) are natural logarithms over the turned layouts, `other` and `none`; `edge_log_probs`
    (n, 4, 4) are those of what lies at the photo's N E S W edges (`EDGE_KINDS`), and hold a tile that no layout
    explains against its neighbours.
    """
    rules = _classes(catalogue)
    if not squares:
        return LegalBoard((), (), len(rules.kinds) - 2, len(rules.kinds) - 1)
    problem = _problem(squares, np.maximum(log_probs, LOG_FLOOR, dtype=np.float64), rules, boxes, edge_log_probs)
    start = _ascended(problem, np.zeros(len(squares), dtype=np.int64))
    problem, best = _pruned(problem, start)
    if any(_boards(problem, group) > GROUP_BOARDS for group in _groups(_links(problem))):
        problem, best = _pruned(problem, _ascended(problem, _solved(problem, best)))
    read: dict[int, LegalSquare] = {}
    for square, posterior, margin in _posteriors(problem, best):
        read[square] = _square(squares[square], problem.classes[square], posterior, margin, best[square])
    board = tuple(read[i] for i in range(len(squares)))
    return LegalBoard(board, _mismatches(board, rules.kinds), len(rules.kinds) - 2, len(rules.kinds) - 1)


@cache
def _classes(catalogue: Catalogue) -> _Classes:
    layouts = list(catalogue)
    index = {layout.id: i for i, layout in enumerate(layouts)}
    classes = turned_layouts(catalogue)
    kinds = [[EDGE_KINDS.index(catalogue[name].edge(side, turns)) for side in SIDES] for name, turns in classes]
    return _Classes(
        kinds=np.array([*kinds, [_FREE] * 4, [_FREE] * 4]),
        layout=np.array([*(index[name] for name, _ in classes), _FREE, _FREE]),
        stock=np.array([layout.count for layout in layouts]),
    )


def _problem(
    squares: Sequence[Square], log_probs: Floats, rules: _Classes, boxes: int, edge_log_probs: Floats | None
) -> _Problem:
    pairs, sides = _touching(squares)
    classes, alive = _candidates(log_probs, rules.kinds, pairs, sides)
    own = np.where(alive, np.take_along_axis(log_probs, classes, axis=1), -_FAR)
    costs = _edge_costs(classes, rules.kinds, pairs, sides, edge_log_probs)
    layouts = np.where(alive, rules.layout[classes], _FREE)
    return _Problem(classes, alive, own, pairs, _matchings(squares, pairs, sides), costs, layouts, rules.stock * boxes)


def _touching(squares: Sequence[Square]) -> tuple[Ints, Ints]:
    """Pairs (P, 2) of touching squares, and for each the side (P,) of the first that faces the second: E or S."""
    index = {square: i for i, square in enumerate(squares)}
    found = [
        (i, index[across], side)
        for (row, col), i in index.items()
        for side, across in ((1, (row, col + 1)), (2, (row + 1, col)))
        if across in index
    ]
    table = np.array(found, dtype=np.int64).reshape(-1, 3)
    return table[:, :2], table[:, 2]


def _matchings(squares: Sequence[Square], pairs: Ints, sides: Ints) -> tuple[Ints, ...]:
    """The pairs' numbers in four groups: eastward from even and odd columns, southward from even and odd rows."""
    row, col = np.array(squares)[pairs[:, 0]].T
    parity = np.where(sides == 1, col % 2, 2 + row % 2)
    return tuple(np.flatnonzero(parity == group) for group in range(4))


def _candidates(log_probs: Floats, kinds: Ints, pairs: Ints, sides: Ints) -> tuple[Ints, Bools]:
    """Per square the classes worth a thought (n, k), likeliest first, and which of them are more than padding."""
    fitting = log_probs.copy()
    likeliest = log_probs.argmax(axis=1)
    for here, there, side in ((pairs[:, 0], pairs[:, 1], sides), (pairs[:, 1], pairs[:, 0], (sides + 2) % 4)):
        facing = kinds[likeliest[there], (side + 2) % 4][:, None]
        np.subtract.at(fitting, here, EDGE_COST * _differ(kinds[:, side].T, facing))
    chosen = np.zeros(log_probs.shape, dtype=np.bool_)
    for score, count in ((log_probs, LIKELIEST), (fitting, FITTING)):
        np.put_along_axis(chosen, np.argpartition(-score, count, axis=1)[:, :count], True, axis=1)
    width = int(chosen.sum(axis=1).max())
    classes = np.argsort(np.where(chosen, -log_probs, _FAR), axis=1, kind="stable")[:, :width]
    return classes, np.take_along_axis(chosen, classes, axis=1)


def _differ(first: Ints, second: Ints) -> Bools:
    return np.asarray((first != second) & (first != _FREE) & (second != _FREE), dtype=np.bool_)


def _edge_costs(classes: Ints, kinds: Ints, pairs: Ints, sides: Ints, edge_log_probs: Floats | None) -> Floats:
    here, there, facing = pairs[:, 0], pairs[:, 1], (sides + 2) % 4
    first, second = kinds[classes[here], sides[:, None]], kinds[classes[there], facing[:, None]]
    costs = EDGE_COST * _differ(first[:, :, None], second[:, None, :])
    if edge_log_probs is not None:
        other = classes == len(kinds) - 2
        seen = np.minimum(edge_log_probs.max(axis=2, keepdims=True) - edge_log_probs, EDGE_COST)
        costs = costs + other[here][:, :, None] * _of_kind(seen[here, sides], second)[:, None, :]
        costs = costs + other[there][:, None, :] * _of_kind(seen[there, facing], first)[:, :, None]
    return np.asarray(costs, dtype=np.float64)


def _of_kind(costs: Floats, kinds: Ints) -> Floats:
    """Per pair the cost (P, k) of each candidate's edge kind, where it has one."""
    return np.where(kinds == _FREE, 0.0, np.take_along_axis(costs, np.maximum(kinds, 0), axis=1))


def _utility(problem: _Problem, board: Ints) -> float:
    here, there = problem.pairs.T
    edges = problem.costs[np.arange(len(here)), board[here], board[there]].sum()
    over = np.maximum(_used(problem, board) - problem.stock, 0).sum()
    return float(_of(problem.own, board).sum() - edges - EXTRA_COST * over)


def _of(table: NDArray[np.generic], board: Ints) -> NDArray[np.generic]:
    return np.take_along_axis(table, board[:, None], axis=1)[:, 0]


def _used(problem: _Problem, board: Ints) -> Ints:
    layouts = _of(problem.layouts, board)
    return np.bincount(layouts[layouts != _FREE], minlength=len(problem.stock))


def _ascended(problem: _Problem, board: Ints) -> Ints:
    """A board that no change of one square betters, from the one given: the best single change first."""
    board, rows = board.copy(), np.arange(len(board))
    while True:
        given = _given_the_rest(problem, board)
        gains = given.max(axis=1) - given[rows, board]
        square = int(gains.argmax())
        if gains[square] <= ROUNDING:
            return board
        board[square] = given[square].argmax()


def _given_the_rest(problem: _Problem, board: Ints) -> Floats:
    """What each candidate (n, k) is worth while all other squares stay as they are."""
    here, there = problem.pairs.T
    pair = np.arange(len(here))
    given = problem.own.copy()
    np.subtract.at(given, here, problem.costs[pair, :, board[there]])
    np.subtract.at(given, there, problem.costs[pair, board[here], :])
    layouts = problem.layouts
    used_by_others = _used(problem, board)[layouts] - (layouts == _of(layouts, board)[:, None])
    return np.asarray(given - EXTRA_COST * ((layouts != _FREE) & (used_by_others >= problem.stock[layouts])))


def _pruned(problem: _Problem, board: Ints) -> tuple[_Problem, Ints]:
    """Without the candidates that stand in no board within `REACH` of the best; the board given keeps its candidates.

    It must be one that no change of one square betters, which is why none of its candidates can be ruled out.
    """
    problem, board = _kept(problem, _within_bound(problem, _utility(problem, board)), board)
    level = _levelled(problem)
    board = max(board, _ascended(problem, level.own.argmax(axis=1)), key=lambda b: _utility(problem, b))
    problem, board = _kept(problem, _within_bound(level, _utility(problem, board)), board)
    while True:
        alive = _undominated(problem)
        if alive.sum() == problem.alive.sum():
            return problem, board
        problem, board = _kept(problem, alive, board)


def _within_bound(problem: _Problem, reached: float) -> Bools:
    """Candidates whose own gap, with the cheapest answer of every neighbour, leaves a board in reach."""
    likeliest = problem.own.max(axis=1, keepdims=True)
    gap = likeliest - problem.own
    bound = gap.copy()
    here, there = problem.pairs.T
    np.add.at(bound, here, (gap[there][:, None, :] + problem.costs).min(axis=2))
    np.add.at(bound, there, (gap[here][:, :, None] + problem.costs).min(axis=1))
    return np.asarray(problem.alive & (bound <= likeliest.sum() - reached + REACH))


def _levelled(problem: _Problem) -> _Problem:
    """The same problem with costs moved between squares and pairs so that the likeliest candidates bound it tightest.

    Max-product linear programming (Globerson and Jaakkola 2007): each pair shares out evenly what it and its two
    squares are worth together. No board's worth changes; pairs without a common square are levelled at once.
    """
    own, costs = problem.own.copy(), problem.costs.copy()
    for _ in range(LEVELLINGS):
        for matching in problem.matchings:
            here, there = problem.pairs[matching].T
            joint = own[here][:, :, None] + own[there][:, None, :] - costs[matching]
            own[here], own[there] = joint.max(axis=2) / 2, joint.max(axis=1) / 2
            costs[matching] = own[here][:, :, None] + own[there][:, None, :] - joint
    return replace(problem, own=own, costs=costs)


def _undominated(problem: _Problem) -> Bools:
    """Goldstein's criterion: out goes c where some c' is better by more than `REACH` whatever the neighbours are."""
    layouts, (here, there) = problem.layouts, problem.pairs.T
    better = problem.own[:, None, :] - problem.own[:, :, None]
    for at, across, costs in ((here, there, problem.costs), (there, here, problem.costs.transpose(0, 2, 1))):
        change = costs[:, :, None, :] - costs[:, None, :, :]
        np.add.at(better, at, np.where(problem.alive[across][:, None, None, :], change, _FAR).min(axis=3))
    scarce = np.append(_scarce(problem), False)[layouts]
    better -= EXTRA_COST * (scarce[:, None, :] & (layouts[:, :, None] != layouts[:, None, :]))
    return np.asarray(problem.alive & (better.max(axis=2) <= REACH))


def _scarce(problem: _Problem) -> Bools:
    """Layouts (L,) that more squares may hold than the box does."""
    holds = np.zeros((len(problem.layouts), len(problem.stock) + 1), dtype=np.bool_)
    np.put_along_axis(holds, problem.layouts, True, axis=1)
    return np.asarray(holds[:, :-1].sum(axis=0) > problem.stock, dtype=np.bool_)


def _kept(problem: _Problem, alive: Bools, board: Ints) -> tuple[_Problem, Ints]:
    """The problem with fewer candidates, squeezed to the width it still needs, and a board in its new numbers."""
    width = int(alive.sum(axis=1).max())
    order = np.argsort(~alive, axis=1, kind="stable")[:, :width]
    here, there = problem.pairs.T
    costs = np.take_along_axis(problem.costs, order[here][:, :, None], axis=1)
    left = np.take_along_axis(alive, order, axis=1)
    smaller = replace(
        problem,
        classes=np.take_along_axis(problem.classes, order, axis=1),
        alive=left,
        own=np.where(left, np.take_along_axis(problem.own, order, axis=1), -_FAR),
        costs=np.take_along_axis(costs, order[there][:, None, :], axis=2),
        layouts=np.where(left, np.take_along_axis(problem.layouts, order, axis=1), _FREE),
    )
    return smaller, np.asarray((order == board[:, None]).argmax(axis=1))


def _links(problem: _Problem) -> list[set[int]]:
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


def _rivals(problem: _Problem) -> Iterator[tuple[int, int]]:
    """For each scarce layout, the squares that may or may not hold it, each linked to the next."""
    padded = np.where(problem.alive, problem.layouts, problem.layouts[:, :1])
    for layout in np.flatnonzero(_scarce(problem)):
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


def _groups(links: list[set[int]]) -> list[list[int]]:
    """Squares whose open choices depend on each other."""
    groups: list[list[int]] = []
    seen: set[int] = set()
    for square in range(len(links)):
        if square not in seen:
            groups.append(_connected(links, square))
            seen.update(groups[-1])
    return groups


def _boards(problem: _Problem, group: list[int]) -> float:
    return float(np.prod(problem.alive[group].sum(axis=1), dtype=np.float64))


def _posteriors(problem: _Problem, best: Ints) -> Iterator[tuple[int, Floats, float]]:
    """Per square its number, the posterior (k,) of its candidates, its margin; `best` is set to the best on the way.

    A group that is too large is held to the best board found, and each square sees only the part around itself.
    """
    links, width = _links(problem), problem.own.shape[1]
    alone = _given_the_rest(problem, best)
    for group in _groups(links):
        if len(group) == 1:
            (square,) = group
            best[square] = alone[square].argmax()
            yield square, *_marginal(np.arange(width), alone[square], best[square], width)
            continue
        if _boards(problem, group) <= GROUP_BOARDS:
            boards, worth = _enumerated(problem, group, best)
            best[group] = boards[worth.argmax()]
            for column, square in enumerate(group):
                yield square, *_marginal(boards[:, column], worth, best[square], width)
            continue
        for square in group:
            boards, worth = _enumerated(problem, _part(problem, links, square), best)
            yield square, *_marginal(boards[:, 0], worth, best[square], width)


def _part(problem: _Problem, links: list[set[int]], square: int) -> list[int]:
    """A square and the nearest of those that depend on it, as many as can be enumerated."""
    near = _connected(links, square)
    sizes = np.cumprod(problem.alive[near].sum(axis=1), dtype=np.float64)
    return near[: int((sizes <= PART_BOARDS).sum())]


def _enumerated(problem: _Problem, group: list[int], best: Ints) -> tuple[Ints, Floats]:
    """All boards (B, g) of a group, the squares around it as in `best`, and what each is worth (B,)."""
    widths = problem.alive[group].sum(axis=1)
    boards = np.indices(widths).reshape(len(group), -1).T
    worth = problem.own[group, boards].sum(axis=1)
    column = {square: boards[:, i] for i, square in enumerate(group)}
    for pair in np.flatnonzero(np.isin(problem.pairs, group).any(axis=1)):
        here, there = problem.pairs[pair].tolist()
        worth -= problem.costs[pair][column.get(here, best[here]), column.get(there, best[there])]
    return boards, worth - EXTRA_COST * _extra(problem, group, boards, best)


def _extra(problem: _Problem, group: list[int], boards: Ints, best: Ints) -> Ints:
    """How many tiles beyond the box each board (B,) of a group holds."""
    elsewhere = np.delete(_of(problem.layouts, best), group)
    layouts = problem.layouts[group, boards]
    scarce = np.flatnonzero(_scarce(problem))
    used = [(layouts == layout).sum(axis=1) + (elsewhere == layout).sum() for layout in scarce]
    return sum((np.maximum(u - problem.stock[s], 0) for u, s in zip(used, scarce, strict=True)), np.zeros(1, np.int64))


def _marginal(choices: Ints, worth: Floats, best: int, width: int) -> tuple[Floats, float]:
    """The posterior (k,) of one square from its group's boards, and the margin of its best candidate."""
    weight = np.bincount(choices, np.exp(worth - worth.max()), minlength=width)
    against = worth[choices != best]
    margin = worth[choices == best].max() - against.max() if len(against) else REACH
    return weight / weight.sum(), float(np.clip(margin, 0.0, REACH))


def _square(square: Square, classes: Ints, posterior: Floats, margin: float, best: int) -> LegalSquare:
    others = [c for c in np.argsort(-posterior) if c != best and posterior[c] >= SHOWN_PROBABILITY]
    alternatives = tuple((int(classes[c]), float(posterior[c])) for c in others)
    return LegalSquare(*square, int(classes[best]), float(posterior[best]), margin, alternatives)


def _mismatches(board: Sequence[LegalSquare], kinds: Ints) -> tuple[tuple[Square, Square], ...]:
    squares = [(s.row, s.col) for s in board]
    pairs, sides = _touching(squares)
    placed = kinds[[s.choice for s in board]]
    here, there = pairs.T
    differ = _differ(placed[here, sides], placed[there, (sides + 2) % 4])
    return tuple((squares[i], squares[j]) for i, j in pairs[differ])


def _solved(problem: _Problem, hint: Ints) -> Ints:
    """The best board by CP-SAT on one thread, or the best it found within its limit."""
    # Loading OR-tools takes longer than reading most boards, and few of them need it.
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    picks = [[model.new_bool_var("") for _ in range(int(row.sum()))] for row in problem.alive]
    for pick, hinted in zip(picks, hint, strict=True):
        model.add_exactly_one(pick)
        for candidate, variable in enumerate(pick):
            model.add_hint(variable, candidate == hinted)
    own = [(_nats(-problem.own[square, c]), var) for square, pick in enumerate(picks) for c, var in enumerate(pick)]
    terms = own + _pair_terms(model, problem, picks) + _extra_terms(model, problem, picks)
    model.minimize(cp_model.LinearExpr.weighted_sum([var for _, var in terms], [cost for cost, _ in terms]))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = 1
    solver.parameters.max_deterministic_time = SOLVER_WORK
    solver.parameters.max_time_in_seconds = SOLVER_SECONDS
    if solver.solve(model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return hint
    return np.array([[solver.value(variable) for variable in pick].index(1) for pick in picks])


def _nats(cost: float) -> int:
    return round(float(cost) * NATS)


def _pair_terms(model: CpModel, problem: _Problem, picks: Picks) -> list[Term]:
    """What touching squares cost: one variable for all candidates of the first that cost alike, which is tightest."""
    terms: list[Term] = []
    for (here, there), costs in zip(problem.pairs, problem.costs, strict=True):
        used = np.round(costs[: len(picks[here]), : len(picks[there])] * NATS).astype(np.int64)
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


def _extra_terms(model: CpModel, problem: _Problem, picks: Picks) -> list[Term]:
    """What tiles beyond the box cost."""
    terms: list[Term] = []
    for layout in np.flatnonzero(_scarce(problem)):
        holders = [picks[square][c] for square, c in np.argwhere(problem.layouts == layout)]
        extra = model.new_int_var(0, len(holders), "")
        model.add(extra >= sum(holders) - int(problem.stock[layout]))
        terms.append((_nats(EXTRA_COST), extra))
    return terms
