"""The places where a board may go on beyond the border of its photo, unless a cut square shows the bare table."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Literal

import cv2
import numpy as np
import shapely
from numpy.typing import NDArray

from scoring.calibration import load_weights
from scoring.carcassonne.board.tile_counts import count_games_of_names
from scoring.carcassonne.tiles.catalogue import count_box_tiles, list_tile_boxes
from scoring.carcassonne.tiles.geometry import SIDES, Square, find_outer_neighbours, get_neighbour
from vision.arrays import EVEN_ODDS, Flags, Floats
from vision.colour.lab import CELLS, compute_colour_cells, compute_colour_shares
from vision.geometry.camera import compute_elevations, estimate_camera
from vision.geometry.warp import project_to_photo
from vision.localise.lattice import GAP_TILES
from vision.photo.crops import CORNERS
from vision.photo.decoding import Photo
from vision.reading.values import Reading, Warp
from vision.squares.background import BEYOND, MIN_TABLE_TILES

SEEN_SHARE = EVEN_ODDS
"""Share of a square's area in the picture from which on the reader finds a tile there. Measured: of 34 tiles cut by the
border of two rendered tables it found all 25 with a share of 0.48 or more, and 1 of the others."""

Side = Literal["left", "top", "right", "bottom"]
SIDES_OF_PHOTO: tuple[Side, ...] = ("left", "top", "right", "bottom")
MIN_ELEVATION_DEG = 15.0
"""Minimum elevation of the camera, as seen from a square, at which the reader finds a tile there. A guess: of the real
photos, those whose farthest squares are below it lack tiles or pieces there, and no others do for that reason."""
STRIP = GAP_TILES
"""Share of a square's area in the picture from which on it shows more than the gap beside a hand-laid tile."""
_LONG_SIDE = 600
"""Approximate longer side in pixels of the picture whose colours are counted. Bounds time."""


def find_bare_neighbours(photo: Photo, reading: Reading) -> frozenset[Square]:
    """Return the squares beside the board, cut by the border of the photo, whose strip shows the bare table."""
    shares = find_cut_squares(reading)
    strips = [square for square, share in shares.items() if share >= STRIP]
    return find_bare_squares(photo.pixels, reading, strips) if strips else frozenset()


def find_unseen_squares(reading: Reading, empty: Collection[Square]) -> frozenset[Square]:
    """Return the squares beside the board of which too little is in the photo, except those known to be `empty`."""
    return frozenset(find_cut_squares(reading).keys() - set(empty))


def find_squares_unseen_by_all(views: Iterable[tuple[Reading, Collection[Square]]]) -> frozenset[Square]:
    """Return the squares beside the board that no photo shows, given the reading in each and its empty squares."""
    return frozenset.intersection(*(find_unseen_squares(reading, empty) for reading, empty in views))


def find_cut_squares(reading: Reading) -> dict[Square, float]:
    """Return the free squares beside a tile that are mostly outside the photo, or seen too low, with their visible
    share.

    If the photo has exactly the tiles of whole boxes, it shows all of them. Then only the squares beside a tile that
    lies beyond the border by more than the gaps beside tiles count: pieces on the rest of that tile are out of view.
    """
    occupied = {tile.square for tile in reading.tiles}
    shares = _shares_in_photo(find_outer_neighbours(occupied), reading)
    low = _find_low_squares(shares, reading)
    cut = {square: share for square, share in shares.items() if share < SEEN_SHARE or square in low}
    if not _holds_whole_boxes(reading):
        return cut
    whole = _shares_in_photo(occupied, reading)
    beside = {get_neighbour(square, side) for square, share in whole.items() if share < 1 - BEYOND for side in SIDES}
    return {square: share for square, share in cut.items() if square in beside}


def group_by_side(squares: Sequence[Square], reading: Reading) -> dict[Side, list[Square]]:
    """Return squares that the border of the photo cuts, grouped by the side beyond which each lies."""
    if not squares:
        return {}
    middles = project_to_photo(reading.warp, np.array([[col + 0.5, row + 0.5] for row, col in squares]))
    beyond = np.column_stack([-middles, middles - (reading.width, reading.height)])
    sides = [SIDES_OF_PHOTO[number] for number in beyond.argmax(axis=1).tolist()]
    return {side: [s for s, on in zip(squares, sides, strict=True) if on == side] for side in dict.fromkeys(sides)}


def _find_low_squares(squares: Collection[Square], reading: Reading) -> set[Square]:
    """Return the squares that the camera sees from below `MIN_ELEVATION_DEG`."""
    if not squares:
        return set()
    camera = estimate_camera(reading.warp.homography, (reading.width, reading.height))
    elevations = compute_elevations(camera, np.array([(col + 0.5, row + 0.5) for row, col in squares]))
    return {square for square, degrees in zip(squares, elevations.tolist(), strict=True) if degrees < MIN_ELEVATION_DEG}


