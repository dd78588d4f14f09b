"""The place of the first edition's score board: its drawing is compared with the table beside the tiles, seen from
above.

The tiles give the table's plane and the scale, so only the sheet's place and orientation are unknown. A coarse search
by normalised correlation (Lewis, Fast normalized cross-correlation, 1995) over places and angles is followed by a close
fit (Evangelidis and Psarakis, Parametric image alignment using enhanced correlation coefficient maximization, 2008).
The drawing leaves the printing's colours open; its rows and darker spaces are found on no lid or booklet.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.carcassonne.score_board.spaces import (
    FIRST_EDITION,
    HEIGHT_MM,
    LAP_SPACES,
    SPACES,
    TILE_MM,
    WALLS,
    WIDTH_MM,
    ScoreLayout,
    is_dark_space,
)
from scoring.carcassonne.tiles.geometry import Square
from vision.arrays import Floats, Image, Singles
from vision.geometry.rectification import apply_homography
from vision.geometry.warp import is_in_front, project_to_photo, scale_warp
from vision.localise.lattice import Lattice
from vision.photo.crops import CORNERS, compute_tile_px
from vision.photo.pyramid import Halves
from vision.reading.values import Warp

TILE_PX = 40
"""Size of a tile in the picture used for all this: more than the close fit needs. A guess."""
SEARCH_MARGIN_TILES = 9
"""Distance from the board within which a score board is searched for. A guess."""
COARSE_TILE_PX, CLOSE_TILE_PX = 7, 20
"""Sizes of a tile in the search and in the close fit. A guess."""
TURN_COUNT = 36
"""Number of angles in the search. Bounds time."""
SIZE_RATIOS = (1.0, 0.94)
"""Relative sizes of the sheet for tiles without and with gaps between them: the lattice's pitch is the unit. A
guess."""
MIN_ROOM_TILES = 1.4
"""Room that a sheet needs about its middle: half its height is 2, but its rim may have been mistaken for tiles. Bounds
time."""
MIN_VISIBLE_SHARE = 0.88
"""Minimum visible share of a sheet, in the picture and free of tiles. A guess."""
MIN_COARSE_CORRELATION = 0.26
"""Minimum correlation in the search for a place to be fitted closely. A guess."""
MAX_PLACES = 3
"""Maximum number of places that are fitted closely. Bounds time."""
REACH_TILES = 1.5
"""Distance, in both directions, from the best place of a quick pass within which a turned sheet is searched. Bounds
time."""
EVENING_TILES = 4
"""Window in tiles over which light is evened out for a quick pass over all angles. A guess."""
MAX_TURNS = 4
"""Number of the best angles of that pass that are then searched. Bounds time."""
MIN_CORRELATION = 0.43
"""Minimum correlation of the close fit. Measured: real sheets with pieces on them reach 0.47 to 0.69, other things on
tables 0.34."""
MIN_FITTING_CORRELATION = 0.38
"""A fit with less correlation on the way is given up. Measured: real sheets have 0.42, drawn ones 0.6."""
MIN_DARKER_SHARE = 0.75
"""Minimum share of the darker spaces that are darker than those before and after them. A guess."""
FIT_BLUR = 5
"""Kernel size of the close fit's blur. A guess."""
FIT_STEPS = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 60, 1e-4)
"""Limits of the close fit's iterations. Bounds time."""
GREY, DARK, PALE, LINE, WALL = 150, 165, 225, 115, 110
"""Grey levels of the drawing; only their order matters much. A guess."""


@dataclass(frozen=True, slots=True, eq=False)
class ScoreSheet:
    """A score board: `homography` (3, 3) maps millimetres of the sheet to photo pixels; `likeness` is 1 at best.

    `enrolled` is the name under which a person enrolled it, and `picture` (h, w, 3) is the empty board; the first
    edition's own has neither.
    """

    homography: Floats
    likeness: float
    layout: ScoreLayout = FIRST_EDITION
    enrolled: str = ""
    picture: Image | None = None


@dataclass(frozen=True, slots=True, eq=False)
class _Field:
    """The table about the tiles from above: `grey` and a mask of the `visible` part, both (h, w).

    `to_photo` (3, 3) maps its pixels to those of the photo.
    """

    grey: Singles
    visible: Singles
    to_photo: Floats


