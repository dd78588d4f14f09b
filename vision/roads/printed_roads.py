"""The courses of roads on a photo's own tiles: printings differ from the catalogue's drawing by up to a fifth of a
tile.

The look of a road is learned from the photo itself, by comparing the pixels along the drawn lines of all its roads with
those far from any. The course of one road is then the cheapest way through likely pixels from one of its drawn ends to
the other. Pixels hidden by a piece cost as much as an even chance, and a disc hides no more than it covers: a road that
runs in under a disc at both ends lies beneath it, and cannot cut the corner beside it. On wonders, whose drawing is a
guess, roads are followed over all the squares that they cover (`vision.roads.wonder_roads`), and nothing is learned
from them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

import cv2
import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import LineString
from shapely.geometry.base import BaseGeometry

from scoring.carcassonne.board.board import Board, Placement
from scoring.carcassonne.tiles.catalogue import ROAD_WIDTH_TILES
from scoring.carcassonne.tiles.geometry import PrintedRoads, Square, turn_geometry, unturn_geometry
from scoring.carcassonne.tiles.layout import TileLayout
from vision.arrays import EVEN_ODDS, SUREST, Flags, Floats, Image, Ints
from vision.colour.lab import BINS
from vision.photo.crops import crop_squares
from vision.roads.wonder_roads import CLOSED, find_cheapest_way, trace_wonder_roads

SMOOTHING_BINS = 1.0
"""Standard deviation of the smoothing of a histogram, in bins. A guess."""
ON_ROAD_TILES, OFF_ROAD_TILES = 0.02, 0.15
"""Pixels within the first distance of a drawn line normally show a road; those beyond the second from all lines show
none. A guess."""
CORRIDOR_TILES = 0.25
"""Maximum distance of a road from its drawing. Measured: the worst of 157 printed ones was 0.20 away."""
END_TILES = 0.08
"""Maximum distance of a road's beginning from its drawn end. A guess."""
HIDDEN_TILES = 0.2
"""Radius around its foot, or its middle, within which a piece that is no disc hides the print. A guess."""
MAX_FOOT_TILES = CORRIDOR_TILES + HIDDEN_TILES
"""Roads are traced if their drawing is nearer than this to a foot: their own deviation plus the reach of a piece."""
UNKNOWN_COST = -float(np.log(EVEN_ODDS))
"""Cost in nats of a pixel that shows a road with even odds."""
STEP_COST = 0.1
"""Cost of a pixel that surely shows a road, so that the way does not wander about in it. A guess."""
MAX_LOG_RATIO = 4.0
"""Maximum log-likelihood ratio of a pixel for or against a road, since there are houses and trees beside roads. A
guess."""
TILE_PX = 64
"""Size of a square in which roads are drawn and traced, as the net of the ground beneath pieces sees it. Geometry of
the net."""


@dataclass(frozen=True, slots=True, eq=False)
class TilePrint:
    """A tile as a photo shows it: its `square`, its placement, and (TILE_PX, TILE_PX) bins of its pixels' colours.

    `hidden` (TILE_PX, TILE_PX) are the pixels that pieces cover.
    """

    square: Square
    placement: Placement
    bins: Ints
    hidden: Flags


def trace_printed_roads(
    image: Image, quads: Floats, placements: Mapping[Square, Placement], feet: Floats, radii: Floats | None = None
) -> PrintedRoads:
    """Trace the printed roads near the feet of pieces, each in the unit square of its unturned tile.

    `image` is a photo, `quads` (n, 4, 2) the corners NW, NE, SE, SW of the squares of n `placements` in its pixels, and
    `feet` (m, 2) lattice points (col, row) about which pieces hide the print within `radii` (m,), by default
    `HIDDEN_TILES`. Roads that do not run from end to end in the drawing, and those that are
    mostly hidden, are left out.
    """
    near = {square: _list_roads_near(placement, square, feet) for square, placement in placements.items()}
    stood_on = {(math.floor(y), math.floor(x)) for x, y in feet.tolist()}
    wonders = [wonder for wonder in Board(placements).wonders if not stood_on.isdisjoint(wonder.squares)]
    if not any(near.values()) and not wonders:
        return {}
    prints = {tile.square: tile for tile in cut_prints(image, quads, placements, feet, radii)}
    ordinary = [tile for tile in prints.values() if tile.placement.wonder is None]
    costs = learn_costs(ordinary)
    courses: dict[tuple[Square, int], BaseGeometry] = {
        (tile.square, index): unturn_geometry(course, tile.placement.turns)
        for tile in ordinary
        for index, line in near[tile.square]
        if (course := _trace_road(tile, index, line, costs)) is not None
    }
    for wonder in wonders:
        courses |= trace_wonder_roads(
            wonder, {s: weigh_pixels(prints[s], costs) for s in wonder.squares if s in prints}
        )
    return courses


