"""Where the first edition's score board lies: its drawing is held against the table beside the tiles, from above.

The tiles tell the table's plane and the scale, so that only the sheet's place and its turn are open. A coarse search by
normalised correlation (Lewis, Fast normalized cross-correlation, 1995) over places and turns is followed by a close fit
(Evangelidis and Psarakis, Parametric image alignment using enhanced correlation coefficient maximization, 2008). What
the drawing leaves open is the printing's colours; what it fixes, its rows and darker spaces, no lid or booklet has.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.carcassonne.score_board.layout import ScoreLayout
from scoring.carcassonne.score_board.spaces import (
    FIRST_EDITION,
    HEIGHT_MM,
    LAP_SPACES,
    SPACES,
    TILE_MM,
    WALLS,
    WIDTH_MM,
    is_dark_space,
)
from scoring.carcassonne.tiles.geometry import Square
from vision.arrays import Floats, Image
from vision.geometry.rectification import apply_homography
from vision.geometry.warp import is_in_front, project_to_photo, scale_warp
from vision.localise.lattice import Lattice
from vision.photo.crops import CORNERS, compute_tile_px
from vision.photo.pyramid import Halves
from vision.reading.values import Warp

Layer = NDArray[np.float32]

SEEN_PX = 40
"""Of a tile in the picture that all this is done in: more than the close fit needs."""
AROUND = 9
"""So many tiles beside the board a score board is looked for."""
COARSE_PX, CLOSE_PX = 7, 20
"""Of a tile, in the search and in the close fit."""
TURNS = 36
SIZES = (1.0, 0.94)
"""Of the sheet where tiles lie close, and with gaps between them: the lattice's pitch is the measure."""
ROOM_LEAST = 1.4
"""Tiles: half a sheet's height is 2, but its rim may have been taken for tiles."""
SHOWN_LEAST = 0.88
"""Of the sheet: less in the picture, or more under tiles, is not read."""
SEEMING_LEAST = 0.26
"""Correlation in the search from which on a place is looked at closely; so many places at most."""
LOOKED_AT_MOST = 3
EVENED_OVER, TURNS_TRIED = 4, 4
"""Tiles over which light is evened out for a quick look at all turns; so many of these are then tried in earnest."""
LIKE_LEAST = 0.43
"""Correlation of the close fit: real sheets with pieces on them reach 0.47 to 0.69, other things on tables 0.34."""
FITTING_LEAST = 0.38
"""Correlation on the way to the close fit: what has less is given up. Real sheets have 0.42, drawn ones 0.6."""
OTHER_WAY_LESS = 0.2
"""By so much less the sheet must fit the other way round."""
DARKER_LEAST = 0.75
"""Of the darker spaces: so many must be darker than those before and after them."""
FIT_BLUR = 5
FIT_STEPS = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 60, 1e-4)
GREY, DARK, PALE, LINE, WALL = 150, 165, 225, 115, 110
"""Of the drawing; only their order matters much."""


@dataclass(frozen=True, slots=True, eq=False)
class ScoreSheet:
    """A score board: `homography` (3, 3) takes millimetres of the sheet to photo pixels; `likeness` is 1 at best.

    `taught` is the name under which a person taught it, and `picture` (h, w, 3) what it looks like empty; the first
    edition's own has neither.
    """

    homography: Floats
    likeness: float
    layout: ScoreLayout = FIRST_EDITION
    taught: str = ""
    picture: Image | None = None


@dataclass(frozen=True, slots=True, eq=False)
class _Field:
    """The table about the tiles from above: `grey` and where it is `seen`, both (h, w); its pixels to the photo."""

    grey: Layer
    seen: Layer
    to_photo: Floats


def find_score_sheet(photo: Halves, warp: Warp, squares: Collection[Square]) -> ScoreSheet | None:
    """The score board near the tiles on `squares` of the lattice; None where none is seen, or not well enough.

    What lies on it may have been taken for tiles: it is looked for there too, as long as not all of it was.
    """
    small, scale = photo.sized(min(1.0, SEEN_PX / _tile_px(warp, squares)))
    grey = Halves(np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8))
    field = _field(grey, scale_warp(warp, scale), squares)
    if field is None:
        return None
    fitted = (_fitted(grey, field.to_photo @ place) for place in _likely_places(field))
    sheets = [sheet for sheet in fitted if sheet is not None and sheet.likeness >= LIKE_LEAST]
    best = max(sheets, key=lambda sheet: sheet.likeness, default=None)
    if best is None or not _is_sure(grey, best):
        return None
    return replace(best, homography=np.diag([1 / scale, 1 / scale, 1.0]) @ best.homography)


