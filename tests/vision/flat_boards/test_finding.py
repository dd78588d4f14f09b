"""A board is found in a photo by its features, or beside another one; in the dark, from the side and partly covered."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from datasets.render.tabletops import draw_tabletop
from tests.vision.flat_boards.boards import BOARD, SIZE, off_mm, photographed
from vision.arrays import Floats
from vision.errors import ReadingError
from vision.flat_boards.board import BoardLie, project_points
from vision.flat_boards.detector import BoardFinder
from vision.flat_boards.features import extract_features, extract_tilted_features
from vision.flat_boards.template_search import find_print_places
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


def test_the_visible_share_of_a_cut_off_board_is_estimated(finder: BoardFinder) -> None:
    shot = photographed(BOARD, 6, 70)
    left = int(project_points(shot.homographies[0], np.array([BOARD.size_mm]) / 2)[0, 0])
    lie = finder.find(Halves(np.ascontiguousarray(shot.photo[:, :left])))
    assert 0.3 < lie.shown < 0.7
    assert off_mm(lie, shot.homographies[0]) < 3


def test_several_boards_of_one_print_are_found(finder: BoardFinder) -> None:
    shot = photographed(BOARD, 12, 60, count=4)
    lies = finder.find_all(Halves(shot.photo), most=5)
    assert len(lies) == 4
    nearest = [int(np.argmin([off_mm(lie, truth) for truth in shot.homographies])) for lie in lies]
    assert sorted(nearest) == [0, 1, 2, 3]
    assert all(off_mm(lie, shot.homographies[i]) < 1.5 for lie, i in zip(lies, nearest, strict=True))


@pytest.mark.soak
@pytest.mark.parametrize("kind", ["mosaic", "plain"])
def test_a_table_without_the_board_is_refused(finder: BoardFinder, kind: str) -> None:
    photo = np.ascontiguousarray(
        np.tile(draw_tabletop(kind, np.random.default_rng(5), 600), (2, 2, 1))[: SIZE[1], : SIZE[0]]
    )
    with pytest.raises(ReadingError) as caught:
        finder.find(Halves(photo))
    assert caught.value.code == "board_not_found"


def test_a_mirrored_board_is_not_found(finder: BoardFinder) -> None:
    shot = photographed(BOARD, 7, 75)
    with pytest.raises(ReadingError):
        finder.find(Halves(np.ascontiguousarray(shot.photo[:, ::-1])))


DARK = 0.12
MOST = 400


def test_a_dark_picture_has_the_features_of_a_bright_one() -> None:
    picture = BOARD.picture
    bright, dark = (extract_features(image, 100_000) for image in (picture, (picture * DARK).astype(np.uint8)))
    assert len(dark.at) > 0.6 * len(bright.at)


def test_spread_features_include_faintly_drawn_areas() -> None:
    blocks = np.random.default_rng(5).integers(0, 256, (60, 60, 1), np.uint8)
    rich = np.repeat(np.kron(blocks, np.ones((10, 10, 1), np.uint8)), 3, axis=2)
    faint = (rich * 0.15 + 100).astype(np.uint8)
    picture = np.ascontiguousarray(np.hstack([rich, faint]))
    strongest, spread = (extract_features(picture, MOST, is_spread).at for is_spread in (False, True))
    assert len(strongest) >= len(spread) == MOST
    shares = [float(np.mean(at[:, 0] > rich.shape[1])) for at in (strongest, spread)]
    assert shares[0] < 0.1
    assert shares[1] > 0.4


def test_tilted_features_have_their_places_in_the_picture() -> None:
    picture = BOARD.picture
    h, w = picture.shape[:2]
    features = extract_tilted_features(picture, 2000, 2.4, np.pi / 3)
    assert len(features.at) > 50
    assert np.all((features.at > 0) & (features.at < (w, h)))
    straight = extract_features(picture, 100_000).at
    nearest = np.array([np.linalg.norm(straight - at, axis=1).min() for at in features.at])
    assert np.median(nearest) < 4


@pytest.mark.soak
@pytest.mark.parametrize("seed", [3, 6])
def test_a_board_is_found_from_a_low_viewpoint(seed: int) -> None:
    finder, shot = BoardFinder(BOARD), photographed(BOARD, seed, 24, covered=0.3)
    assert not finder.find_all(Halves(shot.photo), most=1, is_tilted=False)
    (lie,) = finder.find_all(Halves(shot.photo), most=1)
    assert off_mm(lie, shot.homographies[0]) < 1


@pytest.mark.parametrize("shape", [(1, 1), (1, 5000), (5000, 1), (2, 3), (4, 1500)])
@pytest.mark.parametrize("grey", [0, 255])
def test_strips_of_one_colour_have_no_features(shape: tuple[int, int], grey: int) -> None:
    picture = np.full((*shape, 3), grey, np.uint8)
    for is_spread in (False, True):
        assert not len(extract_features(picture, MOST, is_spread).at)
    assert not len(extract_tilted_features(picture, MOST, 2.4, 0.0).at)


@pytest.mark.soak
@pytest.mark.parametrize("shape", [(3, 1500), (1, 5000), (5000, 1), (1, 1)])
def test_no_board_is_found_in_a_strip(shape: tuple[int, int]) -> None:
    strip = np.random.default_rng(2).integers(0, 256, (*shape, 3), np.uint8)
    assert BoardFinder(BOARD).find_all(Halves(strip), most=2) == ()


REACH_MM = 600.0


@pytest.mark.parametrize("elevation", [pytest.param(75.0, marks=pytest.mark.soak), 45.0])
def test_a_second_board_is_found_beside_the_first(elevation: float) -> None:
    shot = photographed(BOARD, 12, elevation, count=2, covered=0.3)
    photo, first = Halves(shot.photo), BoardLie(shot.homographies[0], 0, 0.0, 0.0, 1.0)
    score, rough = find_print_places(photo, BOARD, first, [BOARD], REACH_MM)[0]
    assert score > 0.3
    lie = BoardFinder(BOARD).closer(photo, rough)
    assert lie is not None
    assert off_mm(lie, shot.homographies[1]) < 1.5


def test_no_print_is_searched_for_on_a_found_board() -> None:
    shot = photographed(BOARD, 12, 75, count=2)
    photo, lies = Halves(shot.photo), [BoardLie(homography, 0, 0.0, 0.0, 1.0) for homography in shot.homographies]
    score, rough = find_print_places(photo, BOARD, lies[0], [BOARD], REACH_MM, [lies[1].to_photo(BOARD.corners)])[0]
    assert score < 0.3
    assert BoardFinder(BOARD).closer(photo, rough) is None


def test_a_print_larger_than_the_searched_area_is_not_found() -> None:
    shot = photographed(BOARD, 3, 80)
    lie = BoardLie(shot.homographies[0], 0, 0.0, 0.0, 1.0)
    score, rough = find_print_places(Halves(shot.photo), BOARD, lie, [BOARD], 0.0)[0]
    assert score < 0.2
    assert np.isfinite(rough).all()


def test_a_covered_print_is_found_by_its_free_parts() -> None:
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


class CountingFinder(BoardFinder):
    """A finder that counts how often it refines a pose."""

    looks = 0

    def _look_once(self, photo: Halves, homography: Floats, inliers: int) -> BoardLie | None:
        self.looks += 1
        return super()._look_once(photo, homography, inliers)


def test_a_place_that_does_not_show_the_board_is_inspected_once() -> None:
    table = draw_tabletop("mosaic", np.random.default_rng(5), 600)
    photo = Halves(np.ascontiguousarray(np.tile(table, (2, 2, 1))[: SIZE[1], : SIZE[0]]))
    rough, finder = photographed(BOARD, 3, 80).homographies[0], CountingFinder(BOARD)
    assert finder.closer(photo, rough) is None
    assert finder.looks == 1
