"""Pieces as people set them: anywhere on the printed feature, at a road's rim, half on a wall, over a seam, in piles.

A piece's label names the printed feature it stands on (`datasets.art.printed_ground`), even if the catalogue draws
something else there. This module holds every habit and its frequency. The shares are estimates by eye from some 50
photographed tables; they only make each habit common enough to be seen, and no parameter of the reader may rest on
them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from scipy import ndimage

from datasets.art.printed_ground import GROUND_PX, PrintedGround
from scoring.carcassonne.board.board import MEEPLES_A_PLAYER, Board, PlacedMeeple, Placement
from scoring.carcassonne.board.features import build_feature_map, pair_segments
from scoring.carcassonne.tiles.geometry import (
    SIDES,
    Square,
    get_neighbour,
    get_opposite_side,
    turn_edge,
    turn_point,
)
from scoring.carcassonne.tiles.kinds import HOUSES
from vision.arrays import Flags, Floats

Foot = tuple[float, float]
Grounds = Mapping[Square, PrintedGround]

BORDER_SHARES = {"road": 0.3, "city": 0.2, "field": 0.4, "garden": 0.0, **dict.fromkeys(HOUSES, 0.0)}
"""Share of pieces that stand at their feature's border, by kind. Thieves stand with a foot half off the road: a meeple
is three times as wide as a road and is dropped there with two fingers. Knights stand half on a wall: if a city is
mostly roofs, the top of its wall is the free space. Farmers stand beside a road or a wall: a field is often only a
strip."""
OVER_SEAM_SHARE = 0.1
"""Share of pieces that stand on the neighbouring tile if their feature continues there. The feature is the same, and
people set a piece where there is room or where it shows best; other pieces are pushed there as tiles are laid. The
neighbouring tile may hold a piece of its own, so two then share it."""
MAX_OVER_SEAM_TILES = 0.3
PILE_SHARE = 0.5
"""Share of a player's farmers on merged fields that lie together on one tile, gathered for counting."""
MERGED_SHARE = 0.08
"""Share of farmers with one or two more of their player beside them, from fields that merged earlier in the game.
Randomly dealt games have far fewer of these than real ones, because people join a field on purpose."""
MORE_MERGED_SHARE = 0.25
DISC_SHARE = 0.2
"""Share of tables on which all pieces are discs: 1 photographer in 5 has an edition, or spare pieces, of that kind."""
CLOSE_TILES = {"standing": 0.14, "lying": 0.19, "disc": 0.2}
"""Distance around a piece's foot that other pieces respect, by pose; the two distances add up. Carelessly set pieces
touch."""
PILE_TILES = 0.2
"""Maximum extra distance between the first piece of a pile and another of the pile."""


@dataclass(frozen=True, slots=True)
class Band:
    """A range of depths inside a feature at which a foot stands, in tiles; negative values are outside it."""

    low: float
    high: float = np.inf


DEPTHS = {
    "road": (Band(0.01), Band(-0.04, 0.01)),
    "city": (Band(0.06), Band(-0.03, 0.05)),
    "field": (Band(0.1), Band(0.05, 0.1)),
    "garden": (Band(0.02), Band(0.0, 0.02)),
    **dict.fromkeys(HOUSES, (Band(0.04), Band(0.0, 0.04))),
}
"""Depth bands of a foot by kind of feature: well inside, and at the border. A printed road is 0.04 tiles wide on either
side of its centre line; a farmer's foot is the middle of the lying piece."""
DISC_DEPTHS = {
    "road": (Band(0.0), Band(-0.08, 0.0)),
    "city": (Band(0.1), Band(0.03, 0.1)),
    "field": (Band(0.2), Band(0.14, 0.2)),
    "garden": (Band(0.02), Band(0.0, 0.02)),
    **dict.fromkeys(HOUSES, (Band(0.02), Band(0.0, 0.02))),
}
"""Depth bands of a disc's centre. Its radius is 0.18 tiles, and a disc on a road covers a good part of the road's
width."""
AMBIGUOUS_TILES = 0.06
"""Minimum margin by which a piece on a road, in a city or on a monastery stands deeper in its own feature than in any
other; a smaller margin is ambiguous."""
CLAIMED = ("road", "city", *HOUSES)
OUTER_MARGIN_TILES = 0.1
"""Distance that a foot keeps from a side without a neighbour: any farther out, a piece would fall off the tile."""


