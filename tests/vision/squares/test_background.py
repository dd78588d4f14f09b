"""Squares with the table's colours are more likely bare; unknown tiles, in any colours, stay."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets.render.tabletops import KINDS, draw_tabletop
from vision.arrays import Image
from vision.localise.lattice import Lattice
from vision.localise.refinement import compute_square_corners
from vision.photo.pyramid import Halves
from vision.squares.background import BARE_FROM, apply_table_evidence, compute_table_likeness, find_bare_squares
from vision.squares.classifier import TileLogits

SIDE, PX = 9, 30
INNER = [(row, col) for row in range(2, 7) for col in range(2, 7)]
SQUARES = [(row, col) for row in range(1, 8) for col in range(1, 8)]
STRANGE = (1, 4)
GREEN, PURPLE = (60, 170, 110), (150, 40, 120)


def picture(cloth: Image, strange: tuple[int, int, int] = PURPLE) -> Halves:
    """Draw green tiles with roads on a cloth, and a strange tile beside them."""
    image = cv2.resize(cloth, (SIDE * PX, SIDE * PX), interpolation=cv2.INTER_AREA)
    for row, col in (*INNER, STRANGE):
        colour = strange if (row, col) == STRANGE else GREEN
        image[row * PX : (row + 1) * PX, col * PX : (col + 1) * PX] = colour
        image[row * PX + 12 : row * PX + 18, col * PX : (col + 1) * PX] = (235, 235, 235)
    return Halves(np.asarray(image, np.uint8))


def lattice() -> Lattice:
    return Lattice(
        {s: compute_square_corners(s) * PX for s in SQUARES}, dict.fromkeys(SQUARES, 1.0), np.diag([PX, PX, 1.0])
    )


def logits() -> TileLogits:
    """Return the logits of a net that knows the inner tiles and treats everything around them as foreign tiles."""
    chances = np.array([(0.98, 0.01, 0.005, 0.005) if s in INNER else (0.05, 0.05, 0.88, 0.02) for s in SQUARES])
    return TileLogits(np.log(chances), np.full((len(SQUARES), 4, 4), np.log(0.25)))


def red_checks() -> Image:
    checks = np.indices((90, 90)).sum(axis=0) // 5 % 2
    return np.asarray(np.where(checks[..., None], (40, 40, 190), (225, 225, 240)), np.uint8)


def test_cloth_is_bare_table_and_an_unknown_tile_is_not() -> None:
    weighed = apply_table_evidence(logits(), picture(red_checks()), lattice())
    for square, row in zip(SQUARES, weighed.layouts, strict=True):
        assert row.argmax() == (0 if square in INNER else 2 if square == STRANGE else 3)


def test_likeness_ranges_from_tiles_to_table() -> None:
    inner_mask = np.array([square in INNER for square in SQUARES])
    like = compute_table_likeness(picture(red_checks()), lattice(), inner_mask, np.ones(len(SQUARES), bool))
    assert like[inner_mask].max() < 0.2
    assert like[SQUARES.index(STRANGE)] < 0.6
    assert np.delete(like, [*np.flatnonzero(inner_mask), SQUARES.index(STRANGE)]).min() > 0.8


def test_two_tiles_show_which_squares_beside_them_are_bare() -> None:
    """A game that has just begun shows few tiles, and it may be open which tile each is."""
    begun, image = [(4, 4), (4, 5)], picture(red_checks()).whole.copy()
    cloth = cv2.resize(red_checks(), (SIDE * PX, SIDE * PX), interpolation=cv2.INTER_AREA)
    for row, col in {*INNER, STRANGE} - {*begun, (3, 4)}:
        image[row * PX : (row + 1) * PX, col * PX : (col + 1) * PX] = cloth[
            row * PX : (row + 1) * PX, col * PX : (col + 1) * PX
        ]
    there = Lattice({s: lattice().corners[s] for s in begun}, dict.fromkeys(begun, 1.0), np.diag([PX, PX, 1.0]))
    open_logits = TileLogits(np.log([(0.5, 0.48, 0.01, 0.01)] * 2), np.full((2, 4, 4), np.log(0.25)))
    assert find_bare_squares(Halves(image), there, open_logits, {(3, 4), (4, 6), (5, 5)}) == [(4, 6), (5, 5)]


def test_a_table_in_the_colours_of_the_tiles_gives_no_evidence() -> None:
    green = np.full((90, 90, 3), GREEN, np.uint8)
    np.testing.assert_allclose(apply_table_evidence(logits(), picture(green), lattice()).layouts, logits().layouts)


def test_glare_on_a_tile_is_not_taken_for_table_under_glare() -> None:
    """A strange tile lies under the glare that covers the table beside it; its visible part is a tile."""
    cloth = picture(red_checks())
    image = cloth.whole.copy()
    image[: 2 * PX, 3 * PX : 6 * PX] = 255
    image[PX + 20 : 2 * PX, 4 * PX : 5 * PX] = PURPLE
    inner_mask = np.array([square in INNER for square in SQUARES])
    like = compute_table_likeness(Halves(image), lattice(), inner_mask, ~inner_mask)
    outer_squares = [square for square in SQUARES if square not in INNER]
    assert like[outer_squares.index(STRANGE)] < BARE_FROM
    assert like[outer_squares.index((1, 1))] > 0.8


@pytest.mark.parametrize("cloth", [(240, 60, 60), (60, 60, 240), (240, 60, 240), (60, 240, 240)], ids=str)
def test_a_bright_colour_is_not_taken_for_glare(cloth: tuple[int, int, int]) -> None:
    inner_mask = np.array([square in INNER for square in SQUARES])
    like = compute_table_likeness(picture(np.full((90, 90, 3), cloth, np.uint8)), lattice(), inner_mask, ~inner_mask)
    outer_squares = [square for square in SQUARES if square not in INNER]
    assert like[outer_squares.index((1, 1))] > 0.8


@pytest.mark.parametrize(("around", "bare"), [(1, False), (4, True)])
def test_a_deceptive_cloth_is_recognised_by_weaker_evidence(around: int, bare: bool) -> None:
    """A square has the cloth's colours on two thirds of it, and those of tiles on the rest."""
    side = 5 + 2 * around
    inner = [(row, col) for row in range(around, around + 5) for col in range(around, around + 5)]
    squares = [(row, col) for row in range(side) for col in range(side)]
    cloth = cv2.resize(red_checks(), (9 * PX, 9 * PX), interpolation=cv2.INTER_NEAREST)
    image = np.tile(np.asarray(cloth, np.uint8), (2, 2, 1))[: side * PX + 4 * PX, : side * PX + 4 * PX].copy()
    for row, col in inner:
        image[(row + 2) * PX : (row + 3) * PX, (col + 2) * PX : (col + 3) * PX] = GREEN
    mixed = (0, side // 2)
    image[2 * PX : 3 * PX, (mixed[1] + 2) * PX : (mixed[1] + 2) * PX + PX // 3] = GREEN
    quads = {square: (compute_square_corners(square) + 2) * PX for square in squares}
    table = Lattice(quads, dict.fromkeys(squares, 1.0), np.diag([PX, PX, 1.0]))
    chances = np.array([(0.98, 0.01, 0.005, 0.005) if s in inner else (0.05, 0.05, 0.88, 0.02) for s in squares])
    logits = TileLogits(np.log(chances), np.full((len(squares), 4, 4), np.log(0.25)))
    weighed = apply_table_evidence(logits, Halves(image), table).layouts
    assert weighed[squares.index(mixed)].argmax() == (3 if bare else 2)
    assert all(weighed[squares.index(s)].argmax() == (0 if s in inner else 3) for s in squares if s != mixed)


def test_without_known_tiles_there_is_no_table_evidence() -> None:
    unsure = TileLogits(np.full((len(SQUARES), 4), np.log(0.25)), logits().edges)
    weighed = apply_table_evidence(unsure, picture(red_checks()), lattice())
    np.testing.assert_allclose(weighed.layouts, unsure.layouts)


@settings(max_examples=15, deadline=None)
@given(st.sampled_from(KINDS), st.integers(0, 99), st.tuples(*[st.integers(0, 255)] * 3))
def test_no_square_becomes_less_likely_bare_and_probabilities_sum_to_one(
    kind: str, seed: int, strange: tuple[int, int, int]
) -> None:
    cloth = draw_tabletop(kind, np.random.default_rng(seed), 192)
    weighed = apply_table_evidence(logits(), picture(cloth, strange), lattice()).layouts
    np.testing.assert_allclose(np.exp(weighed).sum(axis=1), 1.0)
    assert (weighed[:, -1] >= logits().layouts[:, -1] - 1e-9).all()
    np.testing.assert_allclose(np.diff(weighed[:, :3]), np.diff(logits().layouts[:, :3]), atol=1e-9)
