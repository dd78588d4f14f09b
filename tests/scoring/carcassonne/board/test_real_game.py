"""A real two-player game whose players recorded every move, compared with the score before each of them."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

from scoring.carcassonne.board.board import Placement
from scoring.carcassonne.board.places import find_segment
from scoring.carcassonne.board.problems import find_problems
from scoring.carcassonne.play.game import Game, Move, PlacedTile, Setup, Stand
from tests.scoring.outside import SHARED, needs_shared

pytestmark = needs_shared


@cache
def log() -> dict[str, Any]:
    """Return the players' record."""
    content: dict[str, Any] = json.loads((SHARED / "games" / "t3k14.json").read_text(encoding="utf-8"))
    return content


def move_of(entry: dict[str, Any]) -> Move:
    placement, square = Placement(entry["tile"], entry["turns"]), (-entry["y"], entry["x"])
    stands: tuple[Stand, ...] = ()
    if entry["meeple"]:
        segment = find_segment(placement.layout, placement.turns, entry["meeple"])
        assert segment is not None
        stands = (Stand(square, segment),)
    return Move(entry["player"], PlacedTile(placement, square), stands)


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