def use_as_people_do(board: Board, rng: np.random.Generator) -> Board:
    """Return the board with some farmers gathered into piles or joined by more, and on some tables discs for all
    pieces."""
    moved = {meeple: meeple for meeple in board.meeples}
    for field in build_feature_map(board):
        if field.kind != "field":
            continue
        for colour in sorted(field.meeples):
            first, *others = [meeple for meeple in field.pieces if meeple.colour == colour]
            if others and rng.random() < PILE_SHARE:
                moved |= {other: replace(other, square=first.square, segment=first.segment) for other in others}
    meeples = tuple(moved[meeple] for meeple in board.meeples)
    if rng.random() < DISC_SHARE:
        meeples = tuple(replace(m, pose="disc") if m.pose in ("standing", "lying") else m for m in meeples)
    return replace(board, meeples=(*meeples, *_join_farmers(replace(board, meeples=meeples), rng)))


def _join_farmers(board: Board, rng: np.random.Generator) -> Iterator[PlacedMeeple]:
    """Yield further farmers beside some of the existing ones, as long as their players have any left."""
    hands = Counter(dict.fromkeys(board.players, MEEPLES_A_PLAYER))
    hands.subtract(meeple.colour for meeple in board.meeples)
    for meeple in board.meeples:
        if board.find_kind_below(meeple) == "field" and rng.random() < MERGED_SHARE:
            more = min(1 + int(rng.random() < MORE_MERGED_SHARE), hands[meeple.colour])
            hands[meeple.colour] -= more
            yield from [meeple] * more


def set_on_print(board: Board, grounds: Grounds, feet: Sequence[Foot], rng: np.random.Generator) -> tuple[Foot, ...]:
    """Return where the feet of a board's meeples stand on the print, in lattice units (col, row).

    `grounds` maps a square to the print of its unturned tile. If a square's print is unknown, and on wonders, a foot
    stays where `feet` puts it.
    """
    known = iter(feet)
    placed: list[tuple[PlacedMeeple, Foot]] = []
    for meeple in board.meeples:
        if meeple.segment is None or board.tiles[meeple.square] is None:
            continue
        foot = next(known)
        if meeple.square in grounds and grounds[meeple.square].layout.segments[meeple.segment].kind in DEPTHS:
            foot = _sample_foot(meeple, board, grounds, placed, rng)
        placed.append((meeple, foot))
    return tuple(foot for _, foot in placed)


def _sample_foot(
    meeple: PlacedMeeple,
    board: Board,
    grounds: Grounds,
    placed: Sequence[tuple[PlacedMeeple, Foot]],
    rng: np.random.Generator,
) -> Foot:
    spots = _list_habitual_spots(meeple, board, grounds, rng)
    if placed:
        rooms = np.array([CLOSE_TILES.get(other.pose, 0.0) for other, _ in placed]) + CLOSE_TILES[meeple.pose]
        clear = np.linalg.norm(spots[:, None] - np.array([foot for _, foot in placed]), axis=2) - rooms
        first = next((i for i, (other, _) in enumerate(placed) if other == meeple), None)
        fitting = clear.min(axis=1) > 0
        near = fitting if first is None else fitting & (clear[:, first] < PILE_TILES)
        spots = spots[near] if near.any() else spots[clear.min(axis=1) >= min(clear.min(axis=1).max(), 0)]
    x, y = (spots[int(rng.integers(len(spots)))] + rng.uniform(-0.5, 0.5, 2) / GROUND_PX).tolist()
    return x, y


def _list_habitual_spots(meeple: PlacedMeeple, board: Board, grounds: Grounds, rng: np.random.Generator) -> Floats:
    """Return (n, 2) lattice points where the meeple may stand, by a habit sampled for this piece."""
    assert meeple.segment is not None
    ground, disc = grounds[meeple.square], meeple.pose == "disc"
    at_border = bool(rng.random() < BORDER_SHARES[ground.layout.segments[meeple.segment].kind])
    if rng.random() < OVER_SEAM_SHARE:
        beyond = [spots for spots in _list_spots_beyond(meeple, board, grounds) if len(spots)]
        if beyond:
            return beyond[int(rng.integers(len(beyond)))]
    placement = board.tiles[meeple.square]
    assert placement is not None
    spots = _place_spots(list_spots(ground, meeple.segment, disc, at_border), placement.turns, meeple.square)
    return _keep_on_board(spots, meeple.square, board)


