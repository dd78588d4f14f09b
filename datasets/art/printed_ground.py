"""The print on a tile's picture, registered to its layout, for pieces that stand on printed features.

Prints deviate from the catalogue's drawing by up to 1/5 of a tile. Cities and monasteries grow by watershed (Meyer,
1992) from the middles of their drawn areas to the clearest onset of the colour of open land; a road is the cheapest
path through pale, colourless pixels between its ends. This module shares no method with the reader's search for roads,
so tables laid by it do not share the reader's mistakes. `python -m datasets.art.ground_sheet` shows the result.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
import shapely
from scipy import ndimage
from shapely.geometry.base import BaseGeometry
from skimage.filters import sobel
from skimage.graph import route_through_array
from skimage.measure import label
from skimage.segmentation import watershed

from scoring.carcassonne.board.locate import WALLED
from scoring.carcassonne.tiles.catalogue import ROAD_WIDTH_TILES, TileLayout
from vision.arrays import Flags, Floats, Image, Ints

GROUND_PX = 96
NOTHING = -1
"""Value of pixels that print no segment: rivers."""
CORE_TILES = (0.12, 0.09, 0.06, 0.04, 0.02)
"""Depths inside a feature's drawn area beyond which it is certainly printed, except for towers in front of a wall; the
first that leaves enough pixels is used."""
CORRIDOR_TILES = 0.27
"""Maximum distance of a printed road from its drawing; the worst of 157 deviated by 0.20."""
END_TILES = 0.12
"""Maximum distance between a road's printed and drawn ends."""
EDGE_TILES = 1e-6
FAR_COST, CITY_COST = 50.0, 0.6
"""Extra cost of a pixel outside that corridor, and of one in a city."""
RIVER_TILES = 0.07
"""Approximate half width of a river."""
LAND_SPREAD_LAB = (14.0, 5.0, 5.0)
"""Minimum spread of the colours of land, added to the observed spread."""
STRANGE_FROM = 3.0
"""Distance in standard deviations from which a colour is not that of land."""
WAY_COST = 0.02
"""Cost of even the palest pixel of a road's path, which keeps the path from wandering."""


@dataclass(frozen=True, eq=False)
class PrintedGround:
    """The print of a picture in the unturned unit square: the segment at each pixel (GROUND_PX, GROUND_PX).

    `roads` are the centre lines (n, 2) of the roads, x and y, by segment index; pixels within half a road's width of a
    centre line belong to the road.
    """

    layout: TileLayout
    segments: Ints
    roads: Mapping[int, tuple[Floats, ...]]

    def mask(self, index: int) -> Flags:
        """Return the mask (GROUND_PX, GROUND_PX) of a segment."""
        return np.asarray(self.segments == index)

    def holds(self, point: tuple[float, float]) -> int:
        """Return the segment printed at a point (x, y) of the unturned unit square, or NOTHING."""
        row, col = _get_pixel(point)
        return int(self.segments[row, col])


def trace_print(picture: Image, layout: TileLayout) -> PrintedGround:
    """Trace the print of a picture (s, s, 3) BGR of a layout in its canonical orientation."""
    small = np.asarray(cv2.resize(picture, (GROUND_PX, GROUND_PX), interpolation=cv2.INTER_AREA), np.uint8)
    built = _trace_built(small, layout)
    cost, city = _measure_road_cost(small), np.isin(built, _list_kinds(layout, "city"))
    roads = {
        index: tuple(_trace_line(line, cost, city) for line in list_lines(part.geometry))
        for index, part in enumerate(layout.segments)
        if part.kind == "road"
    }
    return build_ground(layout, built, roads)


def draw_ground(layout: TileLayout, geometries: Sequence[BaseGeometry]) -> PrintedGround:
    """Return the ground of a drawing from the known geometries of its segments, in the layout's order."""
    built = np.full((GROUND_PX, GROUND_PX), NOTHING)
    for index, part in enumerate(layout.segments):
        if part.kind in WALLED:
            built[_rasterise(geometries[index])] = index
    roads = {
        index: tuple(np.array(line.coords) for line in list_lines(geometries[index]))
        for index, part in enumerate(layout.segments)
        if part.kind == "road"
    }
    return build_ground(layout, built, roads)


