"""Turns of a game, in the words of its record."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scoring.carcassonne.board.board import PlacedWonder
from scoring.carcassonne.play.game import Game, Move, Turn
from scoring.carcassonne.record.record import Record
from scoring.carcassonne.record.text import format_record, parse_record
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from scoring.errors import PlayError
from tests.scoring.games import list_wonder_places


def move(game: Game, words: str) -> Move:
    """Return a turn of the player on turn, in the words of a record."""
    head = format_record(Record(game.setup))
    zeros = " ".join("0" for _ in game.setup.players)
    return parse_record(f"{head}1 {game.on_turn} {words} = {zeros}\n").moves[0].move


def play(game: Game, *turns: str) -> Turn:
    """Play some turns; return the last of them."""
    return [game.play(move(game, words)) for words in turns][-1]


def set_scores(game: Game, **points: int) -> None:
    game.track = replace(game.track, points={**game.track.points, **points})


def give(game: Game, player: str, wonder: str) -> None:
    """Give a player a wonder, as if taken with their last points."""
    game.track = game.track.took(player)
    game.wonders_left = tuple(other for other in game.wonders_left if other != f"WH/{wonder}")
    game.hands[player]["meeple"] += 2
    game.in_front[player] += (f"WH/{wonder}",)


def lay_wonder(game: Game, wonder: str) -> None:
    """Lay the wonder of the player on turn out of the way: Stonehenge to the west, others to the south."""
    places = list_wonder_places(game, load_wonder_catalogue()[f"WH/{wonder}"])
    game.play(Move(game.on_turn, max(places, key=_how_far_west if wonder == "stonehenge" else _how_far_south)))


def _how_far_south(placed_wonder: PlacedWonder) -> tuple[int, ...]:
    top = min(row for row, _ in placed_wonder.squares)
    cols = [col for row, col in placed_wonder.squares if row == top]
    return top, -sum(col != 0 for col in cols), -max(cols)


def _how_far_west(placed_wonder: PlacedWonder) -> int:
    return -max(col for _, col in placed_wonder.squares)


def bonuses(turn: Turn) -> list[tuple[str, int, str]]:
    return [(e.player, e.points, e.rule) for e in turn.entries if e.rule.startswith("wonder.")]


def refused(game: Game, words: str) -> str:
    """Return the code of the refusal of a turn; the game is unchanged."""
    before = (game.board(), game.scores, game.supply, game.track, game.on_turn)
    with pytest.raises(PlayError) as caught:
        play(game, words)
    assert (game.board(), game.scores, game.supply, game.track, game.on_turn) == before
    return caught.value.code
