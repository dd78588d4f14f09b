"""Which game the photos of a table show."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from api.games.protocol import TableGame
from api.games.registry import CARCASSONNE, find_game
from api.games.shown import find_shown_game
from api.games.spots.tables import Tables
from api.reading.surveys import Openers
from vision.errors import WondertallyError
from vision.photo.decoding import Photo


class OnceOpened:
    """Photos of which those that the game was recognised from are not opened again."""

    def __init__(self, openers: Openers) -> None:
        self._opened: dict[int, Photo] = {}
        self.openers: Openers = [
            (name, partial(self._open, number, opener)) for number, (name, opener) in enumerate(openers)
        ]

    def choose_game(self, name: str | None, tables: Tables) -> TableGame:
        """Choose the game of a name, or without one the game that the photos show.

        Raises InputError `unsupported_game`.
        """
        return self.recognise(tables) if name is None else find_game(name)

    def choose_printed_game(self, name: str | None, tables: Tables) -> TableGame:
        """Choose likewise where something is said that only printed games have: the only one that was shown, at least.

        Raises InputError `unsupported_game`, and `game_wanted` where several were shown and the photos show none, or
        none was shown.
        """
        if name is None and not tables.any_enrolled:
            return find_shown_game(tables)
        game = self.choose_game(name, tables)
        is_guessed = name is None and not game.needs_enrolment and tables.any_enrolled
        return find_shown_game(tables) if is_guessed else game

    def recognise(self, tables: Tables) -> TableGame:
        """Recognise the game on the first photo that can be opened; Carcassonne without a look where no other is known.

        What keeps a photo from being opened is told by who reads it.
        """
        if not tables.any_enrolled:
            return CARCASSONNE
        for number, (_, opener) in enumerate(self.openers):
            try:
                photo = self._opened[number] = opener()
            except WondertallyError:
                continue
            name = tables.recognise(photo)
            return CARCASSONNE if name is None else find_game(name)
        return CARCASSONNE

    def _open(self, number: int, opener: Callable[[], Photo]) -> Photo:
        return self._opened.pop(number, None) or opener()
