"""Features are found in the dark, beside richly drawn objects, and from the side."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.flat_boards.boards import off_mm, photographed, printed
from vision.flat_boards.detector import BoardFinder
from vision.flat_boards.features import extract_features, extract_tilted_features
from vision.photo.pyramid import Halves

BOARD = printed(1)
DARK = 0.12
MOST = 400


def test_a_dark_picture_has_the_features_of_a_bright_one() -> None:
    picture = BOARD.picture
    bright, dark = (extract_features(image, 100_000) for image in (picture, (picture * DARK).astype(np.uint8)))
    assert len(dark.at) > 0.6 * len(bright.at)


def test_spread_features_leave_a_share_to_what_is_faintly_drawn() -> None:
    blocks = np.random.default_rng(5).integers(0, 256, (60, 60, 1), np.uint8)
    rich = np.repeat(np.kron(blocks, np.ones((10, 10, 1), np.uint8)), 3, axis=2)
    faint = (rich * 0.15 + 100).astype(np.uint8)
    picture = np.ascontiguousarray(np.hstack([rich, faint]))
    strongest, spread = (extract_features(picture, MOST, is_spread).at for is_spread in (False, True))
    assert len(strongest) >= len(spread) == MOST
    shares = [float(np.mean(at[:, 0] > rich.shape[1])) for at in (strongest, spread)]
    assert shares[0] < 0.1
    assert shares[1] > 0.4


def test_tilted_features_lie_where_they_are_in_the_picture() -> None:
    picture = BOARD.picture
    h, w = picture.shape[:2]
    features = extract_tilted_features(picture, 2000, 2.4, np.pi / 3)
    assert len(features.at) > 50
    assert np.all((features.at > 0) & (features.at < (w, h)))
    straight = extract_features(picture, 100_000).at
    nearest = np.array([np.linalg.norm(straight - at, axis=1).min() for at in features.at])
    assert np.median(nearest) < 4


@pytest.mark.parametrize("seed", [3, pytest.param(6, marks=pytest.mark.soak)])
def test_a_board_is_found_from_low_beside_it(seed: int) -> None:
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


@pytest.mark.parametrize(
    "shape", [(1, 5000), (3, 1500), *(pytest.param(one, marks=pytest.mark.soak) for one in ((5000, 1), (1, 1)))]
)
def test_no_board_is_found_in_a_strip(shape: tuple[int, int]) -> None:
    strip = np.random.default_rng(2).integers(0, 256, (*shape, 3), np.uint8)
    assert BoardFinder(BOARD).find_all(Halves(strip), most=2) == ()
