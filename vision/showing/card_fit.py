"""Fitting of a bank card's outline to a photo: one rectangle of a card's size, in the plane of the board beside it.

Each point of a side measures the transition from card to table, through a blur common to all points. A shadow darkens
the table along the table's own colour and keeps its hue, so the model allows brightness to bend but not hue. The
outline is the consensus of the points on all four sides: a side misled by a shadow or a print is outvoted.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from scoring.calibration import load_weights
from vision.arrays import Floats, Image
from vision.flat_boards.board import normalise_homography, project_points
from vision.photo.crops import CORNERS
from vision.showing.bank_card import CARD_MM, measure_scale
from vision.showing.quad_sides import STEP_PX

REACH_PX, WINDOW_PX = 3.0, 6.0
"""Search range of an edge on either side of a side's position, and the further range used to model both sides of it. A
guess."""
SIDE_POINTS = 30
"""Number of points along a side. Bounds time."""
SIDE_SHARES = (0.09, 0.91)
"""Range of shares of a side that they cover, since a card's corners are round. A guess."""
BLURS_PX = np.geomspace(0.6, 2.5, 8)
"""Blurs of a photo that are tried. A guess."""
TABLE_POINTS = 6
"""Number of points at the outer end of a profile that define the table's colour. A guess."""
BRIGHTNESS_BENDS, HUE_BENDS = (1, 2), (1, 1)
"""Polynomial degrees of brightness on card and table, and the same for hue. A guess."""
NOISE = 1.0
"""Minimum noise of a profile, in squared levels. A guess."""
MAX_CLEARNESS = 3.0
"""Maximum weight of a point: the clearness of its edge compared with the median position, in nats per value. A
guess."""
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
    reach = REACH_PX + WINDOW_PX
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
    clearness = np.where(lowest == inner, np.clip(np.median(chosen, axis=2) - at, 0, MAX_CLEARNESS), 0)
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