def find_score_sheet(photo: Halves, warp: Warp, squares: Collection[Square]) -> ScoreSheet | None:
    """Find the score board near the tiles on `squares` of the lattice; None if none is seen clearly enough.

    The search includes parts of the sheet that were mistaken for tiles, unless all of it was.
    """
    small, scale = photo.sized(min(1.0, TILE_PX / _measure_tile_px(warp, squares)))
    grey = Halves(np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8))
    field = _rectify_field(grey, scale_warp(warp, scale), squares)
    if field is None:
        return None
    fitted = (_fit_sheet(grey, field.to_photo @ place) for place in _find_likely_places(field))
    sheets = [sheet for sheet in fitted if sheet is not None and sheet.likeness >= MIN_CORRELATION]
    best = max(sheets, key=lambda sheet: sheet.likeness, default=None)
    if best is None or not _is_sure(grey, best):
        return None
    return replace(best, homography=np.diag([1 / scale, 1 / scale, 1.0]) @ best.homography)


def _measure_tile_px(warp: Warp, squares: Collection[Square]) -> float:
    """Measure the tile in the middle of the board, in pixels of the photo."""
    row, col = np.mean(list(squares), axis=0)
    corners = project_to_photo(warp, np.array([(col, row), (col + 1, row), (col + 1, row + 1), (col, row + 1)]))
    return float(compute_tile_px(corners[None])[0])


def _rectify_field(grey: Halves, warp: Warp, squares: Collection[Square]) -> _Field | None:
    """Rectify the part of the table that the picture shows; None if it has no room for a sheet."""
    at = np.array(sorted(squares))[:, ::-1]
    low, high = at.min(0) - SEARCH_MARGIN_TILES, at.max(0) + 1 + SEARCH_MARGIN_TILES
    shape = ((high - low) * COARSE_TILE_PX)[::-1]
    step = 1 / COARSE_TILE_PX
    to_lattice = np.array([(step, 0, low[0] + step / 2), (0, step, low[1] + step / 2), (0, 0, 1)])
    ys, xs = np.mgrid[: shape[0], : shape[1]]
    lattice = (np.stack([xs, ys], -1).reshape(-1, 2) + 0.5) * step + low
    to_photo = warp.homography @ to_lattice
    photo = apply_homography(warp.homography, lattice)
    inside = (photo >= 0).all(1) & (photo < grey.whole.shape[::-1]).all(1) & is_in_front(warp, lattice)
    visible = inside.reshape(shape).astype(np.float32)
    rows, cols = np.flatnonzero(visible.any(1)), np.flatnonzero(visible.any(0))
    if visible.sum() < MIN_VISIBLE_SHARE * WIDTH_MM * HEIGHT_MM * (COARSE_TILE_PX / TILE_MM) ** 2:
        return None
    if not _has_room(visible, squares, low):
        return None
    top, left = rows[0], cols[0]
    part = (slice(top, rows[-1] + 1), slice(left, cols[-1] + 1))
    to_photo = to_photo @ np.array([(1.0, 0, left), (0, 1, top), (0, 0, 1)])
    view = _warp_view(grey, to_photo, (cols[-1] + 1 - left, rows[-1] + 1 - top))
    return _Field(view.astype(np.float32), visible[part], to_photo)


def _has_room(visible: Singles, squares: Collection[Square], low: NDArray[np.int64]) -> bool:
    """Return whether a sheet may lie beside the tiles, `MIN_ROOM_TILES` from any tile or border."""
    free = np.pad(visible > 0, 1).astype(np.uint8)
    for row, col in squares:
        y, x = ((row, col) - low[::-1]) * COARSE_TILE_PX + 1
        free[y : y + COARSE_TILE_PX, x : x + COARSE_TILE_PX] = 0
    return bool(cv2.distanceTransform(free, cv2.DIST_L2, 3).max() >= MIN_ROOM_TILES * COARSE_TILE_PX)


