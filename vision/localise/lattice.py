"""The lattice of tiles and squares, grown from tile to tile, so that drift and gaps do no harm."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.connected_squares import MAX_BOARD_SQUARES
from vision.arrays import Floats, round_to_step
from vision.geometry.rectification import apply_homography, round_homography
from vision.localise.detector import TileCells, TileSpots, find_nearest
from vision.localise.refinement import (
    REFINEMENT_ROUNDS_TILES,
    compute_square_corners,
    fit_plane,
    refine_corners,
    smooth_corners,
    stack_square_corners,
)
from vision.photo.crops import CORNERS, compute_tile_px, expand_quads
from vision.reading.values import Warp

Square = tuple[int, int]

MAX_LATTICE_SQUARES = 3 * MAX_BOARD_SQUARES // 2
"""Maximum number of squares of a lattice that is still grown and classified. Bounds time. A lattice has free squares
beside those of the board, on a patterned cloth nearly as many.
"""
STEPS = np.array([(1, 0), (0, 1), (-1, 0), (0, -1)])
"""Steps along e1, along e2 and back, as (col, row): each a quarter turn clockwise from the previous one."""
FACING_CORNERS = (([0, 3], [1, 2]), ([0, 1], [3, 2]), ([1, 2], [0, 3]), ([3, 2], [0, 1]))
"""Corners of a neighbour in each of these directions: on the near side, and across from them. Geometry of the
lattice."""
MAX_LINK_TILES = 0.30
"""Maximum distance of a tile from the place predicted by its neighbour. A guess."""
MAX_ASTRAY_TILES = 0.4
"""Maximum distance of a tile from its square by the plane of the whole board; a farther tile was assigned wrongly. A
guess.
"""
FIRST_SMOOTHING_TILES = REFINEMENT_ROUNDS_TILES[0][0]
"""Radius, in tiles, over which the votes' errors are smoothed before filling."""
MIN_FILLED_PROBABILITY = 0.2
"""Minimum mean probability of tile area over a square without any tile found for it to be passed on to the classifier.
A guess. Free squares hardly ever reach it, except on patterned cloths; a meeple leaning over a hole may come close, and
tiles in glare exceed it.
"""
MIN_FRINGE_PROBABILITY = 0.02
"""Minimum mean probability of tile area over a square on the fringe, to be passed on as well. Measured: one in 6 free
squares around a board reaches it. On a patterned cloth, and small in the photo, a tile may show no more. Squares beside
these are not filled in turn.
"""
MOVE_GRID_PX = 0.25
"""Grid to which offsets of corners from their plane are rounded, in pixels of the view. A guess."""
GAP_TILES = 0.06
"""Width of a gap beside a tile laid by hand. A guess."""
NODES = np.array([(0, 0), (0, 1), (1, 1), (1, 0)])
"""Nodes (4, 2) (row, col) at a square's NW, NE, SE, SW corners, relative to the square's own."""
INNER_POINTS = np.stack(np.meshgrid(*((np.arange(8) + 0.5) / 8,) * 2), -1).reshape(-1, 2, 1)
"""Points (64, 2, 1) all over a square: how far east and how far south. Bounds time."""
CENTRED_SQUARE = CORNERS - CORNERS.mean(axis=0)
"""Corners (4, 2) NW, NE, SE, SW of a square of size 1 around its centre."""