def _tile_px(warp: Warp, squares: Collection[Square]) -> float:
    """How large the tile in the middle of the board is in the photo."""
    row, col = np.mean(list(squares), axis=0)
    corners = project_to_photo(warp, np.array([(col, row), (col + 1, row), (col + 1, row + 1), (col, row + 1)]))
    return float(compute_tile_px(corners[None])[0])


def _field(grey: Halves, warp: Warp, squares: Collection[Square]) -> _Field | None:
    """The part of the table that the picture shows; None where a sheet has no room in it."""
    at = np.array(sorted(squares))[:, ::-1]
    low, high = at.min(0) - AROUND, at.max(0) + 1 + AROUND
    shape = ((high - low) * COARSE_PX)[::-1]
    step = 1 / COARSE_PX
    to_lattice = np.array([(step, 0, low[0] + step / 2), (0, step, low[1] + step / 2), (0, 0, 1)])
    ys, xs = np.mgrid[: shape[0], : shape[1]]
    lattice = (np.stack([xs, ys], -1).reshape(-1, 2) + 0.5) * step + low
    to_photo = warp.homography @ to_lattice
    photo = apply_homography(warp.homography, lattice)
    inside = (photo >= 0).all(1) & (photo < grey.whole.shape[::-1]).all(1) & is_in_front(warp, lattice)
    seen = inside.reshape(shape).astype(np.float32)
    rows, cols = np.flatnonzero(seen.any(1)), np.flatnonzero(seen.any(0))
    if seen.sum() < SHOWN_LEAST * WIDTH_MM * HEIGHT_MM * (COARSE_PX / TILE_MM) ** 2:
        return None
    if not _has_room(seen, squares, low):
        return None
    top, left = rows[0], cols[0]
    part = (slice(top, rows[-1] + 1), slice(left, cols[-1] + 1))
    to_photo = to_photo @ np.array([(1.0, 0, left), (0, 1, top), (0, 0, 1)])
    view = _seen_by(grey, to_photo, (cols[-1] + 1 - left, rows[-1] + 1 - top))
    return _Field(view.astype(np.float32), seen[part], to_photo)


def _has_room(seen: Layer, squares: Collection[Square], low: NDArray[np.int64]) -> bool:
    """Whether a sheet may lie beside the tiles: somewhere it is at least `ROOM_LEAST` to the next tile or border."""
    free = np.pad(seen > 0, 1).astype(np.uint8)
    for row, col in squares:
        y, x = ((row, col) - low[::-1]) * COARSE_PX + 1
        free[y : y + COARSE_PX, x : x + COARSE_PX] = 0
    return bool(cv2.distanceTransform(free, cv2.DIST_L2, 3).max() >= ROOM_LEAST * COARSE_PX)


