"""Records of games of Carcassonne: replayed, with the last board as one given without a photo."""

from __future__ import annotations

from collections.abc import Mapping

from api.inputs.given import GivenBoard
from scoring.carcassonne.final.table import Table
from scoring.carcassonne.play.game import Game
from scoring.carcassonne.record.text import parse_record
from scoring.carcassonne.wonders.tiles import WonderLayout


def replay_record(text: str, wonders: Mapping[str, WonderLayout] | None = None) -> Game:
    """Replay the game of a record; raises RecordError."""
    return parse_record(text, wonders).replay()


def build_record_board(game: Game) -> GivenBoard:
    """Build the last board of a replayed game.

    A record lists every player, the base games, every tile laid and all goods, so the table is fully known.
    """
    board, players = game.board(), game.setup.players
    table = Table(players, len(board.tiles), game.goods, len(players), base_games=game.setup.base_games)
    return GivenBoard(board, table, game.setup.rules.name, game.scores)
