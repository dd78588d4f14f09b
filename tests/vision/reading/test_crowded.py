"""Neither of two pieces on one tile is dropped: both are read, and the second is asked about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from datasets.art.procedural import draw_tile_set
from datasets.art.style import STYLES
from datasets.render.shots import Manner, shoot
from scoring.calibration import load_shares
from scoring.carcassonne.board.board import Board, PlacedMeeple, Placement
from scoring.carcassonne.deal.boards import deal_random_board
from scoring.carcassonne.doubt.relevance import assess_score_doubts
from scoring.carcassonne.final.scoring import compute_final_scoring
from scoring.carcassonne.tiles.geometry import Square
from tests.scoring.outside import SHARED
from vision.doubt.alternatives import find_alternatives, find_raw_alternatives
from vision.evaluation.labels import load_truth
from vision.evaluation.matching import match_reading
from vision.photo.decoding import Photo
from vision.pieces.kind_classifier import Names
from vision.pieces.meeples import read_meeples
from vision.reader import Reader
from vision.reading.board import build_board, match_meeples, place_meeple
from vision.reading.piece import Piece
from vision.reading.values import MeepleReading, Reading, Warp

NAMES = Names(("red", "blue"), ("standing", "lying", "disc", "upside_down"), ("meeple",))
WARP = Warp(np.diag([100.0, 100.0, 1.0]))
ROADS = Board({(0, col): Placement("U") for col in range(4)})
FAILING = SHARED / "photos" / "failing"
STRAIGHT_ROAD = Board({(0, 0): Placement("U")})


def lay_piece(at: tuple[float, float], colour: str = "red", presence: float = 0.99) -> Piece:
    """Return a disc of a sure colour."""
    colours = np.array([0.999 if name == colour else 0.001 for name in NAMES.colours])
    return Piece(at, presence, colours, np.array([0.0, 0.0, 1.0, 0.0]))


def read_pieces(*pieces: Piece) -> tuple[tuple[MeepleReading, ...], tuple[MeepleReading, ...]]:
    return read_meeples(pieces, NAMES, WARP, ROADS)


def test_two_pieces_of_one_tile_are_kept_and_the_less_certain_is_doubted() -> None:
    likely, _ = read_pieces(lay_piece((0.5, 0.15)), lay_piece((0.5, 0.5), "blue", 0.95), lay_piece((2.5, 0.5), "blue"))
    assert sorted((m.colour, m.row, m.col) for m in likely) == [("blue", 0, 0), ("blue", 0, 2), ("red", 0, 0)]
    sharing = [meeple for meeple in likely if meeple.col == 0]
    assert all(meeple.doubtful for meeple in sharing)
    (second,) = [meeple for meeple in sharing if meeple.crowded]
    assert second.confidence == min(meeple.confidence for meeple in sharing)
    reading = Reading(400, 100, (), likely, WARP, {})
    board = replace(ROADS, meeples=tuple(place_meeple(meeple) for meeple in likely))
    (none,) = [other for doubted, other in find_raw_alternatives(reading, board) if doubted == "crowded"]
    assert none.probability >= load_shares("carcassonne")["crowded_none"]
    assert len(none.on(board).meeples) == 2


def test_a_single_piece_on_its_tile_is_not_crowded() -> None:
    likely, _ = read_pieces(lay_piece((0.5, 0.5)), lay_piece((2.5, 0.5)))
    assert [(meeple.crowded, meeple.doubtful) for meeple in likely] == [(False, False)] * 2


def test_a_possible_second_piece_on_a_tile_is_offered() -> None:
    likely, possible = read_pieces(lay_piece((0.5, 0.15)), lay_piece((0.5, 0.8), presence=0.4), lay_piece((2.5, 0.2)))
    assert [(meeple.row, meeple.col) for meeple in possible] == [(0, 0)]
    assert len(likely) == 2


meeples = st.builds(
    PlacedMeeple,
    st.sampled_from(["red", "blue"]),
    st.tuples(st.just(0), st.integers(0, 3)),
    st.integers(0, 2),
    st.just("disc"),
)


@given(st.lists(meeples, max_size=8))
def test_each_piece_of_a_pile_matches_one_piece_of_the_board(placed: Sequence[PlacedMeeple]) -> None:
    read = [
        MeepleReading(m.colour, m.kind, m.pose, (0.0, 0.0), (0.0, 0.0), *m.square, m.segment, 1.0, False)
        for m in placed
    ]
    board = replace(ROADS, meeples=tuple(placed))
    indices = match_meeples(read, board)
    assert sorted(indices) == list(range(len(placed)))
    assert [board.meeples[index] for index in indices] == list(placed)


def crowd_tile(board: Board) -> tuple[Board, Square]:
    """Return the board with the other player's meeple on a road or city of a tile that bears a piece, and its place."""
    for meeple in board.meeples:
        placement = board.tiles[meeple.square]
        for number, segment in enumerate(placement.layout.segments if placement else ()):
            if number != meeple.segment and segment.kind in ("road", "city"):
                other = next(colour for colour in board.players if colour != meeple.colour)
                further = PlacedMeeple(other, meeple.square, number, "standing")
                return replace(board, meeples=(*board.meeples, further)), meeple.square
    raise AssertionError("no tile of the board has room for another piece")