@dataclass(frozen=True, slots=True, eq=False)
class Lattice:
    """Squares (row, col) with (4, 2) corners NW, NE, SE, SW in photo pixels, with north closest to up in the photo.

    `support` is the share of each square's cells that voted for it; `homography` maps (col, row) to pixels.
    """

    corners: Mapping[Square, Floats]
    support: Mapping[Square, float]
    homography: Floats

    @property
    def tile_px(self) -> float:
        """Return the size of a tile in the photo: the median over the squares."""
        return float(np.median(compute_tile_px(np.array(list(self.corners.values())))))

    def select(self, squares: Collection[Square]) -> Lattice:
        """Return the lattice of some of the squares."""
        corners, support = ({at: self.corners[at] for at in squares}, {at: self.support[at] for at in squares})
        return Lattice(corners, support, self.homography)

    def warp(self) -> Warp:
        """Return the map between lattice units and pixels through the squares' own corners."""
        squares = np.array(list(self.corners))
        named = (squares[:, None] + NODES).reshape(-1, 2)
        nodes, which, counts = np.unique(named, axis=0, return_inverse=True, return_counts=True)
        sums = np.zeros((len(nodes), 2))
        np.add.at(sums, which.ravel(), np.concatenate(list(self.corners.values())))
        means = (sums / counts[:, None]).tolist()
        return Warp(self.homography, {(r, c): (x, y) for (r, c), (x, y) in zip(nodes.tolist(), means, strict=True)})


def add_squares(lattice: Lattice, squares: Sequence[Square]) -> Lattice:
    """Return the lattice extended by those of some squares that are adjacent to it, with predicted corners.

    A lattice of `MAX_LATTICE_SQUARES` is unchanged. No cell voted for the added squares.
    """
    added = [square for square in squares if any(_step_from(square, step) in lattice.corners for step in STEPS)]
    if not added or len(lattice.corners) >= MAX_LATTICE_SQUARES:
        return lattice
    quads = _predict_quads(lattice.corners, added)
    return Lattice(
        {**lattice.corners, **dict(zip(added, quads, strict=True))},
        {**lattice.support, **dict.fromkeys(added, 0.0)},
        lattice.homography,
    )


def build_flat_lattice(homography: Floats, squares: Sequence[Square]) -> Lattice:
    """Return a lattice of squares on a plane without any tile found: `homography` (3, 3) maps lattice units to
    pixels.
    """
    quads = apply_homography(homography, stack_square_corners(squares).reshape(-1, 2)).reshape(-1, 4, 2)
    return Lattice(dict(zip(squares, quads, strict=True)), dict.fromkeys(squares, 1.0), homography)


def grow_lattice(spots: TileSpots, cells: TileCells, min_tiles: int = 2) -> Lattice | None:
    """Grow the largest lattice of the tiles, filled where the view shows tile area; return None for fewer tiles.

    It is grown in the view from above, where steps between tiles are uniform, and mapped back into the photo. If it is
    too large (`is_too_large`), its tiles are not refined.
    """
    placed = _grow_largest_group(spots)
    if len(placed) < min_tiles:
        return None
    squares, axes = _turn_upright(spots, placed)
    if len(squares) <= MAX_LATTICE_SQUARES:
        plane = fit_plane(list(squares.values()), _build_parallelograms(spots, squares, axes))
        squares, axes = _join_islands(spots, axes, _drop_astray_tiles(spots, squares, plane), plane)
    corners = dict(zip(squares.values(), _build_parallelograms(spots, squares, axes), strict=True))
    support = dict(zip(squares.values(), spots.support[list(squares)].tolist(), strict=True))
    if len(squares) <= MAX_LATTICE_SQUARES:
        corners = _fill_and_refine(corners, support, cells)
    corners, plane = _round_places(corners)
    back = np.asarray(np.linalg.inv(cells.view))
    corners = {square: apply_homography(back, quad) for square, quad in corners.items()}
    return _renumber_from_zero(corners, support, back @ plane)


def _round_places(corners: Mapping[Square, Floats]) -> tuple[dict[Square, Floats], Floats]:
    """Round the squares in the view and the plane (3, 3) that fits them.

    The plane is rounded to whole pixels at the board's ends, the offset of each corner from it to `MOVE_GRID_PX`: a
    corner that moves by a thousandth of a pixel would change all crops of its square.
    """
    names, quads = list(corners), np.array(list(corners.values()))
    fitted, nodes = fit_plane(names, quads), stack_square_corners(names)
    low, high = nodes.min(axis=(0, 1)), nodes.max(axis=(0, 1))
    plane = round_homography(fitted, low + CORNERS * (high - low))
    flat = apply_homography(plane, nodes.reshape(-1, 2)).reshape(-1, 4, 2)
    return dict(zip(names, flat + round_to_step(quads - flat, MOVE_GRID_PX), strict=True)), plane


