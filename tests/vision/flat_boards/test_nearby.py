"""A print is found on the table beside a board whose pose is known."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.flat_boards.boards import off_mm, photographed, printed
from vision.flat_boards.board import BoardLie
from vision.flat_boards.detector import BoardFinder
from vision.flat_boards.template_search import find_print_places
from vision.photo.pyramid import Halves

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


def test_a_print_that_is_covered_is_found_by_what_cannot_be() -> None:
    """Only its rim is free; compared with the whole print, its place is much less similar."""
    frame = 0.2 * np.array(BOARD.size_mm)
    inner = np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) * (np.array(BOARD.size_mm) - 2 * frame) + frame
    shot = photographed(BOARD, 12, 75, count=2)
    quads = [BoardLie(homography, 0, 0.0, 0.0, 1.0).to_photo(inner) for homography in shot.homographies]
    image = shot.photo.copy()
    rng = np.random.default_rng(4)
    mask = cv2.fillConvexPoly(np.zeros(image.shape[:2], np.uint8), np.rint(quads[1]).astype(np.int32), 1) > 0
    blocks = cv2.resize(
        rng.integers(0, 255, (40, 60, 3), np.uint8), image.shape[1::-1], interpolation=cv2.INTER_NEAREST
    )
    image[mask] = blocks[mask]
    photo, first = Halves(image), BoardLie(shot.homographies[0], 0, 0.0, 0.0, 1.0)
    whole, _ = find_print_places(photo, BOARD, first, [BOARD], REACH_MM)[0]
    rim, rough = find_print_places(photo, BOARD, first, [BOARD], REACH_MM, open_mm=[inner])[0]
    assert whole < 0.7 * rim
    place = BoardLie(rough, 0, 0.0, 0.0, 1.0)
    assert off_mm(place, shot.homographies[1]) < 12
