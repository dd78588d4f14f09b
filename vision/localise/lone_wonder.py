"""A wonder tile by itself on a table: the outline of its five squares, and the place of each.

Every region that stands out from the table is compared with all outlines of five squares, those that fit are aligned
with the photo's edges there, and the tile classifier decides whether their squares are tiles at all. The owner names
the wonder, so outlines are weighted by their probability for that one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np

from scoring.calibration import load_weights
from scoring.carcassonne.wonders.shapes import list_outlines, move_squares, weigh_outline
from scoring.carcassonne.wonders.tiles import WonderLayout
from vision.arrays import FLOOR, Flags, Floats, Image, Singles
from vision.errors import EnrolmentError
from vision.geometry.camera import compute_view_misfit
from vision.localise.lattice import Lattice
from vision.localise.outline_fit import (
    Outline,
    fit_to_edges,
    fit_to_region,
    is_cardboard,
    list_begun_fits,
    list_corner_fits,
    measure_common_area,
    measure_support,
    project_squares,
)
from vision.localise.regions import SMOOTH_PX, list_regions, part_again
from vision.photo.crops import compute_tile_px, expand_quads
from vision.photo.pyramid import Halves
from vision.runtime.onnx import Net

EDGE_PICTURE_PX = 1000
"""Longer side of the picture in which edges are searched for. A guess."""
MIN_BEGUN_SHARE = 0.72
"""Minimum share of area that a region and an outline have in common for the one to be fitted to the other. Bounds
time."""
MIN_COMMON_SHARE = 0.8
"""Minimum share of area that they have in common then. A guess."""
MAX_VIEW_MISFIT = 0.1
"""Maximum misfit of an outline with the view of a camera (`vision.geometry.camera`). A guess."""
MAX_FITTED, MAX_PARTED, MAX_CLASSIFIED = 16, 4, 6
"""Number of outlines that are aligned with edges; of the best of these, number segmented again by colour, and number
given to the classifier. Bounds time."""
SAME_TILES = 0.1
"""Outlines of the same shape whose corners are nearer than this, in tiles, are one. A guess."""
REACHES_TILES = (0.2, 0.12, 0.07)
"""Distances from an outline within which its edges are searched for, round by round; the first round is left out once
its colours are known. A guess."""
OUTER_TILES = 0.3
"""Distance outside the first outline beyond which there is nothing of the tile, and inside, nothing else. A guess."""

WeighTiles = Callable[[Lattice], float]
"""The evidence for tiles against table on the squares of a lattice, in nats."""


@dataclass(frozen=True, slots=True, eq=False)
class LoneWonder:
    """A tile of five squares: its `outline` with the photo's north up, the (3, 3) homography from (col, row) to pixels.

    `support` is the share of the outline with an edge in the photo, `misfit` the deviation from a camera's view of
    squares (`vision.geometry.camera`).
    """

    outline: Outline
    homography: Floats
    support: float
    misfit: float

    def build_lattice(self) -> Lattice:
        """Build the lattice of its squares."""
        quads = project_squares(self.homography, self.outline)
        squares = dict(zip(self.outline, quads, strict=True))
        return Lattice(squares, dict.fromkeys(self.outline, 1.0), self.homography)


def find_lone_wonder(
    net: Net, photo: Halves, layout: WonderLayout, weigh_tiles: WeighTiles, outline: Outline | None = None
) -> LoneWonder:
    """Find the tile of a wonder by itself, given its layout in force, and its `outline` if that is known.

    Raises EnrolmentError: `wonder_not_seen` if nothing on the table looks like a piece of cardboard, `not_five_squares`
    if the cardboard is no tile with this outline.
    """
    image, scale, regions = list_regions(net, photo)
    tiles = list_lone_tiles(photo, image, scale, regions, layout, outline)
    least = load_weights("carcassonne", "wonders")["lone"]["least"]
    likely = [(_weigh(tile, layout), tile) for tile in tiles if tile.support >= least][:MAX_CLASSIFIED]
    tile_nats = [weigh_tiles(tile.build_lattice()) for _, tile in likely]
    likely = [(nats + more, tile) for (nats, tile), more in zip(likely, tile_nats, strict=True) if more > 0]
    if not likely:
        code = "not_five_squares" if any(is_cardboard(region) for region in regions) else "wonder_not_seen"
        raise EnrolmentError(code, details={"wonder": layout.id})
    return max(likely, key=lambda pair: pair[0])[1]


def list_lone_tiles(
    photo: Halves,
    image: Image,
    scale: float,
    regions: list[Flags],
    layout: WonderLayout,
    outline: Outline | None = None,
) -> list[LoneWonder]:
    """Return the possible tiles of regions (h, w), shown by `image` at `scale`, the most likely first."""
    size = image.shape[1], image.shape[0]
    outlines = [outline] if outline else _list_one_sided_outlines()
    fits = sorted((fit for region in regions for fit in _list_fits(region, outlines, size)), key=lambda fit: -fit[0])
    edges, edge_scale = _draw_edge_picture(photo)
    enlarged, reduced = (np.diag([by, by, 1.0]) for by in (edge_scale / scale, 1 / edge_scale))
    tiles = [_put_on_edges(enlarged @ place, shape, edges) for _, shape, place in _drop_same(fits)[:MAX_FITTED]]
    tiles = sorted(tiles, key=lambda tile: -_weigh(tile, layout))[:MAX_PARTED]
    tiles += [_part_again(tile, image, edges, enlarged) for tile in tiles]
    weighed = sorted(tiles, key=lambda tile: -_weigh(tile, layout))
    return [replace(tile, homography=reduced @ tile.homography) for tile in weighed]


def _drop_same(fits: list[tuple[float, Outline, Floats]]) -> list[tuple[float, Outline, Floats]]:
    """Return only the first of fits that are nearly the same."""
    different = dict[Outline, list[Floats]]()
    first = list[tuple[float, Outline, Floats]]()
    for fit in fits:
        quads, others = project_squares(fit[2], fit[1]), different.setdefault(fit[1], [])
        near = SAME_TILES * float(np.median(compute_tile_px(quads)))
        if all(np.abs(quads - other).max() > near for other in others):
            others.append(quads)
            first.append(fit)
    return first


def _list_one_sided_outlines() -> list[Outline]:
    """List one orientation of each outline; its mirror image is another outline."""
    return [
        *dict.fromkeys(
            min(tuple(sorted(move_squares(outline, turns))) for turns in range(4)) for outline in list_outlines()
        )
    ]


def _list_fits(
    region: Flags, outlines: list[Outline], size: tuple[int, int]
) -> Iterator[tuple[float, Outline, Floats]]:
    """Yield the outlines that match a region, each with the share of area in common."""
    begun_fits = [
        (shape, begun) for shape, begun, share in list_begun_fits(region, outlines) if share >= MIN_BEGUN_SHARE
    ]
    for outline, begun in (*begun_fits, *list_corner_fits(region, outlines)):
        homography = fit_to_region(begun, outline, region)
        share = measure_common_area(homography, outline, region)
        if share >= MIN_COMMON_SHARE and compute_view_misfit(homography, size) <= MAX_VIEW_MISFIT:
            yield share, outline, homography


def _draw_edge_picture(photo: Halves) -> tuple[Singles, float]:
    """Return the picture (h, w, 3), Lab, in which edges are searched for, and its scale."""
    image, scale = photo.shrunk(EDGE_PICTURE_PX / max(photo.size))
    lab = cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2LAB), (0, 0), SMOOTH_PX)
    return np.asarray(lab, np.float32), scale


def _put_on_edges(
    homography: Floats, outline: Outline, edges: Singles, reaches: tuple[float, ...] = REACHES_TILES
) -> LoneWonder:
    placed = fit_to_edges(homography, outline, edges, reaches)
    misfit = compute_view_misfit(placed, (edges.shape[1], edges.shape[0]))
    return LoneWonder(outline, placed, measure_support(placed, outline, edges), misfit)


def _part_again(tile: LoneWonder, image: Image, edges: Singles, enlarged: Floats) -> LoneWonder:
    """Find the tile again by the colours of it and of the table about its first place: the strongest edges there may
    have been lines of the table."""
    place = np.linalg.inv(enlarged) @ tile.homography
    quads = project_squares(place, tile.outline)
    region = part_again(image, expand_quads(quads, OUTER_TILES), expand_quads(quads, -OUTER_TILES))
    if not region.any():
        return tile
    return _put_on_edges(enlarged @ fit_to_region(place, tile.outline, region), tile.outline, edges, REACHES_TILES[1:])


def _weigh(tile: LoneWonder, layout: WonderLayout) -> float:
    """Weigh the evidence for a tile, in nats: edges of the photo, the view, and the wonder that is named.

    Fitted by `python -m models.calibration.lone_wonders`.
    """
    weights = load_weights("carcassonne", "wonders")["lone"]
    look = weights["support"] * tile.support + weights["misfit"] * tile.misfit
    return float(look + weigh_lone_outline(layout, tile.outline))


def weigh_lone_outline(layout: WonderLayout, outline: Outline) -> float:
    """Return the log-probability of an outline for a wonder with this layout in force."""
    return float(np.log(max(weigh_outline(layout, outline), FLOOR)))