def is_too_large(lattice: Lattice) -> bool:
    """Return whether a lattice has more squares than one with a board may have."""
    return len(lattice.corners) > MAX_LATTICE_SQUARES


def _fill_and_refine(
    corners: Mapping[Square, Floats], support: dict[Square, float], cells: TileCells
) -> dict[Square, Floats]:
    """Return smoothed and refined corners, with squares that show tile area added (to `support` as well)."""
    names, quads, weight = list(corners), np.array(list(corners.values())), np.array(list(support.values()))
    quads = smooth_corners(names, quads, weight, fit_plane(names, quads), FIRST_SMOOTHING_TILES)
    filled = dict(zip(names, quads, strict=True))
    _fill(filled, support, cells)
    return filled if len(filled) > MAX_LATTICE_SQUARES else refine_corners(filled, support, cells)


def _grow_largest_group(spots: TileSpots) -> dict[int, tuple[Square, int]]:
    """Return for each tile of the largest connected group its (col, row) and the quarter turns of its own axes.

    The best links come first (Prim): a tile is placed by its best predicting neighbour, so that errors do not spread.
    """
    left = set(range(len(spots)))
    best: dict[int, tuple[Square, int]] = {}
    links = _find_links(spots)
    for seed in range(len(spots)):
        if len(left) <= len(best):
            break
        if seed in left:
            group = _grow_from_seed(seed, links)
            left -= set(group)
            best = group if len(group) > len(best) else best
    return best


def _find_links(spots: TileSpots) -> list[list[tuple[float, int, int, int]]]:
    """Return each tile's neighbours: (misfit in tiles, own direction 0 to 3, tile, turn of that tile's axes)."""
    if len(spots) < 2:
        return [[] for _ in range(len(spots))]
    steps = _compute_steps(spots.axes)
    sizes = np.sqrt(np.abs(np.linalg.det(spots.axes)))
    foretold = spots.centres[:, None] + steps
    nearest = _find_nearest_others(spots.centres, foretold)
    off = np.linalg.norm(spots.centres[nearest] - foretold, axis=2) / sizes[:, None]
    back = np.linalg.norm(steps[nearest] + steps[:, :, None], axis=3) / sizes[:, None, None]
    facing, aslant = back.argmin(axis=2), back.min(axis=2)  # the neighbour's own direction that leads back
    links: list[list[tuple[float, int, int, int]]] = [[] for _ in range(len(spots))]
    for i, direction in np.argwhere((off <= MAX_LINK_TILES) & (aslant < 2 * MAX_LINK_TILES)).tolist():
        turn = (direction + 2 - int(facing[i, direction])) % 4
        misfit = float(off[i, direction] + aslant[i, direction] / 2)
        links[i].append((misfit, direction, int(nearest[i, direction]), turn))
    return links


def _find_nearest_others(centres: Floats, foretold: Floats) -> NDArray[np.int64]:
    """Return the index (n, 4) of the nearest of n > 1 other centres to each of (n, 4, 2) predicted places."""
    _, nearest = find_nearest(foretold.reshape(-1, 2), centres, 2)
    near = nearest.reshape(len(centres), -1, 2)
    itself = near[..., 0] == np.arange(len(centres))[:, None]
    return np.asarray(np.where(itself, near[..., 1], near[..., 0]), np.int64)


