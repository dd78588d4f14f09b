"""A wonder tile that lies by itself is found by its outline, or refused with a reason."""

from __future__ import annotations

from functools import cache, partial

import numpy as np
import pytest

from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from scoring.carcassonne.wonders.shapes import list_outlines, move_squares
from tests.vision.enrolling.lone import draw_lone, photo, plain_photo
from vision.enrolling.wonders import weigh_tiles
from vision.errors import EnrolmentError
from vision.localise.lattice import Lattice
from vision.localise.lone_wonder import find_lone_wonder
from vision.photo.decoding import Photo
from vision.runtime.onnx import MODELS, Net
from vision.squares.square_reader import SquareReader

V = [(200, 100), (300, 100), (300, 300), (500, 300), (500, 400), (200, 400)]
NET = Net(MODELS / "localiser.onnx")


@cache
def square_reader() -> SquareReader:
    return SquareReader(Net(MODELS / "classifier.onnx", apart=True), Net(MODELS / "coats.onnx", apart=True))


def find(shown: Photo, id: str) -> tuple[str, Lattice]:
    weigh = partial(weigh_tiles, square_reader(), shown.halves)
    tile = find_lone_wonder(NET, shown.halves, load_wonder_catalogue()[id], weigh)
    return list_outlines()[tile.outline], tile.build_lattice()


@pytest.mark.parametrize(
    "id", ["WH/tikal", *(pytest.param(id, marks=pytest.mark.soak) for id in ("WH/stonehenge", "WH/angkor-wat"))]
)
def test_a_drawn_tile_is_found_on_its_squares(id: str) -> None:
    file, truth = draw_lone(id)
    letter, lattice = find(photo(file), id)
    (wonder,) = truth.board.wonders
    true_outline = tuple(sorted(move_squares(wonder.squares)))
    assert letter == list_outlines()[true_outline]
    quads = np.array([*lattice.corners.values()])
    size = float(np.mean([tile.size_px for tile in truth.tiles]))
    for tile in truth.tiles:
        offset = min(np.abs(np.roll(quad, k, axis=0) - tile.corners_px).max() for quad in quads for k in range(4))
        assert offset < 0.15 * size


def test_five_squares_of_cardboard_are_found() -> None:
    layout = load_wonder_catalogue()["WH/alhambra"]
    tile = find_lone_wonder(NET, plain_photo(V).halves, layout, lambda lattice: 1.0)
    assert list_outlines()[tile.outline] == "V"
    quads = np.array([*tile.build_lattice().corners.values()])
    assert np.abs(quads.reshape(-1, 2).min(axis=0) - (200, 100)).max() < 3
    assert np.abs(quads.reshape(-1, 2).max(axis=0) - (500, 400)).max() < 3


def test_only_a_known_outline_is_searched_for() -> None:
    layout, shown = load_wonder_catalogue()["WH/alhambra"], plain_photo(V)
    outline = tuple(sorted(move_squares(layout.squares)))
    tile = find_lone_wonder(NET, shown.halves, layout, lambda lattice: 1.0, outline)
    assert list_outlines()[tile.outline] == "V"
    with pytest.raises(EnrolmentError) as caught:
        find_lone_wonder(NET, shown.halves, layout, lambda lattice: 1.0, ((0, 0), (0, 1), (0, 2), (1, 1), (2, 1)))
    assert caught.value.code == "not_five_squares"


@pytest.mark.parametrize(
    ("quads", "code"),
    [
        ([], "wonder_not_seen"),
        ([[(200, 100), (500, 100), (500, 400), (200, 400)]], "not_five_squares"),
        ([[(250, 100), (350, 100), (350, 500), (250, 500)]], "not_five_squares"),
        ([[(300, 200), (800, 200), (800, 300), (300, 300)]], "not_five_squares"),
    ],
    ids=["nothing", "nine squares", "four squares", "beyond the border"],
)
def test_an_object_that_is_no_five_square_tile_is_refused(quads: list[list[tuple[int, int]]], code: str) -> None:
    with pytest.raises(EnrolmentError) as caught:
        find(plain_photo(*quads), "WH/alhambra")
    assert caught.value.code == code
    assert caught.value.details["wonder"] == "WH/alhambra"
