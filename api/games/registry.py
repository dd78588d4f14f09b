"""Registry of all games that can be read and scored; the only list of them.

Another game of spots is one more `SpotGame` in `api.spots.registry`; another kind of game is one more
implementation of `TableGame` here.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from pydantic_core import from_json

from api.carcassonne.game import Carcassonne
from api.documents.corrections import Correction
from api.documents.forms import AnyReport, GameReview, GameSnapshot
from api.games.protocol import TableGame
from api.inputs.text import find_meant, is_report_text, load_text, parse_game_field
from api.reading.tools import STAGES, STAGES_OF_TILES, WHICH_GAME, EnrolledGames
from api.spots.game import PrintedGame
from api.spots.registry import SPOT_GAMES
from scoring.spots.components import ComponentsError
from vision.errors import InputError

CARCASSONNE: TableGame = Carcassonne()
"""The game of a table that names none and resembles no other."""


class OfGame(Protocol):
    """A document that names its game: a snapshot or a report."""

    @property
    def game(self) -> str: ...


def list_games() -> dict[str, TableGame]:
    """List all games by name, Carcassonne first."""
    return {game.name: game for game in (CARCASSONNE, *map(PrintedGame, SPOT_GAMES.values()))}


def list_board_titles() -> dict[str, str]:
    """List the titles of the games whose empty boards can be enrolled, by name."""
    return {game.name: game.title for game in SPOT_GAMES.values() if game.load_forms()}


def find_game(name: str) -> TableGame:
    """Find a game by its name; raises InputError `unsupported_game`."""
    games = list_games()
    if name not in games:
        raise InputError(
            "unsupported_game", details={"game": name, **find_meant(name, games), "supported": list(games)}
        )
    return games[name]


def find_game_or_default(name: object) -> TableGame:
    """Find a game by the name in a document; Carcassonne if there is no such game."""
    return list_games().get(name, CARCASSONNE) if isinstance(name, str) else CARCASSONNE


def find_game_of(document: OfGame) -> TableGame:
    """Find the game of a snapshot or a report; raises InputError `unsupported_game`."""
    return find_game(document.game)


def find_game_of_notation(notation: str) -> TableGame:
    """Find the game named at the beginning of a notation; Carcassonne if none is."""
    return find_game_or_default(notation.split(maxsplit=1)[0] if notation.strip() else None)


def find_game_of_board(argument: str, name: str | None) -> TableGame:
    """Find the game of a board in a file or a notation, which must match the name if one is given.

    Raises InputError `unsupported_game`, `other_game`.
    """
    return _check_wanted(_find_game_of_text(load_text(argument)), name)


def find_game_of_source(argument: str, name: str | None) -> TableGame:
    """Find the game of a report in a file, or else of a board.

    A report of a game of spots determines the game, whatever the name. Raises InputError `unsupported_game`,
    `other_game`.
    """
    text = load_text(argument)
    game = _find_game_of_text(text)
    return game if is_report_text(text) and game is not CARCASSONNE else _check_wanted(game, name)


def list_stages(stage: str | None, name: str) -> tuple[str, ...]:
    """List the stages of a reading that is at `stage`, in the game of that name; the name is empty while unknown."""
    if stage == WHICH_GAME:
        return STAGES[:2]
    games = list_games()
    if name in games:
        return games[name].stages
    return next((game.stages for game in games.values() if stage in game.stages), STAGES_OF_TILES)


def _check_wanted(game: TableGame, name: str | None) -> TableGame:
    """Check that a board's game matches the name if one is given, and return that game.

    Boards of Carcassonne name no game, so their faults are reported when the board is parsed. Raises InputError
    `unsupported_game`, `other_game`.
    """
    wanted = game if name is None else find_game(name)
    if wanted is not CARCASSONNE and wanted.name != game.name:
        written = {} if game is CARCASSONNE else {"is": game.name}
        raise InputError("other_game", details={"game": wanted.name, **written})
    return wanted


def _find_game_of_text(text: str) -> TableGame:
    text = text.strip()
    return find_game_or_default(parse_game_field(text)) if text.startswith("{") else find_game_of_notation(text)


def find_shown_game(tables: EnrolledGames) -> TableGame:
    """Find the printed game meant if none is named: the only enrolled one.

    Raises InputError `game_wanted`, which lists the enrolled games.
    """
    names = tables.list_shown()
    if len(names) != 1:
        raise build_game_wanted_error(names)
    return find_game(names[0])


def find_game_to_enrol(tables: EnrolledGames, components: str | None) -> str:
    """Find the game to enrol if none is named: the only one that a components file fits, or the only enrolled one.

    Raises InputError `game_wanted`.
    """
    fitting = [name for name in SPOT_GAMES if components is not None and _fits(name, components)]
    return fitting[0] if len(fitting) == 1 else find_shown_game(tables).name


def find_game_of_labels(labels: list[Path]) -> TableGame:
    """Find the game of label files by the first one, which names its game unless that is Carcassonne."""
    text = load_text(str(labels[0])).strip() if labels else ""
    return find_game_or_default(parse_game_field(text))


def build_game_wanted_error(names: list[str]) -> InputError:
    """Build the error for a game that has to be named."""
    known = [game.name for game in list_games().values() if game.needs_enrolment]
    return InputError("game_wanted", details={"boards_shown": names, "known": known})


def _fits(name: str, components: str) -> bool:
    """Return whether a components file fits a game: each game refuses keys that it does not have."""
    try:
        SPOT_GAMES[name].rules.components(components)
    except ComponentsError:
        return False
    return True


def parse_snapshot(document: Any) -> GameSnapshot:
    """Parse a snapshot from a JSON document; raises pydantic's ValidationError."""
    name = document.get("game") if isinstance(document, dict) else None
    return find_game_or_default(name).parse_snapshot(document)


def parse_snapshot_json(text: str) -> GameSnapshot:
    """Parse a snapshot from JSON text; the inverse of `to_json`."""
    return parse_snapshot(from_json(text))


def review_snapshot(snapshot: GameSnapshot, corrections: Sequence[Correction] = ()) -> GameReview:
    """Review a snapshot with a person's corrections; raises CorrectionError, TrackError, ScoringError."""
    return find_game_of(snapshot).review(snapshot, corrections)


def build_snapshot_report(snapshot: GameSnapshot, corrections: Sequence[Correction] = ()) -> AnyReport:
    """Build the report of a snapshot with corrections; raises CorrectionError, TrackError, ScoringError."""
    return review_snapshot(snapshot, corrections).report