def _grow_from_seed(seed: int, links: list[list[tuple[float, int, int, int]]]) -> dict[int, tuple[Square, int]]:
    placed: dict[int, tuple[Square, int]] = {}
    occupied: set[Square] = set()
    queue: list[tuple[float, int, Square, int]] = [(0.0, seed, (0, 0), 0)]
    while queue:
        _, i, square, turn = heapq.heappop(queue)
        if i in placed or square in occupied:
            continue
        placed[i] = (square, turn)
        occupied.add(square)
        for misfit, direction, j, relative in links[i]:
            if j not in placed:
                step = STEPS[(direction + turn) % 4]
                there = (square[0] + int(step[0]), square[1] + int(step[1]))
                heapq.heappush(queue, (misfit, j, there, (relative + turn) % 4))
    return placed


def _turn_upright(spots: TileSpots, placed: Mapping[int, tuple[Square, int]]) -> tuple[dict[int, Square], Floats]:
    """Return the tiles by (row, col), in the frame whose south is closest to down in the photo, and (n, 2, 2) axes in
    it.
    """
    steps = _compute_steps(spots.axes)
    directions = np.array([[steps[i, (g - turn) % 4] for g in range(4)] for i, (_, turn) in placed.items()])
    mean = (directions / np.linalg.norm(directions, axis=2, keepdims=True)).mean(0)
    south = int(np.argmax(mean[:, 1]))
    east = (south - 1) % 4
    axes = spots.axes.copy()
    squares = {}
    for i, (place, turn) in placed.items():
        axes[i] = np.stack([steps[i, (east - turn) % 4], steps[i, (south - turn) % 4]], axis=1)
        squares[i] = (int(STEPS[south] @ place), int(STEPS[east] @ place))
    return squares, axes


def _compute_steps(axes: Floats) -> Floats:
    """Return the steps (n, 4, 2) to the 4 neighbours from (n, 2, 2) axes, each a quarter turn from the previous one."""
    return np.concatenate([axes, -axes], axis=2).transpose(0, 2, 1)


def _build_parallelograms(spots: TileSpots, squares: Mapping[int, Square], axes: Floats) -> Floats:
    """Return the corners (n, 4, 2) of the placed tiles from their own axes."""
    return np.array([spots.centres[i] + CENTRED_SQUARE @ axes[i].T for i in squares])


def _drop_astray_tiles(spots: TileSpots, squares: Mapping[int, Square], plane: Floats) -> dict[int, Square]:
    """Return the tiles whose place on the plane matches their square; the others were linked to a wrong neighbour."""
    places = apply_homography(np.asarray(np.linalg.inv(plane)), spots.centres)
    off = {i: np.abs(places[i] - (square[1] + 0.5, square[0] + 0.5)).max() for i, square in squares.items()}
    in_place = {i: square for i, square in squares.items() if off[i] <= MAX_ASTRAY_TILES}
    return in_place if len(in_place) >= 2 else dict(squares)


def _join_islands(
    spots: TileSpots, axes: Floats, squares: Mapping[int, Square], homography: Floats
) -> tuple[dict[int, Square], Floats]:
    """Return the tiles joined with separate tiles that match the group's lattice in place and orientation."""
    joined, turned = dict(squares), axes.copy()
    occupied = set(squares.values())
    places = apply_homography(np.asarray(np.linalg.inv(homography)), spots.centres)
    for i in range(len(spots)):
        square = (int(np.floor(places[i, 1])), int(np.floor(places[i, 0])))
        off = np.abs(places[i] - (square[1] + 0.5, square[0] + 0.5)).max()
        if i in squares or square in occupied or off > MAX_LINK_TILES:
            continue
        quad = apply_homography(homography, compute_square_corners(square))
        foretold = np.stack([quad[1] - quad[0], quad[3] - quad[0]], axis=1)
        mine = _compute_steps(axes[i : i + 1])[0]
        fits = [np.stack([mine[k], mine[(k + 1) % 4]], axis=1) for k in range(4)]
        misfit = [np.linalg.norm(fit - foretold) / np.linalg.norm(foretold) for fit in fits]
        if min(misfit) < MAX_LINK_TILES:
            turned[i] = fits[int(np.argmin(misfit))]
            joined[i] = square
            occupied.add(square)
    return joined, turned