def _list_roads_near(placement: Placement, square: Square, feet: Floats) -> list[tuple[int, LineString]]:
    """List the roads of a tile that are near enough to a foot to matter; none of a wonder's, which are followed over
    all of its squares."""
    here = feet - (square[1], square[0])
    if placement.wonder is not None or not (np.abs(here - 0.5) < 0.5 + MAX_FOOT_TILES).all(axis=1).any():
        return []
    points = shapely.points(here)
    roads = _list_roads(placement.layout, placement.turns)
    return [(index, line) for index, line in roads if (shapely.distance(points, line) < MAX_FOOT_TILES).any()]


@lru_cache(maxsize=1024)
def _list_roads(layout: TileLayout, turns: int) -> tuple[tuple[int, LineString], ...]:
    """List the roads of a tile that run from end to end, with the index of their segment, as the tile lies."""
    turned = [(i, turn_geometry(part.geometry, turns)) for i, part in enumerate(layout.segments) if part.kind == "road"]
    return tuple((i, line) for i, line in turned if isinstance(line, LineString))


def cut_prints(
    image: Image, quads: Floats, placements: Mapping[Square, Placement], feet: Floats, radii: Floats | None = None
) -> list[TilePrint]:
    """Cut out the squares as prints, with the pixels hidden by pieces within `radii` of their feet."""
    radii = np.full(len(feet), HIDDEN_TILES) if radii is None else radii
    bins = _bin_colours(crop_squares(image, quads, TILE_PX, margin=0))
    return [
        TilePrint(square, placement, bins[i], _mask_hidden(feet - (square[1], square[0]), radii))
        for i, (square, placement) in enumerate(placements.items())
    ]


