"""A board's photo in the light of its picture: what differs by light alone, or by a reflection, differs no more."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.flat_boards.boards import photographed, printed
from vision.colour.photometric_fit import fit_view_light, relight_view
from vision.colour.reflection import estimate_reflection
from vision.flat_boards.board import normalise_homography
from vision.flat_boards.detector import rectify_enrolled_board
from vision.photo.pyramid import Halves

BOARD = printed(2)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_relighting_removes_differences_of_light(seed: int) -> None:
    shot = photographed(BOARD, seed, 70)
    homography = normalise_homography(shot.homographies[0], np.array(BOARD.size_mm) / 2)
    view, mask = rectify_enrolled_board(Halves(shot.photo), homography, BOARD, 1.0)
    picture = BOARD.at(1.0).astype(float)
    before, after = (np.abs(image - picture).mean() for image in (view, relight_view(view, BOARD.at(1.0), mask)))
    assert after < 0.8 * before
    assert after < 14


def test_objects_on_the_board_still_differ_after_relighting() -> None:
    picture = BOARD.at(1.0)
    view = np.clip(picture * np.array([0.5, 0.7, 0.9]), 0, 255).astype(np.uint8)
    view[100:140, 60:100] = (20, 20, 120)
    lit = relight_view(view, picture, np.full(picture.shape[:2], 255, np.uint8))
    away = np.abs(lit.astype(float) - picture).mean(axis=2)
    away[95:145, 55:105] = np.nan
    assert np.nanmean(away) < 6
    assert np.abs(lit[105:135, 65:95].astype(float) - (40, 29, 133)).mean() < 20


def test_one_piece_has_one_colour_wherever_its_picture_was_lit_differently() -> None:
    rng = np.random.default_rng(7)
    board = np.clip(rng.normal((70, 150, 160), 8, (240, 280, 3)), 0, 255)
    lamp = np.linspace(0.7, 1.3, 240)[:, None, None] ** np.array([1.0, 0.0, -1.0])
    picture = np.clip(board * lamp, 0, 255).astype(np.uint8)
    for top in (30, 180):
        board[top : top + 30, 100:140] = (120, 120, 120)
    view = board.astype(np.uint8)
    light = fit_view_light(view, picture, np.full(picture.shape[:2], 255, np.uint8))
    lit = light.relight(view)
    unlike, alike = (
        np.abs(np.subtract(*(image[top : top + 30, 100:140].mean(axis=(0, 1)) for top in (30, 180)))).max()
        for image in (lit, light.even_colour(lit))
    )
    assert unlike > 30
    assert alike < 10


def test_pieces_over_most_of_a_board_keep_their_colours_if_the_frame_is_bare() -> None:
    """A city of grey roads on a green map: the light that makes them green explains most of the board."""
    rng = np.random.default_rng(5)
    picture = np.full((240, 280, 3), (60, 150, 70), np.uint8)
    picture[:24], picture[-24:], picture[:, :24], picture[:, -24:] = 4 * ((110, 120, 130),)
    picture = np.clip(picture + rng.normal(0, 6, picture.shape), 0, 255).astype(np.uint8)
    board = picture.copy()
    roads = np.zeros(picture.shape[:2], bool)
    for y in range(30, 210, 20):
        for x in range(30, 250, 20):
            kind = rng.choice(["road", "house", "bare"], p=[0.8, 0.1, 0.1])
            roads[y : y + 20, x : x + 20] = kind == "road"
            if kind != "bare":
                tint = (150, 150, 150) if kind == "road" else (160, 205, 225)
                board[y : y + 20, x : x + 20] = np.clip(rng.normal(tint, 8, (20, 20, 3)), 0, 255)
    view = np.clip(board * np.array([0.75, 0.8, 0.95]), 0, 255).astype(np.uint8)
    everywhere, frame = np.full(picture.shape[:2], 255, np.uint8), np.ones(picture.shape[:2], bool)
    frame[24:-24, 24:-24] = False
    means = [relight_view(view, picture, everywhere, bare)[roads].mean(axis=0) for bare in (None, frame)]
    assert np.ptp(means[1]) < 15, "grey stays grey"
    assert np.ptp(means[0]) > 50


PICTURE = BOARD.at(1.0)
SHOWN = np.full(PICTURE.shape[:2], 255, np.uint8)
H, W = PICTURE.shape[:2]


def reflection(strength: float) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    light = np.zeros((H, W), np.float32)
    cv2.ellipse(light, (W // 2, H // 2), (W // 6, H // 8), 0, 0, 360, strength, -1)
    return np.asarray(cv2.GaussianBlur(light, (0, 0), W / 20), np.float32)


@pytest.mark.parametrize("gain", [0.6, 0.9])
def test_a_board_without_a_reflection_has_none(gain: float) -> None:
    view = np.clip(PICTURE * gain, 0, 255).astype(np.uint8)
    assert estimate_reflection(view, PICTURE, SHOWN).mean() < 1


@pytest.mark.parametrize("strength", [50, 110])
def test_the_place_and_strength_of_a_reflection_are_estimated(strength: float) -> None:
    light = reflection(strength)
    view = np.clip(0.6 * PICTURE + light[..., None], 0, 255).astype(np.uint8)
    view[H // 2 - 15 : H // 2 + 15, W // 2 - 15 : W // 2 + 15] = (20, 20, 90)
    estimate = estimate_reflection(view, PICTURE, SHOWN)
    there = light > 0.5 * strength
    assert np.abs(estimate - light)[there].mean() < 0.2 * strength
    assert estimate[light < 1].mean() < 4
