"""After a failed view, certain table is painted over, and the tiles on it stay."""

from __future__ import annotations

import numpy as np

from vision.localise.lattice import Lattice
from vision.localise.search import find_table_squares, paint_over_squares
from vision.photo.pyramid import Halves

UNIT = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], float)
SQUARES = {(0, 0): 40 * UNIT, (0, 1): 40 * UNIT + (40, 0), (1, 0): 40 * UNIT + (0, 40)}
LATTICE = Lattice(SQUARES, dict.fromkeys(SQUARES, 1.0), np.eye(3))


def test_squares_that_surely_show_no_tile_are_table() -> None:
    none = np.array([0.99, 0.6, 0.96])
    layouts = np.log(np.stack([1 - none, none], axis=1))
    np.testing.assert_array_equal(find_table_squares(layouts, LATTICE), [SQUARES[0, 0], SQUARES[1, 0]])


def test_what_is_painted_over_has_one_colour_and_the_rest_stays() -> None:
    rng = np.random.default_rng(3)
    picture = rng.integers(0, 200, (120, 120, 3), np.uint8)
    before = picture.copy()
    photo = Halves(picture)
    painted = paint_over_squares(photo, np.array([SQUARES[0, 1], SQUARES[1, 0]])).whole
    np.testing.assert_array_equal(photo.whole, before)
    changed = (painted != before).any(axis=2)
    assert len(np.unique(painted[changed], axis=0)) == 1
    assert changed[2:36, 45:80].all(axis=1).mean() > 0.9
    assert not changed[90:].any()
    assert not changed[4:34, 4:34].any()
    assert painted.shape == before.shape


def test_of_squares_beyond_the_photo_nothing_is_painted() -> None:
    picture = np.full((50, 50, 3), 9, np.uint8)
    np.testing.assert_array_equal(paint_over_squares(Halves(picture), np.array([40 * UNIT + 500])).whole, picture)