def _seen_by(grey: Halves, to_photo: Floats, size: tuple[int, int]) -> Image:
    """A view of `size` (width, height) whose pixels `project_to_photo` takes to the photo's; shrunk first, lest it
    alias."""
    w, h = size
    about = np.array([(w / 2, h / 2), (w / 2 + 1, h / 2), (w / 2, h / 2 + 1)])
    spot, *beside = apply_homography(to_photo, about)
    scale = float(np.clip(1.5 / np.sqrt(np.abs(np.linalg.det(np.array(beside) - spot)) + 1e-9), 0.02, 1))
    small, scale = grey.sized(scale)
    shrunk = np.array([(scale, 0, (scale - 1) / 2), (0, scale, (scale - 1) / 2), (0, 0, 1)]) @ to_photo
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpPerspective(small, shrunk, size, flags=flags, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def _likely_places(field: _Field) -> Iterator[Floats]:
    """(3, 3) each, the sheet's millimetres to pixels of the field: the places that look most like a score board."""
    found: list[tuple[float, Floats]] = []
    for drawing, mask, place in _likely_ways(field):
        scores = _correlated(field, drawing, mask)
        y, x = np.unravel_index(int(scores.argmax()), scores.shape)
        found.append((float(scores[y, x]), np.array([(1.0, 0, x), (0, 1, y), (0, 0, 1)]) @ place))
    found.sort(key=lambda one: -one[0])
    yield from (place for score, place in found[:LOOKED_AT_MOST] if score >= SEEMING_LEAST)


def _likely_ways(field: _Field) -> list[tuple[Layer, Layer, Floats]]:
    """The sheet's turns that a quick look finds likeliest, in all sizes: light is evened out only once for it."""
    even = _evened(field)
    turns = [turn for turn in range(TURNS) if _has_space(even, _turned(turn, SIZES[0])[0])]
    seeming = [_seeming(even, _turned(turn, SIZES[0])[0]) for turn in turns]
    likely = [turns[i] for i in np.argsort(seeming)[::-1][:TURNS_TRIED]]
    return [_turned(turn, size) for turn, size in product(likely, SIZES)]


def _has_space(picture: Layer, drawing: Layer) -> bool:
    return all(small < large for small, large in zip(drawing.shape, picture.shape, strict=True))


def _seeming(even: Layer, drawing: Layer) -> float:
    return float(cv2.matchTemplate(even, drawing, cv2.TM_CCORR).max() / np.linalg.norm(drawing))


def _evened(field: _Field) -> Layer:
    """What is seen with the mean about each place taken off, over the spread there; 0 where nothing is seen."""
    size = (EVENED_OVER * COARSE_PX,) * 2
    count = np.maximum(cv2.blur(field.seen, size), 1e-3)
    mean = cv2.blur(field.grey * field.seen, size) / count
    spread = cv2.blur((field.grey * field.seen) ** 2, size) / count - mean**2
    return np.asarray((field.grey - mean) * field.seen / np.sqrt(np.maximum(spread, 25.0)), np.float32)


def _correlated(field: _Field, drawing: Layer, mask: Layer) -> Layer:
    """Normalised correlation of what is seen with the drawing (mean 0 within its mask), -1 where too little is seen."""
    seen, grey = field.seen, field.grey * field.seen
    count = cv2.matchTemplate(seen, mask, cv2.TM_CCORR)
    total = cv2.matchTemplate(grey, mask, cv2.TM_CCORR)
    squares = cv2.matchTemplate(grey * grey, mask, cv2.TM_CCORR)
    known = np.maximum(count, 1)
    drawn = cv2.matchTemplate(seen, drawing, cv2.TM_CCORR)
    power = cv2.matchTemplate(seen, drawing * drawing, cv2.TM_CCORR) - drawn**2 / known
    product = cv2.matchTemplate(grey, drawing, cv2.TM_CCORR) - total * drawn / known
    spread = np.maximum(squares - total**2 / known, known)
    scores = product / np.sqrt(spread * np.maximum(power, 1))
    return np.where(count >= SHOWN_LEAST * mask.sum(), scores, -1).astype(np.float32)


@cache
def _turned(turn: int, scale: float) -> tuple[Layer, Layer, Floats]:
    """The drawing turned by so many of TURNS, scaled, mean 0; its mask; and (3, 3) from millimetres to its pixels."""
    plain = draw_score_sheet(COARSE_PX)
    h, w = plain.shape
    angle = 2 * np.pi * turn / TURNS
    c, s = scale * np.cos(angle), scale * np.sin(angle)
    size = int(np.ceil(abs(c) * w + abs(s) * h)), int(np.ceil(abs(s) * w + abs(c) * h))
    shift = np.array([(size[0] - 1) / 2, (size[1] - 1) / 2]) - np.array([(c, -s), (s, c)]) @ ((w - 1) / 2, (h - 1) / 2)
    move = np.array([(c, -s, shift[0]), (s, c, shift[1])])
    mask = np.asarray(cv2.warpAffine(np.ones((h, w), np.float32), move, size), np.float32)
    drawing = np.asarray(cv2.warpAffine(plain.astype(np.float32) - plain.mean(), move, size), np.float32)
    return drawing, mask, np.vstack([move, (0, 0, 1)]) @ _from_mm(COARSE_PX)


def _from_mm(tile_px: int) -> Floats:
    """(3, 3) from millimetres of the sheet to pixels of its drawing."""
    k = tile_px / TILE_MM
    return np.array([(k, 0, -0.5), (0, k, -0.5), (0, 0, 1)])


@cache
def draw_score_sheet(tile_px: int, fine: int = 4) -> Image:
    """The score board as (h, w) grey: pale spaces, every fifth darker, parted by dark lines and the wall."""
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


def _fitted(grey: Halves, rough: Floats) -> ScoreSheet | None:
    """The sheet fitted closely from a rough (3, 3) of its millimetres to photo pixels; None where that fails."""
    drawing = draw_score_sheet(CLOSE_PX)
    to_photo = rough @ np.linalg.inv(_from_mm(CLOSE_PX))
    for motion in (cv2.MOTION_EUCLIDEAN, cv2.MOTION_AFFINE, cv2.MOTION_HOMOGRAPHY):
        view, shown = _close_view(grey, to_photo)
        start = np.eye(3 if motion == cv2.MOTION_HOMOGRAPHY else 2, 3, dtype=np.float32)
        try:
            seeming, move = cv2.findTransformECC(drawing, view, start, motion, FIT_STEPS, shown, FIT_BLUR)
        except cv2.error:  # it does not converge: there is no such sheet here
            return None
        if seeming < FITTING_LEAST:  # looking on is what takes long, and most tables have no score board
            return None
        to_photo = to_photo @ np.vstack([move, (0, 0, 1)])[:3]
    view, shown = _close_view(grey, to_photo)
    if (shown > 0).mean() < SHOWN_LEAST:
        return None
    return ScoreSheet(np.asarray(to_photo @ _from_mm(CLOSE_PX)), _likeness(view, drawing, shown))


def _close_view(grey: Halves, to_photo: Floats) -> tuple[Image, Image]:
    """The sheet from above, and where the photo shows it (255)."""
    h, w = draw_score_sheet(CLOSE_PX).shape
    flags = cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
    shown = cv2.warpPerspective(np.full_like(grey.whole, 255), to_photo, (w, h), flags=flags)
    return _seen_by(grey, to_photo, (w, h)), np.asarray(shown, np.uint8)


def _likeness(view: Image, drawing: Image, shown: Image) -> float:
    """Correlation of two pictures of one size where they are shown."""
    return float(np.corrcoef(view[shown > 0], drawing[shown > 0])[0, 1])


def _is_sure(grey: Halves, sheet: ScoreSheet) -> bool:
    """Whether the sheet lies this way round and has its darker spaces where they belong."""
    view, shown = _close_view(grey, sheet.homography @ np.linalg.inv(_from_mm(CLOSE_PX)))
    turned = np.asarray(np.rot90(draw_score_sheet(CLOSE_PX), 2))
    other_way = _likeness(view, turned, shown)
    return sheet.likeness - other_way >= OTHER_WAY_LESS and _darker_share(view) >= DARKER_LEAST


def _darker_share(view: Image) -> float:
    """Of the darker spaces but 0, how many are darker than those before and after them."""
    soft = cv2.blur(view, (3, 3))
    places = np.array([FIRST_EDITION.middle(space) for space in range(LAP_SPACES)]) * (CLOSE_PX / TILE_MM)
    shade = np.array([float(soft[int(y), int(x)]) for x, y in places])
    fives = np.arange(5, LAP_SPACES, 5)
    around = np.median(np.stack([shade[fives + step] for step in (-2, -1, 1, 2)]), axis=0)
    return float((shade[fives] < around).mean())


def exclude_sheet_squares(lattice: Lattice, sheet: ScoreSheet) -> Lattice:
    """The lattice without the squares whose middle lies on the sheet: no tile lies there."""
    middles = apply_homography(
        np.asarray(np.linalg.inv(sheet.homography)), np.array([q.mean(0) for q in lattice.corners.values()])
    )
    on_sheet = np.all((middles > 0) & (middles < sheet.layout.size), axis=1)
    kept = [square for square, on in zip(lattice.corners, on_sheet, strict=True) if not on]
    corners = {square: lattice.corners[square] for square in kept}
    return Lattice(corners, {square: lattice.support[square] for square in kept}, lattice.homography)


def compute_sheet_corners(sheet: ScoreSheet) -> Floats:
    """(4, 2) photo pixels of the sheet's corners; space 0 of the first edition's lies in the third."""
    return apply_homography(sheet.homography, CORNERS * sheet.layout.size)
