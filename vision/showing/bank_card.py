"""A bank card beside a board: its position in a photo, and the board's size derived from it.

All bank cards have the same size (ISO/IEC 7810, ID-1).

A card's outline is one rectangle of a card's size, in the plane of the board beside it (`fit_card`). Each point of a
side measures the transition from card to table, through a blur common to all points. A shadow darkens the table along
the table's own colour and keeps its hue, so the model allows brightness to bend but not hue. The outline is the
consensus of the points on all four sides: a side misled by a shadow or a print is outvoted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations

import cv2
import numpy as np

from scoring.calibration import load_weights
from vision.arrays import Floats, Image
from vision.flat_boards.board import normalise_homography, project_points
from vision.flat_boards.card_corners import fit_four_corners
from vision.geometry.camera import estimate_camera
from vision.photo.crops import CORNERS, shrink_image
from vision.showing.outlines import load_shape_rules, measure_edges
from vision.showing.quad_sides import CARD_MM, SIDE_SHARES, STEP_PX

CARD_BELOW_MM = 1.2
"""Height of the board's print above that of a card beside it: the board is 2 mm thick, the card 0.76. Geometry of the
pieces."""
WINDOW_SHARE, SEARCH_PX = 0.13, 700
"""Search window around the place as a share of the photo's longer side, and the size in pixels to which it is scaled. A
guess."""
EDGE_QUANTILES = (0.6, 0.7, 0.78, 0.84, 0.88, 0.91, 0.94, 0.96)
"""Quantiles of the edge strength in the window that serve as thresholds. A guess."""
MIN_AREA_SHARE = 0.002
"""Minimum area of a card relative to the squared longer side of the photo. A guess."""


def find_card(photo: Image, at: tuple[float, float]) -> Floats | None:
    """Find the (4, 2) corners of the card around a place in a photo (h, w, 3); None if no card is visible there."""
    reach = WINDOW_SHARE * max(photo.shape[:2])
    low = np.maximum(np.array(at) - reach, 0).astype(int)
    high = np.minimum(np.array(at) + reach, photo.shape[1::-1]).astype(int)
    if (high <= low).any():
        return None
    window = photo[low[1] : high[1], low[0] : high[0]]
    small, scale = shrink_image(window, min(1.0, SEARCH_PX / max(window.shape[:2])))
    strength = measure_edges(np.asarray(cv2.bilateralFilter(small, 7, 30, 5), np.uint8))
    middle = (np.array(at) - low) * scale
    longer = SEARCH_PX / (2 * WINDOW_SHARE) if scale < 1 else max(photo.shape[:2])
    cards = [
        card
        for least in np.quantile(strength, EDGE_QUANTILES)
        for card in _list_cards(np.asarray(strength > least, np.uint8), middle, longer**2)
    ]
    best = max(cards, key=lambda card: card[0], default=None)
    return None if best is None else best[1] / scale + low


def _list_cards(edges: Image, middle: Floats, photo_area: float) -> Iterator[tuple[float, Floats]]:
    """Yield outlines of a card's shape around a place, each with its score."""
    rules = load_shape_rules("card")
    contours, _ = cv2.findContours(cv2.dilate(edges, np.ones((3, 3), np.uint8)), cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    for contour in contours:
        hull = cv2.convexHull(contour)
        area = cv2.contourArea(hull)
        if area <= MIN_AREA_SHARE * photo_area:
            continue
        if cv2.pointPolygonTest(hull, (float(middle[0]), float(middle[1])), False) < 0:
            continue
        corners = fit_four_corners(hull)
        if corners is None:
            continue
        sides = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1)
        long, short = sorted((sides[0] + sides[2], sides[1] + sides[3]), reverse=True)
        misfit = abs(np.log(long / short) - np.log(CARD_MM[0] / CARD_MM[1]))
        filled = area / max(cv2.contourArea(corners.astype(np.float32)), 1.0)
        uneven = max(abs(np.log(sides[0] / sides[2])), abs(np.log(sides[1] / sides[3])))
        if max(misfit, uneven) < rules["misfit"] and rules["filled"] < filled < 1 / rules["filled"]:
            yield float(filled - misfit - uneven), corners + 0.5


