"""A game followed by its photos: upside-down pieces are evidence for doubtful wonders, and alternatives are kept."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from api.carcassonne.report.moves import MoveOptions, build_moves
from datasets.render.shots import Manner, shoot
from scoring.carcassonne.board.board import Board, PlacedMeeple
from scoring.carcassonne.deal.boards import deal_random_board
from scoring.carcassonne.final.rulesets import TODAY
from scoring.carcassonne.tiles.geometry import Square
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from scoring.connected_squares import group_connected_squares
from tests.drawn_boards import draw_art
from tests.readers import reader
from tests.vision.surveys import CATALOGUE, survey_of
from vision.errors import ReadingError
from vision.geometry.lattice_transform import Step
from vision.photo.decoding import Photo
from vision.reading.values import WonderReading
from vision.sequence.follower import Followed
from vision.sequence.timeline import Timeline, build_timeline
from vision.survey.survey import PlacedSurvey, Survey

SEED, WONDER = 9, "WH/alhambra"
"""A board with a wonder, in a small photo that leaves it in doubt whether there is another."""
LAID = deal_random_board(Random(5), tiles=40)
ORDER = sorted(LAID.tiles)
"""Any order works: nothing here asks whether tiles touch."""
TURNED = [Step(1, 4, -7), Step(), Step(3, 0, 2), Step(2, -1, 5)]

AROUND = ((-1, 0), (1, 0), (0, -1), (0, 1))


@cache
def deal(seed: int) -> Board:
    """Return a board with a wonder that red has marked."""
    board = deal_random_board(Random(seed), 12, 2, wonders=[load_wonder_catalogue()[WONDER]])
    (placed,) = board.wonders
    cell, segment = placed.layout.marked
    return replace(board, meeples=(PlacedMeeple("red", placed.squares[cell], segment, "upside_down"),))


def survey(board: Board, seed: int) -> Survey:
    manner = Manner((420, 315), elevation=(60, 80), free=(0.25, 0.35), strength=1.0)
    image = shoot(board, draw_art(board), "wood", manner, np.random.default_rng(seed)).image
    data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 70])[1].tobytes()
    return reader().survey(Photo.from_bytes(data))


def weigh(wonders: tuple[WonderReading, ...]) -> dict[str, float]:
    return {wonder.placed.layout.id: wonder.probability for wonder in wonders}


@cache
def follow_doubted() -> Followed:
    """Follow a single photo of the board, one of whose tiles lies on a square that the localiser left out."""
    return reader().follow([survey(deal(SEED), SEED)])


def test_an_upside_down_piece_settles_a_doubtful_wonder() -> None:
    seed = 35
    board_tiles = reader().joiner.board_tiles
    timeline = build_timeline([survey(deal(seed), seed)], board_tiles.catalogue)
    _, before = board_tiles.read(tuple(timeline.since), timeline.logits, timeline.placed[-1:])
    assert before.doubtful
    assert weigh(before.read).keys() == {WONDER}
    followed = reader().follow([survey(deal(seed), seed)])
    assert followed.possible_wonders == ()
    assert [placed.layout.id for placed in followed.boards[-1].wonders] == [WONDER]


def take_a_tile(board: Board) -> Board:
    """The board without a tile that it does not fall apart without, the wonder left."""
    (wonder,) = board.wonders
    last = next(
        square
        for square in board.tiles
        if square not in wonder.squares and len(list(group_connected_squares(board.tiles.keys() - {square}))) == 1
    )
    return replace(board, tiles={square: tile for square, tile in board.tiles.items() if square != last})


def test_a_board_is_followed_until_it_grows_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    last = deal(SEED)
    before = take_a_tile(last)
    surveys = [survey(board, SEED) for board in (take_a_tile(before), before, last)]
    monkeypatch.setattr("vision.squares.board_size.MAX_BOARD_SQUARES", len(before.tiles))
    game = reader().follow(surveys)
    assert [len(board.tiles) for board in game.boards] == [len(before.tiles) - 1, len(before.tiles)]
    assert game.stopped is not None
    assert game.stopped.code == "board_too_large"
    assert game.left_out == (surveys[2].photo,)
    with pytest.raises(ReadingError, match="board_too_large"):
        reader().follow(surveys[1:])


def test_moves_report_a_possible_wonder() -> None:
    after = deal(SEED)
    before = take_a_tile(after)
    game = reader().follow([survey(before, SEED), survey(after, SEED)], ("blue", "red"))
    options = MoveOptions(TODAY, ("blue", "red"))
    assert "possible_wonder" not in {problem.code for problem in build_moves(game, options).open}
    doubted = replace(game, possible_wonders=follow_doubted().possible_wonders)
    moves = build_moves(doubted, options)
    told = [problem for problem in moves.open if problem.code == "possible_wonder"]
    assert [problem.tiles for problem in told] == [list(one.placed.squares) for one in doubted.possible_wonders]
    assert all("may lie here (" in problem.text and "row " in problem.text for problem in told)
    assert not moves.settled


def grown(*counts: int, of: Board = LAID) -> list[Survey]:
    """Return photos of the first tiles, such a number each, every one in a lattice of its own."""
    return [
        survey_of(of, TURNED[n % 4], only=sorted(of.tiles)[:count], seed=n, name=f"{n}.jpg")
        for n, count in enumerate(counts)
    ]


def found(timeline: Timeline) -> dict[Square, int]:
    """Return the photo that shows each tile first, by the board's own squares, from the first photo's lattice."""
    first = timeline.placed[0]
    back = TURNED[int(first.survey.photo.file[0]) % 4].inverse()
    return {back.square(first.step.inverse().square(square)): since for square, since in timeline.since.items()}


@settings(max_examples=3)
@given(st.lists(st.integers(8, 40), min_size=2, max_size=3).map(sorted))
def test_each_tile_is_dated_by_the_first_photo_that_shows_it(counts: list[int]) -> None:
    timeline = build_timeline(grown(*counts), CATALOGUE)
    true = {
        square: next(n for n, count in enumerate(counts) if i < count) for i, square in enumerate(ORDER[: counts[-1]])
    }
    assert found(timeline) == true
    assert all(timeline.since[square] for square in timeline.unsure)  # beyond the border of an earlier photo
    assert not timeline.apart


def test_an_overlooked_tile_counts_as_present_in_between() -> None:
    surveys = grown(20, 30, 40)
    surveys[1] = survey_of(LAID, TURNED[1], only=[*ORDER[:5], *ORDER[6:30]], seed=1, name="1.jpg")
    timeline = build_timeline(surveys, CATALOGUE)
    assert found(timeline)[ORDER[5]] == 0
    assert len(timeline.since) == 40


def test_photos_in_the_wrong_order_are_refused() -> None:
    inside = [s for s in ORDER if all((s[0] + down, s[1] + right) in LAID.tiles for down, right in AROUND)]
    some = [square for square in ORDER if square not in inside[:3]]
    with pytest.raises(ReadingError) as caught:
        build_timeline([survey_of(LAID, name="0.jpg"), survey_of(LAID, only=some, seed=1, name="1.jpg")], CATALOGUE)
    assert caught.value.code == "photos_out_of_order"
    assert caught.value.details == {"earlier": "0.jpg", "later": "1.jpg", "tiles": len(inside[:3])}


def test_an_overlooked_tile_does_not_end_a_series() -> None:
    """The earlier photo's lattice holds the square of the later tile too, on which it sees the bare table."""
    surveys = [
        survey_of(LAID, TURNED[0], only=ORDER[:20], bare=ORDER[20:22], name="0.jpg"),
        survey_of(LAID, TURNED[1], only=[*ORDER[:5], *ORDER[6:21]], seed=1, name="1.jpg"),
    ]
    timeline = build_timeline(surveys, CATALOGUE)
    assert timeline.stopped is None
    assert found(timeline) == {square: n // 20 for n, square in enumerate(ORDER[:21])}


@pytest.mark.parametrize("last", [10, 20])
def test_a_photo_of_an_earlier_board_ends_the_series(last: int) -> None:
    growing, back = grown(10, 20, 30), survey_of(LAID, only=ORDER[:last], seed=7, name="back.jpg")
    timeline = build_timeline([*growing, back, survey_of(LAID, seed=8, name="later.jpg")], CATALOGUE)
    assert [view.survey.photo.file for view in timeline.placed] == ["0.jpg", "1.jpg", "2.jpg"]
    assert len(timeline.since) == 30
    assert min(row for row, _ in timeline.since) == min(col for _, col in timeline.since) == 0
    assert [survey.photo.file for survey in timeline.left_out] == ["back.jpg", "later.jpg"]
    assert timeline.stopped is not None
    assert timeline.stopped.code == "photos_out_of_order"
    assert timeline.stopped.details == {"earlier": "2.jpg", "later": "back.jpg", "tiles": 30 - last}


def test_a_photo_of_another_table_is_set_apart() -> None:
    other = survey_of(deal_random_board(Random(8), tiles=30), name="other.jpg")
    for place in range(3):
        surveys = grown(20, 30)
        surveys.insert(place, other)
        timeline = build_timeline(surveys, CATALOGUE)
        assert [survey.photo.file for survey, _ in timeline.apart] == ["other.jpg"]
        assert [view.survey.photo.file for view in timeline.placed] == ["0.jpg", "1.jpg"]


def test_squares_are_counted_from_0() -> None:
    timeline = build_timeline(grown(20, 30), CATALOGUE)
    placed: PlacedSurvey
    for placed in timeline.placed:
        assert min(row for row, _ in placed.index) >= 0
    assert min(row for row, _ in timeline.since) == min(col for _, col in timeline.since) == 0