def build_ground(layout: TileLayout, built: Ints, roads: Mapping[int, tuple[Floats, ...]]) -> PrintedGround:
    """Build the ground from cities, monasteries and roads; the remaining regions become the fields drawn there.

    `built` (GROUND_PX, GROUND_PX) holds the indexes of cities and monasteries, NOTHING elsewhere.
    """
    ground = built.copy()
    for index, lines in roads.items():
        ground[(_measure_distance(lines) < ROAD_WIDTH_TILES / 2) & (built == NOTHING)] = index
    wet = np.zeros_like(ground, np.bool_)
    for river in layout.rivers:
        wet |= shapely.distance(_build_points(), river) < RIVER_TILES
    ground[wet & (ground == NOTHING)] = len(layout.segments)
    free = label(ground == NOTHING, connectivity=1, background=0)
    drawn = _draw_fields(layout)
    for part in range(1, int(free.max()) + 1):
        here = free == part
        shares = {index: int((here & mask).sum()) for index, mask in drawn.items()}
        best = max(shares, key=lambda index: shares[index], default=NOTHING)
        ground[here] = best if shares.get(best) else NOTHING
    ground[ground == len(layout.segments)] = NOTHING
    return PrintedGround(layout, ground, roads)


def _trace_built(picture: Image, layout: TileLayout) -> Ints:
    """Return the indexes (GROUND_PX, GROUND_PX) of printed cities and monasteries, NOTHING elsewhere."""
    built = [index for index, part in enumerate(layout.segments) if part.kind in WALLED]
    land = [index for index, part in enumerate(layout.segments) if part.kind not in WALLED]
    nothing = np.full((GROUND_PX, GROUND_PX), NOTHING)
    if not built:
        return nothing
    seeds = np.zeros((GROUND_PX, GROUND_PX), np.int64)
    for number, index in enumerate(built, 2):
        seeds[_find_core(layout.segments[index].geometry)] = number
    outside = shapely.unary_union([layout.segments[i].geometry.buffer(0.02) for i in land])
    if not outside.is_empty:
        around = shapely.unary_union([layout.segments[i].geometry for i in built])
        seeds[_find_core(shapely.box(0, 0, 1, 1).difference(around), far=around)] = 1
    if len(np.unique(seeds[seeds > 0])) < 2:
        return np.where(_rasterise(layout.segments[built[0]].geometry), built[0], NOTHING)
    strangeness = _measure_strangeness(picture, seeds == 1)
    before_gates = _find_roads_before_gates(picture, layout)
    seeds[before_gates], strangeness[before_gates] = 1, 0.0
    seeds[(seeds == 1) & (strangeness > 0.5)] = 0
    found = watershed(sobel(strangeness), seeds)
    numbers = np.array([NOTHING, NOTHING, *built])
    return np.asarray(numbers[_smooth(np.asarray(found, np.int64))])


def _find_roads_before_gates(picture: Image, layout: TileLayout) -> Flags:
    """Return the roads' pixels outside the drawn cities and monasteries, which belong to neither whatever their
    colour."""
    drawn = np.zeros((GROUND_PX, GROUND_PX), np.bool_)
    for part in layout.segments:
        if part.kind in WALLED:
            drawn |= _rasterise(part.geometry)
    cost = _measure_road_cost(picture)
    parts = [part.geometry for part in layout.segments if part.kind == "road"]
    courses = [_trace_line(line, cost, drawn) for geometry in parts for line in list_lines(geometry)]
    if not courses:
        return np.zeros_like(drawn)
    return np.asarray((_measure_distance(courses) < ROAD_WIDTH_TILES / 2) & ~drawn)


def _measure_strangeness(picture: Image, land: Flags) -> Floats:
    """Return how far each pixel's colour is from open land (GROUND_PX, GROUND_PX), 0 to 1; 0.5 is undecided.

    Land has one colour in every print, cities and walls have many.
    """
    lab = cv2.cvtColor(cv2.GaussianBlur(picture, (0, 0), 1.0), cv2.COLOR_BGR2LAB).astype(np.float64)
    colours = lab[land]
    off = lab - np.median(colours, axis=0)
    away = np.abs(off[land] / LAND_SPREAD_LAB).max(axis=1)
    spread = np.cov(colours[away <= np.median(away)].T) + np.diag(LAND_SPREAD_LAB) ** 2
    distance = np.sqrt(np.einsum("hwi,ij,hwj->hw", off, np.linalg.inv(spread), off))
    strange = 0.5 * (1 + np.tanh((distance - STRANGE_FROM) / STRANGE_FROM * 2))
    return np.asarray(ndimage.gaussian_filter(strange, 1.5))


def _smooth(found: Ints) -> Ints:
    """Return the labels without specks and frayed borders."""
    return np.asarray(ndimage.median_filter(found, 5))


def _find_core(geometry: BaseGeometry, far: BaseGeometry | None = None) -> Flags:
    """Return the mask that is certainly printed: well away from the area's border inside the square, or from that of
    `far`."""
    border = (geometry.boundary if far is None else far.boundary).difference(
        shapely.box(0, 0, 1, 1).boundary.buffer(1e-6)
    )
    inside = _rasterise(geometry)
    if border.is_empty:
        return inside
    distance = np.where(inside, shapely.distance(_build_points(), border), 0)
    return next((core for depth in CORE_TILES if (core := distance > depth).sum() > 20), inside)


