"""The body of a piece in its picture: its paint, and its difference from the print behind it."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.colour.appearance import measure_paints, measure_print_difference
from vision.pieces.crops import (
    BEYOND_TILES,
    POSE_HEIGHTS_TILES,
    STAND_CHANNELS,
    STAND_PX,
    STAND_TILE_PX,
    extract_bodies,
)

LEAN = 0.6


def drawn(foot_x: float, colour: tuple[int, int, int], trusted: bool) -> NDArray[np.uint8]:
    """Draw a standing piece in front of a green field."""
    picture = np.zeros((STAND_PX, STAND_PX, STAND_CHANNELS), np.uint8)
    picture[..., :3] = picture[..., 3:6] = (60, 160, 70)
    foot_y = int(BEYOND_TILES * STAND_TILE_PX)
    picture[foot_y - 28 : foot_y, int(foot_x) - 9 : int(foot_x) + 9, :3] = colour
    picture[..., 6] = 255 * trusted
    return picture


@pytest.mark.parametrize("aside", [-0.2, 0.0, 0.2])
@pytest.mark.parametrize("trusted", [True, False])
def test_paint_is_measured_on_the_piece_at_the_foot(aside: float, trusted: bool) -> None:
    red = drawn(STAND_PX / 2 + aside * STAND_TILE_PX, (30, 30, 200), trusted)
    lightness, a, b = measure_paints(
        extract_bodies(
            red[None], np.array([LEAN]), np.array([(aside, 0.0)]), np.array([POSE_HEIGHTS_TILES["standing"]])
        )
    )[0]
    assert (lightness, a, b) == pytest.approx((43, 63, 45), abs=3)


def test_paint_of_a_disc_excludes_the_ground_behind_it() -> None:
    """A disc lies about the centre that it is found at; a meeple rises from its foot."""
    disc = drawn(0, (60, 160, 70), trusted=False)
    rows, cols = np.ogrid[:STAND_PX, :STAND_PX]
    radius = np.hypot(rows - BEYOND_TILES * STAND_TILE_PX, cols - STAND_PX / 2)
    disc[radius < 0.15 * STAND_TILE_PX, :3] = (30, 30, 200)
    high = np.array([POSE_HEIGHTS_TILES["disc"], POSE_HEIGHTS_TILES["standing"]])
    lying, standing = measure_paints(
        extract_bodies(np.array([disc, disc]), np.full(2, 2 * LEAN), np.zeros((2, 2)), high)
    )
    assert lying == pytest.approx((43, 63, 45), abs=3)
    assert standing[1] < 0


@pytest.mark.parametrize(("pose", "lean"), [("standing", 0.3), ("standing", 0.6), ("standing", 1.2), ("lying", 0.6)])
def test_paint_is_measured_only_up_to_the_height_of_a_piece(pose: str, lean: float) -> None:
    """Behind it lies a cloth of unknown colour."""
    picture = drawn(STAND_PX / 2, (60, 160, 70), trusted=False)
    foot = int(BEYOND_TILES * STAND_TILE_PX)
    top = foot - round((lean * POSE_HEIGHTS_TILES[pose] + 0.06) * STAND_TILE_PX)
    picture[max(top, 0) : foot + 6, STAND_PX // 2 - 11 : STAND_PX // 2 + 11, :3] = (30, 30, 200)
    (paint,) = measure_paints(
        extract_bodies(picture[None], np.array([lean]), np.zeros((1, 2)), np.array([POSE_HEIGHTS_TILES[pose]]))
    )
    assert paint == pytest.approx((43, 63, 45), abs=3)


def test_paint_is_measured_on_the_lit_side_of_a_piece() -> None:
    blue = drawn(STAND_PX / 2, (150, 60, 30), trusted=False)
    black = drawn(STAND_PX / 2, (40, 38, 36), trusted=False)
    foot, width = int(BEYOND_TILES * STAND_TILE_PX), slice(STAND_PX // 2 - 11, STAND_PX // 2 + 11)
    middle = foot - round(LEAN * POSE_HEIGHTS_TILES["standing"] / 2 * STAND_TILE_PX)
    blue[middle + 2 : foot + 6, width, :3] = (36, 30, 26)  # the face below its back, in its own shade
    lit, dark = measure_paints(
        extract_bodies(
            np.array([blue, black]), np.full(2, LEAN), np.zeros((2, 2)), np.full(2, POSE_HEIGHTS_TILES["standing"])
        )
    )
    assert lit[2] < -30
    assert dark[2] > -8


def test_a_printed_roof_is_distinguished_from_a_piece() -> None:
    red = drawn(STAND_PX / 2, (30, 30, 200), trusted=True)
    roof = red.copy()
    roof[..., 3:6] = red[..., :3]
    unknown = drawn(STAND_PX / 2, (30, 30, 200), trusted=False)
    away = measure_print_difference(
        extract_bodies(
            np.array([red, roof, unknown]),
            np.full(3, LEAN),
            np.zeros((3, 2)),
            np.full(3, POSE_HEIGHTS_TILES["standing"]),
        )
    )
    assert away[0] > 50
    assert away[1] == 0
    assert np.isnan(away[2])


def test_without_pieces_nothing_is_measured() -> None:
    nothing = np.zeros((0, STAND_PX, STAND_PX, STAND_CHANNELS), np.uint8)
    none = extract_bodies(nothing, np.zeros(0), np.zeros((0, 2)), np.zeros(0))
    assert measure_paints(none).shape == (0, 3)
    assert measure_print_difference(none).shape == (0,)
