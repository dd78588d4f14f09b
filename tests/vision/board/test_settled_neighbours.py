"""A settled neighbour is evidence for the tiles of a square, beyond what was read of it before."""

from __future__ import annotations

from math import exp

import pytest

from scoring.carcassonne.board.board import Placement
from vision.board.legal.problem import EDGE_COST
from vision.board.settled_neighbours import SettledNeighbour, reweigh_tiles

CITY_WEST, FIELD_WEST = Placement("E", 3), Placement("E", 2)
CITY_EAST, FIELD_EAST = Placement("E", 1), Placement("E", 2)


def test_a_tile_gains_by_the_ratio_of_its_fit_to_what_was_expected() -> None:
    misfit = exp(-EDGE_COST)
    neighbour = SettledNeighbour("W", CITY_EAST, ((CITY_EAST, 0.6), (FIELD_EAST, 0.4)))
    city = 0.6 / (0.6 + 0.4 * misfit)
    field = 0.4 * misfit / (0.4 + 0.6 * misfit)
    shares = reweigh_tiles([(CITY_WEST, 0.6), (FIELD_WEST, 0.4)], [neighbour])
    assert shares == pytest.approx([city / (city + field), field / (city + field)])


def test_the_rest_stands_for_tiles_that_are_not_listed() -> None:
    neighbour = SettledNeighbour("W", CITY_EAST, ((FIELD_EAST, 0.5),))
    shares = reweigh_tiles([(CITY_WEST, 0.5)], [neighbour])
    factor = 1 / (0.5 * exp(-EDGE_COST) + 0.5)
    assert shares == pytest.approx([0.5 * factor / (0.5 * factor + 0.5)])


def test_a_neighbour_that_was_certain_changes_no_digit() -> None:
    likely = [(CITY_WEST, 0.7), (FIELD_WEST, 0.3 - 1e-9)]
    assert reweigh_tiles(likely, [SettledNeighbour("N", CITY_EAST, ())]) == [chance for _, chance in likely]
    assert reweigh_tiles(likely, []) == [chance for _, chance in likely]