def measure_board(corners_px: Floats, card_px: Floats, photo_size: tuple[int, int]) -> tuple[float, float] | None:
    """Measure a board's width and height in millimetres; None if `card_px` is no card's outline.

    `corners_px` are the board's corners NW, NE, SE, SW, `card_px` (4, 2) those of the card in their order around it.
    """
    sides = np.linalg.norm(card_px - np.roll(card_px, -1, axis=0), axis=1)
    lies_long = sides[0] + sides[2] >= sides[1] + sides[3]
    true = CORNERS * (CARD_MM if lies_long else CARD_MM[::-1])
    to_unit = cv2.getPerspectiveTransform(corners_px.astype(np.float32), CORNERS.astype(np.float32))
    to_unit = normalise_homography(np.asarray(to_unit, np.float64), corners_px.mean(axis=0))
    scale = measure_scale(project_points(to_unit, card_px), true)
    if scale is None:
        return None
    to_px = cv2.getPerspectiveTransform((CORNERS * scale).astype(np.float32), corners_px.astype(np.float32))
    camera_height = float(estimate_camera(np.asarray(to_px, np.float64), photo_size)[2])
    share = 1 - CARD_BELOW_MM / camera_height
    return share * float(scale[0]), share * float(scale[1])


def measure_scale(shares: Floats, true: Floats) -> Floats | None:
    """Measure the stretch (2,) of two axes under which (4, 2) corners have their true distances; None if there is
    none."""
    if not np.isfinite(shares).all():
        return None
    pairs = list(combinations(range(4), 2))
    spans = np.array([(shares[i] - shares[j]) ** 2 for i, j in pairs])
    lengths = np.array([float(((true[i] - true[j]) ** 2).sum()) for i, j in pairs])
    squares = np.linalg.lstsq(spans / lengths[:, None], np.ones(len(pairs)), rcond=None)[0]
    return None if (squares <= 0).any() else np.asarray(np.sqrt(squares))


REACH_PX = 3.0
"""Search range of an edge on either side of a side's position. Twice as far again, both sides of it are modelled. A
guess."""
SIDE_POINTS = 30
"""Number of points along a side. Bounds time."""
BLURS_PX = np.geomspace(0.6, 2.5, 8)
"""Blurs of a photo that are tried. A guess."""
TABLE_POINTS = round(REACH_PX / STEP_PX)
"""Number of points at the outer end of a profile that define the table's colour."""
BRIGHTNESS_BENDS, HUE_BENDS = (1, 2), (1, 1)
"""Polynomial degrees of brightness on card and table, and the same for hue. A guess."""
NOISE = 1.0
"""Minimum noise of a profile, in squared levels. A guess."""
ROUNDS = 2
"""Number of rounds of fitting. Bounds time."""


@dataclass(frozen=True, slots=True)
class CardWeights:
    """Weights of a card's points, fitted by `python -m models.calibration.boards`.

    `miss_px` is the scale of their distances from the outline. Both directions should be equally blurred: a difference
    costs `uneven` nats per value and unit of log ratio.
    """

    miss_px: float
    uneven: float


@cache
def load_card_weights() -> CardWeights:
    """Load the weights; raises ScoringError as `load_weights` does."""
    row = load_weights("boards", "cards")["card"]
    return CardWeights(float(row["miss_px"]), float(row["uneven"]))


@dataclass(frozen=True, slots=True, eq=False)
class _Plane:
    """A card in the plane of a board: `true` (4, 2) are its corners in millimetres, and `to_px` (3, 3) maps shares of
    the board's width and height to pixels."""

    true: Floats
    to_px: Floats

    def place(self, lie: Floats) -> Floats:
        """Return the (4, 2) corners in pixels of a card for the parameters `lie` (5,): the board's width and height in
        millimetres, the card's centre, and its rotation."""
        width, height, x, y, angle = lie
        turn = np.array([(np.cos(angle), np.sin(angle)), (-np.sin(angle), np.cos(angle))])
        places = (self.true - self.true.mean(axis=0)) @ turn + (x, y)
        return project_points(self.to_px, places / (width, height))

    def guess(self, card_px: Floats) -> Floats | None:
        """Return the parameters (5,) of the card closest to such corners (4, 2); None if no card has them."""
        shares = project_points(np.asarray(np.linalg.inv(self.to_px)), card_px)
        size = measure_scale(shares, self.true)
        if size is None:
            return None
        places, off = shares * size, self.true - self.true.mean(axis=0)
        middle = places.mean(axis=0)
        along = places - middle
        angle = np.arctan2((off[:, 0] * along[:, 1] - off[:, 1] * along[:, 0]).sum(), (off * along).sum())
        return np.array([*size, *middle, angle])


