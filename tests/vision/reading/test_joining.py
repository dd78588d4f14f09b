"""Several photos of one table with the real nets: from other sides, in parts, with a hand in the way."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random

import cv2
import numpy as np
import pytest

from datasets.art.procedural import draw_tile_set
from datasets.art.style import STYLES
from datasets.render.shots import Manner
from scoring.carcassonne.board.board import Board, Placement
from scoring.carcassonne.board.notation import format_notation
from scoring.carcassonne.board.square_names import find_origin
from scoring.carcassonne.deal.boards import deal_random_board
from tests.readers import reader
from tests.vision.reading.several_photos import Part, shoot_several
from vision.arrays import Floats, Image
from vision.geometry.lattice_transform import Step
from vision.multiview.reading import JoinedReading
from vision.photo.decoding import Photo
from vision.reading.board import build_board
from vision.reading.values import Reading
from vision.survey.survey import Survey

EXAMPLES = Path(__file__).parents[3] / "datasets" / "examples"
PARTS = {
    "whole": Part(),
    "again": Part(),
    "west": Part(width=(0.0, 0.6)),
    "east": Part(width=(0.4, 1.0)),
    "hand": Part(hand=(0.2, 0.5)),
}


@cache
def laid() -> Board:
    return deal_random_board(Random(5))


@cache
def surveys() -> dict[str, Survey]:
    """Return one table, photographed once for each of the parts."""
    art = draw_tile_set(STYLES["meadow"], 1, 120, variants=1)
    parts, rng = list(PARTS.values()), np.random.default_rng(3)
    shots = shoot_several(laid(), art, "wood", Manner((1800, 1350)), parts, rng)
    return {name: reader().survey(photo_of(shot.image, name)) for name, shot in zip(PARTS, shots, strict=True)}


def photo_of(pixels: Image, name: str) -> Photo:
    return Photo.from_bytes(cv2.imencode(".jpg", pixels)[1].tobytes(), f"{name}.jpg")


@cache
def joined(*names: str) -> JoinedReading:
    return reader().join([surveys()[name] for name in names])


def in_frames(board: Board) -> set[str]:
    """Return the tiles of a board as any lattice may hold them, from row 0 and column 0."""
    frames = set()
    for turns in range(4):
        step = Step(turns)
        moved = {step.square(square): placement for square, placement in board.tiles.items()}
        top, left = (min(square[i] for square in moved) for i in (0, 1))
        tiles = {}
        for (row, col), placement in moved.items():
            assert placement is not None
            tiles[row - top, col - left] = Placement(
                placement.tile, (placement.turns + turns) % placement.layout.symmetry
            )
        frames.add(format_notation(Board(tiles)))
    return frames


def read_exactly(reading: Reading) -> bool:
    board = build_board(reading)
    return None not in board.tiles.values() and not in_frames(board).isdisjoint(in_frames(laid()))


@pytest.mark.parametrize(
    "names",
    [
        *(("west", "east"), ("hand", "again")),
        *(pytest.param(names, marks=pytest.mark.soak) for names in (("whole", "again"), ("east", "hand", "west"))),
    ],
    ids=" + ".join,
)
def test_several_photos_of_one_table_give_its_board(names: tuple[str, ...]) -> None:
    joint = joined(*names)
    assert len(joint.views) == len(names)
    assert not joint.apart
    assert read_exactly(joint.views[0].reading)
    squares = {(tile.row, tile.col) for tile in joint.views[0].reading.tiles}
    assert find_origin(squares) == (0, 0)
    assert set().union(*(view.squares for view in joint.views)) == squares
    assert sorted(square for view in joint.views for square in view.best) == sorted(squares)


@pytest.mark.parametrize("name", ["west", pytest.param("east", marks=pytest.mark.soak), "hand"])
def test_a_single_photo_does_not_give_the_whole_board(name: str) -> None:
    assert build_board(joined(name).views[0].reading).origin == (0, 0)
    assert not read_exactly(joined(name).views[0].reading)


def test_every_view_has_the_corners_of_its_own_photo() -> None:
    """Each square's corners are those of that photo's own lattice."""
    joint = joined("whole", "again")
    for view in joint.views:
        (survey,) = (candidate for candidate in surveys().values() if candidate.photo is view.photo)
        lattice_ends = {ends_of(quad) for quad in survey.lattice.corners.values()}
        assert {ends_of(tile.corners_px) for tile in view.reading.tiles} <= lattice_ends


def ends_of(quad: Floats) -> tuple[float, ...]:
    """Return a square's corners in an order that does not depend on the first."""
    return tuple(np.round(np.sort(quad, axis=0).ravel(), 3).tolist())


def test_most_meeples_are_found_on_both_halves() -> None:
    joint = joined("west", "east")
    main = joint.views[0].reading
    true = laid().meeples
    assert abs(len(main.meeples) - len(true)) <= 2
    view_meeples = set().union(*(view.best_meeples for view in joint.views))
    assert view_meeples == set(range(len(main.meeples)))
    assert all(view.best_meeples <= view.meeples for view in joint.views)


def test_a_photo_given_twice_is_read_once() -> None:
    once, twice = joined("whole"), joined("whole", "whole")
    assert len(twice.views) == 1
    tiles = [[(t.row, t.col, t.tile, t.turns, t.confidence) for t in j.views[0].reading.tiles] for j in (once, twice)]
    assert tiles[0] == tiles[1]
    assert once.views[0].reading.meeples == twice.views[0].reading.meeples


def test_the_same_picture_in_another_file_adds_no_certainty() -> None:
    survey = surveys()["whole"]
    copy = Survey(
        Photo(survey.photo.halves, "copy.png", "another", 1.0), survey.lattice, survey.logits, survey.timing_ms
    )
    once, twice = joined("whole").views[0].reading, reader().join([survey, copy]).views[0].reading
    for tile, same in zip(once.tiles, twice.tiles, strict=True):
        assert (tile.row, tile.col, tile.tile, tile.turns) == (same.row, same.col, same.tile, same.turns)
        assert same.confidence <= tile.confidence + 0.015
    meeples = [sorted(read.meeples, key=lambda reading: (reading.row, reading.col)) for read in (once, twice)]
    for meeple, same_meeple in zip(*meeples, strict=True):
        assert (meeple.row, meeple.col, meeple.colour) == (same_meeple.row, same_meeple.col, same_meeple.colour)
        assert same_meeple.confidence <= meeple.confidence + 0.015


def test_a_photo_of_another_table_is_excluded_and_changes_nothing() -> None:
    other = reader().survey(Photo.from_path(EXAMPLES / "test_clutter.jpg"))
    joint = reader().join([other, surveys()["whole"]])
    assert [view.photo.file for view in joint.views] == ["whole.jpg"]
    assert build_board(joint.views[0].reading) == build_board(joined("whole").views[0].reading)
    assert [(error.code, error.details["file"]) for error in joint.apart] == [
        ("photos_do_not_join", "test_clutter.jpg")
    ]
