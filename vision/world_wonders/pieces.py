"""The pieces on a map, from the squares' kinds, the seams between them, and the known shapes.

A piece is as likely as its squares are of its kind, as no seam runs through it, and as seams separate it from
neighbours of its kind. Squares that may share a kind form connected groups. All covers of a group by pieces are summed
row by row, with the set of covered squares as state (as in counting tilings), forwards and backwards. This gives the
most likely cover, and the marginal probability of each of its pieces.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from scoring.calibration import load_weights
from scoring.disjoint_sets import DisjointSets
from vision.arrays import SUREST, Floats, compute_log_softmax, compute_sigmoid
from vision.flat_boards.reading import MIN_PROBABILITY
from vision.world_wonders.squares import KINDS, Sighted

Square = tuple[int, int]
Shape = tuple[Square, ...]
WeighMonument = Callable[[Sequence[Square]], float]

NOTHING, MONUMENT = 0, KINDS.index("monument")
MIN_KIND_PROBABILITY = 1e-3
"""Minimum probability of a kind that is tried on a square. A guess."""
ODD_SHAPE_NATS = math.log(MIN_PROBABILITY)
"""Log probability of a single square of a kind whose pieces have other shapes: hidden parts, pieces of other boxes."""
MAX_WORSE_NATS = -math.log(SUREST)
"""Maximum nats by which a state may be worse than the best one so far: its probability is negligible."""
MAX_STATES = 400
"""Maximum number of states kept in the search. Bounds time."""
SURE_LOGIT = -math.log(np.finfo(np.float64).eps)
"""Logit of a certain value: its probability differs from 1 by a rounding error."""


class PieceCosts(NamedTuple):
    """Costs in nats: `piece` of each piece (a possible single piece is seldom two, and a piece that hides a square
    seldom one more); `nothing` of an empty square beyond the net's logit, because the cost of pieces would make it too
    frequent."""

    piece: float
    nothing: float


def load_piece_costs() -> PieceCosts:
    """Return the costs that `python -m models.calibration.maps` fits.

    Raises ScoringError as `scoring.calibration.load_weights` does.
    """
    row = load_weights("world_wonders", "pieces")["cost"]
    return PieceCosts(*(row[name] for name in PieceCosts._fields))


@dataclass(frozen=True)
class Piece:
    """A possible piece: the index of its kind in KINDS, its squares, and the probability of exactly this piece."""

    kind: int
    squares: tuple[Square, ...]
    probability: float = 1.0

    @property
    def name(self) -> str:
        return KINDS[self.kind]


@dataclass(frozen=True)
class Pieces:
    """The most likely pieces that cover a map (an empty square is one too), and others for each square, most likely
    first."""

    pieces: tuple[Piece, ...]
    others: Mapping[Square, tuple[Piece, ...]]

    @cached_property
    def owner(self) -> Mapping[Square, Piece]:
        return {square: piece for piece in self.pieces for square in piece.squares}


@dataclass(frozen=True)
class _Way:
    """A piece with its weight; `mask` is the bit set of its squares within its group."""

    piece: Piece
    weight: float
    mask: int


def find_pieces(
    map_logits: Sighted,
    shapes: Mapping[str, Sequence[Shape] | None],
    weigh_monument: WeighMonument | None = None,
    costs: PieceCosts | None = None,
) -> Pieces:
    """Find the pieces of a map; `shapes` are those of each kind in all turns, None if unknown.

    Pieces of unknown shapes are separated by their seams alone. Squares outside the photo are empty. `weigh_monument`
    returns the nats, by appearance, in favour of one monument on exactly some squares. `costs` default to those of
    `load_piece_costs`.
    """
    costs = load_piece_costs() if costs is None else costs
    less = np.where(np.arange(len(KINDS)) == NOTHING, costs.nothing, 0.0)
    kinds = np.where(map_logits.seen[..., None], compute_log_softmax(map_logits.kinds - less), _build_nothing_logits())
    weigher = _Weigher(kinds, map_logits.joined, weigh_monument, costs.piece)
    chosen: list[Piece] = []
    others: dict[Square, tuple[Piece, ...]] = {}
    for group in _group_squares(kinds):
        best, beside = _cover_group(group, weigher, shapes)
        chosen += best
        others |= beside
    free = {KINDS.index(kind) for kind, kind_shapes in shapes.items() if kind_shapes is None}
    pieces = Pieces(tuple(_merge_free_kinds(chosen, free, weigher)), others)
    if not free:
        return pieces
    return replace(pieces, others={square: _drop_parts(pieces, square, free) for square in others})


class _Weigher:
    """The evidence for pieces: log probabilities `kinds` (rows, cols, kinds), and seams between neighbours."""

    def __init__(self, kinds: Floats, joined: Floats, weigh_monument: WeighMonument | None, piece_cost: float) -> None:
        self.kinds, self._piece_cost = kinds, piece_cost
        self._weigh_monument = weigh_monument
        self.same = compute_sigmoid(np.clip(joined, -SURE_LOGIT, SURE_LOGIT))

    def weight(self, kind: int, squares: Sequence[Square], firm: bool = True) -> float:
        """Return the nats for a piece; unless it is `firm`, the seams around it are ignored."""
        total = sum(float(self.kinds[square][kind]) for square in squares)
        if not firm or kind == NOTHING:
            return total
        total -= self._piece_cost
        if kind == MONUMENT and self._weigh_monument is not None:
            total += self._weigh_monument(squares)
        members = set(squares)
        for row, col in squares:
            for near in ((row, col + 1), (row + 1, col)):
                if near in members:
                    total += math.log(self.one((row, col), near))
            for near in ((row, col + 1), (row + 1, col), (row, col - 1), (row - 1, col)):
                if near not in members and near in self:
                    total += 0.5 * math.log(1 - self.one((row, col), near) * math.exp(self.kinds[near][kind]) + 1e-9)
        return total

    def one(self, square: Square, near: Square) -> float:
        """Return the probability that two neighbours of one kind are one piece."""
        first, other = min(square, near), max(square, near)
        return float(self.same[first][0 if first[0] == other[0] else 1])

    def __contains__(self, square: Square) -> bool:
        rows, cols = self.kinds.shape[:2]
        return bool(0 <= square[0] < rows and 0 <= square[1] < cols)


def _group_squares(kinds: Floats) -> list[list[Square]]:
    """Return connected groups of squares that may share a kind with a neighbour, each in row-major order."""
    rows, cols = kinds.shape[:2]
    likely = kinds > math.log(MIN_KIND_PROBABILITY)
    likely[..., NOTHING] = False
    joined = DisjointSets[Square]()
    for row, col in np.ndindex(rows, cols):
        for near in ((row, col + 1), (row + 1, col)):
            if near[0] < rows and near[1] < cols and (likely[row, col] & likely[near]).any():
                joined.join((row, col), near)
    groups = defaultdict(list)
    for square in np.ndindex(rows, cols):
        groups[joined.root(square)].append(square)
    return list(groups.values())


def _list_ways(
    group: Sequence[Square], weigher: _Weigher, shapes: Mapping[str, Sequence[Shape] | None]
) -> list[list[_Way]]:
    """Return, for each square of a group, the pieces of which it may be the first square."""
    bits = {square: 1 << i for i, square in enumerate(group)}
    ways: list[list[_Way]] = []
    for square in group:
        here = [_Way(Piece(NOTHING, (square,)), weigher.weight(NOTHING, (square,)), bits[square])]
        for kind in range(1, len(KINDS)):
            if weigher.kinds[square][kind] < math.log(MIN_KIND_PROBABILITY):
                continue
            kind_shapes = shapes.get(KINDS[kind])
            for shape in kind_shapes or ():
                squares = tuple((square[0] + r, square[1] + c) for r, c in shape)
                if all(
                    covered in bits and weigher.kinds[covered][kind] > math.log(MIN_KIND_PROBABILITY)
                    for covered in squares
                ):
                    here.append(
                        _Way(Piece(kind, squares), weigher.weight(kind, squares), sum(bits[s] for s in squares))
                    )
            if kind_shapes is None or ((0, 0),) not in kind_shapes:
                alone = weigher.weight(kind, (square,), firm=False) + (0.0 if kind_shapes is None else ODD_SHAPE_NATS)
                here.append(_Way(Piece(kind, (square,)), alone, bits[square]))
        ways.append(here)
    return ways


@dataclass(frozen=True)
class _Step:
    """The decision for one square: the state before and after, and the piece laid, None if it was already covered."""

    before: int
    after: int
    way: _Way | None

    @property
    def weight(self) -> float:
        return 0.0 if self.way is None else self.way.weight


def _cover_group(
    group: Sequence[Square], weigher: _Weigher, shapes: Mapping[str, Sequence[Shape] | None]
) -> tuple[list[Piece], dict[Square, tuple[Piece, ...]]]:
    """Return the most likely pieces of a group, and the candidates for each of its squares, most likely first."""
    steps: list[list[_Step]] = []
    forward = [{0: 0.0}]
    best: list[dict[int, tuple[float, _Step | None]]] = [{0: (0.0, None)}]
    for number, ways in enumerate(_list_ways(group, weigher, shapes)):
        transitions = [step for state in forward[-1] for step in _list_steps(state, number, ways)]
        total: dict[int, float] = {}
        top: dict[int, tuple[float, _Step | None]] = {}
        for step in transitions:
            total[step.after] = _add_logs(total.get(step.after), forward[-1][step.before] + step.weight)
            reached = best[-1][step.before][0] + step.weight
            if step.after not in top or top[step.after][0] < reached:
                top[step.after] = (reached, step)
        ranked = sorted(total, key=lambda state: -total[state])[:MAX_STATES]
        alive = {state for state in ranked if total[state] >= total[ranked[0]] - MAX_WORSE_NATS}
        forward.append({state: total[state] for state in alive})
        best.append({state: top[state] for state in alive})
        steps.append([step for step in transitions if step.after in alive])
    likely = _compute_marginals(steps, forward)
    chosen = [replace(piece, probability=likely[piece]) for piece in _trace_best(best)]
    beside: dict[Square, list[Piece]] = {square: [] for square in group}
    for piece, probability in sorted(likely.items(), key=lambda item: -item[1]):
        for square in piece.squares:
            beside[square].append(replace(piece, probability=probability))
    return chosen, {square: tuple(candidates) for square, candidates in beside.items()}


def _list_steps(state: int, number: int, ways: Sequence[_Way]) -> list[_Step]:
    if state >> number & 1:
        return [_Step(state, state, None)]
    return [_Step(state, state | way.mask, way) for way in ways if not state & way.mask]


def _add_logs(sum_so_far: float | None, more: float) -> float:
    if sum_so_far is None:
        return more
    high, low = max(sum_so_far, more), min(sum_so_far, more)
    return high + math.log1p(math.exp(low - high))


def _compute_marginals(steps: Sequence[Sequence[_Step]], forward: Sequence[Mapping[int, float]]) -> dict[Piece, float]:
    """Return the marginal probability of each piece over all covers of the group."""
    whole = next(iter(forward[-1].values()))
    backward = dict.fromkeys(forward[-1], 0.0)
    likely: dict[Piece, float] = {}
    for transitions, before in zip(reversed(steps), reversed(forward[:-1]), strict=True):
        behind: dict[int, float] = {}
        for step in transitions:
            if step.after not in backward:
                continue
            rest = step.weight + backward[step.after]
            behind[step.before] = _add_logs(behind.get(step.before), rest)
            if step.way is not None:
                share = math.exp(before[step.before] + rest - whole)
                likely[step.way.piece] = min(1.0, likely.get(step.way.piece, 0.0) + share)
        backward = behind
    return likely


def _trace_best(best: Sequence[Mapping[int, tuple[float, _Step | None]]]) -> list[Piece]:
    """Return the pieces of the most likely cover, by backtracking from the last state."""
    state = next(iter(best[-1]))
    path: list[Piece] = []
    for reached in reversed(best[1:]):
        step = reached[state][1]
        if step is None:
            break
        if step.way is not None:
            path.append(step.way.piece)
        state = step.before
    return path[::-1]


def _merge_free_kinds(pieces: Sequence[Piece], free: set[int], weigher: _Weigher) -> list[Piece]:
    """Merge squares of kinds with unknown shapes wherever no seam runs between them."""
    whole = [piece for piece in pieces if piece.kind not in free]
    for kind in free:
        left = {piece.squares[0]: piece.probability for piece in pieces if piece.kind == kind}
        while left:
            squares, fringe, sure = [], [min(left)], 1.0
            sure *= left.pop(fringe[0])
            while fringe:
                row, col = square = fringe.pop()
                squares.append(square)
                for near in ((row, col + 1), (row + 1, col), (row, col - 1), (row - 1, col)):
                    if near in left:
                        one = weigher.one(square, near)
                        sure *= max(one, 1 - one)
                        if one > 0.5:
                            sure *= left.pop(near)
                            fringe.append(near)
            whole.append(Piece(kind, tuple(sorted(squares)), sure))
    return whole


def _drop_parts(pieces: Pieces, square: Square, free: set[int]) -> tuple[Piece, ...]:
    """Return a square's candidates, without the single squares merged into its piece of unknown shape."""
    owner = pieces.owner.get(square)
    return tuple(
        other for other in pieces.others[square] if owner is None or other.kind != owner.kind or other.kind not in free
    )


def _build_nothing_logits() -> Floats:
    sure = np.full(len(KINDS), -SURE_LOGIT)
    sure[NOTHING] = 0.0
    return sure