def fit_card(photo: Image, card_px: Floats, corners_px: Floats, weights: CardWeights) -> Floats:
    """Fit the corners (4, 2) of a card to a photo (h, w, 3), starting nearby, beside a board given by its own (4, 2).

    The corners are extrapolated from the rounded ones. An outline that is no card's is returned unchanged.
    """
    sides = np.linalg.norm(card_px - np.roll(card_px, -1, axis=0), axis=1)
    lies_long = sides[0] + sides[2] >= sides[1] + sides[3]
    to_unit = cv2.getPerspectiveTransform(corners_px.astype(np.float32), CORNERS.astype(np.float32))
    to_unit = normalise_homography(np.asarray(to_unit, np.float64), corners_px.mean(axis=0))
    plane = _Plane(CORNERS * (CARD_MM if lies_long else CARD_MM[::-1]), np.asarray(np.linalg.inv(to_unit)))
    fitted = card_px
    for _ in range(ROUNDS):
        moved = _move_outline(photo, fitted, plane, weights)
        if moved is None or np.linalg.norm(moved - fitted, axis=1).max() > 4 * REACH_PX:
            return card_px
        fitted = moved
    return fitted


def _move_outline(photo: Image, card_px: Floats, plane: _Plane, weights: CardWeights) -> Floats | None:
    """Return the outline that fits the edges near the current one; None if that is no card's, or no edge is visible."""
    from scipy.optimize import least_squares

    lie = plane.guess(card_px)
    if lie is None:
        return None
    ways = np.roll(card_px, -1, axis=0) - card_px
    lengths = np.linalg.norm(ways, axis=1)
    outs = np.column_stack([ways[:, 1], -ways[:, 0]]) / np.maximum(lengths, 1e-9)[:, None]
    shares = np.linspace(*SIDE_SHARES, SIDE_POINTS)
    points = card_px[:, None] + shares[:, None] * ways[:, None]
    edges, clearness = _find_edges(_take_profiles(photo, points, ways, outs), weights)
    if not clearness.any():
        return None
    units = _measure_units(plane, lie)

    def measure_misses(steps: Floats) -> Floats:
        corners = plane.place(lie + steps * units)
        along = np.roll(corners, -1, axis=0) - corners
        normals = np.column_stack([along[:, 1], -along[:, 0]]) / np.linalg.norm(along, axis=1)[:, None]
        gaps = ((corners[:, None] - points) * normals[:, None]).sum(axis=2)
        offsets = gaps / (normals * outs).sum(axis=1)[:, None]
        return np.asarray((np.sqrt(clearness) * (offsets - edges)).ravel())

    if not np.isfinite(measure_misses(np.zeros(len(lie)))).all():
        return None
    found = least_squares(measure_misses, np.zeros(len(lie)), loss="cauchy", f_scale=weights.miss_px)
    moved = plane.place(lie + found.x * units)
    return moved if np.isfinite(moved).all() else None


def _measure_units(plane: _Plane, lie: Floats) -> Floats:
    """Return the steps (5,) of the parameters that move a corner by about one pixel."""
    steps = 1e-4 * np.maximum(np.abs(lie), 1.0)
    at = plane.place(lie)
    moves = [
        np.linalg.norm(plane.place(lie + step * (np.arange(len(lie)) == i)) - at, axis=1).max()
        for i, step in enumerate(steps)
    ]
    return np.asarray(steps / np.maximum(moves, 1e-9))


