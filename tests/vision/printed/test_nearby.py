"""A print is found on the table beside a board whose lie is known."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.printed.boards import photographed, printed
from tests.vision.printed.test_finding import off_mm
from vision.photo.pyramid import Halves
from vision.printed.board import BoardLie
from vision.printed.detector import BoardFinder
from vision.printed.template_search import find_print_places

BOARD = printed(1)
REACH_MM = 600.0


@pytest.mark.parametrize("elevation", [pytest.param(75.0, marks=pytest.mark.soak), 45.0])
def test_the_other_board_is_found_beside_one(elevation: float) -> None:
    shot = photographed(BOARD, 12, elevation, count=2, covered=0.3)
    photo, first = Halves(shot.photo), BoardLie(shot.homographies[0], 0, 0.0, 0.0, 1.0)
    score, rough = find_print_places(photo, BOARD, first, [BOARD], REACH_MM)[0]
    assert score > 0.3
    lie = BoardFinder(BOARD).closer(photo, rough)
    assert lie is not None
    assert off_mm(lie, shot.homographies[1]) < 1.5


def test_on_a_board_that_is_taken_nothing_is_looked_for() -> None:
    shot = photographed(BOARD, 12, 75, count=2)
    photo, lies = Halves(shot.photo), [BoardLie(homography, 0, 0.0, 0.0, 1.0) for homography in shot.homographies]
    score, rough = find_print_places(photo, BOARD, lies[0], [BOARD], REACH_MM, [lies[1].to_photo(BOARD.corners)])[0]
    assert score < 0.3
    assert BoardFinder(BOARD).closer(photo, rough) is None


def test_a_print_larger_than_what_is_looked_at_is_nowhere() -> None:
    shot = photographed(BOARD, 3, 80)
    lie = BoardLie(shot.homographies[0], 0, 0.0, 0.0, 1.0)
    score, rough = find_print_places(Halves(shot.photo), BOARD, lie, [BOARD], 0.0)[0]
    assert score < 0.2
    assert np.isfinite(rough).all()