def _bin_colours(crops: Image) -> Ints:
    """Return (n, h, w) colour bins of (n, h, w, 3) pictures, all of them at once."""
    lab = cv2.cvtColor(crops.reshape(-1, crops.shape[2], 3), cv2.COLOR_BGR2LAB)
    first, second, third = (channel.astype(np.intp) for channel in cv2.split(lab // (256 // BINS)))
    return np.asarray((first * BINS + second) * BINS + third).reshape(crops.shape[:3])


def measure_distance(x: float, y: float) -> Floats:
    """Measure (TILE_PX, TILE_PX) the distance of each pixel from a point of the unit square."""
    middles = build_pixel_middles()
    return np.asarray(np.sqrt((middles - x) ** 2 + (middles[:, None] - y) ** 2))


def _mask_hidden(feet: Floats, radii: Floats) -> Flags:
    """Mask (TILE_PX, TILE_PX) the pixels within (m,) radii of feet at (m, 2) points about the unit square."""
    hidden = np.zeros((TILE_PX, TILE_PX), np.bool_)
    near = (np.abs(feet - 0.5) < 0.5 + radii[:, None]).all(axis=1)
    for (x, y), radius in zip(feet[near].tolist(), radii[near].tolist(), strict=True):
        hidden |= measure_distance(x, y) < radius
    return hidden


def learn_costs(prints: Sequence[TilePrint]) -> Floats:
    """Learn (BINS ** 3,) the costs of pixels of each colour on the way of a road: the surprise of a road there."""
    on, off = [np.zeros(0, np.intp)], [np.zeros(0, np.intp)]
    for tile in prints:
        distance = measure_road_distance(tile.placement.layout, tile.placement.turns)
        visible = ~_widen(tile.hidden)
        on.append(tile.bins[(distance < ON_ROAD_TILES) & visible])
        off.append(tile.bins[(distance > OFF_ROAD_TILES) & visible])
    counts = [np.bincount(np.concatenate(bins), minlength=BINS**3).astype(np.float64) for bins in (on, off)]
    shares = [
        _smooth_counts(count.reshape(BINS, BINS, BINS)).ravel() / max(count.sum(), 1.0) + SUREST for count in counts
    ]
    ratio = np.clip(np.log(shares[0] / shares[1]), -MAX_LOG_RATIO, MAX_LOG_RATIO)
    return np.asarray(np.log1p(np.exp(-ratio)) + STEP_COST)


def _smooth_counts(counts: Floats) -> Floats:
    """Smooth counts (b, b, b) over neighbouring bins, along one channel after another, as far as four deviations.

    SciPy has such a filter, but takes a third of a second to load.
    """
    nothing_across = np.ones(1)
    along = cv2.getGaussianKernel(2 * round(4 * SMOOTHING_BINS) + 1, SMOOTHING_BINS, cv2.CV_64F)
    for _ in range(counts.ndim):
        rows = np.ascontiguousarray(counts).reshape(len(counts), -1)
        smooth = cv2.sepFilter2D(rows, cv2.CV_64F, nothing_across, along, borderType=cv2.BORDER_REFLECT)
        spread = np.asarray(smooth, np.float64).reshape(counts.shape)
        counts = np.moveaxis(spread, 0, -1)  # makes the next channel the first axis
    return np.asarray(counts)


def _trace_road(tile: TilePrint, index: int, line: LineString, costs: Floats) -> LineString | None:
    """Trace the printed course of a road whose drawing is a line; None if it cannot be followed."""
    closed = measure_road_distance(tile.placement.layout, tile.placement.turns, index) > CORRIDOR_TILES
    starts, ends = (_list_end_pixels(end, closed) for end in (line.coords[0], line.coords[-1]))
    way = find_cheapest_way(np.where(closed, CLOSED, weigh_pixels(tile, costs)), starts, ends)
    return None if way is None or len(way) < 2 else LineString((way[:, ::-1] + 0.5) / TILE_PX)


def weigh_pixels(tile: TilePrint, costs: Floats) -> Floats:
    """Return (TILE_PX, TILE_PX) the cost of each pixel of a tile on the way of a road.

    A hidden pixel costs the mean over a road's width. A pixel at a piece's rim that does not look like a road costs at
    least as much: a road cannot run along the rim of a piece with land visible beside it.
    """
    pixels = np.where(tile.hidden, UNKNOWN_COST + STEP_COST, costs[tile.bins])
    over_width = cv2.filter2D(pixels, cv2.CV_64F, _build_brush(), borderType=cv2.BORDER_REPLICATE)
    is_rim = _widen(tile.hidden) & ~tile.hidden & (pixels >= UNKNOWN_COST)
    return np.where(tile.hidden, over_width, np.where(is_rim, np.maximum(over_width, pixels), pixels))


def _widen(hidden: Flags) -> Flags:
    """Return a mask of hidden pixels, and of those beside them that the rim of a piece or its shadow may reach."""
    return np.asarray(cv2.dilate(hidden.astype(np.uint8), (_build_brush() > 0).astype(np.uint8)) > 0)


@cache
def _build_brush() -> Floats:
    """Build the weights of pixels within half a road's width of the one in the middle, which add up to 1."""
    radius = ROAD_WIDTH_TILES / 2 * TILE_PX
    away = np.arange(-math.floor(radius), math.floor(radius) + 1)
    within = (np.hypot(away, away[:, None]) <= radius).astype(np.float64)
    return np.asarray(within / within.sum())


def _list_end_pixels(end: tuple[float, ...], closed: Flags) -> list[tuple[int, int]]:
    """List the pixels (row, col) where a road may begin: along the tile's edge, or about its drawn end."""
    x, y = end
    near = measure_distance(x, y) < END_TILES
    if min(x, y, 1 - x, 1 - y) <= 0:
        along = np.zeros_like(near)
        row, col = (min(int(value * TILE_PX), TILE_PX - 1) for value in (y, x))
        along[row if y in (0.0, 1.0) else slice(None), col if x in (0.0, 1.0) else slice(None)] = True
        near &= along
    rows, cols = np.nonzero(near & ~closed)
    return list(zip(rows.tolist(), cols.tolist(), strict=True))


@cache
def build_pixel_middles() -> Floats:
    """Return (TILE_PX,) the middles of pixels along a side of the unit square."""
    return (np.arange(TILE_PX) + 0.5) / TILE_PX


@lru_cache(maxsize=1024)
def measure_road_distance(layout: TileLayout, turns: int, index: int | None = None) -> Floats:
    """Measure (TILE_PX, TILE_PX) the distance of each pixel from the drawn line of one road, or of all, in tiles."""
    indices = [i for i, part in enumerate(layout.segments) if part.kind == "road" and index in (None, i)]
    distances = [np.rot90(_measure_unturned(layout, i), -turns) for i in indices]
    return np.asarray(np.min(distances, axis=0) if distances else np.full((TILE_PX, TILE_PX), np.inf))


@lru_cache(maxsize=1024)
def _measure_unturned(layout: TileLayout, index: int) -> Floats:
    return np.asarray(shapely.distance(_build_points(), layout.segments[index].geometry))


@cache
def _build_points() -> NDArray[np.object_]:
    """Build the (TILE_PX, TILE_PX) middles of pixels in the unit square."""
    middles = build_pixel_middles()
    return np.asarray(shapely.points(*np.meshgrid(middles, middles)))