def _keep_on_board(spots: Floats, square: Square, board: Board) -> Floats:
    """Return the points that keep away from the sides of their tile without a neighbour, or all if there are none."""
    x, y = (spots - np.array([square[1], square[0]])).T
    away = {"N": y, "S": 1 - y, "W": x, "E": 1 - x}
    safe = np.all(
        [away[side] > OUTER_MARGIN_TILES for side in SIDES if get_neighbour(square, side) not in board.tiles]
        + [x > -1],
        axis=0,
    )
    return spots[safe] if safe.any() else spots


def _list_spots_beyond(meeple: PlacedMeeple, board: Board, grounds: Grounds) -> list[Floats]:
    """List points near the seam on each neighbouring tile where the meeple's feature continues."""
    found = []
    placement, segment = board.tiles[meeple.square], meeple.segment
    assert placement is not None
    assert segment is not None
    for side in SIDES:
        square = get_neighbour(meeple.square, side)
        other = board.tiles.get(square)
        if other is None or square not in grounds:
            continue
        for index, facing in pair_segments(placement.layout, placement.turns, side, other.layout, other.turns):
            if index == segment:
                found.append(_list_spots_near_side(grounds[square], facing, other, square, side, meeple))
    return found


def _list_spots_near_side(
    ground: PrintedGround, index: int, placement: Placement, square: Square, side: str, meeple: PlacedMeeple
) -> Floats:
    """Return points of the tile beyond `side` that are near the seam and well within the segment there."""
    spots = list_spots(ground, index, meeple.pose == "disc", False)
    seam = turn_edge(get_opposite_side(side), -placement.turns)
    x, y = spots.T
    away = {"N": y, "S": 1 - y, "W": x, "E": 1 - x}[seam]
    return _place_spots(spots[away < MAX_OVER_SEAM_TILES - 1 / GROUND_PX], placement.turns, square)


def _place_spots(spots: Floats, turns: int, square: Square) -> Floats:
    placed = np.array([turn_point((x, y), turns) for x, y in spots.tolist()]).reshape(-1, 2)
    return np.asarray(placed + np.array([square[1], square[0]]))


@lru_cache(maxsize=4096)
def list_spots(ground: PrintedGround, index: int, disc: bool, at_border: bool) -> Floats:
    """List the (n, 2) points of the unturned unit square where a piece on a segment may stand.

    If the depth band is empty, the deepest points are returned.
    """
    depths = (DISC_DEPTHS if disc else DEPTHS)[ground.layout.segments[index].kind]
    band = depths[at_border]
    depth = measure_depth(ground, index)
    fitting = (depth >= band.low) & (depth < band.high) & _is_unambiguous(ground, index, depth)
    if not fitting.any():
        fitting = depth >= depth.max() - 0.02
    rows, cols = np.nonzero(fitting)
    return np.asarray((np.column_stack([cols, rows]) + 0.5) / GROUND_PX)


@lru_cache(maxsize=4096)
def measure_depth(ground: PrintedGround, index: int) -> Floats:
    """Measure how far inside a printed segment each pixel lies, in tiles; negative outside.

    The tile's edge is not a border, because the feature continues beyond it. A road has its printed width.
    """
    mask = ground.mask(index)
    if not mask.any():
        return np.full(mask.shape, -1.0)
    around = GROUND_PX // 3
    padded = np.pad(mask, around, mode="edge")
    inside, outside = ndimage.distance_transform_edt(padded), ndimage.distance_transform_edt(~padded)
    depth = np.where(padded, inside - 0.5, 0.5 - outside) / GROUND_PX
    return np.asarray(depth[around:-around, around:-around])


def _is_unambiguous(ground: PrintedGround, index: int, depth: Floats) -> Flags:
    kind = ground.layout.segments[index].kind
    clear = np.ones(depth.shape, np.bool_)
    for other, part in enumerate(ground.layout.segments):
        if other != index and part.kind in CLAIMED and kind in CLAIMED:
            clear &= depth > measure_depth(ground, other) + AMBIGUOUS_TILES
    return clear
