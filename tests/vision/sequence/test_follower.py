"""A game followed by its photos: pieces on their heads tell of wonders in doubt, and what may lie there is kept."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random

import cv2
import numpy as np
import pytest

from api.report.moves import MoveOptions, build_moves
from datasets.render.shots import Manner, shoot
from scoring.carcassonne.board.board import Board, PlacedMeeple
from scoring.carcassonne.deal.boards import deal_random_board
from scoring.carcassonne.final.rulesets import TODAY
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from scoring.connected_squares import group_connected_squares
from tests.drawn_boards import draw_art
from vision.photo.decoding import Photo
from vision.reader import Reader
from vision.reading.values import WonderReading
from vision.survey.survey import Survey

DOUBTED = {9: "WH/alhambra", 20: "WH/notre-dame"}
"""Seeds of boards with a wonder, in small photos that leave it in doubt whether there are others."""


@cache
def load_reader() -> Reader:
    return Reader()


@cache
def deal(seed: int) -> Board:
    """A board with a wonder that red has marked."""
    board = deal_random_board(Random(seed), 12, 2, wonders=[load_wonder_catalogue()[DOUBTED[seed]]])
    (placed,) = board.wonders
    cell, segment = placed.layout.marked
    return replace(board, meeples=(PlacedMeeple("red", placed.squares[cell], segment, "upside_down"),))


def survey(board: Board, seed: int) -> Survey:
    manner = Manner((420, 315), elevation=(60, 80), free=(0.25, 0.35), strength=1.0)
    image = shoot(board, draw_art(board), "wood", manner, np.random.default_rng(seed)).image
    data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 70])[1].tobytes()
    return load_reader().survey(Photo.from_bytes(data))


def weigh(wonders: tuple[WonderReading, ...]) -> dict[str, float]:
    return {wonder.placed.layout.id: wonder.probability for wonder in wonders}


@pytest.mark.parametrize("seed", DOUBTED)
def test_wonders_in_doubt_are_weighed_by_what_stands_on_its_head(seed: int) -> None:
    """As a single photo is read: with less evidence other wonders would be likelier."""
    joiner, photo = load_reader().joiner, survey(deal(seed), seed)
    board = joiner.read_board(joiner.group([photo]))
    assert board.wonders.possible
    read = joiner.read_table(board).board.wonders
    assert weigh(read.possible) != weigh(board.wonders.possible)
    followed = load_reader().follow([photo])
    assert weigh(followed.possible_wonders) == pytest.approx(weigh(read.possible))
    assert [placed.layout.id for placed in followed.boards[-1].wonders] == [DOUBTED[seed]]


def test_moves_tell_of_a_wonder_that_may_lie_there() -> None:
    after = deal(9)
    (wonder,) = after.wonders
    last = next(
        square
        for square in after.tiles
        if square not in wonder.squares and len(list(group_connected_squares(after.tiles.keys() - {square}))) == 1
    )
    before = replace(after, tiles={square: tile for square, tile in after.tiles.items() if square != last})
    followed = load_reader().follow([survey(before, 9), survey(after, 9)], ("blue", "red"))
    assert followed.possible_wonders
    moves = build_moves(followed, MoveOptions(TODAY, ("blue", "red")))
    told = [problem for problem in moves.open if problem.code == "possible_wonder"]
    assert [problem.tiles for problem in told] == [
        list(possible.placed.squares) for possible in followed.possible_wonders
    ]
    assert all("may lie here (" in problem.text and "row " in problem.text for problem in told)
