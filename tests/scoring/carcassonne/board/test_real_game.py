"""A real two-player game whose players recorded every move, compared with the score before each of them."""

from __future__ import annotations

import pytest

from scoring.carcassonne.board.board import Placement
from scoring.carcassonne.board.problems import find_problems
from scoring.carcassonne.play.game import Game, Setup
from tests.scoring.history import log, move_of
from tests.scoring.outside import needs_shared

pytestmark = needs_shared


@pytest.fixture
def game() -> Game:
    start = Placement(log()["start"]["tile"], log()["start"]["turns"])
    return Game(Setup(tuple(log()["players"]), start=start))


def test_the_real_game_replays_to_the_score_before_each_move(game: Game) -> None:
    for number, entry in enumerate(log()["moves"], 1):
        assert game.scores == entry["score_before"], f"before move {number}"
        game.play(move_of(entry))
    assert game.scores == log()["after_play"] == {"blue": 90, "yellow": 28}
    assert game.is_over
    assert dict(game.final().totals) == log()["final_scoring"]
    assert game.totals() == log()["total"] == {"blue": 125, "yellow": 80}
    assert find_problems(game.board()) == ()