def _take_profiles(photo: Image, points: Floats, ways: Floats, outs: Floats) -> Floats:
    """Return the colours (4, points, offsets, 3) across each side, from the inside outwards, averaged along its
    parts."""
    part = (SIDE_SHARES[1] - SIDE_SHARES[0]) / SIDE_POINTS
    count = max(3, round(part * float(np.linalg.norm(ways, axis=1).max())))
    aside = (np.arange(count) - (count - 1) / 2) / count * part
    offsets = _list_offsets()
    starts = points[:, :, None] + aside[:, None] * ways[:, None, None]
    places = starts[:, :, :, None] + offsets[:, None] * outs[:, None, None, None]
    maps = (places.reshape(-1, len(offsets), 2) - 0.5).astype(np.float32)
    colours = cv2.remap(photo, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(colours.reshape(4, SIDE_POINTS, count, len(offsets), 3).mean(axis=2, dtype=np.float64))


def _list_offsets() -> Floats:
    reach = 3 * REACH_PX
    return np.arange(-reach, reach + STEP_PX / 2, STEP_PX)


def _find_edges(profiles: Floats, weights: CardWeights) -> tuple[Floats, Floats]:
    """Return each point's edge offset outwards (4, points) in pixels and its clearness, 0 if no edge is visible."""
    place_px = STEP_PX / 2
    places = np.arange(-REACH_PX, REACH_PX + place_px / 2, place_px)
    misfits = np.stack([_measure_misfits(profiles, places, blur) for blur in BLURS_PX])
    least = misfits.min(axis=3).sum(axis=2)
    uneven = np.abs(np.log(BLURS_PX)[:, None] - np.log(BLURS_PX))
    totals = (least[:, 0] + least[:, 2])[:, None] + least[:, 1] + least[:, 3]
    blurs = np.unravel_index((totals + weights.uneven * SIDE_POINTS * uneven).argmin(), totals.shape)
    chosen = np.stack([misfits[blurs[side % 2], side] for side in range(4)])
    lowest = chosen.argmin(axis=2)
    inner = np.clip(lowest, 1, len(places) - 2)
    before, at, after = (np.take_along_axis(chosen, inner[..., None] + step, axis=2)[..., 0] for step in (-1, 0, 1))
    fraction = (before - after) / np.maximum(2 * (before + after - 2 * at), 1e-9)
    clearness = np.where(lowest == inner, np.maximum(np.median(chosen, axis=2) - at, 0), 0)
    return places[inner] + place_px * np.clip(fraction, -0.5, 0.5), clearness


def _measure_misfits(profiles: Floats, places: Floats, blur: float) -> Floats:
    """Return the misfit (4, points, places) of profiles to an edge at each place: the log of the unexplained
    variance."""
    from scipy.special import ndtr

    turned = np.einsum("ijoc,ijcd->oijd", profiles, _build_colour_axes(profiles))
    offsets, misfits = _list_offsets(), np.empty((*profiles.shape[:2], len(places)))
    for number, place in enumerate(places):
        out = offsets - place
        table = ndtr(out / blur)
        left = np.zeros(profiles.shape[:2])
        for bends, values in ((BRIGHTNESS_BENDS, turned[..., :1]), (HUE_BENDS, turned[..., 1:])):
            within, outside = (
                [share * out**power for power in range(bend + 1)]
                for share, bend in zip((1 - table, table), bends, strict=True)
            )
            basis = np.linalg.qr(np.array([*within, *outside]).T)[0]
            explained = np.tensordot(basis.T, values, axes=1)
            left += (values**2).sum(axis=(0, 3)) - (explained**2).sum(axis=(0, 3))
        misfits[..., number] = np.log(np.maximum(left, 0) / (3 * len(offsets)) + NOISE)
    return misfits


def _build_colour_axes(profiles: Floats) -> Floats:
    """Return colour axes (4, points, 3, 3) in columns: the table's colour, along which a shadow darkens it, and two
    across it."""
    table = profiles[:, :, -TABLE_POINTS:].mean(axis=2)
    first = table / np.maximum(np.linalg.norm(table, axis=2, keepdims=True), 1e-6)
    least = np.eye(3)[np.abs(first).argmin(axis=2)]
    second = least - (least * first).sum(axis=2, keepdims=True) * first
    second = second / np.linalg.norm(second, axis=2, keepdims=True)
    return np.stack([first, second, np.cross(first, second)], axis=3)