@pytest.mark.parametrize("seed", [3, *[pytest.param(seed, marks=pytest.mark.soak) for seed in (6, 8)]])
def test_a_drawn_photo_of_two_pieces_on_one_tile_is_read_with_both(reader: Reader, tmp_path: Path, seed: int) -> None:
    board, square = crowd_tile(deal_random_board(Random(seed), tiles=30, players=2))
    manner = Manner((1600, 1200), (67, 69), (0.02, 0.08), strength=0.5)
    shoot(board, draw_tile_set(STYLES["ink"], 1, 320), "paper", manner, np.random.default_rng(seed)).save(
        tmp_path, "crowded"
    )
    truth = load_truth(tmp_path / "crowded.json")
    reading = reader.read(Photo.from_path(tmp_path / "crowded.jpg"))
    matching = match_reading(reading, truth)
    assert not matching.missed_meeples
    assert not matching.extra_meeples
    there = [meeple for meeple, true in matching.meeples if true.placed.square == square]
    assert len(there) == 2
    assert all(meeple.doubtful for meeple in there)
    assert [meeple.crowded for meeple in reading.meeples].count(True) == 1


@pytest.mark.skipif(not FAILING.is_dir(), reason="needs the real photos in ../shared/photos/failing")
@pytest.mark.parametrize(
    ("photo", "player", "points", "answers"),
    [
        pytest.param("jb_200225", "blue", 7, 0, id="a disc slid over a seam"),
        pytest.param("kpm_15", "red", 50, 0, id="a knight beside another"),
        pytest.param("jb_195559", "black", 11, 2, id="a disc on a small city"),
    ],
)
def test_no_piece_of_a_real_table_is_discarded_for_another(
    reader: Reader, photo: str, player: str, points: int, answers: int
) -> None:
    """The points are right at once, or with one of the likeliest doubts."""
    reading = reader.read(Photo.from_path(FAILING / f"{photo}.jpg"))
    board = build_board(reading)
    others = sorted(find_alternatives(reading, board), key=lambda other: -other.probability)
    boards = [board, *(other.on(board) for other in others[:answers])]
    assert points in [compute_final_scoring(likely).totals[player] for likely in boards]
    assert assess_score_doubts(board, others).doubtful
    (second,) = [meeple for meeple in reading.meeples if meeple.crowded]
    assert second.doubtful


@pytest.mark.skipif(not FAILING.is_dir(), reason="needs the real photos in ../shared/photos/failing")
def test_a_disc_on_a_road_printed_off_its_drawing_is_read_on_the_road(reader: Reader) -> None:
    """Blue has 25 points with the disc on the road; on the field that the drawing has there it would be 21."""
    reading = reader.read(Photo.from_path(FAILING / "jb_200144.jpg"))
    board = build_board(reading)
    assert compute_final_scoring(board).totals["blue"] == 25


def read(at: tuple[float, float], **poses: float) -> MeepleReading:
    odds = np.array([poses.get(pose, 0.0) for pose in NAMES.poses])
    ((meeple,), _) = read_meeples([Piece(at, 0.99, np.array([1.0, 0.0]), odds)], NAMES, WARP, STRAIGHT_ROAD)
    return meeple


def others(meeple: MeepleReading) -> set[tuple[str, str | None]]:
    """Return the alternative features, with the pose each requires; None for the pose that was read."""
    segments = Placement("U").layout.segments
    return {(segments[a.segment].kind, a.pose) for a in meeple.alternatives if a.segment is not None and not a.colour}


@given(st.floats(0.6, 0.9))
def test_an_alternative_that_lies_has_another_pose(standing: float) -> None:
    meeple = read((0.5, 0.5), standing=standing, lying=1 - standing)
    assert meeple.pose == "standing"
    assert others(meeple) == {("field", "lying")}


@given(st.floats(0.11, 0.19))
def test_a_disc_beside_a_road_keeps_its_pose_in_alternatives(beside: float) -> None:
    meeple = read((0.5, 0.5 + beside), disc=1.0)
    assert meeple.pose == "disc"
    assert others(meeple) <= {("road", None), ("field", None)}
    assert others(meeple)
