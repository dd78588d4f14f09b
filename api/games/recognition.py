"""Recognition of the game that a table's photos show."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from api.games.protocol import TableGame
from api.games.registry import CARCASSONNE, find_game, find_shown_game
from api.reading.surveys import Openers
from api.reading.tools import EnrolledGames
from vision.errors import WondertallyError
from vision.photo.decoding import Photo


class OnceOpened:
    """Photos of a table; those opened to recognise the game are not opened a second time."""

    def __init__(self, openers: Openers) -> None:
        self._opened: dict[int, Photo] = {}
        self.openers: Openers = [
            (name, partial(self._open, number, opener)) for number, (name, opener) in enumerate(openers)
        ]

    def choose_game(self, name: str | None, tables: EnrolledGames) -> TableGame:
        """Return the game of a name, or recognise it in the photos if the name is None.

        Raises InputError `unsupported_game`.
        """
        return self.recognise(tables) if name is None else find_game(name)

    def choose_printed_game(self, name: str | None, tables: EnrolledGames) -> TableGame:
        """Choose the game as above, but one with a printed board: used with options that only printed games have.

        Raises InputError `unsupported_game`, or `game_wanted` if the photos show no printed game and not exactly one is
        enrolled.
        """
        if name is None and not tables.any_enrolled:
            return find_shown_game(tables)
        game = self.choose_game(name, tables)
        is_guessed = name is None and not game.needs_enrolment and tables.any_enrolled
        return find_shown_game(tables) if is_guessed else game

    def recognise(self, tables: EnrolledGames) -> TableGame:
        """Recognise the game in the first photo that can be opened; with no game enrolled it is Carcassonne.

        A photo that cannot be opened is skipped here and reported when it is read.
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
