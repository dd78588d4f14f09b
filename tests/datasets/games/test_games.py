"""A drawn game has photos and a record that belong together, and its evaluation accepts the true log only."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random

import numpy as np
import pytest

from api.carcassonne.report.moves import build_moves
from datasets.art.score_board import draw_score_board
from datasets.art.style import STYLES
from datasets.evaluation.games import DrawnGame, judge_game
from datasets.games.__main__ import Dealt, draw_game
from datasets.games.stage import Habit, Stage
from scoring.carcassonne.board.board import Board
from scoring.carcassonne.tiles.catalogue import START_TILES
from tests.datasets.tables import cheap_art
from vision.photo.decoding import Photo
from vision.sequence.followed import Followed

TURNS = 10


@cache
def deal() -> Dealt:
    return Dealt.play(Random(7), TURNS)


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> DrawnGame:
    folder, rng = tmp_path_factory.mktemp("game"), np.random.default_rng(1)
    habit = Habit((160, 120), stand=False, sheet=draw_score_board(STYLES["meadow"], rng))
    draw_game(deal(), Stage(deal().play_out(), cheap_art(), "plain", habit, rng), folder, every=1)
    return DrawnGame.load(folder)


def follow(game: DrawnGame, boards: list[Board]) -> Followed:
    photos = tuple(Photo.from_path(game.folder / name) for name in game.turns_before)
    return Followed(photos, tuple(boards), (), (), frozenset())


def list_boards() -> list[Board]:
    return [game.board() for game, _ in deal().replay()]


def test_a_drawn_game_begins_with_the_start_tile_and_ends_with_its_record(drawn: DrawnGame) -> None:
    assert drawn.turns_before == {f"{turns:03}.jpg": turns for turns in range(TURNS + 1)}
    assert drawn.end.setup.first_tile.tile == START_TILES[0]
    assert [turn.move for turn in drawn.end.turns] == [*deal().moves]
    photos = [Photo.from_path(drawn.folder / name) for name in drawn.turns_before]
    assert len({photo.sha256 for photo in photos}) == len(photos)
    assert {(photo.width, photo.height) for photo in photos} == {(160, 120)}


def test_the_true_log_is_right(drawn: DrawnGame) -> None:
    followed = follow(drawn, list_boards())
    moves = build_moves(followed, drawn.state_facts(followed))
    counts = judge_game(drawn, moves)
    assert counts["turns right"] == counts["turns"] == TURNS
    assert counts["in range"] == counts["scores"] == TURNS + 1
    assert counts["silent"] == 0


def test_a_log_without_its_pieces_is_not(drawn: DrawnGame) -> None:
    boards = list_boards()
    assert boards[-1].meeples
    followed = follow(drawn, [replace(board, meeples=()) for board in boards])
    moves = build_moves(followed, drawn.state_facts(followed))
    assert judge_game(drawn, moves)["pieces right"] < TURNS