def _measure_road_cost(picture: Image) -> Floats:
    """Return each pixel's cost for a road's path (GROUND_PX, GROUND_PX): low where it is pale and colourless."""
    lab = cv2.cvtColor(cv2.GaussianBlur(picture, (0, 0), 0.8), cv2.COLOR_BGR2LAB).astype(np.float64)
    light, colour = lab[..., 0], np.hypot(lab[..., 1] - 128, lab[..., 2] - 128)
    pale = light - 1.5 * colour
    low, high = np.percentile(pale, (20, 97))
    share = np.clip((high - pale) / max(high - low, 1.0), 0, 1.3)
    return np.asarray(WAY_COST + share**2)


def _trace_line(line: shapely.LineString, cost: Floats, city: Flags) -> Floats:
    """Return the cheapest path (n, 2) between the ends of a drawn line, each free to move along the edge or in the
    gate."""
    distance = shapely.distance(_build_points(), line)
    ways = cost + np.where(distance > CORRIDOR_TILES, FAR_COST, 0.0) + np.where(city, CITY_COST, 0.0) + distance**2 / 3
    ends = [_find_end(end, city) for end in (line.coords[0], line.coords[-1])]
    for end in ends:
        ways[end] = 1e-3
    start, stop = (_get_pixel(end) for end in (line.coords[0], line.coords[-1]))
    path, _ = route_through_array(ways, start, stop, fully_connected=True, geometric=True)
    course = np.array(path)
    first = max((i for i, pixel in enumerate(path) if ends[0][pixel]), default=0)
    last = min((i for i, pixel in enumerate(path) if ends[1][pixel] and i > first), default=len(path) - 1)
    return _straighten((course[first : last + 1, ::-1] + 0.5) / GROUND_PX)


def _find_end(end: tuple[float, ...], city: Flags) -> Flags:
    """Return the pixels where a road with this drawn end may end: along the tile's edge, in the city whose gate it is,
    or exactly at the end."""
    x, y = end
    near = np.linalg.norm(_build_grid() - (x, y), axis=2) < END_TILES
    row, col = _get_pixel(end)
    here = np.zeros_like(near)
    if min(x, y, 1 - x, 1 - y) <= EDGE_TILES:
        across = min(y, 1 - y) <= EDGE_TILES
        here[row if across else slice(None), slice(None) if across else col] = True
        return np.asarray(near & here)
    here[row, col] = True
    return np.asarray(near & city if city[near].any() else here)


def _get_pixel(point: tuple[float, ...]) -> tuple[int, int]:
    col, row = (min(max(int(value * GROUND_PX), 0), GROUND_PX - 1) for value in point)
    return row, col


def _straighten(course: Floats) -> Floats:
    """Return a smoothed path with its ends kept."""
    smooth = ndimage.gaussian_filter1d(course, 2.0, axis=0, mode="nearest")
    smooth[0], smooth[-1] = course[0], course[-1]
    return np.asarray(smooth)


def list_lines(geometry: BaseGeometry) -> list[shapely.LineString]:
    return [line for line in getattr(geometry, "geoms", [geometry]) if isinstance(line, shapely.LineString)]


def _list_kinds(layout: TileLayout, kind: str) -> list[int]:
    return [index for index, part in enumerate(layout.segments) if part.kind == kind]


def _measure_distance(lines: Sequence[Floats]) -> Floats:
    """Return each pixel's distance from the nearest of several lines (n, 2), (GROUND_PX, GROUND_PX), in tiles."""
    return np.asarray(np.min([shapely.distance(_build_points(), shapely.LineString(line)) for line in lines], axis=0))


def _draw_fields(layout: TileLayout) -> dict[int, Flags]:
    kinds = ("field", "garden")
    return {index: _rasterise(part.geometry) for index, part in enumerate(layout.segments) if part.kind in kinds}


def _rasterise(geometry: BaseGeometry) -> Flags:
    x, y = np.moveaxis(_build_grid(), 2, 0)
    return np.asarray(shapely.contains_xy(geometry, x, y))


@cache
def _build_grid() -> Floats:
    """Return the pixel centres (GROUND_PX, GROUND_PX, 2) in the unit square."""
    middles = (np.arange(GROUND_PX) + 0.5) / GROUND_PX
    return np.stack(np.meshgrid(middles, middles), axis=-1)


@cache
def _build_points() -> np.ndarray:
    return np.asarray(shapely.points(_build_grid()))
