"""A card's outline is one rectangle of a card's size: shadows, prints and blur beside its edge do not move it."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest

from datasets.evaluation.board_owner import draw_owner
from datasets.tower_of_babel.plan import SIZE_MM
from vision.arrays import Floats, Image
from vision.showing.bank_card import fit_card, load_card_weights, measure_board
from vision.showing.quad_sides import CARD_MM, refine_corners
from vision.showing.steps import refine_card

SCALE = 4
"""Pixels per millimetre of the photos drawn here, from straight above."""
FINER = 8
BOARD_PX = SCALE * np.array([(-520.0, -100.0), (-20, -100), (-20, 300), (-520, 300)]) + 400
CARD_PX = SCALE * np.array([(0.0, 0.0), (CARD_MM[1], 0), (CARD_MM[1], CARD_MM[0]), (0, CARD_MM[0])]) + 400
CARD, TABLE = (120.0, 90.0, 60.0), (70.0, 110.0, 160.0)


def draw_card(shadow: float = 0.0, soft_px: float = 4.0, blur: float = 1.2, printed: tuple[int, int] = (0, 0)) -> Image:
    """Draw a card on a table, in a shadow to its right that darkens by a share.

    Along some pixels of its left side, from and to, its edge is printed in the table's colour.
    """
    size = (800, 1000)
    covered = np.zeros((size[1] * FINER, size[0] * FINER), np.float32)
    (left, top), (right, bottom) = np.rint(CARD_PX[[0, 2]] * FINER).astype(int)
    covered[top:bottom, left:right] = 1
    covered[top + printed[0] * FINER : top + printed[1] * FINER, left : left + 2 * FINER] = 0
    cover = cv2.resize(covered, size, interpolation=cv2.INTER_AREA)
    beside = cv2.GaussianBlur(np.roll(cover, round(soft_px / 2), axis=1), (0, 0), soft_px)
    table = np.array(TABLE) * (1 - shadow * beside)[..., None]
    picture = cover[..., None] * np.array(CARD) + (1 - cover[..., None]) * table
    noisy = cv2.GaussianBlur(picture, (0, 0), blur) + np.random.default_rng(1).normal(0, 2, picture.shape)
    return np.asarray(np.clip(noisy, 0, 255), np.uint8)


def measure_misfit(photo: Image) -> float:
    """Return the error of the farthest corner, in pixels, for a card tapped a pixel and a half off its corners."""
    pointed = CARD_PX + np.array([(-1.5, -1.0), (1.5, 1.0), (1.0, 1.5), (-1.0, 1.5)])
    return float(np.abs(fit_card(photo, pointed, BOARD_PX, load_card_weights()) - CARD_PX).max())


@pytest.mark.parametrize("blur", [0.7, 1.2, 2.0], ids=lambda blur: f"blur {blur}")
def test_a_cards_edge_is_found_with_subpixel_accuracy(blur: float) -> None:
    assert measure_misfit(draw_card(blur=blur)) < 0.15


@pytest.mark.parametrize("soft", [2.0, 4.0, 9.0], ids=lambda soft: f"soft {soft}")
def test_a_shadow_beside_a_card_does_not_move_its_edge(soft: float) -> None:
    assert measure_misfit(draw_card(shadow=0.6, soft_px=soft)) < 0.3


def test_a_differently_printed_part_of_a_side_is_outvoted() -> None:
    assert measure_misfit(draw_card(printed=(60, 160))) < 0.3


def test_without_a_visible_edge_the_card_keeps_its_corners() -> None:
    plain = np.full((1000, 800, 3), 120, np.uint8)
    assert (fit_card(plain, CARD_PX, BOARD_PX, load_card_weights()) == CARD_PX).all()


@cache
def measure_size(art: str, number: int) -> tuple[float, float]:
    """Return the error of a board's size by its card, as shares, with the sides refined alone and together."""
    owner = draw_owner(art, 31, number)
    board, size = owner.photo.corners_px, owner.draft.photo_size
    alone = refine_corners(owner.pixels, owner.photo.card_px, None)
    together = np.array(refine_card(owner.pixels, owner.photo.card_px, board))

    def measure(card: Floats) -> float:
        measured = measure_board(board, card, size)
        assert measured is not None
        return float(np.abs(np.array(measured) / SIZE_MM - 1).max())

    return measure(alone), measure(together)


@pytest.mark.parametrize(
    ("art", "number"), [("lacquer", 2), pytest.param("oasis", 0, marks=pytest.mark.soak)], ids=lambda part: str(part)
)
def test_the_size_of_a_board_follows_its_card_even_in_shadow(art: str, number: int) -> None:
    alone, together = measure_size(art, number)
    assert alone > 0.005
    assert together < 0.0025