def _holds_whole_boxes(reading: Reading) -> bool:
    """Return whether as many tiles were read as the base games and all other boxes with a tile there hold together.

    Tiles of wonders lie there in addition.
    """
    laid = [tile.tile for tile in reading.tiles if tile.cell is None]
    names = [name for name in laid if name is not None]
    more_games = count_games_of_names(names) - 1
    boxes = [*list_tile_boxes(names), *["base"] * more_games]
    return len(laid) == sum(map(count_box_tiles, boxes))


def _shares_in_photo(squares: Collection[Square], reading: Reading) -> dict[Square, float]:
    """Return the share of each square's area that is in the photo, by the warp of the reading."""
    if not squares:
        return {}
    corners = np.concatenate([CORNERS + np.array([col, row]) for row, col in squares])
    quads = project_to_photo(reading.warp, corners).reshape(-1, 4, 2)
    return dict(zip(squares, _measure_shares(quads, (reading.width, reading.height)).tolist(), strict=True))


def _measure_shares(quads: Floats, size: tuple[int, int]) -> Floats:
    """Measure the share (n,) of squares with (n, 4, 2) corners inside a photo of this size; 0 for squares that
    extrapolation turns inside out."""
    drawn = np.asarray(shapely.polygons(quads))
    areas = np.asarray(shapely.area(drawn))
    shares = np.where(shapely.is_valid(drawn) & (areas > 0), 1.0, 0.0)
    cut = (shares > 0) & ~((quads >= 0) & (quads <= size)).all(axis=(1, 2))
    shares[cut] = shapely.area(shapely.intersection(drawn[cut], shapely.box(0, 0, *size))) / areas[cut]
    return shares


def find_bare_squares(pixels: NDArray[np.uint8], reading: Reading, squares: Iterable[Square]) -> frozenset[Square]:
    """Return those squares beside the board whose part in the photo (pixels (h, w, 3) BGR) has the table's colours.

    The threshold exceeds the likeness of any part of a tile (the row `bare` of the calibration's `borders`).
    """
    least = load_weights("carcassonne", "borders")["bare"]["likeness"]
    likeness = measure_likeness_to_table(pixels, reading, squares)
    return frozenset(square for square, mean in likeness.items() if mean >= least)


def measure_likeness_to_table(
    pixels: NDArray[np.uint8], reading: Reading, squares: Iterable[Square]
) -> Mapping[Square, float]:
    """Return the mean probability, from 0 to 1, that the colours of each square's part in the photo are the table's.

    The colours of the read tiles are compared with those of everything beside them except the square itself. Most of
    that is table, even if the photo ends close to the board, and any tiles in it have colours of tiles. Squares out of
    view are left out, and all squares if the photo shows little beside the tiles.
    """
    candidates = sorted(squares)
    scale = max(1, max(pixels.shape[:2]) // _LONG_SIDE)
    colours = compute_colour_cells(pixels[::scale, ::scale])
    occupied = sorted(tile.square for tile in reading.tiles)
    tiles = _count_colours(colours, _mask(colours, reading.warp, occupied, GAP_TILES, scale))
    beside = ~_mask(colours, reading.warp, occupied, -GAP_TILES, scale)
    all_beside = _count_colours(colours, beside)
    likeness = {}
    for square in candidates:
        part, grown = (_mask(colours, reading.warp, [square], inset, scale) for inset in (GAP_TILES, -GAP_TILES))
        around = all_beside - _count_colours(colours, beside & grown)
        if part.any() and around.sum() >= MIN_TABLE_TILES * tiles.sum() / max(1, len(occupied)):
            likeness[square] = float(_compare_colours(around, tiles)[colours[part]].mean())
    return likeness


def _mask(colours: NDArray[np.intp], warp: Warp, squares: Iterable[Square], inset: float, scale: int) -> Flags:
    """Return the pixels (h, w) of some squares, each inset by a share of a tile, or grown if that is negative."""
    canvas = np.zeros(colours.shape, np.uint8)
    corners = [CORNERS * (1 - 2 * inset) + inset + np.array([col, row]) for row, col in squares]
    if corners:
        quads = project_to_photo(warp, np.concatenate(corners)).reshape(-1, 4, 2) / scale
        for quad in np.clip(quads, -(2**14), 2**14):
            cv2.fillPoly(canvas, [np.asarray(np.round(quad), np.int32)], 1)
    return np.asarray(canvas > 0, np.bool_)


def _count_colours(colours: NDArray[np.intp], mask: Flags) -> NDArray[np.intp]:
    """Count the pixels (CELLS,) of each colour in the mask."""
    return np.bincount(colours[mask], minlength=CELLS)


def _compare_colours(around: NDArray[np.intp], tiles: NDArray[np.intp]) -> Floats:
    """Return the relative frequency (CELLS,), from 0 to 1, of each colour around the tiles against on them."""
    on_table, on_tiles = (compute_colour_shares(counts) + 1e-6 for counts in (around, tiles))
    return np.asarray(on_table / (on_table + on_tiles), np.float64)
