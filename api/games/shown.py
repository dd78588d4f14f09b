"""The default game if none is named: the only game with enrolled boards on this machine."""

from __future__ import annotations

from pathlib import Path

from api.games.protocol import TableGame
from api.games.registry import find_game, find_game_or_default, list_games
from api.inputs.text import load_text, parse_game_field
from api.reading.tools import EnrolledGames
from api.spots.registry import SPOT_GAMES
from scoring.spots.components import ComponentsError
from vision.errors import InputError


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