def _fill(corners: dict[Square, Floats], support: dict[Square, float], cells: TileCells) -> None:
    """Add adjacent squares that show tile area although no tile was found, until there are no more."""
    fringe = set(corners)
    while fringe and len(corners) < MAX_LATTICE_SQUARES:
        fringe = _fill_fringe(corners, support, cells, fringe, MIN_FILLED_PROBABILITY)
    if len(corners) < MAX_LATTICE_SQUARES:
        _fill_fringe(corners, support, cells, set(corners), MIN_FRINGE_PROBABILITY)


def _fill_fringe(
    corners: dict[Square, Floats], support: dict[Square, float], cells: TileCells, fringe: set[Square], wanted: float
) -> set[Square]:
    """Add the squares adjacent to a fringe that show enough tile area, and return them."""
    beside = sorted({(r + dr, c + dc) for r, c in fringe for dc, dr in STEPS.tolist()} - set(corners))
    quads = _predict_quads(corners, beside)
    is_tile = _measure_area(quads, cells) >= wanted
    added = {square: quad for square, quad, there in zip(beside, quads, is_tile.tolist(), strict=True) if there}
    corners.update(added)
    support.update(dict.fromkeys(added, 0.0))
    return set(added)


def _step_from(square: Square, step: NDArray[np.int64]) -> Square:
    """Return the square a step (col, row) away."""
    return square[0] + int(step[1]), square[1] + int(step[0])


def _predict_quads(corners: Mapping[Square, Floats], squares: Sequence[Square]) -> Floats:
    """Return the corners (n, 4, 2) of squares predicted by their neighbours: one step of each from its own corners,
    averaged.
    """
    quads = np.array(list(corners.values()))
    number = {square: i for i, square in enumerate(corners)}
    stepped = [
        quads + (quads[:, inward] - quads[:, outward]).mean(axis=1, keepdims=True) for inward, outward in FACING_CORNERS
    ]
    sums, counts = np.zeros((len(squares), 4, 2)), np.zeros(len(squares))
    for i, square in enumerate(squares):
        for step, moved_quads in zip(STEPS, stepped, strict=True):
            if (beside := number.get(_step_from(square, step))) is not None:
                sums[i] += moved_quads[beside]
                counts[i] += 1
    return np.asarray(sums / counts[:, None, None])


def _measure_area(quads: Floats, cells: TileCells) -> Floats:
    """Return the mean probability (n,) of tile area over the inner part of squares; 0 if half of it is outside the
    maps.
    """
    inner = expand_quads(quads, -0.1)[:, :, None]
    top = inner[:, 0] + INNER_POINTS[:, 0] * (inner[:, 1] - inner[:, 0])
    bottom = inner[:, 3] + INNER_POINTS[:, 0] * (inner[:, 2] - inner[:, 3])
    at = np.rint(cells.to_cells(top + INNER_POINTS[:, 1] * (bottom - top))).astype(int)
    h, w = cells.area.shape
    inside = ((at >= 0) & (at < (w, h))).all(axis=2)
    x, y = np.moveaxis(np.clip(at, 0, (w - 1, h - 1)), -1, 0)
    counts = inside.sum(axis=1)
    means = (cells.area[y, x] * inside).sum(axis=1) / np.maximum(counts, 1)
    return np.where(counts < 0.5 * len(INNER_POINTS), 0.0, means)


def _renumber_from_zero(
    corners: Mapping[Square, Floats], support: Mapping[Square, float], homography: Floats
) -> Lattice:
    """Return the same lattice with rows and columns starting at 0."""
    top, left = min(r for r, _ in corners), min(c for _, c in corners)
    shift = np.array([[1.0, 0, left], [0, 1, top], [0, 0, 1]])

    def moved(square: Square) -> Square:
        return square[0] - top, square[1] - left

    return Lattice(
        {moved(s): q for s, q in sorted(corners.items())}, {moved(s): v for s, v in support.items()}, homography @ shift
    )
