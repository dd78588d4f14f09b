"""All games that are read and scored: the one place that knows which there are.

A further game of spots is one more `SpotGame` in `api.games.spots.registry`; a game of another kind is one more
implementation of `TableGame` here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from api.games.carcassonne import Carcassonne
from api.games.printed import PrintedGame
from api.games.protocol import TableGame
from api.games.spots.registry import SPOT_GAMES
from api.inputs.text import is_report_text, load_text, parse_game_field
from vision.errors import InputError

CARCASSONNE: TableGame = Carcassonne()
DEFAULT_GAME = CARCASSONNE.name
"""The game of a table that names none and looks like no other."""


class OfGame(Protocol):
    """What tells its game: a snapshot or a report."""

    @property
    def game(self) -> str: ...


def iterate_games() -> Iterator[TableGame]:
    """All games, Carcassonne first."""
    yield CARCASSONNE
    yield from map(PrintedGame, SPOT_GAMES.values())


def list_games() -> tuple[str, ...]:
    """The names of all games, Carcassonne first."""
    return (DEFAULT_GAME, *SPOT_GAMES)


def find_game(name: str) -> TableGame:
    """The game of a name; raises InputError `unsupported_game`."""
    for game in iterate_games():
        if game.name == name:
            return game
    raise InputError("unsupported_game", details={"game": name, "supported": list(list_games())})


def find_game_of(document: OfGame) -> TableGame:
    """The game of a snapshot or a report; raises InputError `unsupported_game`."""
    return find_game(document.game)


def find_game_of_notation(notation: str) -> TableGame:
    """The game whose name a notation begins with; one that begins with none is Carcassonne's."""
    return _find_named_game(notation.split(maxsplit=1)[0] if notation.strip() else None)


def find_game_of_board(argument: str, name: str | None) -> TableGame:
    """The game of a board, in a file or a notation, which is to be that of the name where one is given.

    Raises InputError `unsupported_game`, `other_game`.
    """
    wanted = None if name is None else find_game(name)
    if wanted is CARCASSONNE:
        return CARCASSONNE  # whose boards name no game: what is wrong with one is told by who reads it
    written = _find_game_of_text(load_text(argument).strip())
    if wanted is not None and wanted.name != written.name:
        named = {} if written is CARCASSONNE else {"is": written.name}
        raise InputError("other_game", details={"game": wanted.name, **named})
    return written


def find_game_of_source(argument: str, name: str | None) -> TableGame:
    """The game of a report in a file, or else of a board.

    A report of a game of spots is that game's, whatever the name. Raises InputError `unsupported_game`, `other_game`.
    """
    text = load_text(argument)
    written = _find_game_of_text(text.strip())
    if is_report_text(text) and written is not CARCASSONNE:
        return written
    return find_game_of_board(argument, name)


def _find_game_of_text(text: str) -> TableGame:
    return _find_named_game(parse_game_field(text)) if text.startswith("{") else find_game_of_notation(text)


def _find_named_game(name: object) -> TableGame:
    return next((game for game in iterate_games() if game.name == name), CARCASSONNE)


def check_game(name: str) -> str:
    """The game's name; raises InputError `unsupported_game`."""
    return find_game(name).name


def get_game_title(name: str) -> str:
    """What a game is called on its box."""
    return find_game(name).title
