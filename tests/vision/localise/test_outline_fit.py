"""Five squares are fitted to a region of a picture, and aligned with its edges."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from scoring.carcassonne.wonders.shapes import list_outlines, move_squares
from vision.arrays import Flags, Floats, Image
from vision.geometry.camera import compute_view_misfit
from vision.localise.outline_fit import (
    Outline,
    fit_to_edges,
    fit_to_region,
    list_begun_fits,
    list_corner_fits,
    list_outline_points,
    measure_common_area,
    measure_support,
    project_squares,
)

SIZE = (400, 300)
VIEWS = {"above": (0.0, 0.4), "oblique": (0.9, -0.5), "turned": (0.5, 2.6)}
"""Tilt and turn of each view, in radians."""


def view(tilt: float, turn: float) -> Floats:
    """Return the homography from tiles to pixels of a camera that looks at (1.5, 1.5)."""
    c, s = np.cos(turn), np.sin(turn)
    east, south = np.array([c, s * np.cos(tilt), s * np.sin(tilt)]), np.array([-s, c * np.cos(tilt), c * np.sin(tilt)])
    focal = 0.9 * max(SIZE)
    camera = np.array([[focal, 0, SIZE[0] / 2], [0, focal, SIZE[1] / 2], [0, 0, 1]])
    place = np.array([0, 0, 9.0]) - 1.5 * (east + south)
    return np.asarray(camera @ np.column_stack([east, south, place]))


def draw(outline: Outline, homography: Floats) -> tuple[Flags, Image]:
    """Return the region of an outline, and a picture of it on a table."""
    mask = np.zeros(SIZE[::-1], np.uint8)
    for quad in project_squares(homography, outline):
        cv2.fillConvexPoly(mask, np.round(quad * 16).astype(np.int32), 1, cv2.LINE_8, 4)
    image = np.where(mask[..., None] > 0, np.uint8(190), np.uint8(70)) + np.zeros((*mask.shape, 3), np.uint8)
    return np.asarray(mask > 0), np.asarray(cv2.GaussianBlur(image, (0, 0), 1.0), np.uint8)


def list_letters() -> dict[str, Outline]:
    return {letter: outline for outline, letter in list_outlines().items()}


def measure_offset(homography: Floats, outline: Outline, true_homography: Floats, true: Outline) -> float:
    """Return the distance of the squares from the true ones, in pixels."""
    quads, true_quads = project_squares(homography, outline), project_squares(true_homography, true)
    return max(
        min(float(np.abs(np.roll(quad, k, axis=0) - other).max()) for quad in quads for k in range(4))
        for other in true_quads
    )


@pytest.mark.parametrize("way", VIEWS)
@pytest.mark.parametrize("letter", sorted(list_letters()))
def test_an_outline_is_fitted_to_its_region_and_aligned_with_its_edges(letter: str, way: str) -> None:
    true = list_letters()[letter]
    homography = view(*VIEWS[way])
    region, image = draw(true, homography)
    begun = [(shape, place) for shape, place, share in list_begun_fits(region, [true]) if share > 0.6]
    fits = []
    for shape, place in [*begun, *list_corner_fits(region, [true])]:
        fitted = fit_to_region(place, shape, region)
        fits.append((measure_common_area(fitted, shape, region), shape, fitted))
    share, shape, fitted = max(fits, key=lambda fit: fit[0])
    assert share > 0.95
    assert measure_offset(fitted, shape, homography, true) < 3
    pixels = np.asarray(image, np.float32)
    exact = fit_to_edges(fitted, shape, pixels, (0.12, 0.07))
    assert measure_offset(exact, shape, homography, true) < 2.5
    assert measure_support(exact, shape, pixels) > 0.9
    assert compute_view_misfit(exact, SIZE) < 0.01


@pytest.mark.parametrize("turns", range(4))
def test_an_outline_is_returned_upright(turns: int) -> None:
    """For any requested turn, north is up in the picture."""
    lying = tuple(sorted(move_squares(list_letters()["P"], turns)))
    homography = view(0.2, 0.1)
    region, _ = draw(lying, homography)
    for asked in range(4):
        outline = tuple(sorted(move_squares(lying, asked)))
        ((shape, place, _),) = list_begun_fits(region, [outline])
        assert shape == lying
        assert np.abs(project_squares(place, shape) - project_squares(homography, lying)).max() < 12
        corner_fits = list(list_corner_fits(region, [outline]))
        assert corner_fits
        assert all(shape == lying for shape, _ in corner_fits)


def test_another_outline_has_less_overlap_and_support() -> None:
    true, other = list_letters()["V"], list_letters()["T"]
    region, image = draw(true, view(0.3, 0.2))
    ((shape, place, _),) = list_begun_fits(region, [other])
    fitted = fit_to_region(place, shape, region)
    assert measure_common_area(fitted, shape, region) < 0.85
    assert measure_support(fitted, shape, np.asarray(image, np.float32)) < 0.7
    assert not list(list_corner_fits(region, [other]))


def test_sample_points_lie_only_on_outer_edges() -> None:
    points = list_outline_points(((0, 0), (0, 1), (0, 2), (0, 3), (0, 4)))
    assert len(points.at) == 12 * 10
    outside = points.at + 0.01 * points.outward
    assert (((outside < 0) | (outside > (5, 1))).any(axis=1)).all()
