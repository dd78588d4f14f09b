from __future__ import annotations

import numpy as np
import pytest

from datasets.render.tabletops import draw_tabletop
from tests.vision.flat_boards.boards import BOARD, SIZE, off_mm, photographed
from vision.errors import ReadingError
from vision.flat_boards.board import project_points
from vision.flat_boards.detector import BoardFinder
from vision.photo.pyramid import Halves


@pytest.fixture(scope="module")
def finder() -> BoardFinder:
    return BoardFinder(BOARD)


@pytest.mark.parametrize(
    ("covered", "elevation"),
    [(0.0, 80.0), (0.5, 40.0), *[pytest.param(*other, marks=pytest.mark.soak) for other in ((0.0, 40.0), (0.5, 80.0))]],
)
def test_a_board_is_found_from_any_side_and_half_covered(finder: BoardFinder, elevation: float, covered: float) -> None:
    shot = photographed(BOARD, round(elevation), elevation, covered=covered)
    lie = finder.find(Halves(shot.photo))
    assert off_mm(lie, shot.homographies[0]) < 0.8
    assert lie.error_px < 2


def test_of_a_board_that_is_cut_off_the_share_is_told(finder: BoardFinder) -> None:
    shot = photographed(BOARD, 6, 70)
    left = int(project_points(shot.homographies[0], np.array([BOARD.size_mm]) / 2)[0, 0])
    lie = finder.find(Halves(np.ascontiguousarray(shot.photo[:, :left])))
    assert 0.3 < lie.shown < 0.7
    assert off_mm(lie, shot.homographies[0]) < 3


def test_boards_of_one_print_are_found_one_by_one(finder: BoardFinder) -> None:
    shot = photographed(BOARD, 12, 60, count=4)
    lies = finder.find_all(Halves(shot.photo), most=5)
    assert len(lies) == 4
    nearest = [int(np.argmin([off_mm(lie, truth) for truth in shot.homographies])) for lie in lies]
    assert sorted(nearest) == [0, 1, 2, 3]
    assert all(off_mm(lie, shot.homographies[i]) < 1.5 for lie, i in zip(lies, nearest, strict=True))


@pytest.mark.parametrize("kind", ["mosaic", pytest.param("plain", marks=pytest.mark.soak)])
def test_a_table_without_the_board_is_refused(finder: BoardFinder, kind: str) -> None:
    photo = np.ascontiguousarray(
        np.tile(draw_tabletop(kind, np.random.default_rng(5), 600), (2, 2, 1))[: SIZE[1], : SIZE[0]]
    )
    with pytest.raises(ReadingError) as caught:
        finder.find(Halves(photo))
    assert caught.value.code == "board_not_found"


def test_a_mirrored_board_is_none(finder: BoardFinder) -> None:
    shot = photographed(BOARD, 7, 75)
    with pytest.raises(ReadingError):
        finder.find(Halves(np.ascontiguousarray(shot.photo[:, ::-1])))
