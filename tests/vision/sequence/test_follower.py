"""A game followed by its photos: upside-down pieces are evidence for doubtful wonders, and alternatives are kept."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random

import cv2
import numpy as np
import pytest

from api.carcassonne.report.moves import MoveOptions, build_moves
from datasets.render.shots import Manner, shoot
from scoring.carcassonne.board.board import Board, PlacedMeeple
from scoring.carcassonne.deal.boards import deal_random_board
from scoring.carcassonne.final.rulesets import TODAY
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from scoring.connected_squares import group_connected_squares
from tests.drawn_boards import draw_art
from tests.readers import reader
from vision.errors import ReadingError
from vision.photo.decoding import Photo
from vision.reading.values import WonderReading
from vision.sequence.boards import Followed
from vision.sequence.timeline import build_timeline
from vision.survey.survey import Survey

SEED, WONDER = 9, "WH/alhambra"
"""A board with a wonder, in a small photo that leaves it in doubt whether there is another."""


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


def test_a_wonder_in_doubt_is_settled_by_what_stands_on_its_head() -> None:
    seed = 12
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


def test_a_board_that_grows_too_large_is_followed_until_then(monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_moves_tell_of_a_wonder_that_may_lie_there() -> None:
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