def _warp_view(grey: Halves, to_photo: Floats, size: tuple[int, int]) -> Image:
    """Return a view of `size` (width, height) through `to_photo`, from the photo shrunk to avoid aliasing."""
    w, h = size
    about = np.array([(w / 2, h / 2), (w / 2 + 1, h / 2), (w / 2, h / 2 + 1)])
    spot, *beside = apply_homography(to_photo, about)
    scale = float(np.clip(1.5 / np.sqrt(np.abs(np.linalg.det(np.array(beside) - spot)) + 1e-9), 0.02, 1))
    small, scale = grey.sized(scale)
    shrunk = np.array([(scale, 0, (scale - 1) / 2), (0, scale, (scale - 1) / 2), (0, 0, 1)]) @ to_photo
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpPerspective(small, shrunk, size, flags=flags, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def _find_likely_places(field: _Field) -> Iterator[Floats]:
    """Yield (3, 3) maps from the sheet's millimetres to pixels of the field: the places most like a score board."""
    scored: list[tuple[float, Floats]] = []
    for drawing, mask, place, about in _find_likely_turns(field):
        part, left, top = _cut_field(field, about, drawing)
        scores = _correlate(part, drawing, mask)
        y, x = np.unravel_index(int(scores.argmax()), scores.shape)
        scored.append((float(scores[y, x]), np.array([(1.0, 0, left + x), (0, 1, top + y), (0, 0, 1)]) @ place))
    scored.sort(key=lambda entry: -entry[0])
    yield from (place for score, place in scored[:MAX_PLACES] if score >= MIN_COARSE_CORRELATION)


def _cut_field(field: _Field, about: tuple[float, float], drawing: Singles) -> tuple[_Field, int, int]:
    """Cut the field within `REACH_TILES` of a drawing's middle at a place (x, y); return its offset, too."""
    h, w = field.grey.shape
    reach = round(REACH_TILES * COARSE_TILE_PX)
    (left, right), (top, bottom) = (
        (
            min(max(round(middle - size / 2) - reach, 0), most - size),
            max(min(round(middle + size / 2) + reach, most), size),
        )
        for middle, size, most in zip(about, drawing.shape[::-1], (w, h), strict=True)
    )
    part = (slice(top, bottom), slice(left, right))
    return replace(field, grey=field.grey[part], visible=field.visible[part]), left, top


def _find_likely_turns(field: _Field) -> list[tuple[Singles, Singles, Floats, tuple[float, float]]]:
    """Find the sheet's most likely angles by a quick pass, in all sizes, each with the likely place of its middle (x,
    y) in the field. Light is evened out only once for it."""
    even = _halve(_even_light(field))
    turns = [turn for turn in range(TURN_COUNT) if _has_space(even, _turn_small_drawing(turn))]
    seeming = [_correlate_quickly(even, _turn_small_drawing(turn)) for turn in turns]
    likely = sorted(range(len(turns)), key=lambda i: -seeming[i][0])[:MAX_TURNS]
    return [(*_turn_drawing(turns[i], size), seeming[i][1]) for i, size in product(likely, SIZE_RATIOS)]


def _has_space(picture: Singles, drawing: Singles) -> bool:
    return all(small < large for small, large in zip(drawing.shape, picture.shape, strict=True))


def _correlate_quickly(even: Singles, drawing: Singles) -> tuple[float, tuple[float, float]]:
    """Return the correlation with the drawing at the best place, and its middle (x, y)."""
    _, most, _, (x, y) = cv2.minMaxLoc(cv2.matchTemplate(even, drawing, cv2.TM_CCORR))
    h, w = drawing.shape
    return most / float(np.linalg.norm(drawing)), (2 * x + w, 2 * y + h)


def _even_light(field: _Field) -> Singles:
    """Normalise the visible part by its local mean and standard deviation; 0 elsewhere."""
    size = (EVENING_TILES * COARSE_TILE_PX,) * 2
    count = np.maximum(cv2.blur(field.visible, size), 1e-3)
    mean = cv2.blur(field.grey * field.visible, size) / count
    spread = cv2.blur((field.grey * field.visible) ** 2, size) / count - mean**2
    return np.asarray((field.grey - mean) * field.visible / np.sqrt(np.maximum(spread, 25.0)), np.float32)


def _correlate(field: _Field, drawing: Singles, mask: Singles) -> Singles:
    """Compute the normalised correlation of the visible part with the drawing, -1 if too little is visible."""
    visible, grey = field.visible, field.grey * field.visible
    count = cv2.matchTemplate(visible, mask, cv2.TM_CCORR)
    total = cv2.matchTemplate(grey, mask, cv2.TM_CCORR)
    squares = cv2.matchTemplate(grey * grey, mask, cv2.TM_CCORR)
    pixel_counts = np.maximum(count, 1)
    drawing_sums = cv2.matchTemplate(visible, drawing, cv2.TM_CCORR)
    power = cv2.matchTemplate(visible, drawing * drawing, cv2.TM_CCORR) - drawing_sums**2 / pixel_counts
    product = cv2.matchTemplate(grey, drawing, cv2.TM_CCORR) - total * drawing_sums / pixel_counts
    spread = np.maximum(squares - total**2 / pixel_counts, pixel_counts)
    scores = product / np.sqrt(spread * np.maximum(power, 1))
    return np.where(count >= MIN_VISIBLE_SHARE * mask.sum(), scores, -1).astype(np.float32)


@cache
def _turn_drawing(turn: int, scale: float) -> tuple[Singles, Singles, Floats]:
    """Return the turned, scaled drawing, mean 0, its mask, and the (3, 3) map from millimetres to pixels."""
    plain = draw_score_sheet(COARSE_TILE_PX)
    h, w = plain.shape
    angle = 2 * np.pi * turn / TURN_COUNT
    c, s = scale * np.cos(angle), scale * np.sin(angle)
    size = int(np.ceil(abs(c) * w + abs(s) * h)), int(np.ceil(abs(s) * w + abs(c) * h))
    shift = np.array([(size[0] - 1) / 2, (size[1] - 1) / 2]) - np.array([(c, -s), (s, c)]) @ ((w - 1) / 2, (h - 1) / 2)
    move = np.array([(c, -s, shift[0]), (s, c, shift[1])])
    mask = np.asarray(cv2.warpAffine(np.ones((h, w), np.float32), move, size), np.float32)
    drawing = np.asarray(cv2.warpAffine(plain.astype(np.float32) - plain.mean(), move, size), np.float32)
    return drawing, mask, np.vstack([move, (0, 0, 1)]) @ _build_mm_matrix(COARSE_TILE_PX)


@cache
def _turn_small_drawing(turn: int) -> Singles:
    """Return the turned drawing in half its size."""
    return _halve(_turn_drawing(turn, SIZE_RATIOS[0])[0])


def _halve(picture: Singles) -> Singles:
    even = picture[: picture.shape[0] // 2 * 2, : picture.shape[1] // 2 * 2]
    return np.asarray(cv2.resize(even, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.float32)


def _build_mm_matrix(tile_px: int) -> Floats:
    """Build the (3, 3) map from millimetres of the sheet to pixels of its drawing."""
    k = tile_px / TILE_MM
    return np.array([(k, 0, -0.5), (0, k, -0.5), (0, 0, 1)])


@cache
def draw_score_sheet(tile_px: int, fine: int = 4) -> Image:
    """Draw the score board as (h, w) grey: pale spaces, every fifth darker, separated by dark lines and the wall."""
    k = fine * tile_px / TILE_MM

    def pixels(corners: tuple[tuple[int, int], ...]) -> NDArray[np.int32]:
        return np.rint((np.array(corners) * k - 0.5) * 16).astype(np.int32)

    picture = np.full((round(HEIGHT_MM * k), round(WIDTH_MM * k)), GREY, np.uint8)
    for space, corners in enumerate(SPACES):
        cv2.fillPoly(picture, [pixels(corners)], (DARK if is_dark_space(space) else PALE,), cv2.LINE_AA, 4)
    for corners in SPACES:
        cv2.polylines(picture, [pixels(corners)], True, (LINE,), max(1, round(1.6 * k)), cv2.LINE_AA, 4)
    for wall in WALLS:
        cv2.polylines(picture, [pixels(wall)], False, (WALL,), round(6 * k), cv2.LINE_AA, 4)
    size = (round(WIDTH_MM * tile_px / TILE_MM), round(HEIGHT_MM * tile_px / TILE_MM))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)


def _fit_sheet(grey: Halves, rough: Floats) -> ScoreSheet | None:
    """Fit the sheet closely from a rough (3, 3) map of its millimetres to photo pixels; None if that fails."""
    drawing = draw_score_sheet(CLOSE_TILE_PX)
    to_photo = rough @ np.linalg.inv(_build_mm_matrix(CLOSE_TILE_PX))
    for motion in (cv2.MOTION_EUCLIDEAN, cv2.MOTION_AFFINE, cv2.MOTION_HOMOGRAPHY):
        view, visible = _rectify_sheet(grey, to_photo)
        start = np.eye(3 if motion == cv2.MOTION_HOMOGRAPHY else 2, 3, dtype=np.float32)
        try:
            seeming, move = cv2.findTransformECC(drawing, view, start, motion, FIT_STEPS, visible, FIT_BLUR)
        except cv2.error:  # no convergence: there is no sheet here
            return None
        if seeming < MIN_FITTING_CORRELATION:  # further steps are slow, and most tables have no score board
            return None
        to_photo = to_photo @ np.vstack([move, (0, 0, 1)])[:3]
    view, visible = _rectify_sheet(grey, to_photo)
    if (visible > 0).mean() < MIN_VISIBLE_SHARE:
        return None
    return ScoreSheet(np.asarray(to_photo @ _build_mm_matrix(CLOSE_TILE_PX)), _compute_likeness(view, drawing, visible))


def _rectify_sheet(grey: Halves, to_photo: Floats) -> tuple[Image, Image]:
    """Rectify the sheet, with a mask of the part that the photo shows (255)."""
    h, w = draw_score_sheet(CLOSE_TILE_PX).shape
    flags = cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
    visible = cv2.warpPerspective(np.full_like(grey.whole, 255), to_photo, (w, h), flags=flags)
    return _warp_view(grey, to_photo, (w, h)), np.asarray(visible, np.uint8)


def _compute_likeness(view: Image, drawing: Image, visible: Image) -> float:
    """Compute the correlation of two pictures of one size on the visible part."""
    return float(np.corrcoef(view[visible > 0], drawing[visible > 0])[0, 1])


def _is_sure(grey: Halves, sheet: ScoreSheet) -> bool:
    """Return whether the sheet has its darker spaces in the right places, which it has not upside down."""
    view, _ = _rectify_sheet(grey, sheet.homography @ np.linalg.inv(_build_mm_matrix(CLOSE_TILE_PX)))
    return _compute_darker_share(view) >= MIN_DARKER_SHARE


def _compute_darker_share(view: Image) -> float:
    """Compute the share of the darker spaces, except 0, that are darker than those before and after them."""
    soft = cv2.blur(view, (3, 3))
    places = np.array([FIRST_EDITION.middle(space) for space in range(LAP_SPACES)]) * (CLOSE_TILE_PX / TILE_MM)
    shade = np.array([float(soft[int(y), int(x)]) for x, y in places])
    fives = np.arange(5, LAP_SPACES, 5)
    around = np.median(np.stack([shade[fives + step] for step in (-2, -1, 1, 2)]), axis=0)
    return float((shade[fives] < around).mean())


def exclude_sheet_squares(lattice: Lattice, sheet: ScoreSheet) -> Lattice:
    """Return the lattice without the squares whose middle lies on the sheet, where no tile can be."""
    middles = apply_homography(
        np.asarray(np.linalg.inv(sheet.homography)), np.array([q.mean(0) for q in lattice.corners.values()])
    )
    on_sheet = np.all((middles > 0) & (middles < sheet.layout.size), axis=1)
    tile_squares = [square for square, on in zip(lattice.corners, on_sheet, strict=True) if not on]
    corners = {square: lattice.corners[square] for square in tile_squares}
    return Lattice(corners, {square: lattice.support[square] for square in tile_squares}, lattice.homography)


def compute_sheet_corners(sheet: ScoreSheet) -> Floats:
    """Compute the (4, 2) photo pixels of the sheet's corners; space 0 of the first edition's lies in the third."""
    return apply_homography(sheet.homography, CORNERS * sheet.layout.size)
